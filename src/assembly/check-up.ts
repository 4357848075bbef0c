/** What `belay doctor` looks at. Of keys and other secrets only the names are told. */
import { realpathSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { fileSystemOf, type Store } from '#ledger';
import { messageOf } from '#lib';
import { noSandboxSettings } from '#permission';
import type { CheckUp } from '#surfaces/cli';
import { passedVariables, programFinder, ripgrepProgram, runTool, toolEnv } from '#workspace';
import { newId } from './new-id.ts';
import { makePolicy } from './sandbox/make-policy.ts';
import { probeSandbox } from './sandbox/probe.ts';
import { environmentInForce } from './settings/environment-settings.ts';

const keyNames = ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'OPENAI_COMPATIBLE_API_KEY', 'GEMINI_API_KEY'];

export async function checkUp(store: Store, env: NodeJS.ProcessEnv, cwd: string): Promise<readonly CheckUp[]> {
  const find = programFinder(cwd, env['PATH']);
  return [
    { name: 'node', ok: true, detail: `${process.versions.node} (${process.platform} ${process.arch})` },
    await program('sh', find('sh'), null, env, cwd),
    await program('bash', find('bash'), ['--version'], env, cwd),
    { ...(await program('git', find('git'), ['--version'], env, cwd)), ok: true },
    await program('ripgrep', await ripgrepProgram({ program: find }), ['--version'], env, cwd),
    await sandbox(store, env, cwd),
    await environment(env),
    await dataFolder(store),
    await lock(store),
    keys(env),
    model(env),
  ];
}

async function program(
  name: string,
  file: string | null,
  args: readonly string[] | null,
  env: NodeJS.ProcessEnv,
  cwd: string,
): Promise<CheckUp> {
  if (file === null) return { name, ok: false, detail: 'not found in PATH' };
  if (args === null) return { name, ok: true, detail: file };
  const ran = await runTool(file, args, { cwd, env: toolEnv(env), timeoutMs: 5000, outputBytesMax: 4096 });
  const line = Buffer.from(ran.stdout).toString('utf8').split('\n')[0] ?? '';
  return { name, ok: ran.exitCode === 0, detail: `${line} (${file})` };
}

/** Tried out on the folder that doctor was started in; a machine without one is no fault of Belay. */
async function sandbox(store: Store, env: NodeJS.ProcessEnv, cwd: string): Promise<CheckUp> {
  const { policy } = makePolicy({
    workspace: realpathSync.native(cwd),
    dataFolder: store.home,
    env,
    network: false,
    scratch: null,
    settings: noSandboxSettings,
  });
  const found = await probeSandbox({ policy, find: programFinder(cwd, env['PATH']), env, bootId: '', memory: null });
  return { name: 'sandbox', ok: true, detail: found.works ? found.detail : `none: ${found.detail}` };
}

/** What commands get besides the list that all get: names, never values. */
async function environment(env: NodeJS.ProcessEnv): Promise<CheckUp> {
  const name = 'environment';
  const { pass, faults } = await environmentInForce(env);
  if (faults.length > 0) return { name, ok: false, detail: faults.join('; ') };
  const passed = Object.keys(passedVariables(pass, env)).sort();
  const unset = pass.filter((one) => !one.endsWith('*') && env[one] === undefined);
  const told = passed.length === 0 ? 'commands get the usual list' : `commands get besides: ${passed.join(', ')}`;
  return { name, ok: true, detail: unset.length === 0 ? told : `${told}; not set: ${unset.join(', ')}` };
}

async function dataFolder(store: Store): Promise<CheckUp> {
  const name = 'data folder';
  try {
    await mkdir(store.home, { recursive: true, mode: 0o700 });
    const disk = await fileSystemOf(store.home);
    const warning = disk.dependable ? '' : '; a power loss can take back what was recorded';
    return { name, ok: true, detail: `${store.home} on ${disk.name}${warning}` };
  } catch (thrown) {
    return { name, ok: false, detail: `${store.home}: ${messageOf(thrown)}` };
  }
}

/** Makes a session, sees that a second opening is refused, and removes it. */
async function lock(store: Store): Promise<CheckUp> {
  const name = 'session lock';
  const sessionId = `doctor-${newId()}`;
  try {
    const ledger = await store.create(sessionId);
    const second = await store.openWriter(sessionId).then(
      async (other) => {
        await other.close();
        return false;
      },
      () => true,
    );
    await ledger.close();
    await store.remove(sessionId);
    return { name, ok: second, detail: second ? 'one writer at a time' : 'two writers at once were let in' };
  } catch (thrown) {
    return { name, ok: false, detail: messageOf(thrown) };
  }
}

function keys(env: NodeJS.ProcessEnv): CheckUp {
  const set = keyNames.filter((key) => (env[key] ?? '') !== '');
  return {
    name: 'provider keys',
    ok: true,
    detail: set.length === 0 ? `none of ${keyNames.join(', ')}` : set.join(', '),
  };
}

function model(env: NodeJS.ProcessEnv): CheckUp {
  const chosen = env['BELAY_MODEL'] ?? '';
  return { name: 'model', ok: true, detail: chosen === '' ? 'give --model or set BELAY_MODEL' : chosen };
}
