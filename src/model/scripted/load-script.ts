import { isAbsolute, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { err, messageOf, ok, type Result } from '#lib';
import type { Model, ModelConfigProblem } from '../contract.ts';
import { checkScript } from './script.ts';
import { type ScriptSource, scriptedModel } from './scripted-model.ts';

/**
 * Opens `scripted/PATH`. A relative path counts from `baseDir`; `readText` reads a file as UTF-8 and rejects when it
 * cannot. A `.json` file is a script; a `.mjs` file exports by default a script or a function of one request.
 */
export async function loadScript(
  path: string,
  options: { readonly baseDir: string; readText(path: string): Promise<string> },
): Promise<Result<Model, ModelConfigProblem>> {
  const file = isAbsolute(path) ? path : resolve(options.baseDir, path);
  if (file.endsWith('.json')) return fromJson(path, file, options.readText);
  if (file.endsWith('.mjs')) return fromModule(path, file);
  return problem(`the scripted model needs a .json or .mjs file, not ${quote(path)}: --model scripted/PATH.json`);
}

async function fromJson(path: string, file: string, readText: (path: string) => Promise<string>) {
  let text: string;
  try {
    text = await readText(file);
  } catch (thrown) {
    return problem(`the script ${file} cannot be read: ${messageOf(thrown)}`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    return problem(`the script ${file} is not valid JSON: ${messageOf(thrown)}`);
  }
  return fromScript(path, file, value);
}

async function fromModule(path: string, file: string): Promise<Result<Model, ModelConfigProblem>> {
  let exported: unknown;
  try {
    const module: { readonly default?: unknown } = await import(pathToFileURL(file).href);
    exported = module.default;
  } catch (thrown) {
    return problem(`the script ${file} cannot be loaded: ${messageOf(thrown)}`);
  }
  if (typeof exported !== 'function') return fromScript(path, file, exported);
  const turnAt = exported as ScriptSource['turnAt'];
  return ok(scriptedModel(`scripted/${path}`, { file, price: null, contextTokens: null, turnAt }));
}

function fromScript(path: string, file: string, value: unknown): Result<Model, ModelConfigProblem> {
  const script = checkScript(value);
  if (!script.ok) return problem(`the script ${file} has a wrong shape:${script.error}`);
  const { turns, price, contextTokens } = script.value;
  return ok(
    scriptedModel(`scripted/${path}`, {
      file,
      price: price ?? null,
      contextTokens: contextTokens ?? null,
      turnAt: (_request, { turn }) => turns[turn] ?? null,
    }),
  );
}

const quote = (text: string) => JSON.stringify(text);
const problem = (message: string) => err<ModelConfigProblem>({ code: 'configuration', message });
