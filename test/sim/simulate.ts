/** One run from one seed: a session is begun, everything goes wrong, and in the end it must have come to one end. */
import type { FactBody, Limits } from '#kernel';
import { LedgerError } from '#ledger';
import { messageOf } from '#lib';
import { SessionError } from '#runtime';
import { LOG, openAgent, SESSION, type Setting } from './agent/agent.ts';
import { Oracle } from './check/oracle.ts';
import { checkPrefixes } from './check/prefixes.ts';
import { takeGlobals } from './os/globals.ts';
import { Dead, Machine } from './os/machine.ts';
import { begin, end } from './os/reset.ts';
import { Volume } from './os/volume.ts';
import { commandHooks, hooksTwin } from './people/hooks.ts';
import { modelTwin } from './people/model.ts';
import { Person } from './people/person.ts';
import { Trouble } from './trouble.ts';
import { WORKSPACE, World } from './world.ts';

export interface Report {
  readonly seed: number;
  readonly violations: readonly string[];
  readonly trace: readonly string[];
  readonly facts: number;
  readonly effects: number;
  readonly lives: number;
}

let watching: Oracle | null = null;

/** A promise of the product that nobody waits for failed, and not because its process died or its disk was broken. */
process.on('unhandledRejection', (reason) => {
  if (reason instanceof Dead || watching === null || watching.diskFailed || reason instanceof LedgerError) return;
  watching.fail(`unhandled: ${reason instanceof Error ? reason.stack : String(reason)}`);
});

const GOAL = 'mend the state of a.txt';
/** Lives in which things may go wrong; after them every turn has to end. */
const TROUBLED_LIVES = 8;
const LIVES_MAX = 60;
const STEPS_MAX = 60_000;

export async function simulate(seed: number): Promise<Report> {
  const machine = new Machine(seed);
  const volume = new Volume(() => Math.floor(machine.nowMs));
  const world = new World();
  begin(machine, volume, world);
  const restore = takeGlobals();
  let lives = 0;
  let oracle: Oracle | null = null;
  try {
    const first = firstFacts(machine);
    oracle = new Oracle(machine, world, first.granted, GOAL);
    watching = oracle;
    prepareDisk(volume, world, machine);
    lives = await live(machine, oracle, first);
    if (oracle.violations.length === 0) oracle.finished();
    if (oracle.violations.length === 0)
      for (const fault of await checkPrefixes(machine, oracle.facts)) oracle.fail(fault);
  } catch (thrown) {
    oracle?.fail(
      `the simulation stopped: ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}`,
    );
    if (oracle === null) throw thrown;
  } finally {
    machine.killAll('the end');
    watching = null;
    restore();
    end();
  }
  const { violations, facts } = oracle;
  return { seed, violations, trace: machine.trace, facts: facts.length, effects: world.effects.length, lives };
}

interface First {
  readonly facts: readonly FactBody[];
  readonly granted: Oracle['granted'];
  readonly hasCheck: boolean;
}

function firstFacts(machine: Machine): First {
  const mode = machine.pick(['default', 'acceptEdits', 'bypassPermissions', 'bypassPermissions'] as const);
  const allow = machine.pick([[], ['Edit'], ['Post', 'Edit']]);
  const hasCheck = machine.chance(0.6);
  const limits: Limits = {
    ...(machine.chance(0.2) ? { maxRounds: 2 + machine.random.below(4) } : {}),
    ...(machine.chance(0.2) ? { maxToolCalls: 2 + machine.random.below(6) } : {}),
  };
  const facts: FactBody[] = [
    { type: 'session.created', sessionId: 's', workspace: WORKSPACE, version: '0' },
    {
      type: 'settings.changed',
      by: 'user',
      mode,
      allow,
      limits,
      checks: hasCheck ? [{ command: 'npm test', counts: true }] : [],
    },
  ];
  return { facts, hasCheck, granted: { mode, allow, hasCheck, limits, approved: new Set() } };
}

function prepareDisk(volume: Volume, world: World, machine: Machine): void {
  for (const folder of [`${SESSION}/exec`, `${SESSION}/inbox`, WORKSPACE, '/sim/locks']) volume.makeFolders(folder);
  volume.create(LOG, 'file', 0o600, 'open');
  volume.create(`${SESSION}/lock.db`, 'file', 0o600, 'open');
  world.disturb('a.txt', machine.chance(0.2) ? 'state fixed\n' : 'state start\n');
  world.outsideChanges = 0;
  volume.syncAll();
}

async function live(machine: Machine, oracle: Oracle, first: First): Promise<number> {
  const trouble = new Trouble(machine, oracle);
  const person = new Person(machine, oracle);
  const model = modelTwin(machine, {
    rounds: 2 + machine.random.below(7),
    failures: machine.chance(0.05) ? 0.97 : machine.pick([0, 0, 0.15]),
    hasCheck: first.hasCheck,
    favours: machine.pick([null, null, 'background', 'services'] as const),
  });
  const hooks = hooksTwin(machine, machine.chance(0.3));
  const commands = commandHooks(machine, machine.chance(0.25));
  const turns = machine.pick([1, 1, 2]);
  trouble.plan(person);
  let lives = 0;
  for (; lives < LIVES_MAX && oracle.violations.length === 0; lives++) {
    if (lives === TROUBLED_LIVES) {
      trouble.stop();
      person.calm = true;
    }
    await machine.runUntil(() => trouble.isQuiet(), STEPS_MAX);
    const interrupt = new AbortController();
    const agent = machine.process(`agent${lives + 1}`);
    trouble.begin(agent, interrupt);
    const setting: Setting = {
      machine,
      oracle,
      model,
      first: first.facts,
      hooks,
      commands,
      powerWasLost: () => trouble.takePowerLost(),
      signal: interrupt.signal,
    };
    let over: 'done' | 'again' | null = null;
    machine.as(agent, () => {
      void life(setting, person, trouble, turns).then(
        (how) => {
          over = how;
          machine.kill(agent, 'ends');
        },
        (thrown: unknown) => {
          over = 'again';
          if (agent.alive) judgeError(thrown, oracle, trouble, agent === trouble.agent);
          machine.kill(agent, 'ends');
        },
      );
    });
    await machine.runUntil(
      () => over !== null || !agent.alive || agent.frozen || oracle.violations.length > 0,
      STEPS_MAX,
    );
    if (over === 'done') {
      // Whoever is still frozen wakes up at last and finds that it may do nothing any more.
      trouble.stop();
      const until = machine.nowMs + 3000;
      machine.outside(() => machine.after(3000, () => undefined, null));
      await machine.runUntil(() => machine.nowMs >= until, STEPS_MAX);
      return lives + 1;
    }
    const pause = machine.nowMs + trouble.whileNobodyRuns();
    machine.outside(() => machine.after(pause - machine.nowMs, () => undefined, null));
    await machine.runUntil(() => machine.nowMs >= pause, STEPS_MAX);
  }
  if (oracle.violations.length === 0) oracle.fail(`no end after ${lives} lives`);
  return lives;
}

/** A life: open, go on until somebody else is needed who is not there, or the turns are done. */
async function life(setting: Setting, person: Person, trouble: Trouble, turns: number): Promise<'done' | 'again'> {
  const { machine, oracle } = setting;
  const opened = await openAgent(setting);
  oracle.holds(machine.current, trouble.lockLost);
  const { session } = opened;
  for (;;) {
    const { turn } = session.state;
    if (turn?.phase === 'done' && session.state.turns >= turns) break;
    const pull = turn === null || turn.phase === 'done' ? await session.run(GOAL) : await session.resume();
    oracle.live(session.state);
    const wish = setting.signal.aborted ? 'leave' : await person.answer(pull, session);
    if (wish === 'leave') {
      await opened.close('left');
      return 'again';
    }
  }
  await opened.close('done');
  return 'done';
}

/** Only what the product names may go wrong, and only where there was a reason. */
function judgeError(thrown: unknown, oracle: Oracle, trouble: Trouble, isPresent: boolean): void {
  oracle.machine.log(`ERROR ${messageOf(thrown)}`);
  if (thrown instanceof Dead) return;
  if (thrown instanceof LedgerError) {
    if (thrown.code === 'locked' && trouble.stale.some((one) => one.alive)) return;
    if (thrown.code === 'damaged' && trouble.repair(thrown.lastGoodSeq ?? 0)) return;
    if (oracle.diskFailed || trouble.lockLost) return;
  }
  if (oracle.diskFailed && thrown instanceof Error && 'code' in thrown) return;
  // Somebody else ended the turn between the look and the call.
  if (thrown instanceof SessionError && (thrown.code === 'not_resumable' || thrown.code === 'not_pending')) return;
  if (!isPresent) return;
  oracle.fail(`the agent threw: ${thrown instanceof Error ? thrown.stack : String(thrown)}`);
}
