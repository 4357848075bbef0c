/** Waits until a command ends, prints a line that a pattern matches, or the time is over. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Failure, makeFailure } from '#kernel';
import { type OutputPart, ripgrepProgram, runTool, type Workspace } from '#workspace';
import { withoutLastWord } from '../search/long-lines.ts';
import { cleanOutput } from '../text/clean-output.ts';
import type { Followed } from './task-table.ts';

const LOOK_EVERY_MS = 200;
/** Of one look; what comes after it is looked at next. */
const LOOK_BYTES = 1024 * 1024;
/** A line that is cut between two looks is seen whole in the second one. */
const OVERLAP_BYTES = 4 * 1024;

export type Waited =
  | { readonly ok: true; readonly reason: 'ended' | 'time' | 'cancelled' }
  /** The time was over before all of the output was looked at; `searched` bytes were. */
  | { readonly ok: true; readonly reason: 'partly'; readonly searched: number }
  | { readonly ok: true; readonly reason: 'matched'; readonly line: string }
  | { readonly ok: false; readonly failure: Failure };

export interface Wait {
  readonly task: Followed;
  readonly read: (from: number, bytesMax: number) => OutputPart;
  /** In ripgrep's syntax: its engine needs time linear in the text, whatever the pattern. */
  readonly pattern: string | undefined;
  readonly from: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export async function waitFor(workspace: Workspace, wait: Wait): Promise<Waited> {
  const { task, pattern, signal } = wait;
  const until = performance.now() + wait.timeoutMs;
  let from = wait.from;
  let hasLooked = false;
  for (;;) {
    const isOver = task.result() !== null;
    if (pattern !== undefined) {
      const { bytes, size } = wait.read(from, LOOK_BYTES);
      // The first look is made in any case, so that a faulty pattern is told at once.
      if (bytes.length > 0 || !hasLooked) {
        hasLooked = true;
        const isLast = isOver && from + bytes.length >= size;
        const found = await search(
          workspace,
          pattern,
          asksForEnd(pattern) && !isLast ? wholeLines(bytes) : bytes,
          signal,
        );
        if (!found.ok) return found;
        if (found.line !== null) return { ok: true, reason: 'matched', line: found.line };
        from = nextLook(from, bytes.length, size);
        if (from + OVERLAP_BYTES < size) {
          // Output can come faster than it is looked at.
          if (!signal.aborted && performance.now() < until) continue;
          return { ok: true, reason: 'partly', searched: from };
        }
      }
    }
    if (isOver) return { ok: true, reason: 'ended' };
    if (signal.aborted) return { ok: true, reason: 'cancelled' };
    const left = until - performance.now();
    if (left <= 0) return { ok: true, reason: 'time' };
    // Without a pattern only the end is waited for; with one the output is looked at again and again.
    await pause(task, pattern === undefined ? left : Math.min(left, LOOK_EVERY_MS), signal);
  }
}

/** `$` in a pattern says something of the end of a line, which an unfinished one has not. */
const asksForEnd = (pattern: string): boolean => /(?:^|[^\\])(?:\\\\)*\$/.test(pattern);

/** A line that is cut here is looked at again, together with what comes behind it. */
const wholeLines = (bytes: Uint8Array): Uint8Array => bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1);

const nextLook = (from: number, length: number, size: number): number =>
  from + length < size ? from + Math.max(1, length - OVERLAP_BYTES) : Math.max(from, size - OVERLAP_BYTES);

async function pause(task: Followed, ms: number, signal: AbortSignal): Promise<void> {
  const over = new AbortController();
  const stop = AbortSignal.any([over.signal, signal]);
  await Promise.race([task.end, sleep(ms, undefined, { signal: stop }).catch(() => undefined)]);
  over.abort();
}

async function search(
  workspace: Workspace,
  pattern: string,
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<{ readonly ok: true; readonly line: string | null } | { readonly ok: false; readonly failure: Failure }> {
  const program = await ripgrepProgram(workspace.processes);
  if (program === null) {
    const failure = makeFailure('tool', 'ripgrep is not installed.', 'Wait without wait_for.', {
      blame: 'environment',
    });
    return { ok: false, failure };
  }
  const args = [
    '--no-config',
    '--color=never',
    '--max-count=1',
    '--max-columns=500',
    '--max-columns-preview',
    '-e',
    pattern,
    '-',
  ];
  const options = { cwd: workspace.root, env: {}, timeoutMs: 10_000, outputBytesMax: 10_000, signal };
  const run = await runTool(program, args, { ...options, input: cleanOutput(bytes) });
  // Where a long line is cut, a secret may be.
  if (run.exitCode === 0) return { ok: true, line: withoutLastWord(new TextDecoder().decode(run.stdout).trimEnd()) };
  if (run.exitCode === 1 || signal.aborted) return { ok: true, line: null };
  const why = run.stderr.trim() === '' ? 'The search failed.' : run.stderr.trim();
  const failure =
    run.exitCode === 2
      ? makeFailure('schema', why, 'Give wait_for as a regular expression of ripgrep.')
      : makeFailure('tool', why, 'Wait again, or without wait_for.', { blame: 'environment' });
  return { ok: false, failure };
}
