/** Longer than this no difference is worth waiting for; the fallback is right, only less helpful. */
const TIMEOUT_MS = 1_000;
const CONTEXT_LINES = 3;

/** A change told by a part of the old text: a large text is not put together whole to show a few lines of it. */
export interface PartialChange {
  /** The whole text, or what lies around the change. */
  readonly part: string;
  /** How many characters of the part stay at its start and at its end, and what comes between them. */
  readonly start: number;
  readonly end: number;
  readonly fresh: string;
  /** What lies before the part: whole lines, and characters of the line in which it begins. */
  readonly linesBefore: number;
  readonly charactersBefore: number;
  /** Whether the part reaches to the end of the text. */
  readonly isTail: boolean;
}

/**
 * Unified diff of two texts under one path; null means the file does not exist on that side. Empty when both are
 * equal. Two texts without much in common come out as one removal and one addition.
 */
export async function diffText(path: string, before: string | null, after: string | null): Promise<string> {
  if (before === after) return '';
  const from = before === null ? '/dev/null' : `a/${path}`;
  const to = after === null ? '/dev/null' : `b/${path}`;
  return patchOf(from, to, before, after, 0);
}

/** The same of a change whose place is known; a change inside of very long lines is shown by its characters. */
export async function diffAround(path: string, change: PartialChange): Promise<string> {
  const { part, start, end, fresh } = change;
  const [from, to] = [`a/${path}`, `b/${path}`];
  const window = around(change);
  if (window === null || window.to - window.from > WINDOW_MAX) return `${headOf(from, to)}${insideLine(change)}`;
  const after = part.slice(window.from, start) + fresh + part.slice(part.length - end, window.to);
  const skipped = change.linesBefore + countLines(part, window.from);
  return patchOf(from, to, part.slice(window.from, window.to), after, skipped);
}

/** More than this around a small change means very long lines. */
const WINDOW_MAX = 200_000;

/** What of the part the change touches, with whole lines of context; null where they are not all there. */
function around(change: PartialChange): { readonly from: number; readonly to: number } | null {
  const { part, start, end } = change;
  let from = start === 0 ? 0 : part.lastIndexOf('\n', start - 1) + 1;
  for (let i = 0; i < CONTEXT_LINES && from > 0; i++) from = from < 2 ? 0 : part.lastIndexOf('\n', from - 2) + 1;
  // One line further than the context, because what ends the changed line may be part of the change.
  let to = Math.max(part.length - end, 0);
  for (let i = 0; i < CONTEXT_LINES + 2 && to < part.length; i++) {
    const next = part.indexOf('\n', to);
    to = next === -1 ? part.length : next + 1;
  }
  const isCut = (from === 0 && change.charactersBefore > 0) || (to === part.length && !change.isTail);
  return isCut ? null : { from, to };
}

const AROUND = 80;
const PART_MAX = 4_000;

/** What a person needs of a change inside lines that no one can look at whole. */
function insideLine(change: PartialChange): string {
  const { part, start, end, fresh } = change;
  const line = change.linesBefore + countLines(part, start) + 1;
  const lineStart = start === 0 ? -1 : part.lastIndexOf('\n', start - 1);
  const character = start - lineStart + (lineStart === -1 ? change.charactersBefore : 0);
  const behind = part.length - end;
  const told = (changed: string) => {
    const shown =
      changed.length > PART_MAX ? `${changed.slice(0, PART_MAX)}[… ${changed.length - PART_MAX} more]` : changed;
    return `${part.slice(Math.max(0, start - AROUND), start)}${shown}${part.slice(behind, behind + AROUND)}`;
  };
  const marked = (sign: string, changed: string) =>
    told(changed)
      .split('\n')
      .map((one) => `${sign}${one}\n`)
      .join('');
  const head = `@@ line ${line}, around character ${character} @@\n`;
  return `${head}${marked('-', part.slice(start, behind))}${marked('+', fresh)}`;
}

/** Line ends before an offset. */
function countLines(text: string, before: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < before; at = text.indexOf('\n', at + 1)) lines++;
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
