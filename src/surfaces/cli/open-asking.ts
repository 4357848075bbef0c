/** Opens a session; where commands would run as root without a sandbox, a person at the terminal is asked first. */
import type { Result } from '#lib';
import { canAsk } from './ask-approval.ts';
import type { CliDeps, CliIo, OpenedSession, Problem, SettingsChange } from './contract.ts';
import { openLines } from './open-lines.ts';
import type { SessionOptions } from './options/session-options.ts';
import type { Printer } from './output/printer.ts';

type Open = (settings: SettingsChange) => Promise<Result<OpenedSession, Problem>>;

/** A yes is recorded as `--sandbox off`, so the session asks once. Anything else is a no. */
export async function openAsking(
  settings: SettingsChange,
  options: SessionOptions,
  { io, printer }: { readonly deps: CliDeps; readonly io: CliIo; readonly printer: Printer },
  open: Open,
): Promise<Result<OpenedSession, Problem>> {
  const opened = await open(settings);
  if (opened.ok || opened.error.unsandboxedRoot !== true) return opened;
  if (!canAsk(io) || options.headless === true || options.outputFormat !== 'text') return opened;
  printer.note(`belay: ${opened.error.message}`);
  printer.note('Run commands as root without a sandbox in this session?');
  const lines = await openLines(io);
  try {
    const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
    const answer = await Promise.race([lines.question('Allow? y = yes, q = quit: '), ended]);
    if (!['y', 'yes'].includes(answer.trim().toLowerCase())) return opened;
  } finally {
    lines.close();
  }
  return open({ ...settings, sandbox: 'off' });
}
