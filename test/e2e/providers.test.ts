import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type LoopbackOptions, type LoopbackServer, startLoopback } from '../servers/loopback-server.ts';
import type { Protocol } from '../servers/protocol.ts';
import { protocols } from '../servers/protocols.ts';
import { makePlace, resultOf } from './belay.ts';
import { bash, edit, fix, read, say } from './turns.ts';

const key = 'test-key-7f3a';
const servers: LoopbackServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function provider(protocol: Protocol, turns: readonly object[], more: Partial<LoopbackOptions> = {}) {
  const server = await startLoopback(protocol, { script: { turns }, key, seed: 7, ...more });
  servers.push(server);
  return {
    server,
    env: protocol.environment(server.origin, key) as { readonly [name: string]: string },
    model: ['--model', `${protocol.provider}/${protocol.model}`],
  };
}

const json = ['--output-format', 'json'];
const byName = protocols.map((protocol) => [protocol.provider, protocol] as const);

describe.each(byName)('over the wire of %s', (_, protocol) => {
  test('a JavaScript repository is fixed: the edit waits, is approved, and is never asked again', async () => {
    const place = makePlace();
    place.write('AGENTS.md', 'Mind the ünïcode rule.');
    const turns = [
      { ...read('src/slugify.js'), text: 'Ich sehe nach… ✓', expect: { system: 'Mind the ünïcode rule.' } },
      fix[1] ?? {},
      bash('node --test'),
      say('Words are joined with hyphens now.'),
    ];
    const { server, env, model } = await provider(protocol, turns);
    const args = ['--check', 'node --test', '--session', 'p', ...model, ...json];
    const first = resultOf(await place.belay(['run', 'Fix it.', ...args], { env }));
    expect(first).toMatchObject({ exit_code: 10, pending: [{ tool: 'Edit' }] });
    await place.belay(['approve', 'p']);
    const last = resultOf(await place.belay(['resume', 'p', ...json], { env }));
    expect(last).toMatchObject({ exit_code: 0, verified: true, result: 'Words are joined with hyphens now.' });
    expect(server.requests.map((request) => request.status)).toEqual([200, 200, 200, 200]);
    const facts = await place.facts('p');
    expect(facts.filter((fact) => fact.type === 'approval.requested')).toHaveLength(1);
    expect(facts.filter((fact) => fact.type === 'evidence.recorded')).toMatchObject([
      { passed: true, check: 'node --test' },
    ]);
    const ledger = readFileSync(path.join(place.home, 'sessions', 'p', 'ledger.log'), 'latin1');
    expect(ledger).not.toContain(key);
  });

  test('a Python repository is fixed under the rules of the user, whatever caches its tests leave behind', async () => {
    const place = makePlace(path.join(import.meta.dirname, 'fixtures/python-repo'));
    const turns = [
      read('slugs.py'),
      edit('slugs.py', '"_".join', '"-".join'),
      bash('python -m unittest'),
      say('Both tests pass.'),
    ];
    const { env, model } = await provider(protocol, turns);
    const rules = ['--allow', 'Edit(**)', '--allow', 'Bash(python -m unittest)'];
    const ran = await place.belay(['run', 'Fix it.', '--check', 'python -m unittest', ...rules, ...model, ...json], {
      env,
    });
    expect(resultOf(ran)).toMatchObject({ exit_code: 0, verified: true });
    expect(place.file('slugs.py')).toContain('"-".join');
  });

  test('a model that lies ends 13', async () => {
    const place = makePlace();
    const { env, model } = await provider(protocol, [say('Done.'), say('Done!'), say('Done, really.')]);
    const ran = await place.belay(['run', 'Fix it.', '--check', 'node --test', ...model, ...json], { env });
    expect(resultOf(ran)).toMatchObject({ exit_code: 13, verified: false });
  });

  test('a refused key ends 41 and is never shown', async () => {
    const place = makePlace();
    const { env, model } = await provider(protocol, [say('Hello.')], { key: 'another' });
    const ran = await place.belay(['run', 'Hi.', ...model], { env });
    expect(ran.code).toBe(41);
    expect(ran.stderr).toMatch(/key/i);
    expect(ran.stderr + ran.stdout).not.toContain(key);
  });
});

test('an overloaded provider is asked again, one request a try', async () => {
  const place = makePlace();
  const [protocol] = protocols;
  if (protocol === undefined) throw new Error('there is no protocol');
  const turns = [{ ...say('Hello.'), fail: { kind: 'transient', times: 1, retryAfterMs: 50 } }];
  const { server, env, model } = await provider(protocol, turns);
  const ran = await place.belay(['run', 'Hi.', '--session', 'o', ...model], { env });
  expect(ran).toMatchObject({ code: 0, stdout: 'Hello.\n' });
  expect(server.requests.map((request) => request.status)).toEqual([529, 200]);
  expect((await place.facts('o')).map((fact) => fact.type)).toContain('backoff.ended');
});
