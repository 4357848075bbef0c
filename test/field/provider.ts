/** A place with a provider on loopback, which refuses with 400 what real ones refuse: histories that are not valid. */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach } from 'vitest';
import { ended, makePlace, type Place, type Ran } from '../e2e/belay.ts';
import { type LoopbackOptions, type LoopbackServer, startLoopback } from '../servers/loopback-server.ts';
import { protocols } from '../servers/protocols.ts';

const servers: LoopbackServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** Nothing is asked. Process ids that a command tells mean something outside only without a sandbox. */
export const bypass = ['--permission-mode', 'bypassPermissions', '--sandbox', 'off'] as const;
export const json = ['--output-format', 'json'] as const;

export interface Scene extends Place {
  readonly server: LoopbackServer;
  /** Arguments of `belay run` for session `s` in a mode in which nothing is asked. */
  readonly run: readonly string[];
  readonly env: { readonly [name: string]: string };
  belayWith(args: readonly string[]): Promise<Ran>;
  startWith(args: readonly string[]): ReturnType<Place['start']>;
}

/** `number` chooses the wire format. */
export async function makeScene(
  turns: readonly object[],
  number = 0,
  more: Partial<LoopbackOptions> = {},
): Promise<Scene> {
  const place = makePlace();
  const protocol = protocols[number % protocols.length];
  if (protocol === undefined) throw new Error('there is no protocol');
  const server = await startLoopback(protocol, { script: { turns }, ...more });
  servers.push(server);
  const env = { ...protocol.environment(server.origin, 'test-key') };
  return {
    ...place,
    server,
    env,
    run: ['run', 'Do it.', '--session', 's', '--model', `${protocol.provider}/${protocol.model}`, ...bypass, ...json],
    belayWith: (args) => place.belay(args, { env }),
    startWith: (args) => place.start(args, { env }),
  };
}

/** What the last request says of each call, in the order of calling. */
export function resultsIn(server: LoopbackServer, nth = -1) {
  const body = server.requests.at(nth)?.body;
  if (body === undefined) throw new Error('there was no request');
  return server.protocol
    .read(body)
    .messages.flatMap((message) => (message.role === 'tool' ? message.results : []))
    .map(({ text, isError }) => ({ text, isError }));
}

/** SIGKILL to the program and, one breath later, to everything that it started. */
export async function killTree(child: ReturnType<Place['start']>, commands: readonly number[]): Promise<void> {
  const end = ended(child);
  child.kill('SIGKILL');
  await end;
  for (const pid of commands) killSession(pid);
  await sleep(50);
}

/** The shells that supervise a command are in its session; the launcher is not needed any more. */
function killSession(pid: number): void {
  for (const member of sessionOf(pid)) {
    try {
      process.kill(member, 'SIGKILL');
    } catch {
      // It went with the others.
    }
  }
}

function sessionOf(pid: number): readonly number[] {
  const session = statOf(pid)[3];
  // An id of another namespace would mean somebody else's session here, and 0 all that the system itself started.
  if (session === undefined || Number(session) <= 1) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && statOf(Number(name))[3] === session)
    .map(Number);
}

/** Fields of the process behind its name: state, parent, group, session. */
function statOf(pid: number): readonly string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}
