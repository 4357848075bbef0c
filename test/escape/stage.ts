/**
 * A stage for attempts to escape: a repository, a home with secrets, and an agent beside it that listens and holds a
 * secret, all of one user; commands run in the sandbox of the product, or outside it as a control.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach } from 'vitest';
import { makePolicy } from '../../src/assembly/sandbox/make-policy.ts';
import { bubblewrapWords } from '../../src/permission/sandbox/bubblewrap.ts';

export interface User {
  readonly name: string;
  /** Null: whoever runs the tests. */
  readonly id: number | null;
}
const isRoot = process.getuid?.() === 0;
/** As root both are tried; anybody else tries as himself. */
export const users: readonly User[] = isRoot
  ? [
      { name: 'root', id: null },
      { name: 'a normal user', id: 65_534 },
    ]
  : [{ name: 'a normal user', id: null }];

export const SECRET = 'the-secret-of-the-agent';

export interface Stage {
  readonly work: string;
  readonly home: string;
  /** Visible in the sandbox, not writable. */
  readonly outside: string;
  readonly data: string;
  readonly agent: number;
  readonly ports: { readonly tcp: number; readonly udp: number };
  readonly abstractName: string;
  readonly socket: string;
  /** Runs a text in bash; what it printed. */
  run(where: 'inside' | 'outside', text: string): string;
  /** Every path of the workspace with its kind and mode. */
  listing(): readonly string[];
}

const folders: string[] = [];
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A repository to copy: making one costs more than all attempts on it. */
const template = mkdtempSync(join(tmpdir(), 'belay-escape-template-'));
const toolPath = '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin';
const made = spawnSync(
  'sh',
  [
    '-c',
    'git init -q && git config user.email a@b && git config user.name n && echo a >a && git add a && git commit -qm x',
  ],
  { cwd: template, env: { PATH: toolPath, HOME: template, GIT_CONFIG_GLOBAL: '/dev/null' } },
);
if (made.status !== 0) throw new Error(String(made.stderr));
afterAll(() => rmSync(template, { recursive: true, force: true }));

/** `weaken` changes the words of the sandbox: how it is seen what each of them is for. */
export function openStage(user: User, weaken: (words: string) => string = (words) => words): Stage {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'belay-escape-')));
  folders.push(top);
  const [work, home, outside, data] = ['work', 'home', 'outside', 'data'].map((name) => join(top, name)) as [
    string,
    string,
    string,
    string,
  ];
  for (const folder of [work, home, outside, data, join(home, '.ssh'), join(work, '.vscode'), join(work, '.claude')]) {
    mkdirSync(folder, { recursive: true });
  }
  const texts = {
    [join(home, '.ssh/id')]: SECRET,
    [join(home, '.netrc')]: SECRET,
    [join(data, 'ledger.log')]: SECRET,
    [join(outside, 'file')]: 'as it was\n',
    [join(work, '.vscode/tasks.json')]: '{}\n',
    [join(work, '.claude/settings.json')]: '{}\n',
    [join(work, '.env')]: `${SECRET}\n`,
  };
  for (const [file, text] of Object.entries(texts)) writeFileSync(file, text);
  const env = { ...process.env, HOME: home, TMPDIR: '/tmp', GIT_CONFIG_GLOBAL: '/dev/null', PATH: toolPath };
  cpSync(template, work, { recursive: true });
  chmodSync(top, 0o755);
  own(top, user.id);
  const as = user.id === null ? [] : ['setpriv', `--reuid=${user.id}`, `--regid=${user.id}`, '--clear-groups'];
  const abstractName = `belay-escape-${process.pid}-${folders.length}`;
  const socket = join(home, 'agent.sock');
  const tcp = 10_000 + Math.floor(Math.random() * 20_000);
  const udp = tcp + 1;
  const agent = startAgent(
    as,
    [abstractName, socket, String(tcp), String(udp)],
    { ...env, AGENT_SECRET: SECRET },
    work,
  );

  const { policy } = makePolicy({
    workspace: work,
    dataFolder: data,
    env,
    network: false,
    scratch: null,
    settings: { readable: [outside], writable: [] },
  });
  const words = bubblewrapWords(
    { ...policy, forbidNested: true, maskedInside: [join(work, '.env')] },
    '/usr/bin/bwrap',
    work,
  );
  const inside = [words.program, ...weaken(words.options.join('\n')).split('\n'), '--'];
  return {
    work,
    home,
    outside,
    data,
    agent,
    ports: { tcp, udp },
    abstractName,
    socket,
    run(where, text) {
      const argv = [...as, ...(where === 'inside' ? inside : []), 'bash', '-c', text];
      const ran = spawnSync(argv[0] as string, argv.slice(1), { cwd: work, env, timeout: 20_000 });
      return `${ran.stdout}${ran.stderr}`;
    },
    listing: () => list(work, ''),
  };
}

/** Listens on TCP, UDP, a socket with a path and an abstract one, and tells the secret to whoever comes. */
const AGENT = `
use strict; use Socket; use IO::Select;
my ($name, $path, $tcp, $port) = @ARGV;
socket(my $named, AF_UNIX, SOCK_STREAM, 0); bind($named, pack_sockaddr_un($path)); listen($named, 5);
socket(my $server, AF_INET, SOCK_STREAM, 0); bind($server, pack_sockaddr_in($tcp, inet_aton('127.0.0.1'))); listen($server, 5);
socket(my $udp, AF_INET, SOCK_DGRAM, 0); bind($udp, pack_sockaddr_in($port, inet_aton('127.0.0.1')));
# The last of all: who sees it knows that everything listens.
socket(my $abstract, AF_UNIX, SOCK_STREAM, 0); bind($abstract, pack('Sa*', AF_UNIX, "\\0$name")); listen($abstract, 5);
my $select = IO::Select->new($abstract, $named, $server, $udp);
while (1) { for my $one ($select->can_read) {
  if ($one == $udp) { my $from = recv($udp, my $data, 100, 0); send($udp, $ENV{AGENT_SECRET}, 0, $from); next }
  accept(my $client, $one); syswrite($client, $ENV{AGENT_SECRET}); close $client;
} }
`;

function startAgent(as: readonly string[], args: readonly string[], env: NodeJS.ProcessEnv, cwd: string): number {
  const argv = [...as, 'perl', '-e', AGENT, ...args];
  const child = spawn(argv[0] as string, argv.slice(1), { env, cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  children.push(child);
  const until = Date.now() + 10_000;
  while (!readFileSync('/proc/net/unix', 'latin1').includes(`@${args[0]}\n`) && Date.now() < until) pause();
  return child.pid as number;
}

/** The stage is built without a turn of the event loop. */
const pause = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);

function own(folder: string, id: number | null): void {
  if (id === null) return;
  chownSync(folder, id, id);
  for (const name of readdirSync(folder)) {
    const at = join(folder, name);
    if (lstatSync(at).isDirectory()) own(at, id);
    else chownSync(at, id, id);
  }
}

function list(top: string, folder: string): readonly string[] {
  return readdirSync(join(top, folder))
    .sort()
    .flatMap((name) => {
      const at = join(folder, name);
      const stat = lstatSync(join(top, at));
      return [`${stat.mode.toString(8)} ${at}`, ...(stat.isDirectory() ? list(top, at) : [])];
    });
}
