/**
 * The simulated machine: one seed, one clock, one queue of events, and the processes that run on it.
 *
 * 1. Everything that waits, waits in `queue`; the next event is the earliest, so equal seeds give equal runs.
 * 2. A process is whoever the asynchronous context says it is. A dead one does nothing more: its events are dropped
 *    and its system calls throw. A frozen one's events are kept until it is thawed.
 * 3. Every system call that changes something is an operation of its process; crashes and faults are planned by count.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { type Prng, seededPrng } from '#lib';
import type { Inode } from './volume.ts';

/** Thrown by the system calls of a process that was killed. Nobody alive ever sees it. */
export class Dead extends Error {
  override readonly name = 'Dead';
}

export interface Process {
  readonly name: string;
  readonly pid: number;
  alive: boolean;
  frozen: boolean;
  readonly parked: Event[];
  readonly onDeath: (() => void)[];
}

export interface Event {
  at: number;
  readonly order: number;
  readonly owner: Process | null;
  readonly run: () => void;
  cancelled: boolean;
}

const context = new AsyncLocalStorage<Process>();
const realImmediate = setImmediate;

export class Machine {
  readonly random: Prng;
  readonly trace: string[] = [];
  nowMs = 1_700_000_000_000;
  boot = 1;
  steps = 0;
  freeBlocks = 1_000_000;
  /** A rule was broken: nobody goes on, not even who would never wait for anything again. */
  halted = false;
  /** Called before each changing system call of a process; may kill, freeze, or throw a system error. */
  onOperation: (call: string, path: string) => void = () => undefined;
  /** How many bytes of a write are written. */
  shortWrite: (path: string, length: number) => number = (_, length) => length;
  /** A file's content reached the disk. */
  onSynced: (path: string) => void = () => undefined;
  /** A file got a name by a link or a rename. */
  onPlaced: (path: string, inode: Inode) => void = () => undefined;
  private readonly queue: Event[] = [];
  private readonly processes: Process[] = [];
  private orders = 0;
  private pids = 100;

  constructor(seed: number) {
    this.random = seededPrng(seed);
  }

  get bootId(): string {
    return `boot-${this.boot}`;
  }

  get current(): Process | null {
    return context.getStore() ?? null;
  }

  chance(probability: number): boolean {
    return this.random.next() < probability;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.random.below(items.length)] as T;
  }

  log(line: string): void {
    // Numbers that the processes of one real machine would each count for themselves say nothing here.
    const text = line.replace(/(\d{14})-\d{6}-/g, '$1-').replace(/\/mount\/\d+/g, '');
    this.trace.push(`${(this.nowMs - 1_700_000_000_000).toFixed(3)} ${this.current?.name ?? '-'} ${text}`);
  }

  newPid(): number {
    this.pids += 1 + this.random.below(3);
    return this.pids;
  }

  process(name: string): Process {
    const made: Process = { name, pid: this.newPid(), alive: true, frozen: false, parked: [], onDeath: [] };
    this.processes.push(made);
    return made;
  }

  /** Runs something as the given process. */
  as<T>(owner: Process, body: () => T): T {
    return context.run(owner, body);
  }

  /** Runs something as the machine itself: its system calls belong to nobody. */
  outside<T>(body: () => T): T {
    return context.exit(body);
  }

  kill(owner: Process, how: string): void {
    if (!owner.alive) return;
    this.log(`kill ${owner.name}: ${how}`);
    owner.alive = false;
    for (const event of owner.parked.splice(0)) event.cancelled = true;
    this.outside(() => {
      for (const done of owner.onDeath.splice(0)) done();
    });
  }

  /** The power goes, or the story ends: nobody is left. */
  killAll(how: string): void {
    for (const one of this.processes) this.kill(one, how);
  }

  freeze(owner: Process): void {
    this.log(`freeze ${owner.name}`);
    owner.frozen = true;
  }

  thaw(owner: Process): void {
    if (!owner.frozen) return;
    this.log(`thaw ${owner.name}`);
    owner.frozen = false;
    for (const event of owner.parked.splice(0)) {
      event.at = this.nowMs;
      this.insert(event);
    }
  }

  /** Calls back after the given time, if the process that asked still lives then. */
  after(ms: number, run: () => void, owner: Process | null = this.current): Event {
    const event = { at: this.nowMs + Math.max(0, ms), order: this.orders++, owner, run, cancelled: false };
    this.insert(event);
    return event;
  }

  /** Waits; the promise of a process that dies meanwhile never settles. */
  wait(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve));
  }

  /** A system call takes a moment, in which others act. */
  latency(): Promise<void> {
    return this.wait(this.random.next() * 2);
  }

  /** Before a system call: a dead process makes none, and each changing one is counted. */
  enter(call: string, path: string, changes: boolean): void {
    const owner = this.current;
    if (owner === null) return;
    if (this.halted) throw new Dead('the run is over');
    if (!owner.alive) throw new Dead(`${owner.name} is dead`);
    if (!changes) return;
    this.log(`${call} ${path}`);
    this.onOperation(call, path);
    if (!owner.alive) throw new Dead(`${owner.name} is dead`);
  }

  /** Runs events until the condition holds. Throws when nothing can happen any more, or too much has. */
  async runUntil(done: () => boolean, stepsMax: number): Promise<void> {
    for (;;) {
      await new Promise<void>((resolve) => realImmediate(resolve));
      if (done()) return;
      if (this.steps++ > stepsMax) throw new Error(`no end after ${stepsMax} steps`);
      const event = this.queue.pop();
      if (event === undefined) throw new Error('deadlock: nothing waits for anything');
      if (event.cancelled || event.owner?.alive === false) continue;
      if (event.owner?.frozen === true) {
        event.owner.parked.push(event);
        continue;
      }
      this.nowMs = Math.max(this.nowMs, event.at);
      if (event.owner === null) this.outside(event.run);
      else this.as(event.owner, event.run);
    }
  }

  /** Latest first, so that the next one is popped from the end. */
  private insert(event: Event): void {
    const { queue } = this;
    let low = 0;
    let high = queue.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = queue[middle] as Event;
      if (other.at < event.at || (other.at === event.at && other.order < event.order)) high = middle;
      else low = middle + 1;
    }
    queue.splice(low, 0, event);
  }
}

let machine: Machine | null = null;

/** The machine of the run that is under way; the redirected Node modules work on it. */
export function theMachine(): Machine {
  if (machine === null) throw new Error('no simulation is running');
  return machine;
}

export function setMachine(next: Machine | null): void {
  machine = next;
}
