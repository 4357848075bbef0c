/**
 * The one way out of a sandbox without a network: a proxy on a socket file that lets through what its rules name.
 *
 * 1. Only named hosts at named ports, by CONNECT or by a request with a whole address.
 * 2. A name that resolves to this machine, to a private or to a link-local address is refused, unless its rule says
 *    otherwise: a public name must not be a door to what is around us.
 * 3. The address that was looked at is the one that is connected to.
 * 4. It reads nothing of what passes, and keeps no process alive.
 */
import { lookup } from 'node:dns/promises';
import { rmSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { BlockList, connect, isIP, type LookupFunction, type Socket } from 'node:net';
import { messageOf } from '#lib';

/** How far a command may go: any address that the host has, a public one, or (null) not there at all. */
export type ReachOf = (host: string, port: number) => 'any' | 'public' | null;

export interface AllowProxy {
  /** Ends what is under way and takes the socket file away. */
  close(): void;
}

/** What a refused program is told; the name of the product makes it recognizable in its output. */
const refusal = 'refused by the sandbox of Belay';
const connectTimeoutMs = 30_000;

/** Replaces a socket file that an earlier run left behind. Throws where the file cannot be made. */
export async function openAllowProxy(socketFile: string, reachOf: ReachOf): Promise<AllowProxy> {
  const sockets = new Set<Socket>();
  const follow = (socket: Socket) => {
    sockets.add(socket.unref());
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
  };
  const server = createServer((asked, answer) => void pass(reachOf, asked, answer));
  server.on('connection', follow);
  server.on('connect', (asked, client: Socket, head) => {
    void tunnel(reachOf, asked.url ?? '', client, head).then((far) => far && follow(far));
  });
  rmSync(socketFile, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(socketFile, () => resolve());
  });
  server.unref();
  return {
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      rmSync(socketFile, { force: true });
    },
  };
}

async function tunnel(reachOf: ReachOf, to: string, client: Socket, head: Buffer): Promise<Socket | null> {
  // An address of this kind leaves out no port but that of its own.
  const target = targetOf(`https://${to}`, 'https:', 443);
  const address = target === null ? 'no host' : await addressOf(reachOf, target);
  if (target === null || typeof address === 'string') {
    client.end(`HTTP/1.1 403 Forbidden\r\nProxy-Status: belay; details="${refusal}"\r\n\r\n${refusal}: ${address}\n`);
    return null;
  }
  const far = connect({ ...address, port: target.port, timeout: connectTimeoutMs });
  far.once('timeout', () => far.destroy(new Error('it does not answer')));
  far.once('error', (error) => client.end(`HTTP/1.1 502 Bad Gateway\r\n\r\n${messageOf(error)}\n`));
  far.once('connect', () => {
    far.setTimeout(0);
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    if (head.length > 0) far.write(head);
    client.pipe(far).pipe(client);
  });
  client.once('close', () => far.destroy());
  return far;
}

async function pass(reachOf: ReachOf, asked: IncomingMessage, answer: ServerResponse): Promise<void> {
  const target = targetOf(asked.url ?? '', 'http:', 80);
  const address = target === null ? 'no whole address' : await addressOf(reachOf, target);
  if (target === null || typeof address === 'string') {
    answer.writeHead(403).end(`${refusal}: ${address}\n`);
    return;
  }
  const { url, port } = target;
  const { 'proxy-connection': _, 'proxy-authorization': __, ...headers } = asked.headers;
  const far = request(
    {
      ...address,
      port,
      method: asked.method,
      path: url.pathname + url.search,
      headers: { ...headers, host: url.host },
    },
    (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(answer);
    },
  );
  far.on('error', (error) => {
    if (answer.headersSent) answer.destroy();
    else answer.writeHead(502).end(`${messageOf(error)}\n`);
  });
  answer.on('close', () => far.destroy());
  asked.pipe(far);
}

interface Target {
  readonly url: URL;
  readonly host: string;
  readonly port: number;
}

function targetOf(text: string, protocol: string, portDefault: number): Target | null {
  try {
    const url = new URL(text);
    if (url.protocol !== protocol || url.hostname === '') return null;
    return {
      url,
      host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: url.port === '' ? portDefault : Number(url.port),
    };
  } catch {
    return null;
  }
}

/** Whom to connect to: one of these addresses and no other; or why there is none. */
interface Addresses {
  readonly host: string;
  readonly lookup: LookupFunction;
  /** One that does not answer leaves it to the next. */
  readonly autoSelectFamily: true;
}

async function addressOf(reachOf: ReachOf, { host, port }: Target): Promise<Addresses | string> {
  const reach = reachOf(host, port);
  if (reach === null) return `${host}:${port} is not among the hosts that the user allowed`;
  try {
    const all = isIP(host) > 0 ? [{ address: host, family: isIP(host) }] : await lookup(host, { all: true });
    const found = reach === 'any' ? all : all.filter(({ address }) => !isNear(address));
    const [first] = all;
    if (first === undefined) return `${host} has no address`;
    if (found.length === 0) return `${host} resolves to ${first.address}, which is no public address`;
    return { host, lookup: (_host, _options, tell) => tell(null, found), autoSelectFamily: true };
  } catch (error) {
    return messageOf(error);
  }
}

const near = new BlockList();
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['224.0.0.0', 3],
] as const) {
  near.addSubnet(net, bits, 'ipv4');
}
for (const [net, bits] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const) {
  near.addSubnet(net, bits, 'ipv6');
}

/** Also where an IPv4 address is written as an IPv6 one, which the list understands by itself. */
const isNear = (address: string): boolean => near.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
