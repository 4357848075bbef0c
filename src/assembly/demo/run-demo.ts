/**
 * `belay demo`: the real commands, as a user would type them, on a fresh copy of a small repository. A scripted model
 * stands in for a real one; everything else is as always. With `--kill` the agent is killed while its last test run
 * is under way, and resumed: a file that the tests append to shows how often they really ran.
 */
import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { openStore, type Store } from '#ledger';
import { type Foreground, startForeground } from '#workspace';
import { dataHome } from '../data-home.ts';
import { newId } from '../new-id.ts';
import { version } from '../version.ts';
import { type DemoPlace, makeRepository } from './make-repository.ts';

export interface DemoRequest {
  readonly kill: boolean;
  readonly times: number;
}

const goal = 'slugify_title() joins words with underscores, but its test wants hyphens. Fix it.';
/** The run of the tests during which the agent is killed: the first is the one that Belay makes itself. */
const killedRun = 2;
const waitMsMax = 30_000;

const say = (text: string) => process.stdout.write(`${text}\n`);

/** Returns 0 when everything went as the demo promises; several times in a row when asked. */
export async function runDemo(request: DemoRequest, env: NodeJS.ProcessEnv): Promise<number> {
  for (let time = 1; time <= request.times; time++) {
    const isLast = time === request.times;
    if (request.times > 1) say(`\n=== ${time} of ${request.times}`);
    const failure = await once(request, env, isLast);
    if (failure === null) continue;
    process.stderr.write(`belay demo: ${failure}\n`);
    return 1;
  }
  return 0;
}

/** Null when all went well, else what did not. The session and the repository of the last time stay to be looked at. */
async function once({ kill }: DemoRequest, env: NodeJS.ProcessEnv, isLast: boolean): Promise<string | null> {
  const place = await makeRepository(kill, env);
  const store = openStore({ home: dataHome(env, process.cwd()), program: version });
  const id = `demo-${newId().slice(0, 8)}`;
  const belay = commands(place, env);
  say(`A copy of the demo's repository lies in ${place.repository}\n`);

  // It watches its commands from outside, and has to run where no sandbox works.
  const run = ['run', '--sandbox', 'off', '--headless', '--verbose', '--session', id, '--permission-mode', 'plan'];
  const model = ['--model', `scripted/${place.script}`, '--check', 'node --test'];
  const steps: readonly (readonly [readonly string[], number])[] = [
    [[...run, ...model, goal], 10],
    [['approve', id], 0],
    [['resume', id, '--headless', '--verbose'], 10],
    [['approve', id], 0],
  ];
  for (const [args, expected] of steps) {
    const code = await belay(args).ended;
    say(`(exit ${code})\n`);
    if (code !== expected) return `belay ${args[0]} exited ${code} instead of ${expected}`;
  }
  const before = kill ? runsOf(place) : 0;
  if (kill) {
    const failure = await killWhileTesting(id, place, store, env);
    if (failure !== null) return failure;
  }
  const code = await belay(['resume', id, '--headless', '--verbose']).ended;
  say(`(exit ${code})\n`);
  if (code !== 0) return `the last belay resume exited ${code} instead of 0`;
  await belay(['diff', id]).ended;
  say('');
  await tellEvidence(id, store);
  if (kill) {
    const runs = runsOf(place) - before;
    say(`The killed test run ran ${runs === 1 ? 'once' : `${runs} times`} (${place.effects}).`);
    if (runs !== 1) return `the effects file counts ${runs} runs of the last test instead of one`;
  }
  if (isLast) {
    say(`The session lies in ${store.home}/sessions/${id}; belay log ${id} tells all of it.`);
  } else {
    await store.remove(id);
    await rm(place.folder, { recursive: true, force: true });
  }
  return null;
}

/** Starts this same program, on this terminal, in the demo's repository. */
function commands(place: DemoPlace, env: NodeJS.ProcessEnv) {
  const entry = process.argv[1] ?? '';
  const home = dataHome(env, process.cwd());
  return (args: readonly string[], ownGroup = false): Foreground => {
    say(`$ belay ${args.map(shown).join(' ')}`);
    const childEnv = { ...env, BELAY_HOME: home };
    return startForeground(process.execPath, [entry, ...args], { cwd: place.repository, env: childEnv, ownGroup });
  };
}

const shown = (arg: string) => (/^[\w./:=-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", "'\\''")}'`);

/** Kills the whole process group of the agent once the start of the test run is in the ledger and its child is alive. */
async function killWhileTesting(
  id: string,
  place: DemoPlace,
  store: Store,
  env: NodeJS.ProcessEnv,
): Promise<string | null> {
  const held = `${place.hold}-${killedRun}`;
  await writeFile(held, '');
  const agent = commands(place, env)(['resume', id, '--headless', '--verbose'], true);
  let ended = false;
  void agent.ended.then(() => {
    ended = true;
  });
  const found = await until(async () => ended || (runsOf(place) >= killedRun && (await startIsDurable(id, store))));
  if (ended || !found) {
    agent.stop('SIGKILL');
    return 'the agent ended before it could be killed';
  }
  const child = pidsOf(place).at(-1) ?? 0;
  const isAlive = alive(child);
  agent.stop('SIGKILL');
  await agent.ended;
  say(
    `\nKilled the agent and its whole process group (SIGKILL); its test, process ${child}, was ${isAlive ? 'alive' : 'gone'}.\n`,
  );
  await rm(held);
  return isAlive ? null : 'the test was not seen alive';
}

/** The last attempt of a command is written and has no outcome yet. */
async function startIsDurable(id: string, store: Store): Promise<boolean> {
  const { facts } = await store.openReader(id);
  const last = facts.findLast((fact) => fact.type === 'attempt.start' && fact.effect === 'process');
  return (
    last?.type === 'attempt.start' &&
    !facts.some((fact) => fact.type === 'attempt.outcome' && fact.actionId === last.actionId)
  );
}

async function until(condition: () => Promise<boolean>): Promise<boolean> {
  const deadline = performance.now() + waitMsMax;
  while (performance.now() < deadline) {
    if (await condition()) return true;
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
  return false;
}

async function tellEvidence(id: string, store: Store): Promise<void> {
  const { facts } = await store.openReader(id);
  for (const fact of facts) {
    if (fact.type !== 'evidence.recorded') continue;
    const counts = fact.counts === undefined ? '' : `, ${fact.counts.passed} passed, ${fact.counts.failed} failed`;
    const outcome = fact.passed ? 'passed' : 'failed';
    say(
      `Evidence ${fact.seq}: ${fact.check} ${outcome} (exit ${fact.exitCode}${counts}) at revision ${fact.revision.slice(0, 12)}`,
    );
  }
  const verdict = facts.findLast((fact) => fact.type === 'completion.verdict');
  if (verdict?.type === 'completion.verdict' && verdict.accepted) {
    say(`Verdict ${verdict.seq}: accepted because of evidence ${(verdict.evidence ?? []).join(', ')}.`);
  }
}

function pidsOf(place: DemoPlace): number[] {
  try {
    return readFileSync(place.effects, 'utf8').split('\n').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

const runsOf = (place: DemoPlace) => pidsOf(place).length;

function alive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch {
    return false;
  }
}
