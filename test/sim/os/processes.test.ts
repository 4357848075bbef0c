/** What the product says of a command, whatever becomes of it, is the same with real shells and with simulated ones. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const script = join(import.meta.dirname, 'program/process-cases.ts');
const told = (...args: string[]): unknown =>
  JSON.parse(execFileSync(process.execPath, [script, ...args], { encoding: 'utf8', timeout: 60_000 }));

const notStarted = ['not-started', null, 'live', false];
/** State, exit code, from where it is known, whether all traces agree; then the output, where there is one. */
const expected = {
  'a command that ends well': { said: [['exited', 0, 'live', true], 'did T0001\n'], effects: 1 },
  'a command that fails': { said: [['exited', 3, 'live', true], 'did T0002\n'], effects: 1 },
  'a command that is not there': { said: ['exited', 127, 'live', true], effects: 0 },
  'the receipt tells an ended command, twice': {
    said: [['exited', 3, 'receipt', true], 'did T0004\n', ['exited', 3, 'receipt', true]],
    effects: 1,
  },
  'a command at work is waited for': {
    said: [['exited', 0, 'reattached', true], 'working\ndid T0005\n'],
    effects: 1,
  },
  'nobody says go': { said: [notStarted, notStarted], effects: 0 },
  'what was revoked does not run when go comes after all': { said: [notStarted, 'not-started'], effects: 0 },
  'it is frozen before its claim, and thawed after it was revoked': { said: [notStarted, notStarted], effects: 0 },
  'what was made ready is discarded': { said: [false, notStarted], effects: 0 },
  'its shells are killed and it goes on': { said: ['unknown', null, 'reattached', false], effects: 1 },
  'everything of it is killed': { said: [['unknown', null, 'receipt', false], 'working\n'], effects: 0 },
  'another boot, with a receipt': { said: ['unknown', 0, 'receipt', false], effects: 1 },
  'its claim was removed after it ended': { said: ['exited', 0, 'receipt', true], effects: 1 },
  'its receipt was removed after it ended': { said: ['exited', 0, 'receipt', false], effects: 1 },
  'its folder was removed after it ended': { said: ['unknown', null, 'receipt', false], effects: 1 },
  'a deadline': ['timed-out', []],
  'a cancellation': ['cancelled', []],
};

describe('every case', () => {
  test('with real shells', () => expect(told('real')).toEqual(expected));
  test.each(['0', '100', '200', '300'])('on the simulated machine, from seed %s', (seed) => {
    expect(told('simulated', seed)).toEqual(expected);
  });
});
