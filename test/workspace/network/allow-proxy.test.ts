import { existsSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { reachOf, readHostRule } from '#permission';
import { type AllowProxy, openAllowProxy } from '../../../src/workspace/network/allow-proxy.ts';
import { tempFolder } from '../bench-place.ts';

const opened: (Server | AllowProxy)[] = [];
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
});

/** A server that tells what it was asked; its port. */
async function startServer(): Promise<number> {
  const server = createServer((asked, answer) => {
    let body = '';
    asked.on('data', (text) => (body += String(text)));
    asked.on('end', () => {
      answer.end(`${asked.method} ${asked.url} ${asked.headers.host} ${asked.headers['proxy-authorization']} ${body}`);
    });
  });
  opened.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function startProxy(...texts: readonly string[]): Promise<string> {
  const file = join(tempFolder(), 's');
  writeFileSync(file, 'left by an earlier run');
  const rules = texts.map((text) => readHostRule(text)).filter((rule) => rule !== null);
  opened.push(await openAllowProxy(file, (host, port) => reachOf(rules, host, port)));
  return file;
}

/** Everything that the proxy answers to these bytes. */
function talk(file: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let got = '';
    const socket = connect(file, () => socket.write(text));
    socket.on('data', (bytes) => (got += bytes.toString('latin1')));
    socket.on('close', () => resolve(got)).on('error', reject);
  });
}
const get = (address: string) =>
  `GET ${address} HTTP/1.1\r\nHost: other\r\nProxy-Authorization: x\r\nConnection: close\r\n\r\n`;

describe('what is allowed goes through', () => {
  test('by CONNECT, both ways', async () => {
    const port = await startServer();
    const file = await startProxy(`127.0.0.1:${port}`);
    const inner = 'POST /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: 3\r\n\r\nxyz';
    const got = await talk(file, `CONNECT 127.0.0.1:${port} HTTP/1.1\r\n\r\n${inner}`);
    expect(got).toMatch(/^HTTP\/1.1 200 Connection established\r\n\r\nHTTP\/1.1 200 OK/);
    expect(got).toContain('POST /a h undefined xyz');
  });

  test('by a whole address, without what was meant for the proxy', async () => {
    const port = await startServer();
    const file = await startProxy(`localhost:${port}`);
    const got = await talk(file, get(`http://localhost:${port}/a?b=c`));
    expect(got).toContain(`GET /a?b=c localhost:${port} undefined`);
  });
});

test('a tunnel is asked for at its own port, whatever that is', async () => {
  const asked: string[] = [];
  const file = join(tempFolder(), 's');
  const refuse = (host: string, port: number) => {
    asked.push(`${host}:${port}`);
    return null;
  };
  opened.push(await openAllowProxy(file, refuse));
  for (const to of ['a.b:80', 'a.b:443', 'a.b', '[::1]:80', 'u:p@a.b:8080']) {
    await talk(file, `CONNECT ${to} HTTP/1.1\r\n\r\n`);
  }
  expect(asked).toEqual(['a.b:80', 'a.b:443', 'a.b:443', '::1:80', 'a.b:8080']);
});

describe('what is not allowed is refused, and says by whom', () => {
  test.each([
    ['another host', ['example.com'], (port: number) => get(`http://127.0.0.1:${port}/`)],
    ['another port', ['127.0.0.1'], (port: number) => get(`http://127.0.0.1:${port}/`)],
    ['a tunnel to another host', ['example.com'], (port: number) => `CONNECT 127.0.0.1:${port} HTTP/1.1\r\n\r\n`],
    ['an address written as one number', ['2130706433:80'], () => get('http://2130706433/')],
    ['no whole address', ['127.0.0.1'], () => get('/')],
    ['another scheme', ['127.0.0.1'], () => get('ftp://127.0.0.1/')],
    ['a tunnel to nothing', ['127.0.0.1'], () => 'CONNECT :// HTTP/1.1\r\n\r\n'],
  ])('%s', async (_name, rules, text) => {
    const port = await startServer();
    const got = await talk(await startProxy(...rules), text(port));
    expect(got).toMatch(/^HTTP\/1.1 403 /);
    expect(got).toContain('refused by the sandbox of Belay');
  });

  test('a name that means this machine, where only names below a domain are allowed', async () => {
    const port = await startServer();
    // `localhost` with a subdomain resolves to the loopback wherever the resolver follows the standard.
    const got = await talk(await startProxy(`*.localhost:${port}`), get(`http://a.localhost:${port}/`));
    expect(got).toMatch(/^HTTP\/1.1 403 /);
  });
});

test('a host that does not answer is told; the socket file goes with the proxy', async () => {
  const port = await startServer();
  (opened[0] as Server).close();
  const file = await startProxy(`127.0.0.1:${port}`);
  expect(await talk(file, `CONNECT 127.0.0.1:${port} HTTP/1.1\r\n\r\n`)).toMatch(/^HTTP\/1.1 502 /);
  expect(existsSync(file)).toBe(true);
  for (const one of opened.splice(0)) one.close();
  expect(existsSync(file)).toBe(false);
});
