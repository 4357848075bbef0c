/** One approval on a terminal: a person and the safety classifier race for the answer, which is then recorded. */
import { setTimeout as delay } from 'node:timers/promises';
import { type Pull, raceApproval, SessionError } from '#runtime';
import { plain } from '#surfaces/view';
import { type Answer, askApproval } from './ask-approval.ts';
import { CommandError } from './command-error.ts';
import type { CliIo, OpenedSession } from './contract.ts';
import type { Printer } from './output/printer.ts';

const clock = {
  sleep: (durationMs: number, signal: AbortSignal) =>
    delay(durationMs, undefined, { signal }).then(
      () => {},
      () => {},
    ),
};

/** What comes next: go on with the turn, stop asking, or stop as Ctrl-C does. */
export async function answerApproval(
  pull: Extract<Pull, { kind: 'approval' }>,
  opened: OpenedSession,
  { io, printer, classifies }: { readonly io: CliIo; readonly printer: Printer; readonly classifies: boolean },
  signal: AbortSignal,
): Promise<'go-on' | 'stop' | 'interrupt'> {
  const { session, rulesFile, mask } = opened;
  const answered = await raceApproval<Answer>({
    session,
    pull,
    classify: classifies ? opened.classify : null,
    ask: (turn) => askApproval(pull, session, { io, printer, rulesFile, mask }, signal, turn),
    clock,
  });
  if (answered.by === 'classifier') {
    printer.note(`\nallowed by the classifier: ${plain(mask.text(answered.reason))}`);
    await record(() => session.approve(pull.actionId, 'approve', 'classifier', answered.reason));
    return 'go-on';
  }
  const { answer } = answered;
  switch (answer.kind) {
    case 'interrupt':
      return 'interrupt';
    case 'quit':
      return 'stop';
    case 'cancel':
      await session.cancel('terminal');
      return 'stop';
    case 'elsewhere':
      return 'go-on';
    case 'approve':
      await record(() => session.approve(pull.actionId, 'approve', 'terminal'));
      return 'go-on';
    case 'deny':
      await record(() => session.approve(pull.actionId, 'deny', 'terminal', answer.note ?? undefined));
      return 'go-on';
    case 'always': {
      const stored = await opened.allowAlways(pull.actionId, 'terminal');
      if (!stored.ok) throw new CommandError(stored.error.exitCode, stored.error.message);
      return 'go-on';
    }
  }
}

/** Somebody else may have answered at the same moment: their answer stands. */
async function record(approve: () => Promise<void>): Promise<void> {
  try {
    await approve();
  } catch (thrown) {
    if (!(thrown instanceof SessionError) || thrown.code !== 'not_pending') throw thrown;
  }
}
