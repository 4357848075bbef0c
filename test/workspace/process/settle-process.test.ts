import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { prepareMark } from '#workspace';
import { startAgent } from '../agents/start-agent.ts';
import { isAlive, openPlace, type Place, textOf, until } from '../bench-place.ts';

/** Starts a command in an agent process and kills that agent once the command has claimed. */
async function orphan(place: Place, command: string, timeoutMs = 15_000) {
  const request = place.request(command, { timeoutMs });
  const agent = startAgent('run-command.ts', [place.root, place.data, JSON.stringify(request)]);
  await agent.says('prepared');
  await until(() => existsSync(join(request.execFolder, 'claim')));
  await agent.kill();
  return request;
}

async function settle(place: Place, request: ReturnType<Place['request']>, more: object = {}) {
  const bootId = await place.workspace.processes.bootId();
  return place.workspace.processes.settle({ ...request, bootId, ...more });
}

describe('the agent is killed with its whole group', () => {
  test('while the command runs: the next agent waits for the true end and shows the output', async () => {
    const place = await openPlace();
    const command = 'echo a; until [ -e go ]; do sleep 0.02; done; echo b; echo once >>log; exit 3';
    const request = await orphan(place, command);
    const seen: string[] = [];
    const settling = settle(place, request, { onOutput: (text: string) => seen.push(text) });
    setTimeout(() => writeFileSync(join(place.root, 'go'), ''), 50);
    const result = await settling;
    expect(result).toMatchObject({ state: 'exited', exitCode: 3, consistent: true, provenance: 'reattached' });
    expect(textOf(result)).toBe('a\nb\n');
    expect(seen.join('')).toBe('a\nb\n');
    expect(readFileSync(join(place.root, 'log'), 'utf8')).toBe('once\n');
  });

  test('after the command ended: the receipt tells it', async () => {
    const place = await openPlace();
    const request = await orphan(place, 'echo out; exit 5');
    await until(() => / end\n/.test(readFileSync(join(request.execFolder, 'rc'), 'latin1')));
    const result = await settle(place, request);
    expect(result).toMatchObject({ state: 'exited', exitCode: 5, consistent: true });
    expect(['receipt', 'reattached']).toContain(result.provenance);
    expect(textOf(result)).toBe('out\n');
  });

  test('after the command ended and left a child: the child is named, and stopped with the leftovers', async () => {
    const place = await openPlace();
    const request = await orphan(place, 'setsid sh -c "sleep 300; :" & echo out');
    await until(() => / end\n/.test(readFileSync(join(request.execFolder, 'rc'), 'latin1')));
    const { leftAlive, ...result } = await settle(place, request);
    expect(result).toMatchObject({ state: 'exited', exitCode: 0 });
    expect(leftAlive.length).toBeGreaterThan(0);
    expect(leftAlive.filter(isAlive)).toEqual(leftAlive);
    await place.workspace.processes.stopLeftovers();
    expect(leftAlive.filter(isAlive)).toEqual([]);
  });

  test.each(['deadline', 'cancellation'] as const)(
    'an executor that is stopped in the middle of its claim is waited for until the %s, and then proven not started',
    async (end) => {
      const place = await openPlace();
      const request = place.request('echo x >effect', { timeoutMs: end === 'deadline' ? 100 : 15_000 });
      const prepared = await place.workspace.processes.prepare(request);
      const leader = await leaderOf(request.execFolder);
      process.kill(-leader, 'SIGSTOP');
      const running = prepared.start();
      writeFileSync(join(request.execFolder, 'claim'), `${leader} `);
      const abort = new AbortController();
      if (end === 'cancellation') setTimeout(() => abort.abort(), 50);
      expect(await settle(place, request, { signal: abort.signal })).toMatchObject({ state: 'not-started' });
      await until(() => !isAlive(leader));
      expect(await running).not.toMatchObject({ state: 'exited' });
      expect(existsSync(join(place.root, 'effect'))).toBe(false);
    },
  );

  test('before the go line: the wrapper leaves without a trace, and the attempt is proven not started', async () => {
    const place = await openPlace();
    const request = place.request('echo x >effect');
    const agent = startAgent('run-command.ts', [place.root, place.data, JSON.stringify(request)], {
      STAY_PREPARED: '1',
    });
    await agent.says('prepared');
    await agent.kill();
    await until(() => !isAtWork(request.execFolder));
    expect(existsSync(join(request.execFolder, 'claim'))).toBe(false);
    expect(await settle(place, request)).toMatchObject({ state: 'not-started' });
    expect(await settle(place, request)).toMatchObject({ state: 'not-started' });
    expect(existsSync(join(place.root, 'effect'))).toBe(false);
  });

  test('a re-attached command is stopped at its deadline', async () => {
    const place = await openPlace();
    const request = await orphan(place, 'echo $$ >pid; sleep 300');
    const result = await settle(place, request, { timeoutMs: 100 });
    expect(result).toMatchObject({ state: 'timed-out', stopLevel: 'session+tag' });
    expect(isAlive(Number(readFileSync(join(place.root, 'pid'), 'utf8')))).toBe(false);
  });

  test('a re-attached command is stopped when the wait is cancelled', async () => {
    const place = await openPlace();
    const request = await orphan(place, 'echo $$ >pid; sleep 300');
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 50);
    expect(await settle(place, request, { signal: stop.signal })).toMatchObject({ state: 'cancelled' });
    expect(isAlive(Number(readFileSync(join(place.root, 'pid'), 'utf8')))).toBe(false);
  });

  test('command and wrapper are killed, too: unknown, with the output so far', async () => {
    const place = await openPlace();
    const commit = 'git -c user.name=a -c user.email=a@b.c commit -q --allow-empty -m made';
    const request = await orphan(place, `git init -q . && ${commit} && echo part; sleep 300`);
    await until(() => readFileSync(join(request.execFolder, 'out'), 'utf8') === 'part\n');
    process.kill(-(await leaderOf(request.execFolder)), 'SIGKILL');
    const result = await settle(place, request);
    expect(result).toMatchObject({ state: 'unknown', exitCode: null, consistent: false });
    expect(textOf(result)).toBe('part\n');
    expect(result.evidence).toContain('nothing of the command is alive');
    expect(result.evidence).toMatch(/git: [0-9a-f]{12} belay\/action-\d+.*made/);
  });
});

test('a wrapper that is frozen before its claim and revived after the revocation does nothing', async () => {
  const place = await openPlace();
  const request = place.request('echo x >effect');
  const prepared = await place.workspace.processes.prepare(request);
  process.kill(-(await leaderOf(request.execFolder)), 'SIGSTOP');
  const running = prepared.start();
  expect(await settle(place, request)).toMatchObject({ state: 'not-started' });
  process.kill(-(await leaderOf(request.execFolder)), 'SIGCONT');
  expect(await running).toMatchObject({ state: 'not-started' });
  expect(existsSync(join(place.root, 'effect'))).toBe(false);
});

test('settling twice gives the same answer', async () => {
  const place = await openPlace();
  const request = place.request('echo hi; exit 2');
  const live = await (await place.workspace.processes.prepare(request)).start();
  const first = await settle(place, request);
  const second = await settle(place, request);
  expect(first).toEqual({ ...live, provenance: 'receipt', endedMs: expect.any(Number) });
  expect(second).toEqual(first);
});

test.each<[string, object, string]>([
  ['that was made ready: it was removed, and nothing is known', {}, 'unknown'],
  ['that may never have been made ready: not started', { isOptional: true }, 'not-started'],
])('no folder of an attempt %s, however often one asks', async (_name, more, state) => {
  const place = await openPlace();
  const request = place.request('true');
  expect(await settle(place, request, more)).toMatchObject({ state });
  expect(await settle(place, request, more)).toMatchObject({ state });
});

test('a claim whose line is incomplete, and nobody alive: not started', async () => {
  const place = await openPlace();
  const request = place.request('true');
  prepareMark(request.execFolder);
  writeFileSync(join(request.execFolder, 'claim'), '123');
  expect(await settle(place, request)).toMatchObject({ state: 'not-started' });
});

const parts = { claim: ['claim'], 'claim and receipt': ['claim', 'rc'], folder: ['.'] } as const;

describe.each(['claim', 'claim and receipt', 'folder'] as const)(
  'somebody removes the %s of a started attempt',
  (what) => {
    const removeFrom = (folder: string) => {
      for (const name of parts[what]) rmSync(join(folder, name), { recursive: true, force: true });
    };

    test('while the command runs: it is waited for, and its wrapper tells the end', async () => {
      const place = await openPlace();
      const request = await orphan(place, 'echo once >>log; until [ -e go ]; do sleep 0.02; done; echo end >>log');
      await until(() => existsSync(join(place.root, 'log')));
      removeFrom(request.execFolder);
      const settling = settle(place, request);
      setTimeout(() => writeFileSync(join(place.root, 'go'), ''), 100);
      const result = await settling;
      expect(readFileSync(join(place.root, 'log'), 'utf8')).toBe('once\nend\n');
      expect(result).toMatchObject({ state: 'exited', exitCode: 0, consistent: what !== 'folder' });
      expect(await settle(place, request)).toMatchObject({ state: 'exited' });
    });

    test('which was killed with all it started: unknown, never "not started"', async () => {
      const place = await openPlace();
      const request = await orphan(place, 'echo once >>log; sleep 300');
      await until(() => existsSync(join(place.root, 'log')));
      process.kill(-(await leaderOf(request.execFolder)), 'SIGKILL');
      removeFrom(request.execFolder);
      for (const _again of [1, 2]) {
        const result = await settle(place, request);
        expect(result).toMatchObject({ state: 'unknown' });
        expect(result.evidence).toContain('was removed');
      }
    });
  },
);

describe('an end is asked for with the wish to stop it', () => {
  const aborted = AbortSignal.abort();

  test('it ended by itself: the receipt tells it', async () => {
    const place = await openPlace();
    const request = await orphan(place, 'echo out; exit 4');
    const leader = await leaderOf(request.execFolder);
    await until(() => / end\n/.test(readFileSync(join(request.execFolder, 'rc'), 'latin1')));
    // Behind its receipt the wrapper is still alive for a moment, and would be stopped.
    await until(() => !isAlive(leader));
    const result = await settle(place, request, { signal: aborted });
    expect(result).toMatchObject({ state: 'exited', exitCode: 4 });
    expect(result).not.toHaveProperty('stopLevel');
  });

  test('it ended by itself and left a child: the receipt tells its end, and the child is stopped', async () => {
    const place = await openPlace();
    const request = await orphan(place, 'setsid sleep 300 >&- 2>&- & echo $! >pid; exit 4');
    await until(() => / end\n/.test(readFileSync(join(request.execFolder, 'rc'), 'latin1')));
    expect(await settle(place, request, { signal: aborted })).toMatchObject({ state: 'exited', leftAlive: [] });
    expect(isAlive(Number(readFileSync(join(place.root, 'pid'), 'utf8')))).toBe(false);
  });

  test('it was killed by somebody else: unknown, not stopped', async () => {
    const place = await openPlace();
    const request = await orphan(place, 'echo $$ >pid; sleep 300');
    await until(() => existsSync(join(place.root, 'pid')));
    const leader = await leaderOf(request.execFolder);
    process.kill(-leader, 'SIGKILL');
    // What dies is still alive for a moment, and would be stopped.
    await until(() => !isAlive(leader) && !isAlive(Number(readFileSync(join(place.root, 'pid'), 'utf8'))));
    expect(await settle(place, request, { signal: aborted })).toMatchObject({ state: 'unknown' });
  });
});

test('after another boot a receipt is evidence of nothing', async () => {
  const place = await openPlace();
  const request = place.request('echo hi');
  await (await place.workspace.processes.prepare(request)).start();
  const later = await place.reopen({ bootId: 'another-boot' });
  const bootId = await place.workspace.processes.bootId();
  const result = await later.processes.settle({ ...request, bootId });
  expect(result).toMatchObject({ state: 'unknown', consistent: false });
  expect(result.evidence).toContain('not confirmed');
});

test.each([
  ['a claim that lost its line beside a blank mark', ''],
  ['a claim that lost its line beside a receipt', null],
])('after another boot %s proves nothing', async (_name, mark) => {
  const place = await openPlace();
  const request = place.request('echo hi');
  await (await place.workspace.processes.prepare(request)).start();
  const bootId = await place.workspace.processes.bootId();
  writeFileSync(join(request.execFolder, 'claim'), '');
  if (mark !== null) writeFileSync(join(request.execFolder, 'rc'), mark);
  const later = await place.reopen({ bootId: 'another-boot' });
  expect(await later.processes.settle({ ...request, bootId })).toMatchObject({ state: 'unknown', consistent: false });
});

test('marker and receipt that differ are a contradiction', async () => {
  const place = await openPlace();
  const request = place.request('echo hi; exit 1');
  await (await place.workspace.processes.prepare(request)).start();
  const receipt = readFileSync(join(request.execFolder, 'rc'), 'latin1').replace('exit 1', 'exit 0');
  writeFileSync(join(request.execFolder, 'rc'), receipt);
  expect(await settle(place, request)).toMatchObject({ state: 'unknown', exitCode: null, consistent: false });
});

test('without the notes of the dead agent the receipt alone still tells the end', async () => {
  const place = await openPlace();
  const request = place.request('echo hi; exit 4');
  await (await place.workspace.processes.prepare(request)).start();
  rmSync(join(request.execFolder, 'meta'));
  expect(await settle(place, request)).toMatchObject({ state: 'exited', exitCode: 4, consistent: true });
});

/** The wrapper of an attempt tells its process id as soon as it runs. */
async function leaderOf(folder: string): Promise<number> {
  const told = () => readFileSync(join(folder, 'meta'), 'utf8').trim();
  await until(() => told() !== '');
  return (JSON.parse(told()) as { leader: number }).leader;
}

/** Whether any process has the folder of the attempt among its arguments. */
const isAtWork = (folder: string): boolean =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .some((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0').includes(folder);
      } catch {
        return false;
      }
    });
