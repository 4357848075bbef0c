import { expect, test } from 'vitest';
import type { ProcessResult } from '#workspace';
import { endOf, nextInBackground } from '../../../src/tools/process/attempt-process.ts';

const timedOut: ProcessResult = {
  state: 'timed-out',
  exitCode: null,
  output: new Uint8Array(),
  outputBytes: 0,
  omitted: null,
  cut: false,
  consistent: false,
  provenance: 'live',
  spoolPath: '',
  leftAlive: [],
};

test.each([
  ['a short limit', 1_500, undefined, /^Run less at once, give a longer timeout .*600000 ms.*run_in_background\.$/],
  ['the longest limit: none is longer', 600_000, undefined, /^Run less at once; .*run_in_background\.$/],
  ['in the background', 1_500, nextInBackground, /^If it is still needed, start it again with a longer timeout or/],
])('a command that does not end in time is told what can be done: %s', (_name, timeoutMs, next, expected) => {
  const end = endOf(timedOut, timeoutMs, next);
  expect(end.failure?.suggestedAction).toMatch(expected);
  expect(end.line).toBe(`${end.failure?.message} ${end.failure?.suggestedAction}`);
});
