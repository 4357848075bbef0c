/** Bugs in what the model and the people are told, and in what counts as done. */
import type { Plant } from './plants.ts';

export const toldPlants: readonly Plant[] = [
  {
    name: 'an open question does not stop the turn',
    file: 'src/kernel/decide.ts',
    line: 'const unknown = state.unknowns.find((candidate) => candidate.answer === null);',
    becomes: 'const unknown = state.unknowns.find((candidate) => candidate.answer === null && candidate.seq < 0);',
  },
  {
    name: 'a service that does not answer taken for one that did not do it',
    file: 'src/tools/own/own-tool.ts',
    line: "if (answer.state === 'not-applied') {",
    becomes: "if (answer.state !== 'applied') {",
  },
  {
    name: 'declared checks dropped on resume',
    file: 'src/kernel/evolve/session.ts',
    line: 'executor: { executorId: fact.executorId, bootId: fact.bootId, pid: fact.pid },',
    becomes:
      'executor: { executorId: fact.executorId, bootId: fact.bootId, pid: fact.pid }, settings: abandoned ? { ...state.settings, checks: [] } : state.settings,',
  },
  {
    name: 'evidence of before a change or a restart kept',
    file: 'src/kernel/completion.ts',
    line: 'const current = evidence.seq > state.world.changedAt && evidence.tree === tree && evidence.stable;',
    becomes: 'const current = evidence.tree === tree && evidence.stable;',
  },
  {
    name: 'a check with fewer tests accepted',
    file: 'src/kernel/completion.ts',
    line: "return { check, evidence, standing: testsRun(evidence.counts) < evidence.mostRun ? 'weakened' : 'passed' };",
    becomes: "return { check, evidence, standing: 'passed' };",
  },
  {
    name: 'key older than its lifetime sent again',
    file: 'src/tools/own/own-tool.ts',
    line: 'if (Date.now() - startedMs < lifetimeMs) {',
    becomes: 'if (lifetimeMs > 0) {',
  },
  {
    name: 'not applied told as took effect',
    file: 'src/context/notes.ts',
    line: "'not-applied': 'it did not take effect',",
    becomes: "'not-applied': 'it took effect',",
  },
  {
    name: 'output of a settled command lost',
    file: 'src/workspace/process/result.ts',
    line: 'output: withoutOurs(spool.output, exitCode),',
    becomes: "output: ending.provenance === 'live' ? withoutOurs(spool.output, exitCode) : new Uint8Array(),",
  },
  {
    name: 'result of a settled command not shown',
    file: 'src/context/closing-text.ts',
    line: "if (outcome.output.trim() !== '') return { text: outcome.output, isError, ...shown };",
    becomes:
      "if (outcome.output.trim() !== '') return { text: outcome.provenance === 'receipt' ? 'Done. There was no output.' : outcome.output, isError, ...shown };",
  },
  {
    name: 'unconfirmed commands not named after a restart',
    file: 'src/context/notes.ts',
    line: "const calls = fact.unconfirmed.map((actionId) => `call_${actionId}`).join(', ');",
    becomes: "const calls = fact.unconfirmed.slice(0, 0).map((actionId) => `call_${actionId}`).join(', ');",
  },
  {
    name: 'restart not noticed',
    file: 'src/assembly/sessions/boot-change.ts',
    line: 'if (boot === null || boot === presentBoot) return null;',
    becomes: 'if (boot !== undefined) return null;',
  },
  {
    name: 'words of the user dropped',
    file: 'src/context/notes.ts',
    line: 'return fact.text;',
    becomes: 'return null;',
  },
  {
    name: 'end of a background command not told',
    file: 'src/context/notes.ts',
    line: 'return fact.told === true ? null : belay(taskEnded(fact));',
    becomes: 'return fact.told === true ? null : null;',
  },
  {
    name: 'change of others not told',
    file: 'src/context/notes.ts',
    line: 'return belay(rebased(fact));',
    becomes: 'return null;',
  },
  {
    name: 'change of others not noticed',
    file: 'src/assembly/sessions/rebase.ts',
    line: 'if (now.tree === tree) return null;',
    becomes: 'if (now.tree !== null) return null;',
  },
  {
    name: 'call that may have run told as one that did not',
    file: 'src/runtime/perform/end.ts',
    line: 'if (!mayHaveRun(action, turn)) return `${why}; this call did not run.`;',
    becomes: "if (!mayHaveRun(action, turn) || why !== '') return `${why}; this call did not run.`;",
  },
];
