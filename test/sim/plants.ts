/**
 * Bugs of one line each, to show that the simulation would find them. Each is the classic of its kind; where the product
 * has no such mechanism in one line, the nearest one is taken and `nearest` says which.
 */
import { keptPlants } from './kept-plants.ts';
import { toldPlants } from './told-plants.ts';

export interface Plant {
  readonly name: string;
  /** Path of the changed file. */
  readonly file: string;
  /** The whole line, without its indentation; it must occur exactly once. */
  readonly line: string;
  readonly becomes: string;
  readonly nearest?: string;
}

export const plants: readonly Plant[] = [
  {
    name: 'fsync order',
    file: 'src/runtime/session.ts',
    line: 'if (batch.barrier === true) await flush();',
    becomes: 'if (batch.barrier === true) void flush();',
  },
  {
    name: 'request sent before its facts are on disk',
    file: 'src/runtime/perform/plan.ts',
    line: 'const durable = planner.waitsForDurable === true ? run.flush() : null;',
    becomes: 'const durable = planner.waitsForDurable === true ? Promise.resolve() : null;',
  },
  {
    name: 'start after effect',
    file: 'src/runtime/perform/execute.ts',
    line: "yield { facts: starts, barrier: ready.some(({ action }) => action.effect !== 'read') };",
    becomes:
      'const early = await Promise.all(ready.map(({ attempt }) => attempt.run())); for (const [i, one] of ready.entries()) ready[i] = { ...one, attempt: { ...one.attempt, run: async () => early[i]! } }; yield { facts: starts, barrier: true };',
  },
  {
    name: 'claim skipped',
    file: 'src/workspace/claim.ts',
    line: 'return create(execFolder, `${process.pid} ${bootId}\\n`);',
    becomes: 'create(execFolder, `${process.pid} ${bootId}\\n`); return true;',
  },
  {
    name: 'retry of opaque',
    file: 'src/runtime/perform/reconcile.ts',
    line: "if (action.effect === 'read') {",
    becomes: "if (action.effect === 'read' || action.effect === 'opaque') {",
  },
  {
    name: 'outcome lost on abort',
    file: 'src/runtime/perform/execute.ts',
    line: 'yield { facts: unlessRecorded(run, facts) };',
    becomes: 'if (!run.signal.aborted) yield { facts: unlessRecorded(run, facts) };',
  },
  {
    name: 'approval asked twice',
    file: 'src/kernel/evolve/action.ts',
    line: "status: fact.verdict === 'approve' ? 'approved' : 'denied',",
    becomes: "status: fact.verdict === 'approve' ? 'intended' : 'denied',",
  },
  {
    name: 'verdict bound to provider id',
    file: 'src/runtime/perform/plan.ts',
    line: 'const fact = await intend(run, part, begun ?? run.ports.newId(), known);',
    becomes: 'const fact = await intend(run, part, part.providerCallId, known);',
    nearest: 'verdicts bind to the action id, so the action takes the id that the provider gave',
  },
  {
    name: 'evidence not expired',
    file: 'src/kernel/completion.ts',
    line: 'const current = evidence.seq > state.world.changedAt && evidence.tree === tree && evidence.stable;',
    becomes: 'const current = tree !== undefined && evidence.stable;',
  },
  {
    name: 'receipt of another boot believed',
    file: 'src/workspace/process/settle-process.ts',
    line: "if (state === 'other-boot') return afterReboot(request, start);",
    becomes: "if (state === 'other-boot') return follow(request, tree, 'receipt');",
  },
  {
    name: 'claim of another boot believed',
    file: 'src/workspace/process/settle-start.ts',
    line: "if (request.bootId !== bootId) return found('other-boot');",
    becomes: "if (request.bootId !== bootId) return found(isFree ? 'not-started' : 'other-boot');",
  },
  {
    name: 'lock stolen',
    file: 'src/ledger/lock.ts',
    line: "database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');",
    becomes: "database.exec('PRAGMA journal_mode = MEMORY; BEGIN');",
  },
  {
    name: 'tail skipped',
    file: 'src/ledger/log/open.ts',
    line: 'torn = end.tornBytes > 0 ? cutTail(disk, fd, path, end) : null;',
    becomes: 'torn = null;',
    nearest: 'the torn tail is not cut before the next append',
  },
  {
    name: 'duplicate result',
    file: 'src/runtime/perform/execute.ts',
    line: 'const facts = now.flatMap((one) => one.facts);',
    becomes: 'const facts = now.flatMap((one) => [...one.facts, ...one.facts]);',
  },
  {
    name: 'budget charged twice',
    file: 'src/kernel/evolve/action.ts',
    line: 'budget: { ...turn.budget, toolCalls: turn.budget.toolCalls + 1 },',
    becomes: 'budget: { ...turn.budget, toolCalls: turn.budget.toolCalls + 2 },',
  },
  {
    name: 'hook exception swallowed',
    file: 'src/runtime/hooks.ts',
    line: 'return { ok: false, abort: false, reason: messageOf(thrown) };',
    becomes: 'void messageOf(thrown);',
  },
  {
    name: 'todo completed by a red test',
    file: 'src/kernel/evolve/action.ts',
    line: "const success = fact.status === 'succeeded' && (fact.exitCode ?? 0) === 0 && !action.free;",
    becomes: "const success = fact.status === 'succeeded' && !action.free;",
  },
  {
    name: 'permission widened on resume',
    file: 'src/kernel/evolve/session.ts',
    line: 'executor: { executorId: fact.executorId, bootId: fact.bootId, pid: fact.pid },',
    becomes:
      "executor: { executorId: fact.executorId, bootId: fact.bootId, pid: fact.pid }, settings: abandoned ? { ...state.settings, mode: 'bypassPermissions' } : state.settings,",
  },
  {
    name: 'settled work not brought to the disk',
    file: 'src/workspace/files/settle-file.ts',
    line: 'if (result !== null && !isProblem(found)) await syncWritten(found.absolute);',
    becomes: 'if (result === undefined && !isProblem(found)) await syncWritten(found.absolute);',
  },
  {
    name: 'revoked claim swept',
    file: 'src/runtime/perform/reconcile.ts',
    line: "yield { facts: [{ type: 'attempt.revoked', attemptId, actionId: action.actionId, ...settling }] };",
    becomes:
      "yield { facts: [{ type: 'attempt.revoked', attemptId, actionId: action.actionId, ...settling }] }; run.finished.add(attemptId);",
  },
  {
    name: 'cancel forgets the calls of the last answer',
    file: 'src/kernel/decide.ts',
    line: 'return turn.cancelled ? cancelledEnd(turn) : (crashLoop(state) ?? planning(state, turn));',
    becomes:
      "return turn.cancelled ? { kind: 'complete', reason: 'cancelled' } : (crashLoop(state) ?? planning(state, turn));",
  },
  {
    name: 'hook that was interrupted has answered',
    file: 'src/extensions/command-hooks/run-hook.ts',
    line: "return !gates.includes(event) || (status !== 'cancelled' && status !== 'unknown');",
    becomes: 'return gates.length > 0 || event !== null;',
  },
  {
    name: 'hook left behind is started again',
    file: 'src/extensions/command-hooks/run-hook.ts',
    line: 'const end = left.end ?? (await settle(ports, run, left));',
    becomes:
      "void settle; const end: HookEnd = left.end ?? { status: 'not-started', exitCode: null, out: '', errors: '' };",
  },
  {
    name: 'end of a background command told twice',
    file: 'src/runtime/perform/tasks.ts',
    line: "return fact.type !== 'task.ended' || running.delete(fact.actionId);",
    becomes: "return fact.type !== 'task.ended' || running.delete(fact.actionId) || facts.length > 0;",
  },
  {
    name: 'receipt of a background command not read before it is called stopped',
    file: 'src/workspace/process/stop-on-demand.ts',
    line: 'if (anyAlive(tree)) {',
    becomes: 'reason = why; if (anyAlive(tree)) {',
  },
  {
    name: 'folder of a running background command swept',
    file: 'src/runtime/perform/tasks.ts',
    line: 'if (!run.state().tasks.some((task) => task.attemptId === attemptId)) run.finished.add(attemptId);',
    becomes: 'run.finished.add(attemptId);',
  },
  {
    name: 'claim without its line taken for one that nobody writes',
    file: 'src/workspace/process/settle-start.ts',
    line: 'if (!isFree) await wholeClaim(request, tree);',
    becomes: 'void wholeClaim;',
  },
  {
    name: 'removed claim of a command taken for one that never was',
    file: 'src/workspace/process/settle-start.ts',
    line: 'if (isUnmarked(execFolder)) return false;',
    becomes: 'if (isUnmarked(execFolder) || !existsSync(markPath(execFolder))) return false;',
  },
  {
    name: 'cancel in the mailbox overtaken by an effect',
    file: 'src/runtime/session.ts',
    line: 'hear: () => hear(),',
    becomes: 'hear: async () => undefined,',
  },
  ...toldPlants,
  ...keptPlants,
];
