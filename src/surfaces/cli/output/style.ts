import picocolors from 'picocolors';
import type { CliIo } from '../contract.ts';

export type Style = ReturnType<typeof picocolors.createColors>;

/** Colours for a stream: only on a terminal, never with NO_COLOR or a dumb terminal; FORCE_COLOR overrules. */
export function styleFor(io: CliIo, stream: { readonly isTTY?: boolean }): Style {
  const { env } = io;
  const isForced = env['FORCE_COLOR'] !== undefined && env['FORCE_COLOR'] !== '' && env['FORCE_COLOR'] !== '0';
  const isOff = (env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb';
  return picocolors.createColors(isForced || (stream.isTTY === true && !isOff));
}
