/**
 * Whether a sandbox works here, by really running something in it. A failure is looked at again at each start, because
 * it may have been mended; what worked is believed until the machine is restarted or the sandbox would be another.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bubblewrapWords, type ConfinedWords, keyringFilter, type SandboxPolicy, seatbeltWords } from '#permission';
import { type FindProgram, runTool, toolEnv } from '#workspace';

export type Started = (cwd: string, policy: Omit<SandboxPolicy, 'forbidNested'>) => ConfinedWords;
export type Probed =
  | {
      readonly works: true;
      readonly level: 'bubblewrap' | 'sandbox-exec';
      readonly detail: string;
      readonly start: Started;
    }
  | { readonly works: false; readonly detail: string };

export interface ProbeRequest {
  readonly policy: Omit<SandboxPolicy, 'forbidNested'>;
  readonly find: FindProgram;
  readonly env: NodeJS.ProcessEnv;
  readonly bootId: string;
  /** Where it is remembered; null: nowhere. */
  readonly memory: string | null;
}

const timeoutMs = 10_000;
/** The root must not be writable; a sandbox in which this succeeds is none. */
const question = 'if (: >/belay-probe) 2>/dev/null; then exit 3; fi';

export async function probeSandbox(request: ProbeRequest): Promise<Probed> {
  return process.platform === 'darwin' ? probeSeatbelt(request) : probeBubblewrap(request);
}

async function probeBubblewrap(request: ProbeRequest): Promise<Probed> {
  const program = request.find('bwrap');
  if (program === null) {
    return { works: false, detail: 'bubblewrap (bwrap) is not installed; install the package bubblewrap' };
  }
  let why = '';
  const bytes = keyringFilter(process.arch);
  for (const forbidNested of [true, false]) {
    for (const filter of bytes === null ? [undefined] : [{ option: '--seccomp', bytes }, undefined]) {
      const start: Started = (cwd, policy) => ({
        ...bubblewrapWords({ ...policy, forbidNested }, program, cwd),
        ...(filter === undefined ? {} : { filter }),
      });
      const nested = forbidNested ? '' : ', too old to forbid nested namespaces';
      const detail = `bubblewrap${nested}${filter === undefined ? ', without a filter that keeps keyrings away' : ''}`;
      const fault = await tryOut(start, request, detail);
      if (fault === null) return { works: true, level: 'bubblewrap', detail, start };
      why = why === '' || !/disable-userns/.test(why) ? why || fault : fault;
    }
  }
  const hint = /namespace|Operation not permitted|Permission denied|setting up uid map/i.test(why)
    ? '; the system does not let it make user namespaces (kernel.apparmor_restrict_unprivileged_userns, container settings)'
    : '';
  return { works: false, detail: `bubblewrap does not work here: ${why}${hint}` };
}

async function probeSeatbelt(request: ProbeRequest): Promise<Probed> {
  const start: Started = (_cwd, policy) => seatbeltWords({ ...policy, forbidNested: false });
  const detail = 'sandbox-exec';
  const fault = await tryOut(start, request, detail);
  if (fault === null) return { works: true, level: 'sandbox-exec', detail, start };
  return { works: false, detail: `sandbox-exec does not work here: ${fault}` };
}

/** Null where it works, else why not. */
async function tryOut(start: Started, request: ProbeRequest, detail: string): Promise<string | null> {
  const { policy, env, find, memory } = request;
  const cwd = policy.workspace;
  const words = start(cwd, policy);
  // Each session has a scratch folder of its own, which makes no other sandbox of it.
  const told = JSON.stringify(words).replaceAll(policy.scratch ?? '\0', 'scratch');
  const key = createHash('sha256')
    .update(JSON.stringify([request.bootId, process.getuid?.() ?? null, detail, told]))
    .digest('hex');
  if (memory !== null && remembered(memory) === key) return null;
  const sh = find('sh') ?? '/bin/sh';
  // What it reads its filter from is here its input.
  const filter = words.filter === undefined ? [] : [words.filter.option, '0'];
  const ran = await runTool(words.program, [...words.options, ...filter, '--', sh, '-c', question], {
    ...(words.filter === undefined ? {} : { input: words.filter.bytes }),
    cwd,
    env: toolEnv(env),
    timeoutMs,
    outputBytesMax: 4096,
  });
  if (ran.exitCode !== 0) {
    return ran.stderr.trim().split('\n')[0] || (ran.timedOut ? 'it does not end' : `exit code ${ran.exitCode}`);
  }
  if (memory !== null) remember(memory, key);
  return null;
}

function remembered(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/** Losing it costs one more look. */
function remember(file: string, key: string): void {
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, key, { mode: 0o600 });
  } catch {
    // The next start looks again.
  }
}
