import type { Pull, Session } from '#runtime';
import { pendingApprovals, plain } from '#surfaces/view';
import type { CliIo } from './contract.ts';
import { coloured } from './output/diff-text.ts';
import type { Printer } from './output/printer.ts';
import { styleFor } from './output/style.ts';

/** Whether a person sits at both ends. */
export const canAsk = (io: CliIo): boolean => io.stdin.isTTY === true && io.stderr.isTTY === true;

/**
 * Shows what is to be decided and waits for y, n or q. The end of input means quit, Ctrl-C interrupts; neither is a yes.
 * `elsewhere`: somebody else answered meanwhile (`belay approve` in another terminal), or cancelled.
 */
export async function askApproval(
  pull: Extract<Pull, { kind: 'approval' }>,
  session: Session,
  io: CliIo,
  printer: Printer,
  signal: AbortSignal,
): Promise<'approve' | 'deny' | 'quit' | 'interrupt' | 'elsewhere'> {
  const style = styleFor(io, io.stderr);
  const item = pendingApprovals(session.state, session.facts()).find((open) => open.actionId === pull.actionId);
  printer.note(`\n${style.bold(item?.title ?? pull.reason)}`);
  if (item !== undefined && item.reason !== '') printer.note(style.dim(plain(item.reason)));
  const preview = pull.preview ?? item?.preview ?? null;
  if (preview !== null) printer.note(coloured(preview.trimEnd(), style));
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: io.stdin, output: io.stderr, terminal: true });
  const unlisten = session.listen();
  let unsubscribe = () => {};
  try {
    const elsewhere = new Promise<null>((resolve) => {
      unsubscribe = session.subscribe(session.state.seq + 1, (fact) => {
        const isAnswer = fact.type === 'approval.resolved' && fact.actionId === pull.actionId;
        if (isAnswer || fact.type === 'cancel.requested') resolve(null);
      });
    });
    const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('q')));
    let interrupted = false;
    lines.once('SIGINT', () => {
      interrupted = true;
      lines.close();
    });
    for (;;) {
      const asked = lines.question('Allow? y = yes, n = no, q = quit: ', { signal }).catch(() => 'q');
      const said = await Promise.race([asked, ended, elsewhere]);
      if (said === null) {
        printer.note('\nanswered elsewhere');
        return 'elsewhere';
      }
      const answer = said.trim().toLowerCase();
      if (interrupted) return 'interrupt';
      if (answer === 'y' || answer === 'yes') return 'approve';
      if (answer === 'n' || answer === 'no') return 'deny';
      if (answer === 'q' || answer === 'quit') return 'quit';
    }
  } finally {
    unsubscribe();
    unlisten();
    lines.close();
  }
}
