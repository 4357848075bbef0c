import type { Pull, RaceTurn, Session } from '#runtime';
import { pendingApprovals, visible } from '#surfaces/view';
import type { CliIo, SecretMask } from './contract.ts';
import { openLines } from './open-lines.ts';
import { coloured, shownDiff } from './output/diff-text.ts';
import type { Printer } from './output/printer.ts';
import { styleFor } from './output/style.ts';

/** Whether a person sits at both ends. */
export const canAsk = (io: CliIo): boolean => io.stdin.isTTY === true && io.stderr.isTTY === true;

export type Answer =
  | { readonly kind: 'approve' | 'always' | 'cancel' | 'quit' | 'interrupt' | 'elsewhere' }
  /** `note`: words for the model. */
  | { readonly kind: 'deny'; readonly note: string | null };

type ApprovalPull = Extract<Pull, { kind: 'approval' }>;

export interface Asking {
  readonly io: CliIo;
  readonly printer: Printer;
  readonly rulesFile: string;
  readonly mask: SecretMask;
}

/**
 * Shows what is to be decided and waits for an answer. The end of input means quit, Ctrl-C interrupts; neither is a yes.
 * `elsewhere`: somebody else answered meanwhile (`belay approve` in another terminal), or cancelled. `race`: each key is
 * told to it, and its signal takes the question away.
 */
export async function askApproval(
  asked: ApprovalPull,
  session: Session,
  asking: Asking,
  signal: AbortSignal,
  race: RaceTurn,
): Promise<Answer> {
  const { io, printer, mask } = asking;
  // What is known as a secret by now may not have been when the question was recorded.
  const pull = asked.always.every((rule) => mask.text(rule) === rule) ? asked : { ...asked, always: [] };
  show(pull, session, asking);
  const lines = await openLines(io);
  io.stdin.on('keypress', race.touched);
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
    const taken = new Promise<null>((resolve) => race.signal.addEventListener('abort', () => resolve(null)));
    let interrupted = false;
    lines.once('SIGINT', () => {
      interrupted = true;
      lines.close();
    });
    for (;;) {
      const asked = lines.question(question(pull), { signal: AbortSignal.any([signal, race.signal]) }).catch(() => 'q');
      const said = await Promise.race([taken, asked, ended, elsewhere]);
      if (race.signal.aborted) return { kind: 'elsewhere' };
      if (said === null) {
        printer.note('\nanswered elsewhere');
        return { kind: 'elsewhere' };
      }
      if (interrupted) return { kind: 'interrupt' };
      const answer = answerOf(said, pull);
      if (answer !== null) return answer;
    }
  } finally {
    io.stdin.off('keypress', race.touched);
    unsubscribe();
    unlisten();
    lines.close();
  }
}

const SCREEN_LINES = 20;

/** A model may have put a secret into its call. */
function show(pull: ApprovalPull, session: Session, { io, printer, rulesFile, mask }: Asking): void {
  const style = styleFor(io, io.stderr);
  const asked = session.find(['approval.requested']);
  const item = pendingApprovals(session.state, asked, mask.json).find((open) => open.actionId === pull.actionId);
  const title = style.bold(visible(item?.title ?? pull.reason));
  printer.note(`\n${title}`);
  if (item !== undefined && item.reason !== '') printer.note(style.dim(visible(item.reason)));
  const preview = mask.json(pull.preview) ?? item?.preview ?? null;
  if (preview !== null) printer.note(coloured(visible(shownDiff(preview)), style));
  // Behind what fills more than a screen nobody sees any more what the question is about.
  if (preview !== null && preview.trimEnd().split('\n').length > SCREEN_LINES) printer.note(`\n${title}`);
  for (const rule of pull.always) printer.note(style.dim(`always: ${visible(rule)}`));
  if (pull.always.length > 0) printer.note(style.dim(`  for this workspace, stored in ${visible(rulesFile)}`));
}

const question = ({ always }: ApprovalPull): string =>
  `Allow? y = yes,${always.length > 0 ? ' a = always,' : ''} n = no (words behind it go to the model), c = cancel the turn, q = quit: `;

/** Null where it is none; then the question is put again. */
function answerOf(said: string, { always }: ApprovalPull): Answer | null {
  const [word = '', ...more] = said.trim().split(/\s+/);
  const note = more.join(' ');
  switch (word.toLowerCase()) {
    case 'n':
    case 'no':
      return { kind: 'deny', note: note === '' ? null : note };
    case 'y':
    case 'yes':
      return note === '' ? { kind: 'approve' } : null;
    case 'a':
    case 'always':
      return note === '' && always.length > 0 ? { kind: 'always' } : null;
    case 'c':
    case 'cancel':
      return note === '' ? { kind: 'cancel' } : null;
    case 'q':
    case 'quit':
      return note === '' ? { kind: 'quit' } : null;
    default:
      return null;
  }
}
