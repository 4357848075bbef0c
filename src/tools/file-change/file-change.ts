/**
 * The effect that `Edit` and `Write` share: one file gets new bytes, on the condition that it still is what it was when
 * the change was worked out. What is approved, what `attempt.start` records and what settling compares are the same
 * fingerprint.
 */
import { createHash } from 'node:crypto';
import { type Failure, type Fingerprint, type Json, makeFailure } from '#kernel';
import type { Alike, Workspace } from '#workspace';
import type { AttemptContext, Preparation, Settlement, ToolOutcome } from '../contract.ts';
import { failed } from '../outcome.ts';

export interface FileChange {
  /** Relative to the root, links resolved. */
  readonly path: string;
  /** Content before, null when the file is new. */
  readonly before: string | null;
  readonly after: string;
  readonly bytes: Uint8Array;
  /** Hash before; null = the file must not exist. */
  readonly base: string | null;
  /** The bytes before, where there are any. */
  readonly baseBytes?: Uint8Array;
  /** Characters of `before` and `after` that are alike at the start and at the end, where that is known. */
  readonly alike?: Alike;
  readonly result: string;
  /** What the model is told when it is done. */
  readonly report: string;
}
export type FileChangePlan =
  | { readonly ok: true; readonly change: FileChange }
  | { readonly ok: false; readonly failure: Failure };

/** The git blob hash, as the workspace names contents. */
export const blobHash = (bytes: Uint8Array): string =>
  createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');

/** What an approval binds to and settling compares with. */
export const baseOf = (change: FileChange): Json => ({
  files: [{ path: change.path, base: change.base, result: change.result }],
});

/** Ready to write: nothing is changed before `run`, and `run` refuses when the file is not what `change.base` says. */
export function prepareFileChange(workspace: Workspace, change: FileChange, context: AttemptContext): Preparation {
  return {
    ok: true,
    attempt: {
      base: baseOf(change),
      run: () => writeChange(workspace, change, context),
      discard: async () => {},
    },
  };
}

async function writeChange(workspace: Workspace, change: FileChange, context: AttemptContext): Promise<ToolOutcome> {
  const written = await workspace.files.write({
    path: change.path,
    bytes: change.bytes,
    base: change.base,
    result: change.result,
    ...(change.baseBytes === undefined ? {} : { baseBytes: change.baseBytes }),
    execFolder: context.execFolder,
  });
  if (!written.ok) return failed(writeFailure(change.path, written.code, written.message));
  return {
    status: 'succeeded',
    output: [change.report, ...written.notes].join('\n'),
    files: [written.fingerprint],
    seen: [{ path: change.path, hash: written.hash }],
  };
}

function writeFailure(path: string, code: string, message: string): Failure {
  switch (code) {
    case 'stale':
      return staleFailure(path);
    case 'full':
      return makeFailure('store', `There is no space left to write ${path}: ${message}`, 'Stop and say so.');
    case 'revoked':
      return makeFailure(
        'cancelled',
        `The change of ${path} was given up before it began.`,
        `Read ${path} and try again.`,
      );
    default:
      return makeFailure(
        'tool',
        `${path} could not be written: ${message}`,
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
