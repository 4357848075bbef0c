/**
 * Facts from outside: approvals, answers, words and cancels that others left in the inbox. A message becomes a fact
 * that carries its id; the file goes only after that fact is on disk, so a crash in between tells it twice and the
 * second one is ignored.
 */
import type { Fact, FactBody, FactType } from '#kernel';
import type { InboxPort, OutsideMessage } from './contract.ts';

/** Facts that messages become. */
export const messageTypes = [
  'approval.resolved',
  'unknown.settled',
  'input.received',
  'cancel.requested',
] as const satisfies readonly FactType[];

export interface Mailbox {
  /** Turns waiting messages into facts through `commit`, flushes, then removes them. Returns how many were new. */
  drain(commit: (bodies: readonly FactBody[]) => Promise<void>, flush: () => Promise<void>): Promise<number>;
}

export function createMailbox(inbox: InboxPort, known: Iterable<Fact>): Mailbox {
  const seen = new Set<string>();
  for (const fact of known) if ('messageId' in fact && fact.messageId !== undefined) seen.add(fact.messageId);
  const empty = async (commit: Parameters<Mailbox['drain']>[0], flush: Parameters<Mailbox['drain']>[1]) => {
    const { messages } = await inbox.list();
    if (messages.length === 0) return 0;
    const fresh = messages.filter((message) => !seen.has(message.id));
    if (fresh.length > 0) await commit(fresh.map(asFact));
    for (const message of fresh) seen.add(message.id);
    await flush();
    for (const message of messages) await inbox.remove(message.id);
    return fresh.length;
  };
  // One after another: two at once would read the same message and tell it twice.
  let last: Promise<unknown> = Promise.resolve();
  return {
    drain(commit, flush) {
      const done = last.then(() => empty(commit, flush));
      last = done.catch(() => {});
      return done;
    },
  };
}

function asFact(message: OutsideMessage): FactBody {
  const messageId = message.id;
  switch (message.kind) {
    case 'approval': {
      const { actionId, verdict, by, note } = message;
      return { type: 'approval.resolved', actionId, verdict, by, messageId, ...(note === undefined ? {} : { note }) };
    }
    case 'settle': {
      const { actionId, answer, by, note } = message;
      return { type: 'unknown.settled', actionId, answer, by, messageId, ...(note === undefined ? {} : { note }) };
    }
    case 'input':
      return { type: 'input.received', text: message.text, messageId };
    case 'cancel':
      return { type: 'cancel.requested', by: message.by, messageId };
  }
}
