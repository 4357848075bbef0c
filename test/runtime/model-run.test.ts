/** A run that a model drives: groups of calls, approvals, the gate, retries, cancel, and every cut point. */
import { describe, expect, test } from 'vitest';
import { type Fact, makeFailure, type OutcomeStatus } from '#kernel';
import { memoryLedger } from '#ledger';
import type { PermissionPort, ToolResult, WorldPort } from '#runtime';
import { type Answer, harness, type LocalTool, localTools, modelPlanner } from './harness.ts';

const result = (output: string, over: Partial<ToolResult> = {}): ToolResult => ({
  status: 'succeeded',
  output,
  ...over,
});

/** A world whose tree is a number; `Edit` moves it, `Test` proves it. */
function bench(passAt = 1) {
  let tree = 0;
  const effects: string[] = [];
  const world: WorldPort = { scan: async () => ({ revision: `r${tree}`, tree: `t${tree}`, changed: [] }) };
  const tools: { [name: string]: LocalTool } = {
    Read: { effect: 'read', paths: ['a.js'], run: () => result('text') },
    Edit: {
      effect: 'file',
      paths: ['a.js'],
      inspect: async () => ({ ok: true, base: { 'a.js': `h${tree}` }, preview: '-a\n+b' }),
      run: () => {
        effects.push('edit');
        tree++;
        return result('edited', { files: [{ path: 'a.js', base: `h${tree - 1}`, result: `h${tree}` }] });
      },
    },
    Bash: {
      effect: 'process',
      run: () => {
        effects.push('bash');
        return result('');
      },
    },
    Test: {
      effect: 'process',
      run: () => {
        effects.push('test');
        const passed = tree >= passAt;
        return result(passed ? 'ok' : 'not ok', {
          exitCode: passed ? 0 : 1,
          facts: [
            {
              type: 'evidence.recorded',
              check: 'node --test',
              actionId: 'x',
              exitCode: passed ? 0 : 1,
              before: `t${tree}`,
              after: `t${tree}`,
              revision: `r${tree}`,
              passed,
            },
          ],
        });
      },
    },
  };
  return { world, tools, effects, touch: () => tree++ };
}

const checks = [{ command: 'node --test', counts: true }];
const askEdits: PermissionPort = async (call) =>
  call.tool === 'Edit'
    ? { decision: 'ask', by: 'mode', reason: 'edits ask' }
    : { decision: 'allow', by: 'policy', reason: 'test' };

const call = (...tools: string[]): Answer => ({ calls: tools.map((tool) => ({ tool })) });
const done: Answer = { text: 'done' };

async function start(answers: readonly Answer[], over: Partial<Parameters<typeof harness>[0]> = {}, passAt = 1) {
  const b = bench(passAt);
  const h = await harness({
    planner: modelPlanner(answers),
    tools: localTools(b.tools),
    world: b.world,
    checks,
    record: false,
    ...over,
  });
  return { ...h, ...b, h };
}

const types = (facts: readonly Fact[]) => facts.map((fact) => fact.type);

describe('the gate', () => {
  test('evidence at the present tree is accepted', async () => {
    const s = await start([call('Edit'), call('Test'), done]);
    expect(await s.session.run('fix')).toMatchObject({
      kind: 'finish',
      reason: 'goal_met',
      verified: true,
      text: 'done',
    });
    expect(s.effects).toEqual(['edit', 'test']);
  });

  test('without a declared check the turn ends by itself, unverified', async () => {
    const s = await start([done], { checks: [] });
    expect(await s.session.run('fix')).toMatchObject({ kind: 'finish', reason: 'goal_met', verified: null });
  });

  test('a claim without evidence is asked once, then Belay runs the declared checks and their result decides', async () => {
    const s = await start([call('Edit'), done, done]);
    expect(await s.session.run('fix')).toMatchObject({ kind: 'finish', verified: true });
    expect(s.effects).toEqual(['edit', 'test']);
    const repaired = s.facts().filter((fact) => fact.type === 'action.intended' && fact.origin === 'runtime');
    expect(repaired).toHaveLength(1);
    const verdicts = s.facts().filter((fact) => fact.type === 'completion.verdict');
    expect(verdicts.map((fact) => fact.accepted)).toEqual([false, false, true]);
  });

  test('a model that lies is handed off after its third claim without a change', async () => {
    const s = await start([call('Read'), done, done, done, done]);
    expect(await s.session.run('fix')).toMatchObject({ kind: 'handoff', reason: 'handoff:unverified' });
    expect(s.effects).toEqual(['test']);
    expect(s.facts().filter((fact) => fact.type === 'model.response')).toHaveLength(4);
  });

  test('a failing check sends the model back to work, and a change starts the ladder anew', async () => {
    const s = await start([done, done, call('Edit'), done, done], {}, 1);
    expect(await s.session.run('fix')).toMatchObject({ kind: 'finish', verified: true });
    expect(s.effects).toEqual(['test', 'edit', 'test']);
  });

  test('any later change expires evidence, by whomever, and a change back does not revive it', async () => {
    const b = bench(0);
    let extra = 0;
    const world: WorldPort = {
      scan: async (state, signal) => {
        const scan = await b.world.scan(state, signal);
        extra++;
        return extra === 1 ? { ...scan, tree: 'elsewhere' } : scan;
      },
    };
    const h = await harness({
      planner: modelPlanner([call('Test'), done, done, done]),
      tools: localTools(b.tools),
      world,
      checks,
      record: false,
    });
    expect(await h.session.run('fix')).toMatchObject({ kind: 'finish', verified: true });
    const verdicts = h.facts().filter((fact) => fact.type === 'completion.verdict');
    expect(verdicts.map((fact) => fact.reason)).toEqual([
      'missing_evidence',
      'missing_evidence',
      'missing_evidence',
      'verified',
    ]);
    expect(b.effects).toEqual(['test', 'test']);
  });
});

describe('approvals', () => {
  test('an edit stops at an approval, is asked once, and runs once', async () => {
    const s = await start([call('Read'), call('Edit'), call('Test'), done], { permission: askEdits });
    const pull = await s.session.run('fix');
    expect(pull).toMatchObject({ kind: 'approval', preview: '-a\n+b', state: 'idle' });
    const again = s.h.reopen();
    expect(await again.resume()).toMatchObject({ kind: 'approval' });
    expect(s.facts().filter((fact) => fact.type === 'approval.requested')).toHaveLength(1);
    const actionId = pull.kind === 'approval' ? pull.actionId : '';
    await again.approve(actionId, 'approve', 'me');
    await expect(again.approve(actionId, 'approve', 'me')).rejects.toMatchObject({ code: 'not_pending' });
    expect(await again.resume()).toMatchObject({ kind: 'finish', verified: true });
    expect(s.effects).toEqual(['edit', 'test']);
  });

  test('a denial is the result of the call and the work goes on', async () => {
    const s = await start([call('Edit'), done], { permission: askEdits, checks: [] });
    const pull = await s.session.run('fix');
    await s.session.approve(pull.kind === 'approval' ? pull.actionId : '', 'deny', 'me', 'not here');
    expect(await s.session.resume()).toMatchObject({ kind: 'finish' });
    expect(s.facts().find((fact) => fact.type === 'action.verdict')).toMatchObject({ verdict: 'deny', by: 'person' });
    expect(s.effects).toEqual([]);
  });

  test('an approved change of a file that moved meanwhile is refused', async () => {
    const s = await start([call('Edit'), done], { permission: askEdits, checks: [] });
    const pull = await s.session.run('fix');
    s.touch();
    await s.session.approve(pull.kind === 'approval' ? pull.actionId : '', 'approve', 'me');
    expect(await s.session.resume()).toMatchObject({ kind: 'finish' });
    expect(s.facts().find((fact) => fact.type === 'action.verdict')).toMatchObject({
      verdict: 'deny',
      reason: 'stale',
    });
    expect(s.effects).toEqual([]);
  });

  test('a call that asks is reached with no call open', async () => {
    const s = await start([call('Read', 'Edit', 'Read'), done], { permission: askEdits, checks: [] });
    const pull = await s.session.run('fix');
    expect(pull.kind).toBe('approval');
    expect(s.session.state.turn?.open.filter((open) => open.status === 'started' || open.status === 'allowed')).toEqual(
      [],
    );
    await s.session.approve(pull.kind === 'approval' ? pull.actionId : '', 'approve', 'me');
    await s.session.resume();
    const outcomes = s.facts().filter((fact) => fact.type === 'attempt.outcome');
    expect(outcomes.map((fact) => fact.output)).toEqual(['text', 'edited', 'text']);
  });
});

describe('several calls in one answer', () => {
  test('reads run side by side, nothing overtakes what it conflicts with', async () => {
    let running = 0;
    let peak = 0;
    const log: string[] = [];
    const tool = (name: string, effect: LocalTool['effect'], paths?: readonly string[]): LocalTool => ({
      effect,
      ...(paths === undefined ? {} : { paths }),
      run: async () => {
        running++;
        peak = Math.max(peak, running);
        log.push(`+${name}`);
        await new Promise((resolve) => setTimeout(resolve, 5));
        log.push(`-${name}`);
        running--;
        return result(name);
      },
    });
    const tools = localTools({
      r1: tool('r1', 'read', ['a']),
      r2: tool('r2', 'read', ['b']),
      w: tool('w', 'file', ['a']),
      p: tool('p', 'process'),
      v: tool('v', 'file', ['c']),
    });
    const h = await harness({
      planner: modelPlanner([call('r1', 'r2', 'w', 'v', 'p', 'r1'), done]),
      tools,
      record: false,
    });
    expect(await h.session.run('go')).toMatchObject({ kind: 'finish' });
    expect(peak).toBe(2);
    const at = (entry: string) => log.indexOf(entry);
    expect(at('+w')).toBeGreaterThan(at('-r1'));
    expect(at('+p')).toBeGreaterThan(Math.max(at('-w'), at('-v')));
    expect(h.facts().filter((fact) => fact.type === 'attempt.outcome')).toHaveLength(6);
  });

  test('equal calls are two actions, and a colliding provider id means nothing', async () => {
    const s = await start([call('Bash', 'Bash'), call('Bash'), done], { checks: [] });
    await s.session.run('go');
    expect(s.effects).toEqual(['bash', 'bash', 'bash']);
    const ids = s.facts().flatMap((fact) => (fact.type === 'action.intended' ? [fact.actionId] : []));
    expect(new Set(ids).size).toBe(3);
  });
});

describe('failures of the provider', () => {
  const fail = (kind: 'transient' | 'auth' | 'overflow', message: string): Answer => ({
    fail: { ok: false, text: 'partial', failure: makeFailure(kind, message, 'wait') },
  });

  test('transient ones are tried again after a wait, each try one request', async () => {
    const s = await start([fail('transient', '529'), fail('transient', '529'), done], { checks: [] });
    expect(await s.session.run('go')).toMatchObject({ kind: 'finish' });
    expect(s.facts().filter((fact) => fact.type === 'model.request')).toHaveLength(3);
    expect(s.facts().filter((fact) => fact.type === 'backoff.ended')).toHaveLength(2);
  });

  test('the others hand off at once and can be resumed', async () => {
    const s = await start([fail('auth', 'key refused'), done], { checks: [] });
    expect(await s.session.run('go')).toMatchObject({ kind: 'handoff', reason: 'failure:auth' });
    expect(await s.session.resume()).toMatchObject({ kind: 'finish' });
  });

  test('tries are limited', async () => {
    const s = await start(
      Array.from({ length: 20 }, () => fail('transient', 'down')),
      { checks: [] },
    );
    expect(await s.session.run('go')).toMatchObject({ kind: 'handoff', reason: 'failure:transient' });
    expect(s.facts().filter((fact) => fact.type === 'model.request')).toHaveLength(6);
  });

  test('an empty answer is asked again once and then ends with no_plan', async () => {
    const s = await start([{}, {}], { checks: [] });
    expect(await s.session.run('go')).toMatchObject({ kind: 'finish', reason: 'no_plan' });
  });
});

describe('going in circles', () => {
  test('the same call with the same result is forbidden, then the turn is handed off', async () => {
    const ledger = memoryLedger('test-session');
    await ledger.append([
      { type: 'session.created', sessionId: 'test-session', workspace: '/w', version: '0' },
      { type: 'workspace.scanned', revision: 'r0', tree: 't0', at: 'start' },
    ]);
    const s = await start(
      Array.from({ length: 30 }, () => call('Read')),
      { checks: [], ledger },
    );
    expect(await s.session.run('go')).toMatchObject({ kind: 'handoff', reason: 'handoff:no_progress' });
    const outcomes = s.facts().filter((fact) => fact.type === 'attempt.outcome');
    expect(outcomes).toHaveLength(5);
  });

  test('a loop over a changing world is no loop', async () => {
    const s = await start([...Array.from({ length: 12 }, () => call('Edit')), done], { checks: [] });
    expect(await s.session.run('go')).toMatchObject({ kind: 'finish' });
  });
});

test('a limit of rounds pauses before the next request', async () => {
  const s = await start([call('Read'), call('Edit'), done], { checks: [], limits: { maxRounds: 2 } });
  expect(await s.session.run('go')).toMatchObject({ kind: 'pause', reason: 'budget_exceeded:rounds' });
  expect(s.facts().filter((fact) => fact.type === 'model.request')).toHaveLength(2);
  expect(await s.session.resume()).toMatchObject({ kind: 'finish' });
});

test('a cancel while a command runs stops it and ends the turn', async () => {
  let started: () => void = () => {};
  const running = new Promise<void>((resolve) => {
    started = resolve;
  });
  const tools = localTools({
    Bash: {
      effect: 'process',
      run: (_args, { signal }) =>
        new Promise<ToolResult>((resolve) => {
          started();
          signal.addEventListener('abort', () => resolve(result('stopped', { status: 'cancelled' })));
        }),
    },
  });
  const h = await harness({ planner: modelPlanner([call('Bash'), done]), tools, record: false });
  const run = h.session.run('go');
  await running;
  await h.session.cancel('me');
  expect(await run).toMatchObject({ kind: 'finish', reason: 'cancelled' });
  expect(types(h.facts()).at(-1)).toBe('session.complete');
});

test('an interrupt stops what runs, pauses, and the session resumes', async () => {
  const stop = new AbortController();
  let first = true;
  const tools = localTools({
    Bash: {
      effect: 'process',
      run: (_args, { signal }) => {
        if (!first) return result('second');
        first = false;
        return new Promise<ToolResult>((resolve) => {
          signal.addEventListener('abort', () => resolve(result('stopped', { status: 'cancelled' })));
          queueMicrotask(() => stop.abort());
        });
      },
    },
  });
  const h = await harness({ planner: modelPlanner([call('Bash'), call('Bash'), done]), tools, record: false });
  const session = h.reopen({ signal: stop.signal });
  expect(await session.run('go')).toMatchObject({ kind: 'pause', reason: 'interrupted' });
  await session.close('signal');
  const again = h.reopen();
  expect(await again.resume()).toMatchObject({ kind: 'finish' });
});

describe('every cut point', () => {
  const settles: readonly [string, OutcomeStatus][] = [
    ['the world says it was done', 'succeeded'],
    ['the world says it did not start', 'failed'],
  ];
  test.each(settles)('%s: each effect happens once and the end is the same', async (_name, status) => {
    const answers = [call('Read', 'Read'), call('Edit'), call('Bash'), done, call('Test'), done];
    const source = memoryLedger('test-session');
    // A batch is atomic, so a crash leaves the log at the end of one.
    const cuts: number[] = [];
    source.subscribe((facts) => cuts.push(facts.at(-1)?.seq ?? 0));
    const whole = await start(answers, { permission: askEdits, ledger: source });
    const pull = await whole.session.run('fix');
    await whole.session.approve(pull.kind === 'approval' ? pull.actionId : '', 'approve', 'me');
    await whole.session.resume();
    const all = whole.facts();
    expect(all.at(-1)?.type).toBe('session.complete');
    for (const cut of cuts.filter((seq) => seq >= 4 && seq < all.length)) {
      const ledger = memoryLedger('test-session');
      const kept = all.slice(0, cut);
      await ledger.append(kept.map(({ seq: _seq, ts: _ts, ...body }) => body as never));
      const edited = kept.some((fact) => fact.type === 'attempt.outcome' && fact.output === 'edited');
      const left = kept.filter(
        (fact) =>
          fact.type === 'attempt.start' &&
          !kept.some((o) => o.type === 'attempt.outcome' && o.attemptId === fact.attemptId),
      );
      const b = bench();
      if (edited) b.touch();
      const settle: LocalTool['settle'] = async (tool) => {
        if (status === 'failed') return { state: 'not-started' };
        if (tool === 'Edit') b.touch();
        return { state: 'settled', outcome: result(`settled ${tool}`) };
      };
      const tools = localTools(
        Object.fromEntries(Object.entries(b.tools).map(([name, tool]) => [name, { ...tool, settle }])),
      );
      const h = await harness({
        planner: modelPlanner(answers),
        tools,
        world: b.world,
        checks,
        ledger,
        record: false,
        permission: askEdits,
        seed: 1000 + cut,
      });
      if (h.session.state.turn === null) continue;
      let next = await h.session.resume();
      if (next.kind === 'approval') {
        await h.session.approve(next.actionId, 'approve', 'me');
        next = await h.session.resume();
      }
      expect({ cut, next }).toMatchObject({ cut, next: { kind: 'finish', reason: 'goal_met', verified: true } });
      const outcomes = h.facts().filter((fact) => fact.type === 'attempt.outcome');
      const perAction = new Map<string, number>();
      for (const fact of outcomes) perAction.set(fact.actionId, (perAction.get(fact.actionId) ?? 0) + 1);
      expect([...perAction.values()].every((count) => count === 1)).toBe(true);
      if (left.length > 0 && status === 'failed') {
        expect(h.facts().filter((fact) => fact.type === 'attempt.revoked').length).toBeGreaterThan(0);
      }
    }
  });

  test('three runs that die without progress hand off, and a person may go on', async () => {
    const ledger = memoryLedger('test-session');
    const first = await start([done], { ledger, checks: [] });
    const facts = async (executorId: string) => {
      await ledger.append([{ type: 'executor.attached', executorId, bootId: 'b', pid: 1 }]);
    };
    await ledger.append([{ type: 'executor.attached', executorId: 'e0', bootId: 'b', pid: 1 }]);
    await ledger.append([{ type: 'session.start', turnId: 't', goal: 'g', planner: 'model' }]);
    for (const id of ['e1', 'e2']) await facts(id);
    const again = first.h.reopen();
    expect(await again.resume()).toMatchObject({ kind: 'handoff', reason: 'handoff:crash_loop' });
    expect(await again.resume()).toMatchObject({ kind: 'finish' });
  });
});

test('an unknown outcome stops everything until it is answered', async () => {
  const ledger = memoryLedger('test-session');
  const answers = [call('Bash'), done];
  const s = await start(answers, { ledger, checks: [] });
  await s.session.run('go');
  const kept = s.facts().slice(
    0,
    s.facts().findIndex((fact) => fact.type === 'attempt.outcome'),
  );
  const other = memoryLedger('test-session');
  await other.append(kept.map(({ seq: _seq, ts: _ts, ...body }) => body as never));
  const tools = localTools({
    Bash: {
      effect: 'process',
      run: () => {
        throw new Error('ran again');
      },
      settle: async () => ({ state: 'settled', outcome: { status: 'unknown', output: 'nobody knows' } }),
    },
  });
  const h = await harness({ planner: modelPlanner(answers), tools, ledger: other, record: false });
  const pull = await h.session.resume();
  expect(pull.kind === 'pause' && pull.reason.startsWith('unknown:')).toBe(true);
  expect(await h.session.resume()).toMatchObject({ kind: 'pause' });
  const actionId = pull.kind === 'pause' ? pull.reason.slice('unknown:'.length) : '';
  await h.session.settle(actionId, 'applied', 'me');
  expect(await h.session.resume()).toMatchObject({ kind: 'finish', reason: 'goal_met' });
});
