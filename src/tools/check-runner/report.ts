/** What the model is told of a run of a check: what fails first, then the rest of the output, then the verdict. */
import type { TestCounts } from '#kernel';
import { preview, tail } from '../text/preview.ts';

const reportLimits = {
  /** Characters of the output of a check that did not pass. */
  failing: 8000,
  /** Characters of the essential lines, shown again when the output had to be cut. */
  essential: 1500,
  /** Characters of the output of a check that passed. */
  passing: 400,
} as const;

const markers = /^\s*(?:✖|✗|×|✕|●|not ok\b|FAIL(?:ED)?\b|ERROR\b|E {3}|\w*(?:Error|Exception)\b.*:|>>> )/;

/** `output` is clean text. */
export function checkOutput(output: string, passed: boolean): { readonly text: string; readonly omitted: number } {
  const text = output.trim();
  if (passed)
    return { text: tail(text, reportLimits.passing), omitted: Math.max(0, text.length - reportLimits.passing) };
  const cut = preview(text, reportLimits.failing);
  if (cut.omitted === 0) return cut;
  const essential = essentialLines(text);
  return essential === '' ? cut : { text: `failing:\n${essential}\n\noutput:\n${cut.text}`, omitted: cut.omitted };
}

/** Lines that name a failing test or an error, each once, in order, within the limit. */
function essentialLines(text: string): string {
  const found: string[] = [];
  let size = 0;
  for (const line of text.split('\n')) {
    const short = line.trimEnd().slice(0, 200);
    if (!markers.test(short) || found.includes(short)) continue;
    size += short.length + 1;
    if (size > reportLimits.essential) break;
    found.push(short);
  }
  return found.join('\n');
}

export const countsLine = (counts: TestCounts | null): string =>
  counts === null
    ? 'counts: none found in the output'
    : `counts: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`;
