/** Longer than this no difference is worth waiting for; the fallback is right, only less helpful. */
const TIMEOUT_MS = 1_000;
const CONTEXT_LINES = 3;

/** Characters at the start and at the end of two texts that are known to be alike. */
export interface Alike {
  readonly start: number;
  readonly end: number;
}

/**
 * Unified diff of two texts under one path; null means the file does not exist on that side. Empty when both are
 * equal. Two texts without much in common come out as one removal and one addition. With `alike` only the lines around
 * the rest are looked at, and of very long lines only the characters around it are shown.
 */
export async function diffText(
  path: string,
  before: string | null,
  after: string | null,
  alike?: Alike,
): Promise<string> {
  if (before === after) return '';
  const from = before === null ? '/dev/null' : `a/${path}`;
  const to = after === null ? '/dev/null' : `b/${path}`;
  if (alike === undefined || before === null || after === null) return patchOf(from, to, before, after, 0);
  const window = around(before, after, alike);
  if (window.to - window.from > WINDOW_MAX) return `${headOf(from, to)}${insideLine(before, after, alike)}`;
  return patchOf(
    from,
    to,
    before.slice(window.from, window.to),
    after.slice(window.from, after.length - (before.length - window.to)),
    countLines(before.slice(0, window.from)),
  );
}

/** More than this around a small change means very long lines. */
const WINDOW_MAX = 200_000;

/** The part of `before` that the change touches, with whole lines of context. */
function around(before: string, after: string, { start, end }: Alike): { readonly from: number; readonly to: number } {
  let from = before.lastIndexOf('\n', start - 1) + 1;
  if (start === 0) from = 0;
  for (let i = 0; i < CONTEXT_LINES && from > 0; i++) from = from < 2 ? 0 : before.lastIndexOf('\n', from - 2) + 1;
  // One line further than the context, because what ends the changed line may be part of the change.
  let to = Math.max(before.length - end, 0);
  for (let i = 0; i < CONTEXT_LINES + 2 && to < before.length; i++) {
    const next = before.indexOf('\n', to);
    to = next === -1 ? before.length : next + 1;
  }
  return from <= to && after.length >= before.length - to ? { from, to } : { from: 0, to: before.length };
}

const AROUND = 80;
const PART_MAX = 4_000;

/** What a person needs of a change inside lines that no one can look at whole. */
function insideLine(before: string, after: string, { start, end }: Alike): string {
  const line = countLines(before.slice(0, start)) + 1;
  const character = start - before.lastIndexOf('\n', start - 1);
  const part = (text: string) => {
    const changed = text.slice(start, text.length - end);
    const shown =
      changed.length > PART_MAX ? `${changed.slice(0, PART_MAX)}[… ${changed.length - PART_MAX} more]` : changed;
    return `${text.slice(Math.max(0, start - AROUND), start)}${shown}${text.slice(text.length - end).slice(0, AROUND)}`;
  };
  const marked = (sign: string, text: string) =>
    part(text)
      .split('\n')
      .map((one) => `${sign}${one}\n`)
      .join('');
  return `@@ line ${line}, around character ${character} @@\n${marked('-', before)}${marked('+', after)}`;
}

function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

/** `skipped`: lines before the texts, which are then parts of longer ones. */
async function patchOf(
  from: string,
  to: string,
  before: string | null,
  after: string | null,
  skipped: number,
): Promise<string> {
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import('diff');
  const patch = createTwoFilesPatch(from, to, before ?? '', after ?? '', undefined, undefined, {
    context: CONTEXT_LINES,
    timeout: TIMEOUT_MS,
    headerOptions: FILE_HEADERS_ONLY,
  });
  const whole = patch ?? wholeReplacement(from, to, before ?? '', after ?? '');
  if (skipped === 0) return whole;
  return whole.replace(
    /^@@ -(\d+)(,\d+)? \+(\d+)(,\d+)? @@/gm,
    (_all, a: string, an = '', b: string, bn = '') => `@@ -${Number(a) + skipped}${an} +${Number(b) + skipped}${bn} @@`,
  );
}

const headOf = (from: string, to: string): string => `--- ${from}\n+++ ${to}\n`;

function wholeReplacement(from: string, to: string, before: string, after: string): string {
  const removed = marked('-', before);
  const added = marked('+', after);
  const head = `${headOf(from, to)}@@ -${range(removed.count)} +${range(added.count)} @@\n`;
  return head + removed.text + added.text;
}

function marked(sign: string, text: string): { readonly text: string; readonly count: number } {
  if (text === '') return { text: '', count: 0 };
  const isWhole = text.endsWith('\n');
  const lines = (isWhole ? text.slice(0, -1) : text).split('\n');
  const body = lines.map((line) => `${sign}${line}\n`).join('');
  return { text: isWhole ? body : `${body}\\ No newline at end of file\n`, count: lines.length };
}

const range = (count: number): string => (count === 0 ? '0,0' : `1,${count}`);
