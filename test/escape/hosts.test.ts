/** Hosts that a command in the sandbox may reach although it has no network, tried with real commands and a real server. */
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPlace, type Place, textOf, until } from '../workspace/bench-place.ts';
import { livingWith } from './confined-place.ts';
import { confinementFor } from './confinement-for.ts';

let server: Server;
let port = 0;
beforeAll(async () => {
  server = createServer((asked, answer) => answer.end(`served ${asked.url}\n`));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.close();
});

async function placeWith(hosts: readonly string[]): Promise<Place> {
  const first = await openPlace();
  const confinement = await confinementFor(first, { hosts });
  return { ...first, workspace: await first.reopen({ confinement }), run: async () => Promise.reject(new Error('no')) };
}
async function run(place: Place, command: string) {
  const result = await (await place.workspace.processes.prepare(place.request(command))).start();
  return { ...result, text: textOf(result) };
}
/** Asks the proxy that the environment names, as any program would. */
const ask = (url: string) =>
  `node -e 'const p=new URL(process.env.http_proxy);require("http").get({host:p.hostname,port:p.port,path:process.argv[1]},r=>{r.pipe(process.stdout);r.on("end",()=>process.exit(r.statusCode===200?0:4))}).on("error",e=>{console.log(e.code);process.exit(5)})' ${url}`;

describe('with a list of hosts', () => {
  test('a command reaches what is named and nothing else, and leaves nothing running', async () => {
    const place = await placeWith([`127.0.0.1:${port}`]);
    const url = `http://127.0.0.1:${port}/a`;
    expect(await run(place, ask(url))).toMatchObject({ exitCode: 0, text: 'served /a\n', leftAlive: [] });
    const other = await run(place, ask(`http://127.0.0.1:${port + 1}/`));
    expect(other).toMatchObject({ exitCode: 4, text: expect.stringContaining('refused by the sandbox of Belay') });
    await until(() => livingWith('belay-way-out').length === 0);
    // Without the proxy there is no way at all.
    const direct = (to: string) =>
      `env -u http_proxy -u HTTP_PROXY node -e 'fetch(process.argv[1]).then(()=>console.log("out"),()=>console.log("closed"))' ${to}`;
    expect((await run(place, direct(`http://127.0.0.1:${port + 1}/`))).text).toBe('closed\n');
    expect((await run(await placeWith(['example.com']), direct(url))).text).toBe('closed\n');
  });

  test.each(['localhost', '127.0.0.1'])('a port of this machine, as %s, is found at its own place', async (host) => {
    const place = await placeWith([`${host}:${port}`, 'example.com']);
    const plain = `node -e 'fetch(process.argv[1]).then(async r=>console.log(await r.text()))' http://127.0.0.1:${port}/b`;
    expect(await run(place, `${plain} && ${plain}`)).toMatchObject({
      exitCode: 0,
      text: 'served /b\n\nserved /b\n\n',
      leftAlive: [],
    });
    // What a program says before it is asked comes through, too, and so does an end.
    const raw = `exec 3<>/dev/tcp/${host}/${port}; printf 'GET /c HTTP/1.0\\r\\n\\r\\n' >&3; tail -1 <&3`;
    expect((await run(place, raw)).text).toBe('served /c\n');
    await until(() => livingWith('belay-way-out').length === 0);
  });

  test('a server of the command has a port of this machine for itself', async () => {
    const place = await placeWith(['localhost:1', `127.0.0.1:${port}`]);
    const own = `node -e 'const s=require("http").createServer((q,r)=>r.end("own")).listen(0,async()=>{console.log(await(await fetch("http://localhost:"+s.address().port)).text());s.close()})'`;
    expect((await run(place, own)).text).toBe('own\n');
  });

  test('what a command is told, prints and ends with stays as it was', async () => {
    const place = await placeWith(['example.com']);
    expect(await run(place, 'echo "it\'s $n" >&2; exit 7')).toMatchObject({ exitCode: 7, text: "it's \n" });
    expect((await run(place, 'sleep 0.1 & wait; echo waited')).text).toBe('waited\n');
    expect(await run(place, 'false | true; echo "${PIPESTATUS[*]}"')).toMatchObject({ text: '1 0\n' });
    const background = await run(place, 'sleep 30 & echo on');
    expect(background.text).toBe('on\n');
    expect(background.leftAlive).toHaveLength(1);
    await place.workspace.processes.stopLeftovers();
    await until(() => livingWith('belay-way-out').length === 0);
    expect(existsSync(join(place.data, 'session/net.sock'))).toBe(false);
  });
});

test('without a list the proxy is not there', async () => {
  const place = await placeWith([]);
  expect((await run(place, 'echo "[$http_proxy]"; ls /dev/belay-way-out 2>&1')).text).toContain('[]\n');
});
