/**
 * Messages for the holder of a session, one file each. A name begins with the time in base 10, so names sort by arrival;
 * files that begin with a dot are still being written.
 */
import { existsSync, readdirSync, watch as watchFolder } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { misfits, obj, oneOf, opt, type Shape, str } from '#lib';
import type { Inbox, InboxBody, InboxMessage } from './contract.ts';
import { errnoOf, LedgerError, systemError } from './error.ts';
import { makeFolders, randomId, syncFolder, writeDurably } from './folders.ts';
import { readRegular } from './regular.ts';

const POLL_MS = 250;
const ID = /^[0-9]{14}-[0-9]{6}-[a-z0-9]{16}$/;
const ENDING = '.json';

const shapes: { readonly [K in InboxBody['kind']]: Shape<unknown> } = {
  approval: obj({
    kind: oneOf('approval'),
    actionId: str,
    verdict: oneOf('approve', 'deny'),
    note: opt(str),
    by: str,
  }),
  settle: obj({
    kind: oneOf('settle'),
    actionId: str,
    answer: oneOf('applied', 'not-applied', 'unknown'),
    note: opt(str),
    by: str,
  }),
  input: obj({ kind: oneOf('input'), text: str }),
  cancel: obj({ kind: oneOf('cancel'), by: str }),
};

let counter = 0;

/** The inbox of the session in `folder`. Throws `LedgerError`; `missing` if the session is gone. */
export function openInbox(folder: string): Inbox {
  const inbox = join(folder, 'inbox');
  return {
    async leave(body) {
      const problems = problemsOf(body);
      if (problems.length > 0) throw new LedgerError('invalid', `not a message: ${problems.join('; ')}`);
      if (!existsSync(folder)) throw new LedgerError('missing', `${folder} does not exist`, { path: folder });
      makeFolders(inbox);
      // The counter keeps the order of messages that one process leaves within a millisecond.
      counter = (counter + 1) % 1_000_000;
      const id = `${String(Date.now()).padStart(14, '0')}-${String(counter).padStart(6, '0')}-${randomId()}`;
      await writeDurably(join(inbox, id + ENDING), Buffer.from(JSON.stringify(body)));
      return id;
    },
    async list() {
      const messages: InboxMessage[] = [];
      const unreadable: string[] = [];
      for (const name of await namesIn(inbox)) {
        const message = await readMessage(inbox, name);
        if (message === 'gone') continue;
        if (message === null) unreadable.push(name);
        else messages.push(message);
      }
      return { messages, unreadable };
    },
    isEmpty() {
      if (!existsSync(inbox)) return true;
      try {
        return !readdirSync(inbox).some((name) => idOf(name) !== null);
      } catch {
        // Who lists it is told what is wrong.
        return false;
      }
    },
    async remove(id) {
      if (!ID.test(id)) return;
      const path = join(inbox, id + ENDING);
      try {
        await rm(path, { force: true });
        await syncFolder(inbox);
      } catch (thrown) {
        if (errnoOf(thrown) !== 'ENOENT') throw systemError(thrown, path);
      }
    },
    watch: (onArrival) => watchInbox(inbox, onArrival),
  };
}

async function namesIn(inbox: string): Promise<string[]> {
  try {
    const names = await readdir(inbox);
    return names.filter((name) => !name.startsWith('.')).sort();
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT') return [];
    throw systemError(thrown, inbox);
  }
}

function idOf(name: string): string | null {
  const id = name.endsWith(ENDING) ? name.slice(0, -ENDING.length) : '';
  return ID.test(id) ? id : null;
}

async function readMessage(inbox: string, name: string): Promise<InboxMessage | null | 'gone'> {
  const id = idOf(name);
  if (id === null) return null;
  try {
    const body: unknown = JSON.parse(readRegular(join(inbox, name)).toString('utf8'));
    return problemsOf(body).length === 0 ? ({ ...(body as InboxBody), id } as InboxMessage) : null;
  } catch (thrown) {
    return errnoOf(thrown) === 'ENOENT' ? 'gone' : null;
  }
}

function problemsOf(body: unknown): string[] {
  const kind = typeof body === 'object' && body !== null && 'kind' in body ? body.kind : undefined;
  if (typeof kind !== 'string' || !Object.hasOwn(shapes, kind)) return ['/kind: not a kind of message'];
  return misfits(shapes[kind as InboxBody['kind']], body);
}

/**
 * Calls back for every name not seen before, also for those that are there at the beginning: whoever listed first and
 * watches then misses nothing. The poll alone would do; the watcher makes it quick where the system has one.
 */
function watchInbox(inbox: string, onArrival: () => void): () => void {
  let seen = new Set<string>();
  let stopped = false;
  let looking = false;
  let again = false;
  const look = async (): Promise<void> => {
    if (looking) {
      again = true;
      return;
    }
    looking = true;
    do {
      again = false;
      const names = await namesIn(inbox).catch(() => [...seen]);
      const arrived = names.some((name) => !seen.has(name));
      seen = new Set(names);
      if (arrived && !stopped) onArrival();
    } while (again && !stopped);
    looking = false;
  };
  const poll = setInterval(() => void look(), POLL_MS);
  const stopWatching = startWatcher(inbox, () => void look());
  void look();
  return () => {
    stopped = true;
    clearInterval(poll);
    stopWatching();
  };
}

/** Watchers are a limited resource of the system; without one the poll goes on alone. */
function startWatcher(inbox: string, onChange: () => void): () => void {
  try {
    makeFolders(inbox);
    const watcher = watchFolder(inbox, { persistent: false }, onChange);
    watcher.on('error', () => watcher.close());
    return () => watcher.close();
  } catch {
    return () => undefined;
  }
}
