/** Bugs in what is kept, counted and bound. */
import type { Plant } from './plants.ts';

export const keptPlants: readonly Plant[] = [
  {
    name: 'tool calls never charged',
    file: 'src/kernel/evolve/action.ts',
    line: 'budget: { ...turn.budget, toolCalls: turn.budget.toolCalls + 1 },',
    becomes: 'budget: { ...turn.budget, toolCalls: turn.budget.toolCalls + 0 },',
  },
  {
    name: 'limit of rounds never reached',
    file: 'src/kernel/budget.ts',
    line: "trips.push(over('rounds', use.rounds, limits.maxRounds));",
    becomes: "trips.push(over('rounds', -1, limits.maxRounds));",
  },
  {
    name: 'runs that die at once never handed off',
    file: 'src/kernel/decide.ts',
    line: 'if (state.crashes.count < CRASHES_MAX || state.crashes.progressed) return null;',
    becomes: 'if (state.crashes.count < CRASHES_MAX * 1000 || state.crashes.progressed) return null;',
  },
  {
    name: 'requests that fail tried without end',
    file: 'src/kernel/decide.ts',
    line: 'const spent = retry.count >= TRIES_MAX || ofItsKind >= RETRIES_OF_A_KIND_MAX;',
    becomes: 'const spent = retry.count >= TRIES_MAX * 100 || ofItsKind >= RETRIES_OF_A_KIND_MAX * 100;',
  },
  {
    name: 'no time limit for commands',
    file: 'src/workspace/process/stop-on-demand.ts',
    line: "const timer = setTimeout(() => void stop('timed-out'), Math.min(request.timeoutMs, TIMER_MAX_MS));",
    becomes: "const timer = setTimeout(() => void stop('timed-out'), TIMER_MAX_MS);",
  },
  {
    name: 'approval acknowledged before it is on disk',
    file: 'src/runtime/session.ts',
    line: "await commit([{ type: 'approval.resolved', actionId, verdict, by, ...said }]);",
    becomes: "await commit([{ type: 'approval.resolved', actionId, verdict, by, ...said }]); return;",
  },
  {
    name: 'message told twice',
    file: 'src/runtime/mailbox.ts',
    line: 'const fresh = messages.filter((message) => !seen.has(message.id));',
    becomes: 'const fresh = messages.filter(() => true);',
  },
  {
    name: 'message removed before its fact is on disk',
    file: 'src/runtime/mailbox.ts',
    line: 'await flush();',
    becomes: 'void flush;',
  },
  {
    name: 'message removed before its fact',
    file: 'src/runtime/mailbox.ts',
    line: 'if (fresh.length > 0) await commit(fresh.map(asFact));',
    becomes:
      'for (const message of messages) await inbox.remove(message.id); if (fresh.length > 0) await commit(fresh.map(asFact));',
  },
  {
    name: 'lost lock not noticed',
    file: 'src/ledger/store.ts',
    line: 'isLost ||= !lock.isHeld();',
    becomes: 'isLost ||= false;',
  },
  {
    name: 'blob not written',
    file: 'src/ledger/blobs.ts',
    line: 'await writeDurably(join(folder, hash), bytes);',
    becomes: 'void bytes;',
  },
  {
    name: 'key made anew for each try',
    file: 'src/tools/own/own-tool.ts',
    line: '.update(canonicalJson([actionId, args]))',
    becomes: '.update(canonicalJson([actionId, args, Date.now()]))',
  },
  {
    name: 'service not asked',
    file: 'src/tools/own/own-tool.ts',
    line: "if (answer.state === 'not-applied') {",
    becomes: "if (answer.state !== 'unknown') {",
  },
  {
    name: 'denied call runs',
    file: 'src/kernel/evolve/action.ts',
    line: "status: fact.verdict === 'approve' ? 'approved' : 'denied',",
    becomes: "status: fact.verdict === 'approve' ? 'approved' : 'approved',",
  },
];
