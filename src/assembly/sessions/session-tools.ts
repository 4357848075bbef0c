/** The tools of one session as whoever runs or settles its calls has them: with their traces, and with secrets masked. */
import type { WritableLedger } from '#ledger';
import type { Masker } from '#permission';
import type { MaskPort, ToolsPort } from '#runtime';
import { createRegistry, createTools, type Tool, type ToolRegistry, withToolSearch } from '#tools';
import type { Workspace } from '#workspace';
import { maskPort } from '../ports/masked-tools.ts';
import { type SessionTasks, sessionTasks } from '../ports/session-tasks.ts';
import { toolsPort } from '../ports/tools-port.ts';

export interface ToolParts {
  readonly workspace: Workspace;
  /** Folder of the session. */
  readonly folder: string;
  readonly ledger: WritableLedger;
  readonly masker: Masker;
  /** Of the embedding program. */
  readonly own?: readonly Tool[];
  /** Which files no tool may read. */
  readonly unread?: Parameters<typeof createTools>[2];
}

export interface ToolSet {
  readonly registry: ToolRegistry;
  readonly tasks: SessionTasks;
  /** Says things as they are; whoever uses it puts `mask` around it. */
  readonly port: ToolsPort;
  readonly mask: MaskPort;
}

export function sessionTools({ workspace, folder, ledger, masker, own = [], unread }: ToolParts): ToolSet {
  const tasks = sessionTasks(workspace, folder, ledger, masker);
  const registry = createRegistry(withToolSearch([...createTools(workspace, tasks.tools, unread), ...own]));
  return { registry, tasks, port: toolsPort(registry), mask: maskPort(masker) };
}
