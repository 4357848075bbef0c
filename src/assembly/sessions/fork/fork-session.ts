/** `belay fork`: a new session that begins with the facts of another one. */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { blobsOf, type Fact, type FactBody, fold } from '#kernel';
import { fileSystemOf, newerError, type Store, type WritableLedger } from '#ledger';
import { counted, err, ok, type Result } from '#lib';
import type { ForkReport, ForkRequest, Problem } from '#surfaces/cli';
import { addWorktree, programFinder, removeWorktree, type Scan, toolEnv } from '#workspace';
import { newId } from '../../new-id.ts';
import { attempt, problem } from '../../problem.ts';
import { version } from '../../version.ts';
import { halfFork, neverBegan } from '../never-began.ts';
import { openWorkspaceAt, type Place } from '../open-workspace-at.ts';
import { damageOf } from '../read-session.ts';
import { closingFacts, copyFacts, stateOf } from './copy-facts.ts';
import { differing, type FilesAt, filesAt } from './files-at.ts';

const namedMax = 20;
/** Facts taken over in one write. */
const TAKEN_AT_ONCE = 20_000;
/** Paths kept in one fact. */
const recordedMax = 50;

interface Parent {
  readonly sessionId: string;
  readonly facts: readonly Fact[];
  readonly workspace: string;
  readonly place: Place;
  readonly base: Scan | null;
  readonly files: FilesAt | null;
}

/** The session it comes from is only read; it may be running. */
export async function forkSession(
  store: Store,
  env: NodeJS.ProcessEnv,
  cwd: string,
  sessionId: string,
  request: ForkRequest,
): Promise<Result<ForkReport, Problem>> {
  const made = await attempt(async () => {
    const parent = await readParent(store, env, sessionId, request.at);
    if (!parent.ok) return parent;
    const placed = await placeOf(parent.value, request, env, cwd);
    if (!placed.ok) return placed;
    const { workspace, notices, takeBack } = placed.value;
    const begun = await attempt(() => make(store, env, parent.value, request, workspace), store.home);
    const report = begun.ok ? begun.value : begun;
    if (report.ok) return ok({ ...report.value, notices: [...notices, ...report.value.notices] });
    const left = await takeBack();
    const { exitCode, message } = report.error;
    return problem(exitCode, left === null ? message : `${message}; ${left}`);
  }, store.home);
  return made.ok ? made.value : made;
}

async function make(
  store: Store,
  env: NodeJS.ProcessEnv,
  parent: Parent,
  request: ForkRequest,
  workspace: string,
): Promise<Result<ForkReport, Problem>> {
  const ledger = await store.create(request.sessionId ?? newId());
  const begun = await attempt(() => begin(ledger, parent, request, workspace, store, env), store.home);
  const report = begun.ok ? begun.value : begun;
  await (report.ok ? ledger.close() : ledger.discard().catch(() => {}));
  return report;
}

async function readParent(
  store: Store,
  env: NodeJS.ProcessEnv,
  sessionId: string,
  at: number,
): Promise<Result<Parent, Problem>> {
  const report = await store.openReader(sessionId);
  const last = report.facts.at(-1)?.seq ?? 0;
  const damage = damageOf(report, sessionId);
  if (at > last && damage !== null) return problem(56, damage);
  if (at > last) return problem(42, `session ${sessionId} has ${counted(last, 'fact')}; there is no fact ${at}`);
  const newer = report.newer.find(({ seq }) => seq <= at);
  if (newer !== undefined) throw newerError(newer);
  const facts = report.facts.slice(0, at);
  const { workspace } = fold(facts);
  if (workspace === null) return neverBegan(sessionId, last);
  const [first] = report.facts;
  const half = first?.type === 'session.created' ? halfFork(sessionId, first, last) : null;
  if (half !== null) return half;
  const placed = await openWorkspaceAt(workspace, path.join(store.home, 'sessions', sessionId), store.home, env);
  if (!placed.ok) return placed;
  const base = await placed.value.base.base();
  const { revision } = placed.value.workspace;
  const files = base === null ? null : await filesAt(report.facts, at, base, placed.value, () => revision.scan());
  return ok({ sessionId, facts, workspace, place: placed.value, base, files });
}

interface Placed {
  readonly workspace: string;
  readonly notices: readonly string[];
  /** Undoes what was made for it; null, or a sentence about what stays. */
  takeBack(): Promise<string | null>;
}

/** The workspace of the fork: the same one as it is, or a new worktree with the files as they were. */
async function placeOf(
  { workspace, place, files }: Parent,
  { worktree, at }: ForkRequest,
  env: NodeJS.ProcessEnv,
  cwd: string,
): Promise<Result<Placed, Problem>> {
  if (worktree === null) return ok({ workspace, notices: [], takeBack: async () => null });
  if (files === null) return problem(42, 'the files of this session were not kept, so no worktree can be made of them');
  const git = programFinder(workspace, env['PATH'])('git');
  if (git === null) return problem(54, 'git was not found, and a worktree needs it');
  const contents = async (hashes: readonly string[]) => {
    const kept = hashes.flatMap((hash) => {
      const bytes = place.checkpoints.content(hash);
      return bytes === null ? [] : [[hash, bytes] as const];
    });
    const known = new Map(kept);
    return new Map([...known, ...(await place.base.contents(hashes.filter((hash) => !known.has(hash))))]);
  };
  const folder = path.resolve(cwd, worktree);
  const own = { root: workspace, folder, git, env: toolEnv(env) };
  const made = await addWorktree({ ...own, manifest: files.manifest, contents });
  if (!made.ok) return err({ exitCode: 42, message: made.error });
  const missing = made.value.slice(0, namedMax).join(', ');
  return ok({
    workspace: await realpath(folder),
    takeBack: () => removeWorktree(own),
    notices: [
      ...unsureNotice(files, at),
      ...(made.value.length === 0 ? [] : [`not in the worktree, because their content is not kept: ${missing}`]),
    ],
  });
}

function unsureNotice({ unsure }: FilesAt, at: number): readonly string[] {
  if (unsure === null) return [];
  const names = unsure.length === 0 ? '' : `; these may differ: ${unsure.slice(0, namedMax).join(', ')}`;
  return [`what the last commands before fact ${at} had changed is not known exactly${names}; the model is told`];
}

async function begin(
  ledger: WritableLedger,
  parent: Parent,
  request: ForkRequest,
  root: string,
  store: Store,
  env: NodeJS.ProcessEnv,
): Promise<Result<ForkReport, Problem>> {
  if (ledger.folder === null) throw new Error('a session of a workspace needs a folder');
  const placed = await openWorkspaceAt(root, ledger.folder, store.home, env);
  if (!placed.ok) return placed;
  const { workspace, base } = placed.value;
  const scan = await workspace.revision.scan();
  await base.snapshot(scan);
  const disk = await fileSystemOf(ledger.folder);
  const created = { sessionId: ledger.sessionId, workspace: workspace.root, version, fileSystem: disk.name };
  const copied = copyFacts(parent.facts, { sessionId: parent.sessionId, at: request.at }, created, newId);
  for (const body of copied) {
    for (const hash of blobsOf(body)) await ledger.putBlob(await store.getBlob(parent.sessionId, hash));
  }
  const state = stateOf(copied);
  const { at, worktree } = request;
  const changed = parent.files === null ? [] : differing(parent.files.manifest, scan.manifest);
  const unsure = parent.files === null ? [] : parent.files.unsure;
  const isSame = worktree === null && changed.length === 0 && unsure === null;
  const found: FactBody[] = [
    {
      type: 'workspace.rebased',
      from: state.world.revision ?? '',
      to: scan.revision,
      tree: workspace.revision.tree(scan, state.world.products),
      changed: changed.slice(0, recordedMax),
      fork: {
        at,
        worktree: worktree !== null,
        ...(unsure === null ? {} : { unsure: unsure.slice(0, recordedMax) }),
      },
    },
    { type: 'checkpoint.taken', revision: scan.revision, ref: 'base' },
  ];
  // However many there are: what closes them comes in one write with the last of them.
  const early = copied.length - (copied.length % TAKEN_AT_ONCE);
  for (let from = 0; from < early; from += TAKEN_AT_ONCE) await ledger.append(copied.slice(from, from + TAKEN_AT_ONCE));
  const added = [...closingFacts(copied, state), ...(isSame ? found.slice(1) : found)];
  await ledger.append([...copied.slice(early), ...added]);
  await ledger.flush();
  const waiting = (state.turn?.open ?? []).filter(({ status }) => status === 'asked' || status === 'approved').length;
  const notices = [
    ...(worktree === null && changed.length > 0
      ? [`the files are as they are now, not as at fact ${at}; ${changed.length} differ, the model is told`]
      : []),
    ...(waiting === 0
      ? []
      : [
          `a call that waited for an approval, or was approved, is cancelled here: an approval does not pass to a fork`,
        ]),
  ];
  return ok({ sessionId: ledger.sessionId, workspace: workspace.root, notices });
}
