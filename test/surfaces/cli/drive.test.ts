import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { CommandError } from '../../../src/surfaces/cli/command-error.ts';
import type { CliIo, OpenedSession, Problem, Signal } from '../../../src/surfaces/cli/contract.ts';
import { stopOnSignals, untilOpen } from '../../../src/surfaces/cli/drive.ts';
import { createPrinter } from '../../../src/surfaces/cli/output/printer.ts';

/** A process that gets signals when the test says so, and notes how it is ended at once. */
function open() {
  let signalled = (_: Signal) => {};
  const exits: number[] = [];
  const stream = () => new PassThrough().resume();
  const io: CliIo = {
    stdin: stream(),
    stdout: stream(),
    stderr: stream(),
    env: {},
    cwd: '/',
    onSignal: (listener) => {
      signalled = listener;
      return () => {
        signalled = () => {};
      };
    },
    exitNow: (code) => void exits.push(code),
  };
  return { io, exits, signal: (name: Signal) => signalled(name), stopper: stopOnSignals(io, createPrinter(io)) };
}

const failed: { readonly ok: false; readonly error: Problem } = { ok: false, error: { exitCode: 56, message: 'full' } };

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 143],
] as const)('a start that hears %s ends in order, with %i', async (name, code) => {
  const { io, exits, signal, stopper } = open();
  const opening = new Promise<typeof failed>((resolve) => {
    stopper.signal.addEventListener('abort', () => resolve(failed));
  });
  const opened = untilOpen(opening, stopper, { io });
  signal(name);
  await expect(opened).rejects.toMatchObject({ exitCode: code });
  expect(exits).toEqual([]);
});

test('a start that hears no signal is ended all the same', async () => {
  const { io, exits, signal, stopper } = open();
  void untilOpen(new Promise(() => {}), stopper, { io });
  signal('SIGTERM');
  await expect.poll(() => exits).toEqual([143]);
});

test('without a signal the start tells its own fault, or the session', async () => {
  const { io, exits, stopper } = open();
  await expect(untilOpen(Promise.resolve(failed), stopper, { io })).rejects.toEqual(new CommandError(56, 'full'));
  const session = {} as OpenedSession;
  expect(await untilOpen(Promise.resolve({ ok: true, value: session }), stopper, { io })).toBe(session);
  expect(exits).toEqual([]);
});
