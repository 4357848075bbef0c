/** `approve`, `deny`, `settle` and `cancel`: what a person says is recorded; nothing runs here. */
import { fold } from '#kernel';
import { openUnknowns, type PendingApproval, pendingApprovals, plain } from '#surfaces/view';
import { CommandError, usageError } from '../command-error.ts';
import type { CliDeps, SessionRecord } from '../contract.ts';
import { sessionIdOf } from '../options/values.ts';
import type { Printer } from '../output/printer.ts';

export async function answerApproval(
  verdict: 'approve' | 'deny',
  session: string,
  action: string | undefined,
  note: string | undefined,
  { deps, printer }: { readonly deps: CliDeps; readonly printer: Printer },
): Promise<number> {
  const record = await recordOf(session, deps);
  const pending = pendingApprovals(fold(record.facts), record.facts, (await deps.secretMask()).json);
  const item = choose(pending, action, record.sessionId, verdict);
  const said = await deps.visit(record.sessionId, {
    kind: 'approval',
    actionId: item.actionId,
    verdict,
    by: 'user',
    ...(note === undefined ? {} : { note }),
  });
  if (!said.ok) throw new CommandError(said.error.exitCode, said.error.message);
  printer.out(`${verdict === 'approve' ? 'approved' : 'denied'}: ${item.title} (${said.value})`);
  printer.note(`go on: belay resume ${record.sessionId}`);
  return 0;
}

function choose(
  pending: readonly PendingApproval[],
  action: string | undefined,
  sessionId: string,
  verdict: string,
): PendingApproval {
  const list = pending.map((item) => `  ${item.actionId}  ${item.title}`).join('\n');
  if (action !== undefined) {
    const wanted = bareId(action);
    const item = pending.find((open) => open.actionId === wanted);
    if (item !== undefined) return item;
    const open = pending.length === 0 ? 'nothing waits for an approval' : `these wait:\n${list}`;
    throw usageError(`no approval of ${plain(action)} is open in session ${sessionId}; ${open}`);
  }
  const [only, ...more] = pending;
  if (only === undefined) throw usageError(`nothing waits for an approval in session ${sessionId}`);
  if (more.length > 0)
    throw usageError(`several approvals are open; name one: belay ${verdict} ${sessionId} ACTION\n${list}`);
  return only;
}

export async function settle(
  session: string,
  action: string,
  answer: string,
  note: string | undefined,
  { deps, printer }: { readonly deps: CliDeps; readonly printer: Printer },
): Promise<number> {
  if (answer !== 'applied' && answer !== 'not-applied' && answer !== 'unknown') {
    throw usageError(`the answer is applied, not-applied or unknown, not ${JSON.stringify(answer)}`);
  }
  const record = await recordOf(session, deps);
  const open = openUnknowns(fold(record.facts), record.facts, (await deps.secretMask()).json);
  const actionId = bareId(action);
  if (!open.some((item) => item.actionId === actionId)) {
    const list = open.map((item) => `\n  ${item.actionId}  ${item.title}`).join('');
    throw usageError(
      `no unknown outcome of ${plain(action)} is open in session ${record.sessionId}${list === '' ? '' : `; these are:${list}`}`,
    );
  }
  const said = await deps.visit(record.sessionId, {
    kind: 'settle',
    actionId,
    answer,
    by: 'user',
    ...(note === undefined ? {} : { note }),
  });
  if (!said.ok) throw new CommandError(said.error.exitCode, said.error.message);
  printer.out(`settled as ${answer} (${said.value})`);
  printer.note(`go on: belay resume ${record.sessionId}`);
  return 0;
}

/** A turn that runs elsewhere stops; one that is paused ends when it goes on, with a result for each open call. */
export async function cancel(
  session: string,
  { deps, printer }: { readonly deps: CliDeps; readonly printer: Printer },
): Promise<number> {
  const record = await recordOf(session, deps);
  const { turn } = fold(record.facts);
  if (turn === null || turn.outcome !== null) {
    throw usageError(`no turn is under way in session ${record.sessionId}; there is nothing to cancel`);
  }
  const said = await deps.visit(record.sessionId, { kind: 'cancel', by: 'user' });
  if (!said.ok) throw new CommandError(said.error.exitCode, said.error.message);
  printer.out(`cancelled (${said.value})`);
  printer.note(`to end the turn where nobody runs it: belay resume ${record.sessionId}`);
  return 0;
}

/** Actions are shown to models as `call_ID`; both forms are understood. */
const bareId = (action: string) => action.replace(/^call_/, '');

async function recordOf(session: string, deps: CliDeps): Promise<SessionRecord> {
  const record = await deps.read(sessionIdOf(session));
  if (!record.ok) throw new CommandError(record.error.exitCode, record.error.message);
  // What waits may stand behind the damage: to say that nothing does would be a guess.
  if (record.value.damage !== null) throw new CommandError(56, record.value.damage);
  return record.value;
}
