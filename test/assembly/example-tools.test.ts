/** The example tools against a real service: the agent is killed where only the world knows what happened. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { FactBody } from '#kernel';
import { openStore } from '#ledger';
import { openTicket } from '../../examples/tools/open-ticket.mjs';
import { pay } from '../../examples/tools/pay.mjs';
import { openRepositorySession } from '../../src/assembly/library.ts';
import { makePlace, type Place, until } from '../e2e/belay.ts';
import { say } from '../e2e/turns.ts';

interface Service {
  readonly url: string;
  readonly tickets: { readonly number: number; readonly title: string; readonly origin: string }[];
  readonly payments: Map<string, { readonly cents: number; readonly receipt: string }>;
  /** Requests that change something, as they came. */
  readonly asked: string[];
  /** `before`: no answer and no effect; `after`: the effect, but no answer. Then as ever. */
  silence: 'before' | 'after' | null;
}

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function startService(): Promise<Service> {
  const service = { tickets: [], payments: new Map(), asked: [], silence: null } as unknown as Service & {
    url: string;
  };
  const server = createServer(async (request, response) => {
    const answer = (value: unknown) => response.end(JSON.stringify(value));
    const url = new URL(request.url ?? '', 'http://service');
    if (request.method === 'GET') {
      answer(service.tickets.filter(({ origin }) => origin === url.searchParams.get('origin')));
      return;
    }
    const body = JSON.parse(await bodyOf(request)) as { title: string; origin: string; cents: number };
    service.asked.push(url.pathname);
    const { silence } = service;
    service.silence = null;
    if (silence === 'before') return;
    let told: unknown;
    if (url.pathname === '/tickets') {
      told = { number: service.tickets.length + 1, title: body.title, origin: body.origin };
      service.tickets.push(told as Service['tickets'][number]);
    } else {
      const key = String(request.headers['idempotency-key']);
      const paid = service.payments.get(key) ?? { cents: body.cents, receipt: `r${service.payments.size + 1}` };
      service.payments.set(key, paid);
      told = paid;
    }
    if (silence === null) answer(told);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push(server);
  service.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return service;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

const startAgent = (place: Place, model: string, service: Service): ChildProcess =>
  spawn(
    process.execPath,
    [path.join(import.meta.dirname, 'program/with-tools.ts'), place.repository, place.home, model, service.url],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );

const ticket = { calls: [{ tool: 'OpenTicket', args: { title: 'It leaks' } }] };
const payment = { calls: [{ tool: 'Pay', args: { to: 'Ann', cents: 500 } }] };

const resumed = (place: Place, service: Service) =>
  openRepositorySession({
    cwd: place.repository,
    home: place.home,
    sessionId: 's',
    tools: [openTicket(service.url), pay(service.url)],
    settings: {},
  });

describe('an undo by the command line, which knows no tools of an embedding program', () => {
  async function killedAfterPaying() {
    const place = makePlace();
    const service = await startService();
    service.silence = 'after';
    const write = { calls: [{ tool: 'Write', args: { file_path: 'z.txt', content: 'z' } }] };
    const agent = startAgent(place, place.script([write, payment, say('Done.')]), service);
    await until(() => service.asked.length === 1);
    agent.kill('SIGKILL');
    await once(agent, 'exit');
    return { place, service };
  }

  test('asks what became of a call under way, and undoes the files', async () => {
    const { place } = await killedAfterPaying();
    expect(await place.belay(['undo', 's', '--files'])).toMatchObject({ code: 0 });
    const outcome = (await place.facts('s')).find(
      (fact) => fact.type === 'attempt.outcome' && fact.status === 'unknown',
    );
    expect(outcome).toMatchObject({ output: expect.stringContaining('there is no tool Pay') });
    expect(await place.belay(['resume', 's'])).toMatchObject({ code: 11 });
  });

  test('never says of a call that was to be sent again that it did not run', async () => {
    const { place, service } = await killedAfterPaying();
    const opened = await resumed(place, service);
    if (!opened.ok) throw new Error(opened.error.message);
    await opened.value.session.resume();
    await opened.value.close('done');
    // As if the second agent had been killed right there.
    const store = openStore({ home: place.home });
    const { facts } = await store.openReader('s');
    const upTo = facts.findIndex((fact) => fact.type === 'attempt.revoked') + 1;
    await store.remove('s');
    const ledger = await store.create('s');
    await ledger.append(facts.slice(0, upTo).map(({ seq: _seq, ts: _ts, ...body }) => body as FactBody));
    await ledger.close();
    await place.belay(['undo', 's', '--files']);
    const closed = (await place.facts('s'))
      .slice(upTo)
      .flatMap((fact) =>
        fact.type === 'action.verdict' ? [fact.message] : fact.type === 'attempt.outcome' ? [fact.output] : [],
      );
    expect(upTo).toBeGreaterThan(0);
    expect(closed).toEqual([
      'The user undid the work at this point before this call could be repeated; it may have taken effect the first time.',
    ]);
  });
});

describe.each([
  ['OpenTicket', ticket, 'Opened ticket 1.'],
  ['Pay', payment, 'Paid 500 cents to Ann, receipt r1.'],
])('%s', (_name, call, shown) => {
  test.each(['before', 'after'] as const)(
    'the agent killed %s the effect: done once, and the model is told the truth',
    async (silence) => {
      const place = makePlace();
      const service = await startService();
      service.silence = silence;
      const agent = startAgent(place, place.script([call, { ...say('Done.'), expect: { shown } }]), service);
      await until(() => service.asked.length === 1);
      agent.kill('SIGKILL');
      await once(agent, 'exit');

      const opened = await resumed(place, service);
      if (!opened.ok) throw new Error(opened.error.message);
      const pull = await opened.value.session.resume();
      await opened.value.close('done');
      expect(pull).toMatchObject({ kind: 'finish', reason: 'goal_met', text: 'Done.' });
      expect(service.tickets.length + service.payments.size).toBe(1);
      const settled = (await place.facts('s')).filter((fact) => 'settling' in fact);
      expect(settled).toHaveLength(1);
    },
  );

  test('an ordinary call', async () => {
    const place = makePlace();
    const service = await startService();
    const agent = startAgent(place, place.script([call, { ...say('Done.'), expect: { shown } }]), service);
    expect(await once(agent, 'exit')).toEqual([0, null]);
    expect(service.asked).toHaveLength(1);
    expect(await place.facts('s')).toContainEqual(expect.objectContaining({ type: 'session.complete', text: 'Done.' }));
  });
});
