/** The run that is cut: a small repository, a scripted model, effects that can be counted, and what must hold after. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Fact } from '#kernel';
import { openStore } from '#ledger';
import { COUNTS_VARIABLE, type Counts, CUT_VARIABLE, type Cut, FILL_VARIABLE, type Fill } from './cut.ts';

const agent = fileURLToPath(new URL('./agent.ts', import.meta.url));
const belay = fileURLToPath(new URL('../../src/assembly/entry.ts', import.meta.url));

export const SESSION = 'crash';
const TEST_COMMAND = 'node --test';

export interface Place {
  readonly folder: string;
  readonly work: string;
  readonly home: string;
  /** Outside the workspace: one line for each run of the tests. */
  readonly testRuns: string;
  /** Outside the workspace: one line for each run of the command. */
  readonly commandRuns: string;
  readonly script: string;
  /** The command goes on once this file is gone. */
  readonly hold: string;
  readonly env: NodeJS.ProcessEnv;
  remove(): void;
}

export interface PlaceOptions {
  /** Where the data folder lies, if not beside the workspace. */
  readonly home?: string;
  readonly turns?: readonly object[];
  /** Seconds that command and test take. */
  readonly slowS?: number;
  /** The command waits until the file `hold` is removed. */
  readonly held?: boolean;
  /** Commands run in the sandbox. */
  readonly confined?: boolean;
}

export function makePlace({ home, turns, slowS = 0, held = false, confined = false }: PlaceOptions = {}): Place {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'belay-crash-')));
  // What commands did is counted outside the workspace.
  const counted = path.join(folder, 'counted');
  const place = {
    folder,
    work: path.join(folder, 'work'),
    home: home ?? path.join(folder, 'home'),
    testRuns: path.join(counted, 'test-runs'),
    commandRuns: path.join(counted, 'command-runs'),
    script: path.join(folder, 'script.json'),
    hold: path.join(counted, 'hold'),
  };
  for (const made of [place.work, counted, path.join(folder, 'config', 'belay')]) mkdirSync(made, { recursive: true });
  const settings = { sandbox: { writable: [counted] } };
  writeFileSync(path.join(folder, 'config', 'belay', 'settings.json'), JSON.stringify(settings));
  writeFileSync(place.testRuns, '');
  writeFileSync(place.commandRuns, '');
  writeFileSync(path.join(place.work, 'sum.mjs'), 'export const sum = (a, b) => a - b;\n');
  writeFileSync(path.join(place.work, 'sum.test.mjs'), testText(place.testRuns, slowS));
  const wait = `while [ -e '${place.hold}' ]; do sleep 0.02; done\n`;
  const nap = held ? wait : slowS === 0 ? '' : `sleep ${slowS}\n`;
  if (held) writeFileSync(place.hold, '');
  writeFileSync(
    path.join(place.work, 'note.sh'),
    `echo started\n${nap}echo ran >>'${place.commandRuns}'\necho ended\n`,
  );
  writeFileSync(place.script, JSON.stringify({ turns: turns ?? ordinaryTurns }));
  const env = {
    ...process.env,
    BELAY_SANDBOX: confined ? 'required' : 'off',
    XDG_CONFIG_HOME: path.join(folder, 'config'),
    NO_COLOR: '1',
    NODE_NO_WARNINGS: '1',
    BELAY_HOME: place.home,
  };
  return { ...place, env, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }) };
}

function testText(runs: string, slowS: number): string {
  return `import { test } from 'node:test';
import assert from 'node:assert';
import { appendFileSync } from 'node:fs';
import { sum } from './sum.mjs';
console.log('started');
test('sum', async () => {
  await new Promise((done) => setTimeout(done, ${slowS * 1000}));
  appendFileSync(${JSON.stringify(runs)}, 'ran\\n');
  assert.equal(sum(1, 2), 3);
});
`;
}

const call = (tool: string, args: object) => ({ tool, args });
export const ordinaryTurns: readonly object[] = [
  { calls: [call('Read', { file_path: 'sum.mjs' }), call('Read', { file_path: 'sum.test.mjs' })] },
  { calls: [call('Edit', { file_path: 'sum.mjs', old_string: 'a - b', new_string: 'a + b' })] },
  { calls: [call('Bash', { command: 'sh note.sh' })] },
  { calls: [call('Test', {})] },
  { text: 'The sum is right now.' },
];

export const runArguments = (place: Place): readonly string[] => [
  'run',
  'Make the sum right.',
  '--session',
  SESSION,
  '--model',
  `scripted/${place.script}`,
  '--check',
  TEST_COMMAND,
  '--allow',
  'Edit(**)',
  '--allow',
  'Bash(sh note.sh)',
  '--output-format',
  'json',
];
export const resumeArguments = ['resume', SESSION, '--output-format', 'json'];

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}
export interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  stdout(): string;
  stderr(): string;
}

/** Every agent leads a process group of its own, as it does when a shell starts it. */
function start(place: Place, program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Started {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: place.work,
    env: { ...place.env, ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return { child, ended, stdout: () => stdout, stderr: () => stderr };
}

export const startBelay = (place: Place, args: readonly string[]): Started => start(place, belay, args);
export const runBelay = (place: Place, args: readonly string[]): Promise<Ended> => startBelay(place, args).ended;

export function startAgent(place: Place, args: readonly string[], cut: Cut | null, fill: Fill | null = null): Started {
  return start(place, agent, args, { [CUT_VARIABLE]: JSON.stringify(cut), [FILL_VARIABLE]: JSON.stringify(fill) });
}

/** How many points of each kind an undisturbed run passes. */
export async function countPoints(place: Place, args = runArguments(place)): Promise<Counts> {
  const file = path.join(place.folder, 'counts.json');
  const ended = await start(place, agent, args, { [COUNTS_VARIABLE]: file }).ended;
  if (ended.code !== 0) throw new Error(`the undisturbed run exited ${ended.code}: ${ended.stderr}`);
  const counts = JSON.parse(readFileSync(file, 'utf8')) as Counts;
  // Two commands run: `sh note.sh` and the tests.
  return { ...counts, claimed: 2, running: 2, shell: 2 };
}

export const linesIn = (file: string): number => readFileSync(file, 'utf8').split('\n').length - 1;

/** Everything that does not hold, as sentences; empty when all does. */
export async function faultsOf(place: Place, last: Ended): Promise<readonly string[]> {
  const faults: string[] = [];
  const need = (isTrue: boolean, fault: string) => {
    if (!isTrue) faults.push(fault);
  };
  const result = resultOf(last);
  need(last.code === 0, `exit ${last.code} ${last.signal ?? ''}: ${last.stderr}`);
  need(result['verified'] === true, `verified is ${String(result['verified'])}`);
  need(JSON.stringify(result['unknown']) === '[]', `unknown: ${JSON.stringify(result['unknown'])}`);
  need(JSON.stringify(result['pending']) === '[]', `pending: ${JSON.stringify(result['pending'])}`);
  need(linesIn(place.testRuns) === 1, `the tests ran ${linesIn(place.testRuns)} times`);
  need(linesIn(place.commandRuns) === 1, `the command ran ${linesIn(place.commandRuns)} times`);
  const text = readFileSync(path.join(place.work, 'sum.mjs'), 'utf8');
  need(text === 'export const sum = (a, b) => a + b;\n', `sum.mjs holds ${text}`);
  return [...faults, ...(await ledgerFaults(place))];
}

export async function ledgerFaults(place: Place): Promise<readonly string[]> {
  const { report, problems } = await openStore({ home: place.home }).verify(SESSION);
  const damage = report.damage === null ? [] : [`damaged at ${report.damage.offset}`];
  const torn = report.tornBytes === 0 ? [] : [`${report.tornBytes} torn bytes are left`];
  return [...problems, ...damage, ...torn, ...historyFaults(report.facts)];
}

/** A whole history: steps are closed, and every call of the model has exactly one result. */
export function historyFaults(facts: readonly Fact[]): readonly string[] {
  const faults: string[] = [];
  const openSteps = new Set<string>();
  const results = new Map<string, number>();
  const starts = new Map<string, string[]>();
  for (const fact of facts) {
    if (fact.type === 'step.start') openSteps.add(fact.stepId);
    if (fact.type === 'step.end') openSteps.delete(fact.stepId);
    if (fact.type === 'action.intended') results.set(fact.actionId, 0);
    if (fact.type === 'attempt.start')
      starts.set(fact.actionId, [...(starts.get(fact.actionId) ?? []), fact.attemptId]);
    const isResult = fact.type === 'attempt.outcome' || (fact.type === 'action.verdict' && fact.verdict !== 'allow');
    if (isResult) results.set(fact.actionId, (results.get(fact.actionId) ?? 0) + 1);
    if (fact.type === 'attempt.outcome' && fact.status === 'unknown') faults.push(`${fact.actionId} is unknown`);
  }
  for (const stepId of openSteps) faults.push(`step ${stepId} was never closed`);
  for (const [actionId, count] of results) if (count !== 1) faults.push(`call ${actionId} has ${count} results`);
  for (const [actionId, ids] of starts) {
    if (new Set(ids).size !== ids.length) faults.push(`call ${actionId} started one attempt twice: ${ids.join(', ')}`);
  }
  return faults;
}

export function resultOf(ended: Ended): { readonly [name: string]: unknown } {
  try {
    return JSON.parse(ended.stdout.trimEnd().split('\n').at(-1) ?? '') as { [name: string]: unknown };
  } catch {
    return {};
  }
}
