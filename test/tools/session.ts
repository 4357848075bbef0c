import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach } from 'vitest';
import { type Check, initialState, type Json, type State } from '#kernel';
import { makeId } from '#lib';
import { openWorkspace, type Workspace } from '#workspace';
import type { AttemptContext, Inspection, Settlement, Tool, ToolOutcome } from '../../src/tools/contract.ts';
import { createTools } from '../../src/tools/create-tools.ts';

/** A real workspace in a fresh folder, its tools, and as much of a session as tools look at. */
export interface TestSession {
  readonly root: string;
  readonly workspace: Workspace;
  state: State;
  file(path: string): Buffer;
  put(path: string, content: string | Uint8Array): void;
  tool(name: string): Tool;
  context(attemptId?: string, signal?: AbortSignal): AttemptContext;
  inspect(name: string, args: Json): Promise<Inspection>;
  /** Prepares and runs; what the outcome says was seen is remembered, as the kernel would. */
  call(name: string, args: Json, options?: CallOptions): Promise<ToolOutcome>;
  settle(name: string, args: Json, base: Json | null, attemptId: string): Promise<Settlement>;
  close(): void;
}
export interface CallOptions {
  readonly attemptId?: string;
  readonly signal?: AbortSignal;
  /** Runs between preparation and start. */
  readonly between?: () => void;
}

const open: TestSession[] = [];
afterEach(() => {
  for (const session of open.splice(0)) session.close();
});

export async function openSession(
  files: { readonly [path: string]: string | Uint8Array } = {},
  checks: readonly Check[] = [],
  searchPath: (root: string) => string | undefined = () => process.env['PATH'],
): Promise<TestSession> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'belay-tools-')));
  const root = join(folder, 'work');
  const data = join(root, '.belay-data');
  mkdirSync(join(data, 'exec'), { recursive: true });
  // A Python that writes no caches would hide what checks leave behind.
  const env = { ...process.env, PATH: searchPath(root), PYTHONDONTWRITEBYTECODE: undefined };
  const workspace = await openWorkspace({ root, protectedPaths: [data], env });
  const tools = new Map(createTools(workspace).map((tool) => [tool.definition.name, tool]));
  const bootId = await workspace.processes.bootId();
  // Commands are found and stopped by the name of their attempt, so it must be unique on the machine.
  const sessionId = makeId((bytes) => crypto.getRandomValues(bytes));
  let attempts = 0;
  const session: TestSession = {
    root,
    workspace,
    state: {
      ...initialState,
      workspace: root,
      settings: { ...initialState.settings, checks },
    },
    file: (path) => readFileSync(join(root, path)),
    put: (path, content) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    },
    tool: (name) => {
      const tool = tools.get(name);
      if (tool === undefined) throw new Error(`no tool ${name}`);
      return tool;
    },
    context: (name = `${++attempts}`, signal = new AbortController().signal) => {
      const attemptId = `${sessionId}${name}`;
      return {
        actionId: `action${attemptId}`,
        attemptId,
        execFolder: join(data, 'exec', attemptId),
        bootId,
        signal,
        state: () => session.state,
        onOutput: () => {},
      };
    },
    inspect: (name, args) => session.tool(name).inspect(args, session.context()),
    call: async (name, args, { attemptId, signal, between } = {}) => {
      const prepared = await session.tool(name).prepare(args, session.context(attemptId, signal));
      if (!prepared.ok) {
        return {
          status: 'failed',
          output: `${prepared.failure.message}\n${prepared.failure.suggestedAction}`,
          failure: prepared.failure,
        };
      }
      between?.();
      const outcome = await prepared.attempt.run();
      for (const { path, hash } of outcome.seen ?? []) {
        session.state = { ...session.state, seen: { ...session.state.seen, [path]: hash } };
      }
      return outcome;
    },
    settle: (name, args, base, attemptId) => session.tool(name).settle(args, base, session.context(attemptId)),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
  for (const [path, content] of Object.entries(files)) session.put(path, content);
  open.push(session);
  return session;
}
