/** `belay trust`: shows what the configuration of a repository would start, and asks whether it may. */
import { visible } from '#surfaces/view';
import { canAsk } from '../ask-approval.ts';
import { CommandError, usageError } from '../command-error.ts';
import type { CliDeps, CliIo, TrustReport } from '../contract.ts';
import { openLines } from '../open-lines.ts';
import type { Printer } from '../output/printer.ts';

export interface TrustOptions {
  readonly yes?: boolean;
  readonly revoke?: boolean;
  readonly json?: boolean;
}

/** Exits 0 where nothing would start or it is trusted, 55 where it is not. Runs nothing. */
export async function trust(
  given: string | undefined,
  options: TrustOptions,
  { deps, io, printer }: { readonly deps: CliDeps; readonly io: CliIo; readonly printer: Printer },
): Promise<number> {
  if (options.yes === true && options.revoke === true) throw usageError('give either --yes or --revoke');
  const folder = given ?? io.cwd;
  if (options.revoke === true) {
    const dropped = await deps.dropTrust(folder);
    if (!dropped.ok) throw new CommandError(dropped.error.exitCode, dropped.error.message);
    printer.out('not trusted any more');
    return 0;
  }
  const looked = await deps.lookAtTrust(folder);
  if (!looked.ok) throw new CommandError(looked.error.exitCode, looked.error.message);
  const report = looked.value;
  const { digest } = report;
  const wants = digest !== null && !report.trusted;
  if (options.json !== true) show(report, printer);
  const agrees = wants && (options.yes === true || (options.json !== true && (await asks(io))));
  if (agrees) {
    const stored = await deps.recordTrust(folder, digest);
    if (!stored.ok) throw new CommandError(stored.error.exitCode, stored.error.message);
  }
  if (options.json === true) printer.out(JSON.stringify({ ...report, trusted: report.trusted || agrees }));
  else if (wants) printer.out(agrees ? 'trusted, until any of it changes' : 'not trusted: none of it is started');
  return wants && !agrees ? 55 : 0;
}

const beyondMax = 20;

function show(report: TrustReport, printer: Printer): void {
  const { workspace, digest, starters, named, beyond, trusted, changed } = report;
  if (digest === null) {
    printer.out(`the configuration of ${visible(workspace)} starts nothing`);
    return;
  }
  printer.out(`the configuration of ${visible(workspace)} would start:`);
  for (const { file, kind, name, command } of starters) {
    printer.out(`  ${kind}${name === '' ? '' : ` ${visible(name)}`} (${file}): ${visible(command)}`);
  }
  if (named.length > 0) printer.out(`files of it that these name: ${visible(named.join(', '))}`);
  if (beyond.length > 0) printer.out('the digest does not cover, so a change of it is not noticed:');
  for (const what of beyond.slice(0, beyondMax)) printer.out(`  ${visible(what)}`);
  if (beyond.length > beyondMax) printer.out(`  and ${beyond.length - beyondMax} more`);
  printer.out(`digest ${digest}`);
  if (trusted) printer.out('trusted');
  if (changed) printer.out('it was trusted with another content');
}

/** Only a plain yes is one. */
async function asks(io: CliIo): Promise<boolean> {
  if (!canAsk(io)) return false;
  const lines = await openLines(io);
  try {
    const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
    const said = await Promise.race([lines.question('Trust exactly this? y = yes, anything else = quit: '), ended]);
    return /^y(es)?$/i.test(said.trim());
  } finally {
    lines.close();
  }
}
