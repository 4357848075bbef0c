/** Where one trial happens: a repository, a data folder, a provider on loopback, and files outside that tell the truth. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type LoopbackServer, startLoopback } from '../../servers/loopback-server.ts';
import { protocols } from '../../servers/protocols.ts';
import type { Effect, Outside } from './effects.ts';

export const SESSION = 'crash';

export interface Place extends Outside {
  readonly folder: string;
  readonly ledger: string;
  readonly exec: string;
  readonly server: LoopbackServer;
  readonly model: string;
  readonly env: { readonly [name: string]: string };
  remove(): Promise<void>;
}

/** `number` chooses the wire format of the provider; `confined`: commands run in the sandbox. */
export async function makePlace(effect: Effect, number: number, confined = false): Promise<Place> {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'belay-matrix-')));
  const work = path.join(folder, 'work');
  const session = path.join(folder, 'home', 'sessions', SESSION);
  const counted = path.join(folder, 'counted');
  const outside = { work, effects: path.join(counted, 'effects'), progress: path.join(counted, 'progress') };
  const user = path.join(folder, 'user');
  const settings = path.join(user, '.config', 'belay');
  for (const made of [work, counted, settings]) mkdirSync(made, { recursive: true });
  // What commands did is counted outside the workspace.
  writeFileSync(path.join(settings, 'settings.json'), JSON.stringify({ sandbox: { writable: [counted] } }));
  for (const made of [outside.effects, outside.progress]) writeFileSync(made, '');
  for (const [name, text] of Object.entries(effect.files(outside))) writeFileSync(path.join(work, name), text);
  if (effect.name === 'git' || effect.name === 'commit') makeRepository(effect, outside);
  const protocol = protocols[number % protocols.length];
  if (protocol === undefined) throw new Error('there is no protocol');
  const server = await startLoopback(protocol, { script: { turns: effect.turns }, seed: number, chunkBytesMax: 400 });
  return {
    ...outside,
    folder,
    ledger: path.join(session, 'ledger.log'),
    exec: path.join(session, 'exec'),
    server,
    model: `${protocol.provider}/${protocol.model}`,
    env: {
      ...protocol.environment(server.origin, 'test-key'),
      PATH: process.env['PATH'] ?? '',
      BELAY_SANDBOX: confined ? 'required' : 'off',
      // Every process of this trial carries the folder in its environment, and so can be found.
      HOME: user,
      BELAY_HOME: path.join(folder, 'home'),
      NO_COLOR: '1',
    },
    async remove() {
      await server.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function makeRepository({ hooks }: Effect, outside: Outside): void {
  const { work } = outside;
  const git = (...args: string[]) => execFileSync('git', args, { cwd: work, stdio: 'ignore' });
  git('init', '-q');
  git('config', 'user.name', 'Somebody');
  git('config', 'user.email', 'somebody@example.org');
  git('commit', '-q', '--allow-empty', '-m', 'start');
  for (const [name, text] of Object.entries(hooks?.(outside) ?? {}))
    writeFileSync(path.join(work, '.git/hooks', name), text, { mode: 0o755 });
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}
export interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

/** The program leads a process group of its own, as it does when a shell starts it. */
export function start(place: Place, program: string, args: readonly string[]): Started {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: place.work,
    env: place.env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return { child, ended };
}

/** Folders of attempts, those of single checks included. */
export function execFolders(place: Place): readonly string[] {
  if (!existsSync(place.exec)) return [];
  return readdirSync(place.exec, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => path.join(place.exec, entry.name));
}

/** The text of a file, empty where there is none. */
export function textOf(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
