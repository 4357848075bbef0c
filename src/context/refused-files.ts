/**
 * Which files of results are left out because a provider refused a request that held them: a function of the facts.
 *
 * 1. At first those that no answered request has carried; if there are none, or it is refused again, all of them.
 * 2. A request that is refused without them too was not refused for them: they come back.
 */
import type { FactOf, Message } from '#kernel';
import { belay } from './notes.ts';

export interface RefusedFiles {
  failed(fact: FactOf<'model.failed'>): void;
  /** A request with these messages was answered. */
  answered(messages: readonly Message[]): void;
  /** The messages without what is left out; the same list where that is nothing. */
  without(messages: readonly Message[]): readonly Message[];
}

export function createRefusedFiles(): RefusedFiles {
  const left = new Set<string>();
  /** Left out since the last answer: it is not known yet whether they were why. */
  const suspected = new Set<string>();
  const taken = new Set<string>();
  /** Messages up to here have been looked at. */
  let seen = 0;
  return {
    failed({ failure, media }) {
      if (media !== undefined) {
        const fresh = media.filter((blob) => !taken.has(blob));
        for (const blob of fresh.length > 0 ? fresh : media) {
          left.add(blob);
          suspected.add(blob);
        }
      } else if (failure.kind === 'invalid_request' || failure.kind === 'overflow') {
        for (const blob of suspected) left.delete(blob);
        suspected.clear();
      }
    },
    answered(messages) {
      suspected.clear();
      for (; seen < messages.length; seen++) {
        for (const { blob } of filesOf(messages[seen])) if (!left.has(blob)) taken.add(blob);
      }
    },
    without: (messages) => (left.size === 0 ? messages : messages.map((message) => withoutFiles(message, left))),
  };
}

const filesOf = (message: Message | undefined) =>
  message?.role === 'tool' ? message.results.flatMap(({ attachments = [] }) => attachments) : [];

function withoutFiles(message: Message, left: ReadonlySet<string>): Message {
  if (message.role !== 'tool' || !filesOf(message).some(({ blob }) => left.has(blob))) return message;
  return { role: 'tool', results: message.results.map((result) => withoutFilesOf(result, left)) };
}

type Result = Extract<Message, { role: 'tool' }>['results'][number];

function withoutFilesOf({ attachments = [], ...result }: Result, left: ReadonlySet<string>): Result {
  const kept = attachments.filter(({ blob }) => !left.has(blob));
  const gone = attachments.filter(({ blob }) => left.has(blob)).map(({ path }) => path);
  if (gone.length === 0) return attachments.length === 0 ? result : { ...result, attachments };
  const note = belay(
    `${gone.join(', ')} cannot be shown: the provider of this model refused a request with it. Do not read it again as it is; a Bash command can tell what is in it, or make a plain copy (PNG, JPEG).`,
  );
  return { ...result, text: `${result.text}\n${note}`, ...(kept.length === 0 ? {} : { attachments: kept }) };
}
