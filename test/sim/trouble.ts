/** What goes wrong in a run, drawn from its seed: deaths, power losses, disk faults, frozen executors, other people. */
import { EXEC, LOG, SESSION } from './agent/agent.ts';
import { unmounted } from './agent/mounts.ts';
import { isClosed } from './check/actions.ts';
import type { Oracle } from './check/oracle.ts';
import { runningCommands } from './os/child-process.ts';
import type { Machine, Process } from './os/machine.ts';
import { loseLocks } from './os/sqlite.ts';
import { theVolume } from './os/the-volume.ts';
import { fault } from './os/volume.ts';
import type { Person } from './people/person.ts';
import { theWorld, type World } from './world.ts';

type Death = 'agent' | 'tree' | 'shells' | 'power';
type Freeze = 'agent' | 'agent, lock lost' | 'wrapper';

export class Trouble {
  private deaths: number;
  private faults: number;
  private freezes: number;
  /** Times that the power goes with a start. */
  private cuts: number;
  private interrupts: number;
  private interruptIn = -1;
  private interrupt = new AbortController();
  private deathIn = -1;
  private faultIn = -1;
  private freezeIn = -1;
  private cutIn = -1;
  private powerLost = false;
  /** Runs that die as soon as they ask the model. */
  private doomed: number;
  private isOver = false;
  private fullUntilMs = 0;
  /** The agent that is meant when something happens to "the agent". */
  agent: Process | null = null;
  /** Agents that are frozen or revived, and no longer the one that counts. */
  readonly stale: Process[] = [];
  lockLost = false;
  private person: Person | null = null;
  private readonly machine: Machine;
  private readonly oracle: Oracle;
  private readonly reorder: boolean;

  constructor(machine: Machine, oracle: Oracle) {
    this.machine = machine;
    this.oracle = oracle;
    this.deaths = machine.pick([0, 1, 1, 2, 3]);
    this.faults = machine.pick([0, 0, 0, 1]);
    this.freezes = machine.pick([0, 0, 1]);
    this.interrupts = machine.pick([0, 0, 0, 1, 2]);
    this.reorder = machine.chance(0.3);
    this.cuts = machine.pick([0, 0, 0, 1]);
    this.doomed = machine.chance(0.05) ? 4 : 0;
    machine.onOperation = (call, path) => {
      oracle.operation(call, unmounted(path));
      this.operation(call, unmounted(path));
    };
    oracle.onRequest = () => {
      if (this.doomed > 0 && this.doomed-- > 0 && this.agent !== null) machine.kill(this.agent, 'doomed');
    };
    machine.onSynced = (path) => this.synced(unmounted(path));
    machine.shortWrite = (path, length) =>
      unmounted(path) === LOG && this.machine.nowMs < this.fullUntilMs ? Math.floor(length / 2) : length;
    machine.onPlaced = (path, inode) => placed(theWorld(), path, theVolume().content(inode).toString('utf8'));
  }

  /** Draws when the next life ends. */
  begin(agent: Process, interrupt: AbortController): void {
    const { machine } = this;
    this.agent = agent;
    this.interrupt = interrupt;
    const soon = () => 1 + machine.random.below(machine.chance(0.3) ? 20 : 160);
    this.deathIn = this.deaths > 0 ? soon() : -1;
    this.faultIn = this.faults > 0 ? soon() : -1;
    this.freezeIn = this.freezes > 0 ? machine.random.below(4) : -1;
    this.interruptIn = this.interrupts > 0 ? soon() : -1;
    this.cutIn = this.cuts > 0 ? machine.random.below(5) : -1;
  }

  /** No more trouble from now on: what is begun must end. */
  stop(): void {
    this.isOver = true;
    this.deaths = 0;
    this.faults = 0;
    this.freezes = 0;
    this.cuts = 0;
    this.interrupts = 0;
    this.interruptIn = -1;
    this.deathIn = -1;
    this.faultIn = -1;
    this.freezeIn = -1;
    this.cutIn = -1;
    this.fullUntilMs = 0;
    this.doomed = 0;
    for (const one of this.stale) this.machine.thaw(one);
  }

  /**
   * Pages that arrived out of order look like damage, and the product refuses to guess. A person cuts the ledger back to
   * the good part, which must hold all that was flushed. False: there was no reason for damage.
   */
  repair(lastGoodSeq: number): boolean {
    const bytes = this.oracle.bytesUpTo(lastGoodSeq);
    const inode = theVolume().find(LOG);
    if (!this.reorder || bytes === null || inode === null || lastGoodSeq < this.oracle.flushedSeq) return false;
    this.machine.log(`REPAIR up to fact ${lastGoodSeq}`);
    theVolume().truncate(inode, bytes);
    this.powerLost = true;
    return true;
  }

  takePowerLost(): boolean {
    const was = this.powerLost;
    this.powerLost = false;
    return was;
  }

  private operation(call: string, path: string): void {
    const { machine } = this;
    if (call === 'write' && path === LOG && machine.nowMs < this.fullUntilMs && machine.chance(0.5)) {
      throw fault('ENOSPC', call, path);
    }
    if (this.interruptIn > 0 && --this.interruptIn === 0) {
      this.interrupts--;
      this.interruptAgent();
    }
    if (this.deathIn > 0 && --this.deathIn === 0) {
      this.deaths--;
      this.die(machine.pick<Death>(['agent', 'agent', 'agent', 'tree', 'shells', 'power']));
    }
    if (this.faultIn > 0 && machine.current === this.agent && --this.faultIn === 0) {
      this.faults--;
      this.oracle.diskFailed = true;
      if (machine.chance(0.5)) this.fullUntilMs = machine.nowMs + 200;
      const code = machine.pick(['EIO', 'ENOSPC']);
      machine.log(`FAULT ${code} ${call} ${path}`);
      throw fault(code, call, path);
    }
  }

  private interruptAgent(): void {
    this.machine.log('INTERRUPT');
    this.machine.after(0, () => this.interrupt.abort(), this.agent);
  }

  private die(how: Death): void {
    const { machine, agent } = this;
    machine.log(`DEATH ${how}`);
    if (how !== 'agent') {
      for (const one of runningCommands()) {
        theWorld().hidden.add(one.attemptId);
        if (how === 'shells') one.killShells();
        else one.killAll();
      }
    }
    if (how === 'power') this.losePower();
    else if (machine.chance(0.3)) this.removeTraces();
    if (agent !== null && (how !== 'shells' || machine.chance(0.5))) machine.kill(agent, how);
  }

  /**
   * Between two lives: others work on the same files, and lose patience with a call that may be sent again. Returns for how
   * many milliseconds nobody runs.
   */
  whileNobodyRuns(): number {
    const pauseMs = this.machine.random.below(this.machine.chance(0.1) ? 4000 : 400);
    return this.othersAtWork() ? Math.max(pauseMs, 1500) : pauseMs;
  }

  /** Whether it takes them a while. */
  private othersAtWork(): boolean {
    const { machine, oracle, person } = this;
    if (this.isOver || person === null) return false;
    const open = [...oracle.told.actions.values()].some(
      (action) => action.intended.effect === 'keyed' && !isClosed(action) && action.starts.length > 0,
    );
    if (open && machine.chance(0.2)) this.cancel();
    const isAlone = this.stale.every((one) => !one.alive) && this.agent?.alive !== true;
    const takesLong = open && machine.chance(0.5);
    if (!isAlone || oracle.facts.length < 4 || !machine.chance(0.15)) return takesLong;
    const name = machine.pick(['a.txt', 'o-away.txt']);
    theWorld().disturb(name, `${theWorld().read(name) ?? ''}away ${machine.nowMs.toFixed(0)}\n`);
    oracle.owed.changed.add(name);
    return takesLong;
  }

  /** Somebody makes room: what began and has no end yet has no folder any more, or no claim, so nobody can tell its end. */
  private removeTraces(): void {
    const volume = theVolume();
    for (const { inode: folder, name } of [...(volume.find(EXEC)?.entries ?? [])].map(([name, inode]) => ({
      inode,
      name,
    }))) {
      const mark = folder.entries.get('rc');
      if (mark === undefined || !volume.content(mark).toString('latin1').startsWith('begun')) continue;
      this.machine.log(`REMOVED ${name}`);
      theWorld().hidden.add(name);
      if (this.machine.chance(0.5)) volume.name(volume.need(EXEC, 'rm'), [[name, null]]);
      else
        volume.name(folder, [
          ['claim', null],
          ['rc', null],
        ]);
    }
  }

  private losePower(): void {
    const { machine } = this;
    machine.killAll('power');
    this.stale.splice(0);
    const world = theWorld();
    theVolume().powerLoss(machine.random, { reorder: this.reorder });
    world.afterPowerLoss();
    machine.boot++;
    this.powerLost = true;
  }

  /** The durable start of an effect is the instant at which a frozen executor can do most harm. */
  private synced(path: string): void {
    if (path !== LOG) return;
    this.oracle.synced(theVolume().find(LOG)?.synced.length ?? 0);
    const { machine, agent } = this;
    const starting = this.oracle.facts.at(-1)?.type === 'attempt.start';
    const hookStarts = this.oracle.facts.at(-1)?.type === 'hook.started';
    if (agent !== null && machine.current === agent && hookStarts && this.deaths > 0 && machine.chance(0.15)) {
      this.deaths--;
      this.later(machine.random.below(40), () => this.die(machine.pick<Death>(['agent', 'shells', 'tree', 'tree'])));
    }
    if (agent === null || machine.current !== agent || !starting) return;
    // Between a second start and its effect: what the first one did must not be forgotten.
    if (!this.isOver && this.oracle.repeats()) {
      if (machine.chance(0.2)) this.interruptAgent();
      else if (machine.chance(0.4)) this.later(machine.random.below(10), () => this.die('agent'));
    }
    if (this.cutIn >= 0 && this.cutIn-- === 0) {
      this.cuts--;
      // What begins now may write its claim before the power goes, and lose it.
      const cut = () => this.die('power');
      machine.outside(() => machine.after(machine.random.below(machine.pick([5, 30])), cut, null));
    }
    const last = this.oracle.facts.at(-1);
    if (!this.isOver && last?.type === 'attempt.start' && last.effect === 'file' && machine.chance(0.15)) {
      const add = () => theWorld().disturb('a.txt', `${theWorld().read('a.txt') ?? ''}meanwhile\n`);
      this.later(machine.random.below(8), add);
    }
    if (this.freezeIn < 0 || this.freezeIn-- > 0) return;
    this.freezes--;
    const what = machine.pick<Freeze>(['agent', 'agent, lock lost', 'agent, lock lost', 'wrapper']);
    const thawIn = 200 + machine.random.below(6000);
    machine.log(`FREEZE ${what}`);
    if (what === 'wrapper') {
      // Somewhere between its go line and its command.
      const stop = (): void => {
        for (const one of runningCommands()) this.freezeFor(one.wrapper, thawIn);
        machine.kill(agent, 'killed while its executor is frozen');
      };
      machine.outside(() => machine.after(machine.random.below(5) + machine.random.next(), stop, null));
      return;
    }
    if (machine.chance(0.2)) this.later(machine.random.below(thawIn), () => this.cancel());
    this.stale.push(agent);
    this.freezeFor(agent, thawIn);
    if (what === 'agent, lock lost') {
      loseLocks();
      this.lockLost = true;
      this.oracle.lockLost = true;
      // Somebody removed the file, or only the lock on it went. The first can be noticed.
      if (machine.chance(0.5)) {
        machine.log('REMOVED lock.db');
        theVolume().name(theVolume().need(SESSION, 'rm'), [['lock.db', null]]);
        this.oracle.robbed.add(agent);
      }
    }
  }

  private freezeFor(one: Process, ms: number): void {
    const { machine } = this;
    machine.freeze(one);
    const wake = (): void => {
      // Without its lock it wakes when nobody else is at work: two agents at once are more than claims can keep apart.
      const busy = this.lockLost && this.agent !== one && this.agent?.alive === true && !this.agent.frozen;
      if (busy && this.stale.includes(one)) machine.outside(() => machine.after(50, wake, null));
      else machine.thaw(one);
    };
    machine.outside(() => machine.after(ms, wake, null));
  }

  /** Nobody who was frozen is awake and at work. */
  isQuiet(): boolean {
    return this.stale.every((one) => !one.alive || one.frozen);
  }

  private later(ms: number, run: () => void): void {
    this.machine.outside(() => this.machine.after(ms, run, null));
  }

  private cancel(): void {
    void this.person?.leave({ kind: 'cancel', by: 'ann' }).then(
      () => this.oracle.cancelLeft(),
      () => undefined,
    );
  }

  /** Others at work while the run goes on. */
  plan(person: Person): void {
    const { machine } = this;
    this.person = person;
    const sometime = () => machine.random.below(3000);
    const at = (ms: number, run: () => void) => this.later(ms, run);
    for (let i = machine.pick([0, 0, 1, 2]); i > 0; i--) {
      at(sometime(), () => {
        if (machine.chance(0.2)) return theWorld().disturb(`o-${i}.txt`, `others ${i}\n`);
        const keep = theWorld().read('a.txt') ?? 'state\n';
        const text = machine.pick([`${keep}more${i}\n`, `state of others ${i}\n`, `state fixed by others ${i}\n`]);
        return theWorld().disturb('a.txt', text);
      });
    }
    if (machine.chance(0.3)) at(sometime(), () => void person.leaveWords('hurry up').catch(() => {}));
    if (machine.chance(0.2)) at(machine.random.below(1200), () => this.cancel());
  }
}

/** A file got its new content by an edit. */
function placed(world: World, path: string, content: string): void {
  if (!path.startsWith('/sim/work/') || path.includes('/.belay-')) return;
  world.placed(path, content);
}
