import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterEach, expect, it } from 'vitest';
import { openWire, type WireOptions } from '../../../src/model/http/wire.ts';

const servers: Server[] = [];
afterEach(async () => {
  await Promise.all(
    servers.splice(0).map((server) => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    }),
  );
});

async function listen(server: Server): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const wire = (over: Partial<WireOptions> = {}) =>
  openWire({ signal: new AbortController().signal, env: {}, idleTimeoutMs: 5000, stallTimeoutMs: 5000, ...over });
const post = { method: 'POST', headers: {}, body: '{}' };

async function bodyText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body!) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

it('carries one request and refuses a second', async () => {
  const origin = await listen(createServer((_request, response) => response.end('hello')));
  const one = wire();
  expect(await bodyText(await one.fetch(origin, post))).toBe('hello');
  await expect(one.fetch(origin, post)).rejects.toThrow('second request');
  one.close();
});

it('sends no byte before what the request rests on is on disk, and none at all where that fails', async () => {
  let asked = 0;
  const server = createServer((_request, response) => {
    asked++;
    response.end('hello');
  });
  let connections = 0;
  server.on('connection', () => connections++);
  const origin = await listen(server);
  const disk = Promise.withResolvers<void>();
  const one = wire({ durable: disk.promise });
  const answer = one.fetch(origin, post);
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect({ asked, connections }).toEqual({ asked: 0, connections: 0 });
  disk.resolve();
  expect(await bodyText(await answer)).toBe('hello');
  const failed = wire({ durable: Promise.reject(new Error('the disk is gone')) });
  await expect(failed.fetch(origin, post)).rejects.toThrow('the disk is gone');
  const stop = new AbortController();
  const stopped = wire({ durable: Promise.resolve().then(() => stop.abort()), signal: stop.signal });
  await expect(stopped.fetch(origin, post)).rejects.toThrow();
  expect(asked).toBe(1);
});

it('reports a body that ends too early', async () => {
  const origin = await listen(
    createServer((_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half');
      setTimeout(() => response.destroy(), 5);
    }),
  );
  const one = wire();
  await expect(bodyText(await one.fetch(origin, post))).rejects.toThrow('broke');
  expect(one.fault?.kind).toBe('cut');
  one.close();
});

it('pauses the socket while nobody reads', async () => {
  // More than the buffers of both sockets grow to.
  const size = 32 * 1024 * 1024;
  let sent = 0;
  const origin = await listen(
    createServer(async (_request, response) => {
      for (; sent < size; sent += 65_536)
        if (!response.write(Buffer.alloc(65_536))) await new Promise((resolve) => response.once('drain', resolve));
      response.end();
    }),
  );
  const one = wire();
  const response = await one.fetch(origin, post);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(sent).toBeLessThan(size);
  expect((await bodyText(response)).length).toBe(size);
  one.close();
});

it('stops at an abort before the headers came', async () => {
  let closed = false;
  const abort = new AbortController();
  const origin = await listen(
    createServer((request) => {
      request.socket.on('close', () => {
        closed = true;
      });
      abort.abort();
    }),
  );
  const one = wire({ signal: abort.signal });
  const pending = one.fetch(origin, post);
  await expect(pending).rejects.toThrow('cancelled');
  await expect.poll(() => closed, { timeout: 10_000 }).toBe(true);
  one.close();
});

it('gives up when the headers do not come', async () => {
  const origin = await listen(createServer(() => {}));
  const one = wire({ idleTimeoutMs: 40 });
  await expect(one.fetch(origin, post)).rejects.toThrow('no byte for 40 ms');
  expect(one.fault?.kind).toBe('idle');
  one.close();
});

it('goes through a proxy, except to loopback and to hosts that NO_PROXY names', async () => {
  const seen: string[] = [];
  const proxy = createServer((request, response) => {
    seen.push(request.url ?? '');
    response.end('through the proxy');
  });
  const proxyOrigin = await listen(proxy);
  const env = { HTTP_PROXY: proxyOrigin, NO_PROXY: 'direct.invalid' };
  const one = wire({ env });
  expect(await bodyText(await one.fetch('http://provider.invalid/v1/x', post))).toBe('through the proxy');
  expect(seen).toEqual(['http://provider.invalid/v1/x']);
  one.close();

  const direct = wire({ env });
  await expect(direct.fetch('http://direct.invalid/', post)).rejects.toThrow('cannot reach');
  direct.close();

  const target = await listen(createServer((_request, response) => response.end('direct')));
  const local = wire({ env });
  expect(await bodyText(await local.fetch(target, post))).toBe('direct');
  local.close();
  expect(seen).toHaveLength(1);
});

it('asks a proxy for a tunnel to an https address', async () => {
  const asked: string[] = [];
  const proxy = createServer();
  proxy.on('connect', (request, socket) => {
    asked.push(request.url ?? '');
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  const one = wire({ env: { HTTPS_PROXY: await listen(proxy) } });
  await expect(one.fetch('https://provider.invalid/v1/x', post)).rejects.toThrow(
    'cannot reach https://provider.invalid',
  );
  expect(asked).toEqual(['provider.invalid:443']);
  one.close();
});

it('loads nothing of the built-in fetch', async () => {
  const origin = await listen(createServer((_request, response) => response.end('x')));
  const program = `
    import { openWire } from '#wire';
    const wire = openWire({ signal: new AbortController().signal, env: {}, idleTimeoutMs: 5000, stallTimeoutMs: 5000 });
    const response = await wire.fetch(process.argv[1], { method: 'POST', headers: {}, body: '{}' });
    for await (const chunk of response.body) console.log(String.fromCharCode(...chunk));
    wire.close();
    console.log(process.moduleLoadList.filter((name) => name.includes('undici')).join());`;
  const file = new URL('../../../src/model/http/wire.ts', import.meta.url).href;
  const args = ['--input-type=module', '-e', program.replace('#wire', file), origin];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(stdout.trim()).toBe('x');
});
