/**
 * Who is alive. A process belongs to an attempt if it is in the session of the attempt's wrapper, or carries the
 * attempt's tag in its environment, or descends from such a process. Nothing in a namespace can leave it, whatever it
 * drops; elsewhere who left session, tag and parents is found only by whoever saw it before (`seen`). Zombies are dead.
 * Start times keep a reused process id from being mistaken.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { WAY_OUT_WORD } from '../network/way-out.ts';
import { ATTEMPT_TAG } from './command-env.ts';

export interface ProcessInfo {
  readonly pid: number;
  readonly ppid: number;
  readonly group: number;
  readonly session: number;
  /** Clock ticks since boot. With the pid it names a process of this boot. */
  readonly start: number;
}

/** An attempt as the process table knows it: its id, and its wrapper, which leads the session. */
export interface Tree {
  readonly attemptId: string;
  readonly leader: number;
  /** Null when it could not be read. */
  readonly leaderStart: number | null;
  readonly nonce: string;
}

/** Of an attempt whose wrapper is long gone: only the tag in the environment names what is left of it. */
export const taggedTree = (attemptId: string): Tree => ({ attemptId, leader: -1, leaderStart: null, nonce: '\0' });

/** Whether this system can list processes the exact way; elsewhere only the process group is known. */
export const hasProcessTable = (): boolean => process.platform === 'linux';

/** Start time of a living process, or null. */
export const startOf = (pid: number): number | null => readStat(pid)?.start ?? null;

export const isSameProcess = (one: ProcessInfo): boolean => startOf(one.pid) === one.start;

/** Living processes of the trees, without those of the wrappers themselves. `seen`: what belonged to them before. */
export function commandProcesses(
  trees: readonly Tree[],
  seen: ReadonlyMap<number, ProcessInfo> = new Map(),
): readonly ProcessInfo[] {
  return split(trees, seen).command;
}

/** Living processes of the wrappers themselves. */
export function wrapperProcesses(trees: readonly Tree[]): readonly ProcessInfo[] {
  return split(trees).wrapper;
}

/** Living first processes of process namespaces within the trees: whoever ends one ends all in it. */
export function namespaceHeads(trees: readonly Tree[]): readonly ProcessInfo[] {
  return membersOf(trees).filter(isNamespaceHead);
}

/** Whether nothing but the first process of a namespace is left in it: orphans become its children. Cheap. */
export function isAlone(head: number): boolean {
  return (
    startOf(head) === null || (existsSync(childrenOf(head)) && readProc(head, `task/${head}/children`).trim() === '')
  );
}

const childrenOf = (pid: number): string => `/proc/${pid}/task/${pid}/children`;

/** Living processes of a tree, without the wrapper's, those that only hold a namespace, and our way out of it. */
export function backgroundProcesses(tree: Tree): readonly ProcessInfo[] {
  return commandProcesses([tree]).filter((one) => !isNamespaceHead(one) && !wordsOf(one.pid).includes(WAY_OUT_WORD));
}

/** Living processes of a tree, the wrapper's included. */
export function anyAlive(tree: Tree): boolean {
  if (!hasProcessTable()) return groupExists(tree.leader);
  const { command, wrapper } = split([tree]);
  return command.length + wrapper.length > 0;
}

/** Whether a process group has members; zombies count. */
export function groupExists(leader: number): boolean {
  if (leader <= 1) return false;
  try {
    process.kill(-leader, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function split(
  trees: readonly Tree[],
  seen?: ReadonlyMap<number, ProcessInfo>,
): { readonly command: ProcessInfo[]; readonly wrapper: ProcessInfo[] } {
  const members = membersOf(trees, seen).map((one) => ({ ...one, words: wordsOf(one.pid) }));
  // The wrapper's shells never became another program, so the nonce is still among their arguments.
  const shells = members.filter(({ words }) => trees.some(({ nonce }) => words.includes(nonce)));
  const shellIds = new Set(shells.map(({ pid }) => pid));
  const isWrapper = ({ pid, ppid, words }: (typeof members)[number]) =>
    shellIds.has(pid) || (shellIds.has(ppid) && words.slice(1).join(' ') === '-u -');
  const wrapper = members.filter(isWrapper);
  // Without words it ended between two looks, unless it is still there: a program can hide its arguments.
  const command = members.filter((one) => !isWrapper(one) && (one.words.length > 0 || isSameProcess(one)));
  return { wrapper, command };
}

/** Whether a process belongs to one of the trees. Its environment is read once, however many trees there are. */
function membership(trees: readonly Tree[]): (one: ProcessInfo) => boolean {
  const attempts = new Set(trees.map(({ attemptId }) => attemptId));
  const leaders = new Map(trees.map((tree) => [tree.leader, tree]));
  return (one) => {
    const tree = leaders.get(one.session);
    if (tree !== undefined && isInSession(one, tree)) return true;
    const tags = environOf(one.pid)
      .split('\0')
      .filter((entry) => entry.startsWith(`${ATTEMPT_TAG}=`));
    return tags.some((tag) => attempts.has(tag.slice(ATTEMPT_TAG.length + 1)));
  };
}

function membersOf(trees: readonly Tree[], seen: ReadonlyMap<number, ProcessInfo> = new Map()): readonly ProcessInfo[] {
  const all = listProcesses();
  const isMember = membership(trees);
  const members = new Map<number, ProcessInfo>();
  for (const one of all) if (seen.get(one.pid)?.start === one.start || isMember(one)) members.set(one.pid, one);
  // Children can have smaller ids than their parents, so it takes as many rounds as the tree is deep.
  for (let before = -1; before < members.size; ) {
    before = members.size;
    for (const one of all) if (members.has(one.ppid)) members.set(one.pid, one);
  }
  return [...members.values()];
}

/** Whether a process is number 1 of a namespace below ours. Everybody may read this, unlike the environment. */
function isNamespaceHead({ pid }: ProcessInfo): boolean {
  const ids = /^NSpid:\t(.*)$/m.exec(readProc(pid, 'status'))?.[1]?.split('\t') ?? [];
  return ids.length > 1 && ids.at(-1) === '1';
}

function isInSession(one: ProcessInfo, tree: Tree): boolean {
  if (tree.leaderStart === null) return true;
  if (one.start < tree.leaderStart) return false;
  const leader = one.pid === tree.leader ? one.start : startOf(tree.leader);
  return leader === null || leader === tree.leaderStart;
}

function listProcesses(): readonly ProcessInfo[] {
  const found: ProcessInfo[] = [];
  for (const name of hasProcessTable() ? readdirSync('/proc') : []) {
    const first = name.charCodeAt(0);
    if (first < 48 || first > 57 || Number(name) === process.pid) continue;
    const info = readStat(Number(name));
    if (info !== null) found.push(info);
  }
  return found;
}

function readStat(pid: number): ProcessInfo | null {
  const text = readProc(pid, 'stat');
  // The command name may hold blanks and brackets, so the fields are counted from its end.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const state = fields[0];
  // Without memory it is on its way out and runs no code any more, whatever its state letter still says.
  const isEnding = fields[20] === '0';
  if (text === '' || state === undefined || 'ZXx'.includes(state) || isEnding) return null;
  return {
    pid,
    ppid: Number(fields[1]),
    group: Number(fields[2]),
    session: Number(fields[3]),
    start: Number(fields[19]),
  };
}

/** Bytes of memory that are a process's own, without the pages of files that it maps; 0 where that is not told. */
export const ownMemoryOf = (pid: number): number =>
  Number(/^RssAnon:\s+(\d+) kB/m.exec(readProc(pid, 'status'))?.[1] ?? 0) * 1024;

const wordsOf = (pid: number): readonly string[] => readProc(pid, 'cmdline').split('\0').slice(0, -1);
const environOf = (pid: number): string => readProc(pid, 'environ');

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return '';
  }
}
