/**
 * An executor that is stopped before its claim, while its agent dies and a second agent revokes it and does the work;
 * then it is revived, and must do nothing.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { openStore } from '#ledger';
import { type EffectName, effects } from './effects.ts';
import { areStopped, kill, processesOf, signal } from './kill.ts';
import { execFolders, makePlace, type Place, SESSION, type Started, start, textOf } from './place.ts';
import { factCount } from './points.ts';

export interface Frozen {
  readonly kind: 'a wrapper' | 'a file editor';
  readonly trials: number;
  /** The claim was faster; such a trial says nothing and is repeated. */
  readonly missed: number;
  readonly faults: readonly string[];
}

const TRIES_MAX = 40;
const editor = fileURLToPath(new URL('./late-editor.ts', import.meta.url));

/** `count` trials of each kind. */
export async function runFrozen(program: string, count: number): Promise<readonly Frozen[]> {
  return [
    await repeat('a wrapper', count, (number) => inPlace(number, 'shell', (place) => frozenWrapper(place, program))),
    await repeat('a file editor', count, (number) => inPlace(number, 'edit', (place) => frozenEditor(place, program))),
  ];
}

async function repeat(
  kind: Frozen['kind'],
  count: number,
  once: (number: number) => Promise<readonly string[] | null>,
): Promise<Frozen> {
  const faults: string[] = [];
  let trials = 0;
  let missed = 0;
  for (let tries = 0; trials < count && tries < count + TRIES_MAX; tries++) {
    const found = await once(tries);
    if (found === null) missed++;
    else trials++;
    faults.push(...(found ?? []));
  }
  if (trials === 0) faults.push('the claim was always faster');
  return { kind, trials, missed, faults };
}

async function inPlace<T>(number: number, effect: EffectName, use: (place: Place) => Promise<T>): Promise<T> {
  const place = await makePlace(effects[effect], number);
  try {
    return await use(place);
  } finally {
    await kill('tree', place, 0);
    await place.remove();
  }
}

/** Null: it had its claim already. */
async function frozenWrapper(place: Place, program: string): Promise<readonly string[] | null> {
  const run = start(place, program, runArguments(place, 'shell'));
  const leader = await until(() => leaderOf(place), run);
  if (leader !== null) {
    signal(-leader, 'SIGSTOP');
    // Who runs on another processor comes a little further: to its claim, for example.
    await until(() => (areStopped(leader) ? true : null));
  }
  const [folder = ''] = execFolders(place);
  if (leader === null || existsSync(path.join(folder, 'claim'))) return null;
  await until(() => (factCount(place, 'attempt.start') > 0 ? true : null), run);
  await kill('group', place, run.child.pid ?? 0);
  await run.ended;
  const resumed = await start(place, program, ['resume', SESSION]).ended;
  const claim = textOf(path.join(folder, 'claim'));
  signal(-leader, 'SIGCONT');
  await until(() => (processesOf(place).length === 0 ? true : null));
  const count = effects.shell.count(place);
  return [
    ...(resumed.code === 0 ? [] : [`the second agent ended ${resumed.code}: ${resumed.stderr}`]),
    ...(claim === 'revoked\n' ? [] : [`the claim was not revoked: ${claim}`]),
    ...(count === 1 ? [] : [`the effect happened ${count} times`]),
  ];
}

/**
 * The editor is a part of the agent, and an agent that is stopped keeps the session to itself. So a process of ours
 * takes its place: it knows the attempt as the agent did, and comes to its claim too late.
 */
async function frozenEditor(place: Place, program: string): Promise<readonly string[] | null> {
  const run = start(place, program, runArguments(place, 'edit'));
  const reached = await until(() => (factCount(place, 'attempt.start') > 1 ? true : null), run);
  await kill('group', place, run.child.pid ?? 0);
  await run.ended;
  const { facts } = await openStore({ home: place.env['BELAY_HOME'] ?? '' }).openReader(SESSION);
  const attempt = facts.findLast((fact) => fact.type === 'attempt.start');
  if (reached === null || attempt?.type !== 'attempt.start' || attempt.effect !== 'file') return null;
  const folder = path.join(place.exec, attempt.attemptId);
  if (existsSync(path.join(folder, 'claim'))) return null;
  const bytes = readFileSync(path.join(place.work, 'page.txt'), 'utf8').replace('last', 'new\nlast');
  const words = [place.work, place.env['BELAY_HOME'] ?? '', 'page.txt', JSON.stringify(attempt.base), folder, bytes];
  const late = spawn(process.execPath, [editor, ...words], { stdio: ['pipe', 'pipe', 'inherit'] });
  let said = '';
  late.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  await until(() => (said.includes('ready\n') ? true : null));
  const resumed = await start(place, program, ['resume', SESSION]).ended;
  const inode = statSync(path.join(place.work, 'page.txt')).ino;
  late.stdin.end('go\n');
  await once(late, 'close');
  const count = effects.edit.count(place);
  return [
    ...(resumed.code === 0 ? [] : [`the second agent ended ${resumed.code}: ${resumed.stderr}`]),
    // It looks at the file before its claim, so it may find the change of the other before it finds itself revoked.
    ...(/revoked|stale/.test(said) ? [] : [`the first editor was told: ${said}`]),
    ...(count === 1 ? [] : [`the effect happened ${count} times`]),
    ...(statSync(path.join(place.work, 'page.txt')).ino === inode ? [] : ['the file was written again']),
  ];
}

const runArguments = (place: Place, effect: EffectName): readonly string[] => [
  'run',
  'Do it.',
  '--session',
  SESSION,
  '--model',
  place.model,
  ...effects[effect].args,
];

/** The process that is about to take the claim, as the notes of the attempt name it. */
function leaderOf(place: Place): number | null {
  for (const folder of execFolders(place)) {
    const found = /"leader":(\d+)/.exec(textOf(path.join(folder, 'meta')));
    if (found !== null) return Number(found[1]);
  }
  return null;
}

/** Null when the process ended first. */
async function until<T>(look: () => T | null, run?: Started): Promise<T | null> {
  let over = false;
  void run?.ended.then(() => {
    over = true;
  });
  while (!over) {
    const found = look();
    if (found !== null) return found;
    await new Promise(setImmediate);
  }
  return null;
}
