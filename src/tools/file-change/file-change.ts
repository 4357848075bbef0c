/**
 * The effect that `Edit`, `Write` and `ApplyPatch` share: files get new bytes, on the condition that each still is what
 * it was when the change was worked out. What is approved, what `attempt.start` records and what settling compares are the same
 * fingerprint.
 */
import { createHash } from 'node:crypto';
import { type Failure, type Fingerprint, type Json, makeFailure } from '#kernel';
import type { FilesResult, PartialChange, Workspace } from '#workspace';
import type { AttemptContext, Preparation, Settlement, ToolOutcome } from '../contract.ts';
import { failed } from '../outcome.ts';

export interface FileChange {
  /** Relative to the root, links resolved. */
  readonly path: string;
  /** Content before, null when the file is new. */
  readonly before: string | null;
  /** Null when the file goes. */
  readonly after: string | null;
  readonly bytes: Uint8Array | null;
  /** The same in pieces, and whether it is nothing but ASCII; see `FileChange` of the workspace. */
  readonly pieces?: readonly Uint8Array[];
  readonly isPlain?: boolean;
  /** Hash before; null = the file must not exist. */
  readonly base: string | null;
  /** The bytes before, where there are any. */
  readonly baseBytes?: Uint8Array;
  /** Where the change lies, if it is in one place; then `before` and `after` need not be looked at. */
  readonly around?: PartialChange;
  readonly result: string | null;
  /** Permission bits of a file that is new. */
  readonly mode?: number;
}
export type FileChangePlan =
  /** All of the changes or none. `report`: what the model is told when they are done. */
  | { readonly ok: true; readonly changes: readonly FileChange[]; readonly report: string }
  | { readonly ok: false; readonly failure: Failure };

/** The git blob hash, as the workspace names contents, of a content in any number of pieces. */
export function blobHash(...pieces: readonly Uint8Array[]): string {
  const size = pieces.reduce((sum, piece) => sum + piece.byteLength, 0);
  const hash = createHash('sha1').update(`blob ${size}\0`);
  for (const piece of pieces) hash.update(piece);
  return hash.digest('hex');
}

export type PlannedChange = Extract<FileChangePlan, { readonly ok: true }>;

/** What an approval binds to and settling compares with. */
export const baseOf = ({ changes }: PlannedChange): Json => ({
  files: changes.map(({ path, base, result }) => ({ path, base, result })),
});

/** Ready to write: nothing is changed before `run`, and `run` refuses when a file is not what its `base` says. */
export function prepareFileChange(workspace: Workspace, plan: PlannedChange, context: AttemptContext): Preparation {
  return {
    ok: true,
    attempt: {
      base: baseOf(plan),
      run: () => writeChanges(workspace, plan, context),
      discard: async () => {},
    },
  };
}

async function writeChanges(workspace: Workspace, plan: PlannedChange, context: AttemptContext): Promise<ToolOutcome> {
  const { changes } = plan;
  if (context.signal.aborted) return stopped;
  const written = await workspace.files.writeAll(changes.map(requestOf), context.execFolder);
  if (!written.ok) {
    const failure = writeFailure(changes, written);
    return written.stayed === undefined ? failed(failure) : halfDone(changes, failure, written.stayed);
  }
  return {
    status: 'succeeded',
    output: [plan.report, ...written.notes].join('\n'),
    files: written.fingerprints,
    seen: seenOf(written.fingerprints),
  };
}

const stopped: ToolOutcome = {
  status: 'cancelled',
  output: 'The run was stopped before this began; nothing was written.',
  failure: makeFailure('cancelled', 'The run was stopped before this began.', 'Call it again if it is still needed.'),
};

const requestOf = (change: FileChange) => ({
  path: change.path,
  get bytes() {
    return change.bytes;
  },
  base: change.base,
  ...(change.pieces === undefined ? {} : { pieces: change.pieces }),
  ...(change.isPlain === undefined ? {} : { isPlain: change.isPlain }),
  ...(change.baseBytes === undefined ? {} : { baseBytes: change.baseBytes }),
  ...(change.result === null ? {} : { result: change.result }),
  ...(change.mode === undefined ? {} : { mode: change.mode }),
});

/** Some files were changed and could not be brought back: each is told with what it holds now. */
function halfDone(
  changes: readonly FileChange[],
  failure: Failure,
  stayed: readonly (Fingerprint & { readonly why: string })[],
): ToolOutcome {
  const lines = changes.map(({ path, base }) => {
    const one = stayed.find((file) => file.path === path);
    return one === undefined
      ? `${path}: as it was (${base ?? 'not there'})`
      : `${path}: changed (${String(one.result ?? 'taken away')}); it ${one.why}`;
  });
  const output = [failure.message, ...lines, 'Read the changed files before you go on.'].join('\n');
  return {
    status: 'failed',
    output,
    failure: { ...failure, suggestedAction: 'Read the changed files before you go on.' },
    files: stayed.map(({ path, base, result }) => ({ path, base: base ?? null, result: result ?? null })),
  };
}

type Refused = Extract<FilesResult, { readonly ok: false }>;

function writeFailure(changes: readonly FileChange[], { code, message, stayed }: Refused): Failure {
  const nothing = stayed === undefined ? ' Nothing was changed.' : '';
  const path = changes.length === 1 ? (changes[0]?.path ?? '') : 'the files';
  switch (code) {
    case 'stale':
      if (changes.length === 1) return staleFailure(path);
      return makeFailure('stale', `${message}${nothing}`, 'Read it again, then try again.', {
        signature: 'stale: file changed',
      });
    case 'full':
      return makeFailure(
        'store',
        `It could not be written: ${message}.${nothing}`,
        'Say so; go on when somebody made room there or raised the limit. Do not delete what you did not make.',
      );
    case 'revoked':
      return makeFailure(
        'cancelled',
        `The change of ${path} was given up before it began.`,
        `Read ${path} and try again.`,
      );
    default:
      return makeFailure(
        'tool',
        `${path} could not be written: ${message.replace(/\.$/, '')}.${nothing}`,
        'Say what is blocked, or go another way.',
        {
          blame: 'environment',
        },
      );
  }
}

/** The file changed between being looked at and being written. */
export const staleFailure = (path: string): Failure =>
  makeFailure(
    'stale',
    `${path} changed since it was read; nothing was written.`,
    `Read ${path} first, then try again.`,
    {
      signature: 'stale: file changed',
    },
  );

/** How a change left behind by another run ended, by claim, marker and content. */
export async function settleFileChange(
  workspace: Workspace,
  base: Json | null,
  context: AttemptContext,
): Promise<Settlement> {
  const files = filesOf(base);
  const found = await workspace.files.settle(context.execFolder, files, context.bootId);
  const names = files.map((file) => file.path).join(', ');
  switch (found.state) {
    case 'not-started':
      return {
        state: 'not-started',
        settling: { probe: 'claim', observed: 'free, and revoked now', verdict: 'not-started' },
      };
    case 'applied': {
      const note = found.changedSince ? ' The file was changed again since; read it before you go on.' : '';
      return settled({
        status: 'succeeded',
        output: `${names}: the change was applied before the run was interrupted.${note}`,
        files,
        seen: found.changedSince ? [] : seenOf(files),
        settling: {
          probe: 'content',
          observed: found.changedSince ? 'written, and changed again since' : 'the new content',
          verdict: 'applied',
        },
      });
    }
    case 'not-applied':
      // Its executor is gone or, should it only sleep, will find another content than its base: it is safe to run again.
      return {
        state: 'not-started',
        settling: { probe: 'content', observed: 'the old content', verdict: 'not-applied' },
      };
    case 'diverged':
      return settled({
        status: 'unknown',
        output: `${names}: the run was interrupted, and the content now is neither the old nor the new one. ${found.evidence}`,
        files: [],
        data: { evidence: found.evidence },
        settling: { probe: 'content', observed: found.evidence, verdict: 'diverged' },
      });
  }
}

const settled = (outcome: ToolOutcome): Settlement => ({
  state: 'settled',
  outcome: { ...outcome, provenance: 'reconciled' },
});

function seenOf(files: readonly Fingerprint[]): { path: string; hash: string }[] {
  return files.flatMap(({ path, result }) => (typeof result === 'string' ? [{ path, hash: result }] : []));
}

function filesOf(base: Json | null): readonly Fingerprint[] {
  const files =
    base !== null && typeof base === 'object' && !Array.isArray(base) ? (base as { files?: Json }).files : [];
  return Array.isArray(files) ? (files as unknown as readonly Fingerprint[]) : [];
}
