import { plain } from '#surfaces/view';
import { CommandError } from '../command-error.ts';
import type { CliDeps, CliIo } from '../contract.ts';
import type { SessionOptions } from '../options/session-options.ts';
import type { Printer } from '../output/printer.ts';

export interface PermissionsTestOptions {
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
  readonly permissionMode?: SessionOptions['permissionMode'];
  readonly cwd?: string;
  readonly json?: boolean;
  readonly examples?: boolean;
}

/** Says what a command would meet: allow, ask or deny, and why. Runs nothing; exits 0 whatever the answer is. */
export async function testPermission(
  command: string | undefined,
  options: PermissionsTestOptions,
  { deps, io, printer }: { readonly deps: CliDeps; readonly io: CliIo; readonly printer: Printer },
): Promise<number> {
  const { allow = [], ask = [], deny = [] } = options;
  if (options.examples === true) await checkExamples(options.cwd ?? io.cwd, options.json === true, { deps, printer });
  if (command === undefined) {
    if (options.examples === true) return 0;
    throw new CommandError(42, 'give the text of a command, or --examples');
  }
  for (const rule of [...allow, ...ask, ...deny]) {
    const fault = await deps.ruleFault(rule);
    if (fault !== null) throw new CommandError(42, fault);
  }
  const mode = options.permissionMode ?? 'default';
  const explained = await deps.explain({ command, mode, allow, ask, deny, cwd: options.cwd ?? io.cwd });
  if (!explained.ok) throw new CommandError(explained.error.exitCode, explained.error.message);
  const { decision, by, reason, parts, warnings } = explained.value;
  if (options.json === true) {
    printer.out(JSON.stringify({ decision, by, reason, parts, warnings }));
    return 0;
  }
  printer.out(`${decision}: ${plain(reason)}`);
  for (const part of parts) printer.out(`  ${part.decision.padEnd(5)} ${plain(part.what)} (${plain(part.reason)})`);
  for (const warning of warnings) printer.note(`warning: ${plain(warning)}`);
  return 0;
}

async function checkExamples(
  cwd: string,
  asJson: boolean,
  { deps, printer }: { readonly deps: CliDeps; readonly printer: Printer },
): Promise<void> {
  const checked = await deps.examples(cwd);
  if (!checked.ok) throw new CommandError(checked.error.exitCode, checked.error.message);
  printer.out(asJson ? JSON.stringify({ examples: checked.value }) : `${checked.value} examples hold`);
}
