import { closeAfterImport } from '#kernel';
import { openStore } from '#ledger';
import type { CliDeps } from '#surfaces/cli';
import { dataHome } from './data-home.ts';
import { keepMemorySmall, loadAhead, whileLoading } from './memory-settings.ts';
import { attempt, problemOf } from './problem.ts';
import { followSession, readSession } from './sessions/read-session.ts';
import { version } from './version.ts';

/** The command line's view of everything else. What a command does not need is not loaded. */
export function cliDeps(env: NodeJS.ProcessEnv, cwd: string): CliDeps {
  const store = openStore({ home: dataHome(env, cwd), program: version });
  const around = { store, env, cwd, whileLoading };
  return {
    version,
    problemOf: (thrown) => problemOf(thrown, store.home),
    async create(request) {
      const { createNew } = await import('./sessions/opening.ts');
      // Once the young generation has grown, it stays large for as long as the session goes on.
      keepMemorySmall();
      return createNew(request, around);
    },
    async reopen(request) {
      const { openKnown } = await import('./sessions/opening.ts');
      // Reading a long ledger leaves more garbage than anything else.
      await loadAhead();
      keepMemorySmall();
      return openKnown(request, around);
    },
    lastSession: async (folder) => (await import('./sessions/last-session.ts')).lastSession(store, folder),
    read: (sessionId) => readSession(store, sessionId),
    follow: (sessionId, seq, onFacts, signal) => followSession(store, sessionId, seq, onFacts, signal),
    visit: async (sessionId, message) => (await import('./sessions/visit.ts')).visit(store, sessionId, message),
    list: () => attempt(() => store.list()),
    remove: async (sessionId) => (await import('./sessions/remove-session.ts')).removeSession(store, sessionId),
    importFrom: (folder) => attempt(() => store.importFrom(folder, closeAfterImport)),
    verify: async (sessionId) => (await import('./sessions/mend.ts')).verifySession(store, sessionId),
    repair: async (sessionId) => (await import('./sessions/mend.ts')).repairSession(store, sessionId),
    exportTo: (sessionId, folder) => attempt(() => store.exportTo(sessionId, folder).then((damage) => damage === null)),
    changes: async (sessionId) => (await import('./sessions/changes.ts')).changesOf(store, sessionId, env),
    undo: async (sessionId, request) =>
      (await import('./sessions/undo/undo-session.ts')).undoSession(store, env, sessionId, request),
    finishUndo: async (sessionId) =>
      (await import('./sessions/undo/undo-session.ts')).finishUndo(store, env, sessionId),
    fork: async (sessionId, request) =>
      (await import('./sessions/fork/fork-session.ts')).forkSession(store, env, cwd, sessionId, request),
    checkUp: async () => (await import('./check-up.ts')).checkUp(store, env, cwd),
    demo: async (request) => (await import('./demo/run-demo.ts')).runDemo(request, env),
    examples: async (cwd) => (await import('./explain-permission.ts')).examplesOfPermission(cwd, env),
    explain: async (question) => (await import('./explain-permission.ts')).explainPermission(question, store.home, env),
    secretMask: async () => (await import('#permission')).createMasker(env),
    lookAtTrust: async (folder) => (await import('./trust/trust-commands.ts')).lookAtTrust(folder, store.home),
    recordTrust: async (folder, digest) =>
      (await import('./trust/trust-commands.ts')).recordTrust(folder, digest, store.home),
    dropTrust: async (folder) => (await import('./trust/trust-commands.ts')).dropTrust(folder, store.home),
    async ruleFault(rule) {
      const parsed = await (await import('#permission')).parseRule(rule);
      return parsed.ok ? null : parsed.error;
    },
  };
}
