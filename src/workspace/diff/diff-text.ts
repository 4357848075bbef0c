/** Longer than this no difference is worth waiting for; the fallback is right, only less helpful. */
const TIMEOUT_MS = 1_000;
const CONTEXT_LINES = 3;

/**
 * Unified diff of two texts under one path; null means the file does not exist on that side. Empty when both are
 * equal. Two texts without much in common come out as one removal and one addition.
 */
export async function diffText(path: string, before: string | null, after: string | null): Promise<string> {
  if (before === after) return '';
  const from = before === null ? '/dev/null' : `a/${path}`;
  const to = after === null ? '/dev/null' : `b/${path}`;
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import('diff');
  const patch = createTwoFilesPatch(from, to, before ?? '', after ?? '', undefined, undefined, {
    context: CONTEXT_LINES,
    timeout: TIMEOUT_MS,
    headerOptions: FILE_HEADERS_ONLY,
  });
  return patch ?? wholeReplacement(from, to, before ?? '', after ?? '');
}

function wholeReplacement(from: string, to: string, before: string, after: string): string {
  const removed = marked('-', before);
  const added = marked('+', after);
  const head = `--- ${from}\n+++ ${to}\n@@ -${range(removed.count)} +${range(added.count)} @@\n`;
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
