/**
 * Watches one run from outside and knows what must never be. It sees every fact as it is appended, every sync of the
 * ledger, every effect in the world and every request to the model, and compares.
 */
import { createHash } from 'node:crypto';
import { evolve, type Fact, fold, initialState, type Limits, type ModelRequest, type State } from '#kernel';
import { requestFaults } from '../../context/valid-request.ts';
import { type Machine, type Process, theMachine } from '../os/machine.ts';
import { theVolume } from '../os/the-volume.ts';
import type { Effect, World } from '../world.ts';
import { addFact, emptyLedgered, isClosed, type Ledgered, saysDone, type Told } from './actions.ts';
import { checkFact } from './fact-rules.ts';
import { checkHookRun } from './hook-rules.ts';
import { nothingOwed, requestRules, unconfirmedAt } from './request-rules.ts';

/** From the look into the inbox to the go line, at most. */
const ON_ITS_WAY_MS = 20;

/** Where messages for the session lie. */
const INBOX = '/sim/home/sessions/s/inbox';
const BLOBS = '/sim/home/sessions/s/blobs';

/** Lines that others add, and that no edit of the model is about. */
const OF_OTHERS = /^(more\d|away \d|meanwhile)/;

/** What the person of this run really granted. */
export interface Granted {
  mode: string;
  readonly allow: readonly string[];
  readonly hasCheck: boolean;
  readonly limits: Limits;
  /** Actions that a person approved. */
  readonly approved: Set<string>;
}

export class Oracle {
  readonly violations: string[] = [];
  facts: Fact[] = [];
  told: Ledgered = emptyLedgered();
  state: State = initialState;
  flushedSeq = 0;
  /** Whether the check would have passed when the workspace was last scanned. */
  passingAtScan = false;
  /** The workspace as it was then, without what checks leave. */
  manifestAtScan = '';
  /** Exceptions that hooks of a living agent threw, by invocation, until they are recorded. */
  readonly thrown = new Map<string, string>();
  /** The disk failed in this run, so "unknown" may be true of anything. */
  diskFailed = false;
  /** Somebody may be awake who has lost the session: what was left for it, others have taken. */
  lockLost = false;
  /** Agents whose lock file was removed while they held it. */
  readonly robbed = new Set<Process>();
  /** When the present agent opened the session. */
  openedAt = 0;
  /** Of edits, by action: what was there when they were shown. */
  private readonly contents = new Map<string, readonly string[]>();
  /** What no request has told yet. */
  readonly owed = nothingOwed();
  /** The model was asked and has not answered. */
  onRequest: () => void = () => undefined;
  private readonly sizes: { readonly bytes: number; readonly seq: number }[] = [];
  readonly world: World;
  readonly machine: Machine;
  readonly granted: Granted;
  readonly goal: string;

  constructor(machine: Machine, world: World, granted: Granted, goal: string) {
    this.machine = machine;
    this.world = world;
    this.granted = granted;
    this.goal = goal;
    world.onEffect = (effect) => this.effect(effect);
    world.onSent = (attemptId) => this.sent(attemptId);
    world.onHook = (about, run) => checkHookRun(this, about, run);
  }

  /** Only the first one counts: after it nobody goes on as it should. */
  fail(message: string): void {
    if (this.machine.halted) return;
    theMachine().log(`VIOLATION ${message}`);
    this.violations.push(message);
    this.machine.halted = true;
  }

  /** The ledger returned from an append; its file now has that many bytes. */
  appended(facts: readonly Fact[], bytes: number): void {
    for (const fact of facts) {
      this.machine.log(`fact ${fact.seq} ${summary(fact)}`);
      if (fact.seq !== this.facts.length + 1) this.fail(`fact ${fact.seq} follows fact ${this.facts.length}`);
      this.facts.push(fact);
      const broken = addFact(this.told, fact);
      if (broken !== null) this.fail(broken);
      for (const hash of hashesOf(fact)) this.blob(fact.seq, hash);
      const before = this.state;
      this.state = evolve(before, fact);
      for (const fault of checkFact(this, before, fact)) this.fail(fault);
    }
    this.sizes.push({ bytes, seq: this.facts.length });
  }

  /** What a fact names is on disk before it is told. */
  private blob(seq: number, hash: string): void {
    const content = theVolume().durable(`${BLOBS}/${hash}`);
    const isThere = content !== null && createHash('sha256').update(content).digest('hex') === hash;
    if (!isThere) this.fail(`fact ${seq} names ${hash}, which is not on disk`);
  }

  synced(bytes: number): void {
    for (const size of this.sizes) if (size.bytes <= bytes) this.flushedSeq = Math.max(this.flushedSeq, size.seq);
  }

  /** What an opening read. After a mere kill everything written is there; after a power loss what was flushed is. */
  reopened(read: readonly Fact[], afterPowerLoss: boolean): void {
    // Whoever died had no time to record what a hook threw.
    this.thrown.clear();
    this.openedAt = this.machine.nowMs;
    const must = afterPowerLoss ? this.flushedSeq : this.facts.length;
    if (read.length < must) this.fail(`${read.length} facts are left of ${must} that cannot be lost`);
    if (read.length > this.facts.length)
      this.fail(`${read.length} facts are read, but ${this.facts.length} were appended`);
    const same = JSON.stringify(this.facts.slice(0, read.length)) === JSON.stringify(read);
    if (!same) this.fail('the facts read are not the facts appended');
    const unconfirmed = unconfirmedAt(read, this.machine.bootId);
    if (unconfirmed !== null) this.owed.unconfirmed = new Set([...(this.owed.unconfirmed ?? []), ...unconfirmed]);
    if (afterPowerLoss) this.owed.changed.clear();
    if (read.length === this.facts.length) return;
    this.facts = [...read];
    this.told = emptyLedgered();
    for (const fact of read) addFact(this.told, fact);
    this.state = fold(read);
    this.flushedSeq = Math.min(this.flushedSeq, read.length);
    while ((this.sizes.at(-1)?.seq ?? 0) > read.length) this.sizes.pop();
  }

  /** The live state and the folded state are one. */
  live(state: State): void {
    if (state.seq === this.state.seq && JSON.stringify(state) !== JSON.stringify(this.state)) {
      this.fail(`the live state after fact ${state.seq} is not the fold of the ledger`);
    }
  }

  requested(request: ModelRequest): void {
    const last = this.facts.findLast((fact) => fact.type === 'model.request');
    if (last !== undefined && this.flushedSeq < last.seq)
      this.fail(`the model is asked before fact ${last.seq} is on disk`);
    for (const fault of requestFaults(request)) this.fail(`request: ${fault}`);
    if (!JSON.stringify(request.messages).includes(this.goal)) this.fail('the request has lost the goal');
    for (const action of this.told.actions.values()) {
      if (!isClosed(action)) this.fail(`the model goes on while ${action.actionId} is open`);
    }
    for (const message of request.messages) {
      if (message.role !== 'tool') continue;
      for (const result of message.results) this.shown(result.callId.replace('call_', ''), result.text, result.isError);
    }
    for (const invocation of this.thrown.keys()) this.fail(`the exception of hook ${invocation} was swallowed`);
    for (const fault of requestRules(this, request)) this.fail(fault);
    this.onRequest();
  }

  /** What the model reads of one call, against the world. */
  private shown(actionId: string, text: string, isError: boolean): void {
    const action = this.told.actions.get(actionId);
    if (action === undefined || action.token === null || !hasEffect(action)) return;
    const count = this.world.count(action.token);
    const denies = /did not run|not permitted|nothing was written|not applied|did not start|denied/i.test(text);
    if (denies && count > 0) this.fail(`the model reads that ${action.token} did not happen: ${text.slice(0, 80)}`);
    this.output(action, text);
    const claims = !isError && saysDone(action) === true;
    if (claims && count === 0) this.fail(`the model reads that ${action.token} happened: ${text}`);
  }

  /** What a command printed before its end is there where its end is told. */
  private output(action: Told, text: string): void {
    const { outcome, intended, task } = action;
    if (intended.tool !== 'Bash' || task !== null || outcome?.status !== 'succeeded') return;
    const code = this.world.exitOf(outcome.attemptId ?? '');
    if (this.world.hidden.has(outcome.attemptId ?? '')) return;
    if ((code === 0 || code === 3) && !text.includes(`did ${action.token}`))
      this.fail(`the model does not read what ${action.token} printed: ${text.slice(0, 80)}`);
  }

  /** What the file of an edit holds when the call is made and when a person is asked. */
  seenBefore(actionId: string): void {
    const path = this.told.actions.get(actionId)?.args;
    const name = typeof path === 'object' && path !== null && 'file_path' in path ? String(path['file_path']) : null;
    if (name === null) return;
    this.contents.set(actionId, [...(this.contents.get(actionId) ?? []), this.world.read(name) ?? '']);
  }

  /** Whether the last fact is the start of a call that was started before. */
  repeats(): boolean {
    const last = this.facts.at(-1);
    return last?.type === 'attempt.start' && (this.told.actions.get(last.actionId)?.starts.length ?? 0) > 1;
  }

  /** A cancel of the present turn lies in the inbox. */
  cancelLeft(): void {
    const { turn, turns } = this.state;
    if (turn !== null && turn.phase !== 'done') this.cancelled ??= { turns, atMs: this.machine.nowMs };
  }

  /** Nothing begins after a cancel was left for it, but for what was on its way. */
  private sent(attemptId: string): void {
    const { cancelled, state, machine } = this;
    if (machine.current !== null && this.robbed.has(machine.current))
      this.fail(`${attemptId} begins although the lock of its agent was removed`);
    if (cancelled === null || cancelled.turns !== state.turns || this.lockLost) return;
    if (machine.nowMs - cancelled.atMs > ON_ITS_WAY_MS) this.fail(`${attemptId} begins after a cancel was left`);
  }

  private effect(effect: Effect): void {
    const action = this.told.byToken.get(effect.token);
    const start = action?.starts.find((one) =>
      effect.attemptId === null ? !one.revoked : one.attemptId === effect.attemptId,
    );
    if (action === undefined || start === undefined) {
      this.fail(`effect ${effect.token} has no recorded start`);
      return;
    }
    if (start.seq > this.flushedSeq) this.fail(`effect ${effect.token} comes before its start is on disk`);
    if (start.revoked) this.fail(`effect ${effect.token} of a revoked attempt`);
    if (this.world.count(effect.token) > 1) this.fail(`effect ${effect.token} happens twice`);
    if (isClosed(action) && saysDone(action) === false)
      this.fail(`effect ${effect.token} after it was said not to happen`);
    const { before, after = '' } = effect.place ?? {};
    const lost = before?.split('\n').filter((line) => OF_OTHERS.test(line) && !after.includes(line)) ?? [];
    if (lost.length > 0) this.fail(`edit ${effect.token} takes away what others wrote: ${lost.join(', ')}`);
    const isShown = before === undefined || this.contents.get(action.actionId)?.includes(before) === true;
    if (action.approvedBy?.startsWith('approve') === true && !isShown)
      this.fail(`edit ${effect.token} changes a file that is not as it was when a person approved it`);
    if (!this.mayRun(action)) this.fail(`effect ${effect.token} was permitted by nobody`);
  }

  private mayRun(action: Told): boolean {
    const { mode, allow, approved } = this.granted;
    const { tool } = action.intended;
    if (mode === 'bypassPermissions' || approved.has(action.actionId)) return true;
    const edits = tool === 'Edit' || tool === 'Write';
    return (mode === 'acceptEdits' && edits) || allow.includes(tool) || (tool === 'Write' && allow.includes('Edit'));
  }

  /** Messages that lie in the inbox for sure: whoever left them was told so. */
  readonly left = new Set<string>();

  /** A message may go only when what it says is on disk. */
  operation(call: string, path: string): void {
    const id = /\/inbox\/([^./][^/]*)\.json$/.exec(path)?.[1];
    if (call !== 'rm' || id === undefined) return;
    const seq = this.facts.find((fact) => 'messageId' in fact && fact.messageId === id)?.seq ?? Infinity;
    if (seq > this.flushedSeq) this.fail(`message ${id} is removed before what it says is on disk`);
  }

  /** Somebody was told that the answer is kept. */
  acknowledged(type: 'approval.resolved' | 'unknown.settled', actionId: string): void {
    const fact = this.facts.findLast((one) => one.type === type && 'actionId' in one && one.actionId === actionId);
    if (fact === undefined || fact.seq > this.flushedSeq) this.fail(`${type} of ${actionId} is not on disk`);
  }

  private holder: Process | null = null;
  private cancelled: { readonly turns: number; readonly atMs: number } | null = null;

  /** A process has the session for itself. */
  holds(holder: Process | null, lockWasLost: boolean): void {
    if (this.holder !== null && this.holder !== holder && this.holder.alive && !lockWasLost) {
      this.fail(`${holder?.name} holds the session together with ${this.holder.name}`);
    }
    this.holder = holder;
  }

  /** Bytes of the ledger up to the batch that ends with this fact, or null where no batch ends. */
  bytesUpTo(seq: number): number | null {
    return seq === 0 ? 0 : (this.sizes.find((size) => size.seq === seq)?.bytes ?? null);
  }

  /** What must hold when the run is over. */
  finished(): void {
    for (const action of this.told.actions.values()) {
      if (!isClosed(action)) this.fail(`${action.actionId} (${action.intended.tool}) was never closed`);
      // Where the last run died, the next one to do anything tells it.
      const isLeft = action.task !== null && action.task.end === null && this.state.executor === null;
      if (isLeft) this.fail(`nobody told the end of ${action.actionId}`);
      if (action.token === null || !hasEffect(action)) continue;
      const count = this.world.count(action.token);
      const says = saysDone(action);
      if (says === true && count === 0) this.fail(`${action.token} is recorded as done and never happened`);
      if (says === false && count > 0) this.fail(`${action.token} is recorded as not done and happened`);
    }
    for (const id of this.world.endedByItself)
      if (!this.world.hidden.has(id)) this.fail(`nobody stopped ${id} at its time limit`);
    for (const id of this.left) {
      const isThere = theVolume().find(`${INBOX}/${id}.json`) !== null;
      const times = this.facts.filter((fact) => 'messageId' in fact && fact.messageId === id).length;
      if (times > 1 || (times === 0 && !isThere)) this.fail(`message ${id} became ${times} facts`);
    }
    const turns = this.facts.filter((fact) => fact.type === 'session.start').length;
    const ends = this.facts.filter((fact) => fact.type === 'session.complete').length;
    if (turns !== ends) this.fail(`${turns} turns have ${ends} ends`);
  }
}

/** Content that a fact names. */
const hashesOf = (fact: Fact): readonly string[] =>
  fact.type === 'attempt.outcome' && fact.blob !== undefined ? [fact.blob] : [];

/** Calls whose token marks an effect; an edit without its arguments never had one. */
export const hasEffect = (action: Told): boolean =>
  ['Bash', 'Edit', 'Write', 'Post', 'Pay', 'Ticket'].includes(action.intended.tool) &&
  action.intended.problem === undefined;

function summary(fact: Fact): string {
  const { seq: _, ts: __, type, ...rest } = fact;
  const text = JSON.stringify(rest);
  return `${type} ${text.length > 160 ? `${text.slice(0, 160)}…` : text}`;
}
