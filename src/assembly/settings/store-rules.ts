/**
 * Adds rules to the user's settings file, for one workspace alone.
 *
 * 1. The file is the old or the new one at every instant, also on a full disk: a fresh file is written whole, synced,
 *    and takes the name by one rename.
 * 2. One process at a time reads and writes it, so nothing that another one added is lost.
 * 3. What is no JSON is left alone: somebody wrote it and can mend it.
 */
import { mkdir, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { messageOf, ok, type Result } from '#lib';
import type { Problem } from '#surfaces/cli';
import { editLock } from '#workspace';
import { problem } from '../problem.ts';
import { replaceFile } from './replace-file.ts';
import { settingsBytesMax } from './settings-file.ts';

/** Returns the path of the file. */
export async function storeRules(
  file: string,
  root: string,
  rules: readonly string[],
): Promise<Result<string, Problem>> {
  try {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    return await editLock(path.dirname(file))(() => addRules(file, root, rules));
  } catch (thrown) {
    return problem(52, `the rule was not stored in ${file}: ${messageOf(thrown)}`);
  }
}

async function addRules(file: string, root: string, rules: readonly string[]): Promise<Result<string, Problem>> {
  // The file may be a link into a folder where the user keeps such files.
  const target = await realpath(file).catch(() => file);
  const text = await readFile(target, 'utf8').catch((thrown: unknown) => {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return '{}';
    throw thrown;
  });
  const settings = objectOf(text);
  if (settings === null) return problem(52, `the rule was not stored: ${file} is no JSON object; mend it first`);
  const projects = section(settings, 'projects');
  const project = projects === null ? null : section(projects, root);
  const permissions = project === null ? null : section(project, 'permissions');
  const allow = permissions?.['allow'] ?? [];
  if (permissions === null || !Array.isArray(allow)) {
    return problem(52, `the rule was not stored: "projects" in ${file} has another form; mend it first`);
  }
  permissions['allow'] = [...allow, ...rules.filter((rule) => !allow.includes(rule))];
  const next = `${JSON.stringify(settings, null, 2)}\n`;
  const bytes = Buffer.byteLength(next);
  // A file that is not read any more would stop every later start.
  if (bytes > settingsBytesMax) {
    return problem(
      52,
      `the rule was not stored: with it, ${file} would have ${bytes} bytes of at most ${settingsBytesMax} (256 KiB)`,
    );
  }
  await replaceFile(target, next);
  return ok(file);
}

type Fields = { [name: string]: unknown };

function objectOf(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return isFields(value) ? value : null;
  } catch {
    return null;
  }
}

/** The object under a name, made where it is missing; null where something else stands there. */
function section(around: Fields, name: string): Fields | null {
  const found = Object.hasOwn(around, name) ? around[name] : undefined;
  if (found !== undefined) return isFields(found) ? found : null;
  const made: Fields = {};
  around[name] = made;
  return made;
}

const isFields = (value: unknown): value is Fields =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
