import { LedgerError, type Store } from '#ledger';
import type { Result } from '#lib';
import { createMailbox, messageTypes } from '#runtime';
import type { Problem, Visit } from '#surfaces/cli';
import { attempt } from '../problem.ts';

/**
 * Somebody who is not the holder says something. The message is left in the inbox, durably; then, if nobody holds the
 * session, it is made a fact at once. So none lies unread, whoever comes and goes meanwhile. Nothing is run.
 */
export async function visit(store: Store, sessionId: string, message: Visit): Promise<Result<string, Problem>> {
  return attempt(async () => {
    const inbox = store.inbox(sessionId);
    const id = await inbox.leave(message);
    try {
      const ledger = await store.openWriter(sessionId);
      try {
        const mailbox = createMailbox(inbox, ledger.find(messageTypes));
        await mailbox.drain(
          async (bodies) => void (await ledger.append(bodies)),
          () => ledger.flush(),
        );
        return 'recorded';
      } finally {
        await ledger.close();
      }
    } catch (thrown) {
      if (thrown instanceof LedgerError && thrown.code === 'locked') {
        const holder = await store.holder(sessionId);
        return `left for the running agent${holder === null ? '' : ` (pid ${holder.pid})`}`;
      }
      // A message that cannot become a fact is taken back, so that it does not surprise a later run.
      await inbox.remove(id).catch(() => {});
      throw thrown;
    }
  });
}
