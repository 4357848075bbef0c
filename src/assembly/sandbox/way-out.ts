/** The hosts that confined commands reach although they have no network: through a proxy of this process. */
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type HostRule, reachOf, readHostRule } from '#permission';
import { type AllowProxy, type Confinement, openAllowProxy, WAY_OUT_PORT } from '#workspace';

/** Where the socket file lies inside: a folder in memory that each command has of its own. */
const INSIDE = '/dev/belay-way-out';
/** What a system takes as the path of a socket. */
const SOCKET_PATH_MAX = 100;
const proxyVariables = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'];

export interface HostsAllowed {
  readonly rules: readonly HostRule[];
  readonly socketFile: string;
}

export function wayOutOf(hosts: readonly string[], sessionFolder: string): HostsAllowed {
  const rules = hosts.map(readHostRule).filter((rule) => rule !== null);
  const name = `belay-${path.basename(sessionFolder)}.sock`;
  const files = [path.join(sessionFolder, 'net.sock'), path.join(tmpdir(), name)];
  const socketFile = files.find((file) => Buffer.byteLength(file) <= SOCKET_PATH_MAX) ?? path.join('/tmp', name);
  return { rules, socketFile };
}

export function withWayOut(confinement: Confinement, { rules, socketFile }: HostsAllowed): Confinement {
  let proxy: Promise<AllowProxy> | null = null;
  // Those are not asked for through a proxy by anybody.
  const local = rules.flatMap(({ host, below, ports }) =>
    below || !['localhost', '127.0.0.1', '::1'].includes(host)
      ? []
      : ports.map((port) => `${host.includes(':') ? `[${host}]` : host}:${port}`),
  );
  return {
    ...confinement,
    async confine(cwd) {
      const start = await confinement.confine(cwd);
      if (start === null) return null;
      proxy ??= openAllowProxy(socketFile, (host, port) => reachOf(rules, host, port));
      await proxy;
      const address = `http://127.0.0.1:${WAY_OUT_PORT}`;
      return {
        ...start,
        wayOut: { node: process.execPath, socket: INSIDE, local },
        options: [
          ...start.options,
          ...['--bind', socketFile, INSIDE],
          ...proxyVariables.flatMap((name) => ['--setenv', name, address]),
          ...['NO_PROXY', 'no_proxy'].flatMap((name) => ['--setenv', name, 'localhost,127.0.0.1,::1']),
        ],
      };
    },
    close() {
      confinement.close?.();
      void proxy?.then((one) => one.close()).catch(() => undefined);
      proxy = null;
    },
  };
}
