/**
 * One agent process, from taking the lock to its end: the composition of a session as the product makes it, with the
 * twins of model and services, and with the oracle looking on.
 */
import { createProjector } from '#context';
import { type CommandHook, createCommandHooks } from '#extensions';
import { type FactBody, fold, type ModelRequest, makeFailure } from '#kernel';
import { makeId } from '#lib';
import { createMasker, createPermission } from '#permission';
import { createHooks, createSession, type Hooks, type LedgerPort, type ModelPlanner, type Session } from '#runtime';
import { createRegistry, type SessionTools, type Tool } from '#tools';
import type { Workspace } from '#workspace';
import { execPort, tidyExec } from '../../../src/assembly/ports/exec-port.ts';
import { sessionTasks } from '../../../src/assembly/ports/session-tasks.ts';
import { toolsPort } from '../../../src/assembly/ports/tools-port.ts';
import { worldPort } from '../../../src/assembly/ports/world-port.ts';
import { bootChange } from '../../../src/assembly/sessions/boot-change.ts';
import { rebasedSince, rememberScan } from '../../../src/assembly/sessions/rebase.ts';
import { openInbox } from '../../../src/ledger/inbox.ts';
import { openStore } from '../../../src/ledger/store.ts';
import { createBashTool } from '../../../src/tools/bash/bash-tool.ts';
import { createEditTool } from '../../../src/tools/edit/edit-tool.ts';
import { createReadTool } from '../../../src/tools/read/read-tool.ts';
import { createTaskOutputTool } from '../../../src/tools/task-output/task-output-tool.ts';
import { createTaskStopTool } from '../../../src/tools/task-stop/task-stop-tool.ts';
import { createTestTool } from '../../../src/tools/test/test-tool.ts';
import { createTodoWriteTool } from '../../../src/tools/todo-write/todo-write-tool.ts';
import { createWriteTool } from '../../../src/tools/write/write-tool.ts';
import type { Oracle } from '../check/oracle.ts';
import type { Machine } from '../os/machine.ts';
import { theVolume } from '../os/the-volume.ts';
import type { ModelTwin } from '../people/model.ts';
import { WORKSPACE } from '../world.ts';
import { mountOf } from './mounts.ts';
import { remoteTools } from './remote-tools.ts';
import { openSimulatedWorkspace } from './workspace.ts';

const HOME = '/sim/home';
export const SESSION = `${HOME}/sessions/s`;
export const LOG = `${SESSION}/ledger.log`;
/** The folders of attempts. */
export const EXEC = `${SESSION}/exec`;

export interface Opened {
  readonly session: Session;
  readonly ledger: LedgerPort;
  close(reason: string): Promise<void>;
}

export interface Setting {
  readonly machine: Machine;
  readonly oracle: Oracle;
  readonly model: ModelTwin;
  readonly first: readonly FactBody[];
  readonly hooks: (oracle: Oracle) => Hooks;
  /** Commands of a settings file. */
  readonly commands: readonly CommandHook[];
  /** Whether the power was lost since the last opening; asked once per opening. */
  powerWasLost(): boolean;
  /** How long this agent may live in peace before somebody interrupts it. */
  readonly signal: AbortSignal;
}

/** Throws what the product throws: a lock that is held, a damaged or full ledger. */
export async function openAgent(setting: Setting): Promise<Opened> {
  const { machine, oracle } = setting;
  // A process of its own sees the data folder in a place of its own: the product keeps its locks by path, for one process.
  const store = openStore({ home: `${mountOf(machine)}${HOME}`, recentBytesMax: 1e9 });
  const real = await store.openWriter('s');
  const ledger: LedgerPort = {
    ...real,
    folder: SESSION,
    get lastSeq() {
      return real.lastSeq;
    },
    async append(bodies) {
      const facts = await real.append(bodies);
      oracle.appended(facts, theVolume().find(LOG)?.size ?? 0);
      return facts;
    },
  };
  oracle.reopened([...ledger.read()], setting.powerWasLost());
  const { bootId } = machine;
  const workspace = openSimulatedWorkspace(bootId, () => {
    oracle.passingAtScan = oracle.world.checkPasses();
    oracle.manifestAtScan = oracle.world.manifestText();
  });
  const world = worldPort(workspace, null);
  if (ledger.lastSeq === 0) {
    const scan = await workspace.revision.scan();
    const tree = workspace.revision.tree(scan, []);
    await ledger.append([...setting.first, { type: 'workspace.scanned', revision: scan.revision, tree, at: 'start' }]);
  } else {
    await tidyExec(SESSION, ledger);
    const rebooted = bootChange(ledger.read(), bootId);
    const before = fold(ledger.read());
    const rebased = await rebasedSince(before, ledger, SESSION, { workspace }, world, rebooted !== null);
    const found = [...(rebooted === null ? [] : [rebooted]), ...(rebased === null ? [] : [rebased])];
    if (found.length > 0) await ledger.append(found);
  }
  const tasks = sessionTasks(workspace, SESSION, { ...ledger, getBlob: real.getBlob }, createMasker({}));
  const registry = createRegistry(toolsOf(workspace, tasks.tools));
  const hooks = createHooks(setting.hooks(oracle));
  const newId = () => makeId(machine.random.fill);
  const own = createCommandHooks(setting.commands, {
    mask: (text) => text,
    processes: workspace.processes,
    root: WORKSPACE,
    sessionId: 's',
    folder: execPort(SESSION).folder,
    newId,
    signal: setting.signal,
    facts: ledger.read(),
  });
  own.register(hooks);
  const session = createSession(
    {
      ledger,
      planner: planner(setting, registry.definitions, ledger),
      tools: toolsPort(registry),
      permission: createPermission(),
      world,
      inbox: { ...openInbox(SESSION), watch: (arrived) => poll(machine, arrived) },
      exec: execPort(SESSION),
      tasks: tasks.port,
      clock: { sleep: (ms, signal) => sleep(machine, ms, signal), backoffMs: (failures) => 50 * failures },
      newId,
      bootId,
      pid: machine.current?.pid ?? 0,
      signal: setting.signal,
    },
    hooks,
  );
  session.subscribe(ledger.lastSeq + 1, (fact) => own.see(fact));
  oracle.live(session.state);
  session.subscribe(ledger.lastSeq + 1, () => {
    if (session.state.seq % 4 === 0) oracle.live(session.state);
  });
  return {
    session,
    ledger,
    async close(reason) {
      await tasks.stopFollowed();
      await workspace.processes.stopLeftovers();
      await session.close(reason);
      const last = world.last();
      if (last !== null) await rememberScan(SESSION, last);
      await real.close();
    },
  };
}

function toolsOf(workspace: Workspace, { tasks, archive }: SessionTools): readonly Tool[] {
  return [
    createReadTool(workspace),
    createEditTool(workspace),
    createWriteTool(workspace),
    createBashTool(workspace, tasks),
    createTaskOutputTool(workspace, tasks, archive),
    createTaskStopTool(workspace, tasks, archive),
    createTodoWriteTool(),
    createTestTool(workspace),
    ...remoteTools(),
  ];
}

function planner(
  { machine, oracle, model }: Setting,
  tools: Parameters<typeof createProjector>[0],
  ledger: LedgerPort,
): ModelPlanner {
  const projector = createProjector(tools);
  return {
    kind: 'model',
    name: 'model',
    modelId: 'sim/model',
    price: null,
    waitsForDurable: true,
    project() {
      projector.fold(ledger.read(projector.seq + 1));
      return projector.request();
    },
    async generate(request: ModelRequest, context) {
      await context.durable;
      oracle.requested(request);
      await machine.wait(machine.random.below(60));
      const result = model.answer(request);
      // What streams is not always what is answered in the end: the stream is cut, or a call comes out otherwise.
      if (result.ok) {
        let index = 0;
        for (const part of result.answer.parts) {
          if (part.kind !== 'call') continue;
          const args = machine.chance(0.1) ? { file_path: 'n.txt' } : part.args;
          if (part.malformed === undefined) context.onCall?.({ index, name: part.name, args });
          index++;
          await machine.wait(machine.random.below(20));
        }
        if (machine.chance(0.05)) {
          const failure = makeFailure('incomplete', 'the stream was cut behind its calls', 'try again');
          return { ok: false, text: '', failure };
        }
      }
      return result;
    },
  };
}

function sleep(machine: Machine, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    machine.after(ms, resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function poll(machine: Machine, arrived: () => void): () => void {
  let stopped = false;
  const again = (): void => {
    machine.after(100, () => {
      if (stopped) return;
      arrived();
      again();
    });
  };
  again();
  return () => {
    stopped = true;
  };
}
