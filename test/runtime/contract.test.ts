/** The loop contract on its public view: transitions, event order, hook order, pulls and budgets. */
import { describe, expect, test } from 'vitest';
import { decide, evolve, fold, initialState, isPull, type Phase, type State } from '#kernel';
import { HookAbort, pause, SessionError, skip } from '#runtime';
import { drain, harness, listPlanner, placeholder, toolSteps } from './harness.ts';

const names = (fired: { topic: string }[]) => fired.map((entry) => entry.topic);

describe('plans and pulls', () => {
  test('a linear plan runs from idle to done with goal_met', async () => {
    const h = await harness({
      planner: listPlanner([{ description: 'a' }, { description: 'b' }, { description: 'c' }]),
    });
    const pull = await h.session.run('goal');
    expect(pull).toMatchObject({ kind: 'finish', state: 'done', reason: 'goal_met' });
    expect(names(h.fired)).toEqual([
      'before_plan',
      'after_plan',
      'before_step',
      'after_step',
      'before_step',
      'after_step',
      'before_step',
      'after_step',
      'on_complete',
    ]);
  });

  test('run is refused after done of the same turn only by a new turn on the same ledger', async () => {
    const h = await harness({ planner: listPlanner([{ description: 'a' }]) });
    await h.session.run('one');
    await expect(h.session.resume()).rejects.toThrow(SessionError);
    const again = await h.session.run('two');
    expect(again.kind).toBe('finish');
    expect(
      h
        .events()
        .filter((event) => event.type === 'session.start')
        .map((event) => event.turnId),
    ).toHaveLength(2);
  });

  test('the event and hook sequence of the three-step plan with two tools', async () => {
    const h = await harness();
    const first = await h.session.run('goal');
    expect(first).toMatchObject({ kind: 'tool', state: 'awaiting_tool', reason: 'tool_call' });
    expect(first.kind === 'tool' && first.calls).toMatchObject([{ tool: 'search', args: { q: 'x' } }]);
    const last = await drain(h.session, first);
    expect(last).toMatchObject({ kind: 'finish', reason: 'goal_met' });
    expect(h.types()).toEqual([
      'session.start',
      'plan.draft',
      'plan.commit',
      'step.start',
      'step.end',
      'step.start',
      'tool.call',
      'step.end',
      'tool.result',
      'step.start',
      'tool.call',
      'step.end',
      'tool.result',
      'session.complete',
    ]);
    expect(names(h.fired)).toEqual([
      'before_plan',
      'after_plan',
      'before_step',
      'after_step',
      'before_step',
      'before_tool_call',
      'after_step',
      'after_tool_call',
      'before_step',
      'before_tool_call',
      'after_step',
      'after_tool_call',
      'on_complete',
    ]);
    expect(h.fired.filter((entry) => entry.topic === 'before_tool_call').map((entry) => entry.step)).toEqual([
      's2',
      's3',
    ]);
    expect(h.fired.filter((entry) => entry.topic === 'after_step').map((entry) => entry.outcome)).toEqual([
      'ok',
      'awaiting_tool',
      'awaiting_tool',
    ]);
  });

  test('an empty plan ends with no_plan', async () => {
    const h = await harness({ planner: listPlanner([]) });
    expect(await h.session.run('goal')).toMatchObject({ kind: 'finish', reason: 'no_plan' });
    expect(h.types()).toEqual(['session.start', 'plan.draft', 'session.complete']);
  });

  test('the same planner and goal give the same event types twice', async () => {
    const runs = await Promise.all(
      [1, 2].map(async () => {
        const h = await harness();
        await drain(h.session, await h.session.run('goal'));
        return h.types();
      }),
    );
    expect(runs[0]).toEqual(runs[1]);
  });

  test('a tool error is told and the plan goes on', async () => {
    const h = await harness();
    await h.session.run('goal');
    await drain(h.session, await h.session.resume({ error: 'boom' }));
    expect(h.types().filter((type) => type.startsWith('tool.'))).toEqual([
      'tool.call',
      'tool.error',
      'tool.call',
      'tool.result',
    ]);
    const order = names(h.fired);
    expect(order.indexOf('on_error')).toBeLessThan(order.indexOf('after_tool_call'));
  });

  test('unknown hook topics are refused', async () => {
    const h = await harness();
    expect(() => h.hooks.on('before_lunch' as never, () => {})).toThrow(/unknown hook topic/);
  });

  test('resume needs a payload while a tool is awaited, and is refused elsewhere', async () => {
    const h = await harness();
    await expect(h.session.resume()).rejects.toMatchObject({ code: 'not_resumable' });
    await h.session.run('goal');
    const before = h.session.state;
    await expect(h.session.resume()).rejects.toMatchObject({ code: 'payload' });
    expect(h.session.state).toBe(before);
    await drain(h.session, await h.session.resume({ result: 1 }));
    await expect(h.session.resume({ result: 1 })).rejects.toMatchObject({ code: 'not_resumable' });
  });

  test.each([
    ['neither key', {}, 'malformed_result: /result: missing'],
    ['a text', 'text', 'malformed_result: /: expected an object'],
    ['no JSON', { result: { a: [1, () => 1] } }, 'malformed_result: /result: expected a JSON value'],
    ['a number that is none', { result: Number.NaN }, 'malformed_result: /result: expected a JSON value'],
  ])('a malformed result (%s) becomes a tool error with a field-level reason', async (_name, payload, error) => {
    const h = await harness();
    await h.session.run('goal');
    await drain(h.session, await h.session.resume(payload as never));
    expect(h.events().find((event) => event.type === 'tool.error')?.payload['error']).toBe(error);
    expect(h.session.state.turn?.phase).toBe('done');
  });
});

describe('budgets are a yield', () => {
  test('a limit of steps pauses, resume goes on, every step starts once', async () => {
    const h = await harness({
      planner: listPlanner([1, 2, 3, 4, 5].map((n) => ({ description: `${n}` }))),
      limits: { maxSteps: 2 },
    });
    const pulls = [await h.session.run('goal'), await h.session.resume(), await h.session.resume()];
    expect(pulls.map((pull) => pull.kind)).toEqual(['pause', 'pause', 'finish']);
    expect(pulls[0]).toMatchObject({
      reason: 'budget_exceeded:turns',
      payload: { reason: 'budget_exceeded:turns' },
      state: 'idle',
    });
    expect(
      h
        .events()
        .filter((event) => event.type === 'step.start')
        .map((event) => event.payload['step_id']),
    ).toEqual(['s1', 's2', 's3', 's4', 's5']);
    expect(names(h.fired).filter((topic) => topic === 'on_budget_exceeded')).toHaveLength(2);
  });

  test('a limit of tool calls is checked only when a call is about to be made', async () => {
    const exact = await harness({ planner: listPlanner(toolSteps(2)), limits: { maxToolCalls: 2 } });
    expect(await drain(exact.session, await exact.session.run('goal'))).toMatchObject({
      kind: 'finish',
      reason: 'goal_met',
    });
    const short = await harness({ planner: listPlanner(toolSteps(2)), limits: { maxToolCalls: 1 } });
    const paused = await drain(short.session, await short.session.run('goal'));
    expect(paused).toMatchObject({ kind: 'pause', reason: 'budget_exceeded:tool_calls' });
    expect(short.types().filter((type) => type === 'tool.result')).toHaveLength(1);
    await short.session.extend({ maxToolCalls: 5 });
    expect(await drain(short.session, await short.session.resume())).toMatchObject({ kind: 'finish' });
    expect(short.types().filter((type) => type === 'session.pause')).toHaveLength(1);
    expect(short.facts().filter((fact) => fact.type === 'session.resume')).toHaveLength(1);
  });

  test('no time at all pauses at once', async () => {
    const h = await harness({ limits: { maxElapsedMs: 0 } });
    expect(await h.session.run('goal')).toMatchObject({ kind: 'pause', reason: 'budget_exceeded:wall_clock' });
    expect(h.types()).toEqual(['session.start', 'budget.warn', 'session.pause']);
    await expect(h.session.run('again')).rejects.toMatchObject({ code: 'busy' });
  });

  test('a hook may raise the limit, and then there is no pause', async () => {
    const h = await harness({ planner: listPlanner(toolSteps(3)), limits: { maxToolCalls: 1 } });
    h.hooks.on('on_budget_exceeded', (payload) => {
      (payload['limits'] as { maxToolCalls: number }).maxToolCalls += 1;
    });
    expect(await drain(h.session, await h.session.run('goal'))).toMatchObject({ kind: 'finish' });
    expect(h.types().filter((type) => type === 'budget.warn')).toHaveLength(2);
    expect(h.types()).not.toContain('session.pause');
  });
});

describe('hooks', () => {
  test('an abort before a tool call closes the step and the plan goes on', async () => {
    const h = await harness();
    h.hooks.on('before_tool_call', () => {
      throw new HookAbort('not allowed');
    });
    expect(await h.session.run('goal')).toMatchObject({ kind: 'finish', reason: 'goal_met' });
    const errors = h.events().filter((event) => event.type === 'tool.error');
    expect(errors.map((event) => event.payload['error'])).toEqual(['hook_abort:not allowed', 'hook_abort:not allowed']);
    expect(names(h.fired).filter((topic) => topic === 'on_error')).toHaveLength(2);
    expect(names(h.fired)).not.toContain('after_tool_call');
    expect(h.session.state.totals.toolCalls).toBe(0);
    expect(h.session.state.turn?.budget.steps).toBe(3);
  });

  test.each(['before_plan', 'after_plan', 'before_step', 'after_step', 'after_tool_call'] as const)(
    'an abort or an exception in %s pauses, and resume finishes without doing anything twice',
    async (topic) => {
      for (const thrown of [new HookAbort('policy'), new Error('broken')]) {
        const h = await harness({ record: false });
        let armed = true;
        h.hooks.on(topic, () => {
          if (armed) {
            armed = false;
            throw thrown;
          }
        });
        let pull = await drain(h.session, await h.session.run('goal'));
        const aborted = thrown instanceof HookAbort;
        expect(pull.kind).toBe('pause');
        expect(
          pull.kind === 'pause' &&
            pull.reason.startsWith(aborted ? `hook_abort:${topic}:policy` : `hook_error:${topic}`),
        ).toBe(true);
        expect(h.session.state.turn?.phase).toBe('idle');
        pull = await drain(h.session, await h.session.resume());
        expect(pull).toMatchObject({ kind: 'finish', reason: 'goal_met' });
        expect(h.types().filter((type) => type === 'tool.call')).toHaveLength(2);
        expect(h.types().filter((type) => type === 'step.start')).toHaveLength(3);
      }
    },
  );

  test.each(['on_pause', 'on_error', 'on_complete'] as const)(
    'an exception in %s is recorded and changes nothing',
    async (topic) => {
      const h = await harness({ limits: { maxToolCalls: 1 } });
      h.hooks.on(topic, () => {
        throw new HookAbort('late');
      });
      await h.session.run('goal');
      await h.session.resume({ error: 'x' });
      expect(await drain(h.session, await h.session.resume())).toMatchObject({ kind: 'finish', reason: 'goal_met' });
      expect(
        h
          .facts()
          .filter((fact) => fact.type === 'hook.failed')
          .map((fact) => fact.topic),
      ).toEqual([topic]);
    },
  );

  test('sentinels skip a step or a call and ask for a review; the first one wins, the others still run', async () => {
    const h = await harness();
    let later = 0;
    h.hooks.on('before_step', (payload) => ((payload['step'] as { id: string }).id === 's1' ? skip() : undefined));
    h.hooks.on('before_tool_call', (payload) =>
      (payload['step'] as { id: string }).id === 's2' ? skip() : pause('look at this'),
    );
    h.hooks.on('before_tool_call', () => {
      later++;
      return skip();
    });
    const pull = await drain(h.session, await h.session.run('goal'));
    expect(pull).toMatchObject({ kind: 'pause', reason: 'look at this' });
    expect(later).toBe(2);
    expect(await h.session.resume()).toMatchObject({ kind: 'finish', reason: 'goal_met' });
    expect(
      h
        .events()
        .filter((event) => event.type === 'step.end')
        .map((event) => event.payload['outcome']),
    ).toEqual(['skipped', 'skipped', 'awaiting_tool']);
    expect(h.events().find((event) => event.type === 'tool.error')?.payload['error']).toBe('skipped');
  });

  test('a hook may rewrite a call: the call as proposed and the rewrite are two records', async () => {
    const h = await harness({ planner: listPlanner(toolSteps(1)) });
    h.hooks.on('before_tool_call', (payload) => {
      (payload['step'] as { args: { n: number } }).args.n = 99;
    });
    const pull = await h.session.run('goal');
    expect(pull.kind === 'tool' && pull.calls[0]?.args).toEqual({ n: 99 });
    expect(h.facts().find((fact) => fact.type === 'action.intended')).toMatchObject({ args: { n: 1 } });
    expect(h.facts().find((fact) => fact.type === 'hook.decided')).toMatchObject({
      decision: 'rewrite',
      args: { n: 99 },
    });
  });
});

describe('exercises', () => {
  const forty = listPlanner(toolSteps(40));

  test('E1 an exception of a hook on turn 27 leaves nothing half done and resume reaches done', async () => {
    const h = await harness({ planner: forty });
    let calls = 0;
    h.hooks.on('before_tool_call', () => {
      calls++;
      if (calls === 27) throw new Error('disk on fire');
    });
    const paused = await drain(h.session, await h.session.run('goal'));
    expect(paused).toMatchObject({ kind: 'pause', state: 'idle', reason: 'hook_error:before_tool_call:turn 27' });
    expect(h.types().filter((type) => type === 'tool.result')).toHaveLength(26);
    expect(h.session.state.totals.toolCalls).toBe(26);
    expect(await drain(h.session, await h.session.resume())).toMatchObject({ kind: 'finish', reason: 'goal_met' });
    expect(h.session.state.turn?.budget.steps).toBe(40);
    const starts = h
      .events()
      .filter((event) => event.type === 'step.start')
      .map((event) => event.payload['step_id']);
    expect(new Set(starts).size).toBe(40);
    expect(starts).toHaveLength(40);
    expect(h.types().filter((type) => type === 'tool.call')).toHaveLength(40);
  });

  test('E1 an abort by policy on turn 27 closes that call and the run goes on to done', async () => {
    const h = await harness({ planner: forty });
    let calls = 0;
    h.hooks.on('before_tool_call', () => {
      calls++;
      if (calls === 27) throw new HookAbort('no');
    });
    expect(await drain(h.session, await h.session.run('goal'))).toMatchObject({ kind: 'finish', reason: 'goal_met' });
    expect(h.session.state.turn?.budget.steps).toBe(40);
    expect(h.session.state.totals.toolCalls).toBe(39);
    expect(h.types().filter((type) => type === 'tool.error')).toHaveLength(1);
  });

  test('E2 every prefix of the log folds to the state that lived, with parts that throw if touched', async () => {
    const h = await harness({ planner: listPlanner(toolSteps(4)), limits: { maxToolCalls: 2 } });
    const lived = new Map<number, State>();
    let state: State = initialState;
    h.session.subscribe(1, (fact) => {
      state = evolve(state, fact);
      lived.set(fact.seq, state);
    });
    await h.session.run('goal');
    await h.session.resume({ error: 'boom' });
    await drain(h.session, await h.session.resume({ result: { a: 1 } }));
    await drain(h.session, await h.session.resume());
    const facts = h.facts();
    for (let n = 1; n <= facts.length; n++) {
      const folded = fold(facts.slice(0, n));
      expect(folded).toEqual(lived.get(n));
      expect(() => decide(folded)).not.toThrow();
    }
    expect(fold(facts)).toEqual(h.session.state);
    const poisoned = h.reopen({
      planner: {
        kind: 'list',
        name: 'poison',
        plan: () => {
          throw new Error('touched');
        },
      },
      tools: new Proxy({} as never, {
        get: () => {
          throw new Error('touched');
        },
      }),
    });
    expect(poisoned.state).toEqual(h.session.state);
    expect([...poisoned.facts()]).toHaveLength(facts.length);
  });

  test.each([
    ['turns', { maxSteps: 2 }, { maxSteps: 9 }],
    ['tool_calls', { maxToolCalls: 2 }, { maxToolCalls: 9 }],
    ['wall_clock', { maxElapsedMs: 0 }, { maxElapsedMs: 60_000 }],
  ])('E3 the %s limit is raised at the pull point and the run goes on from the break', async (limit, tight, wide) => {
    const h = await harness({ planner: listPlanner(toolSteps(4)), limits: tight });
    const paused = await drain(h.session, await h.session.run('goal'));
    expect(paused).toMatchObject({ kind: 'pause', reason: `budget_exceeded:${limit}` });
    await h.session.extend(wide);
    expect(await drain(h.session, await h.session.resume())).toMatchObject({ kind: 'finish', reason: 'goal_met' });
    expect(
      h
        .events()
        .filter((event) => event.type === 'tool.call')
        .map((event) => event.payload['step']),
    ).toEqual(['s1', 's2', 's3', 's4']);
    expect(h.types().filter((type) => type === 'session.pause')).toHaveLength(1);
  });

  test('E4 hooks leave no trace in recorded events', async () => {
    const h = await harness({ planner: listPlanner(toolSteps(1)) });
    const kept: { step?: { args: { n: number } } }[] = [];
    h.hooks.on('before_tool_call', (payload) => {
      kept.push(payload as never);
      (payload['step'] as { args: { n: number } }).args.n = 5;
    });
    await h.session.run('goal');
    const recorded = JSON.stringify(h.facts());
    const payload = kept[0]?.step;
    if (payload) payload.args.n = 1000;
    expect(JSON.stringify(h.facts())).toBe(recorded);
    expect(() => {
      (h.facts()[0] as { seq: number }).seq = 9;
    }).toThrow(TypeError);
  });

  test('E5 nothing leaves done', async () => {
    const h = await harness({ planner: listPlanner([{ description: 'a' }]) });
    await h.session.run('goal');
    const done = h.session.state;
    for (const to of ['idle', 'planning', 'executing', 'awaiting_tool', 'reflecting', 'done'] as Phase[]) {
      const next = evolve(done, { type: 'phase.enter', to, seq: done.seq + 1, ts: done.ts });
      expect(next.turn).toBe(done.turn);
    }
  });

  test('E6 a new planner is used at the next plan, and one that throws pauses the turn', async () => {
    const h = await harness({ planner: placeholder });
    await h.session.run('one');
    h.session.use({
      planner: {
        kind: 'list',
        name: 'other',
        version: '2',
        plan: () => {
          throw new Error('no idea');
        },
      },
    });
    expect(await drain(h.session, await h.session.resume({ result: 1 }))).toMatchObject({ kind: 'finish' });
    const failed = await h.session.run('two');
    expect(failed).toMatchObject({ kind: 'handoff', reason: 'failure:internal' });
    expect(h.session.state.turn?.phase).toBe('idle');
    h.session.use({ planner: listPlanner([{ description: 'a' }], 'third') });
    expect(await h.session.resume()).toMatchObject({ kind: 'finish', reason: 'goal_met' });
    expect(
      h
        .facts()
        .filter((fact) => fact.type === 'plan.draft')
        .map((fact) => fact.planner),
    ).toEqual(['placeholder', 'third']);
  });
});

test('every step that starts is closed, every call has one result, and the log begins and ends as promised', async () => {
  const h = await harness({ planner: listPlanner(toolSteps(6)) });
  let calls = 0;
  h.hooks.on('before_tool_call', () => {
    calls++;
    if (calls === 3) throw new HookAbort('no');
    return calls === 4 ? skip() : undefined;
  });
  await drain(h.session, await h.session.run('goal'));
  const events = h.events();
  const of = (type: string, key: string) =>
    events.filter((event) => event.type === type).map((event) => event.payload[key]);
  expect(of('step.start', 'step_id').toSorted()).toEqual(of('step.end', 'step_id').toSorted());
  const closed = [...of('tool.result', 'action_id'), ...of('tool.error', 'action_id')];
  expect(new Set(closed).size).toBe(6);
  expect(of('tool.call', 'action_id').every((id) => closed.includes(id))).toBe(true);
  expect(events[0]?.type).toBe('session.start');
  expect(events.at(-1)?.type).toBe('session.complete');
});

test('a result while nothing waits is refused, and nothing is written', async () => {
  const h = await harness({ planner: listPlanner(toolSteps(2)), limits: { maxToolCalls: 1 } });
  await drain(h.session, await h.session.run('goal'));
  const before = h.facts().length;
  await expect(h.session.resume({ result: 1 })).rejects.toMatchObject({ code: 'not_resumable' });
  expect(h.facts()).toHaveLength(before);
});

test('a ledger that refuses once ends the run with its error, and the same session can be resumed', async () => {
  const { memoryLedger } = await import('#ledger');
  for (let failing = 3; failing < 24; failing++) {
    const ledger = memoryLedger('test-session');
    let appends = 0;
    const flaky = Object.assign(Object.create(ledger), {
      sessionId: 'test-session',
      folder: null,
      append: (bodies: never) => {
        appends++;
        return appends === failing ? Promise.reject(new Error('no space')) : ledger.append(bodies);
      },
    });
    Object.defineProperty(flaky, 'lastSeq', { get: () => ledger.lastSeq });
    const h = await harness({ planner: listPlanner(toolSteps(3)), ledger: flaky });
    let pull: Awaited<ReturnType<typeof h.session.run>> | null = null;
    try {
      pull = await drain(h.session, await h.session.run('goal'));
    } catch (thrown) {
      expect(String(thrown)).toContain('no space');
      if (h.session.state.turn === null) continue;
      // Where the host still has a call, it answers it (again); everywhere else the session just goes on.
      pull = await h.session.resume().catch(() => h.session.resume({ result: 1 }));
      pull = await drain(h.session, pull);
    }
    expect({ failing, pull }).toMatchObject({ pull: { kind: 'finish', reason: 'goal_met' } });
    expect(h.types().filter((type) => type === 'tool.call')).toHaveLength(3);
    expect(h.types().filter((type) => type === 'tool.result')).toHaveLength(3);
  }
});

test('subscribers replay from any offset and then follow, each fact once', async () => {
  const h = await harness();
  await h.session.run('goal');
  const got: number[] = [];
  const stop = h.session.subscribe(4, (fact) => got.push(fact.seq));
  await drain(h.session, await h.session.resume({ result: 1 }));
  stop();
  expect(got).toEqual(
    h
      .facts()
      .slice(3)
      .map((fact) => fact.seq),
  );
});

test('a cancelled turn closes its open calls and ends, from every state', async () => {
  const h = await harness();
  await h.session.run('goal');
  await h.session.cancel('test');
  expect(h.session.state.turn).toMatchObject({ phase: 'done', outcome: 'cancelled' });
  expect(h.types().at(-1)).toBe('session.complete');
  expect(h.types().filter((type) => type === 'tool.error')).toHaveLength(1);
  const paused = await harness({ limits: { maxSteps: 1 } });
  await paused.session.run('goal');
  await paused.session.cancel('test');
  expect(paused.session.state.turn).toMatchObject({ phase: 'done', outcome: 'cancelled' });
  expect(isPull(decide(paused.session.state))).toBe(true);
});

test('a new process goes on exactly where the old one was left at every fact', async () => {
  const h = await harness({ planner: listPlanner(toolSteps(3)) });
  await drain(h.session, await h.session.run('goal'));
  const all = h.facts();
  const { memoryLedger } = await import('#ledger');
  for (let cut = 3; cut < all.length; cut++) {
    const ledger = memoryLedger('test-session');
    await ledger.append(all.slice(0, cut).map(({ seq: _seq, ts: _ts, ...body }) => body as never));
    const again = await harness({ planner: listPlanner(toolSteps(3)), ledger });
    if (again.session.state.turn === null || again.session.state.turn.phase === 'done') continue;
    const pull = await again.session.resume();
    expect(await drain(again.session, pull)).toMatchObject({ kind: 'finish', reason: 'goal_met' });
    const calls = again
      .events()
      .filter((event) => event.type === 'tool.call')
      .map((event) => event.payload['step']);
    expect(calls).toEqual(['s1', 's2', 's3']);
    const results = again.types().filter((type) => type === 'tool.result');
    expect(results).toHaveLength(3);
  }
});

test('ten thousand steps with tool calls in constant stack', async () => {
  const h = await harness({ planner: listPlanner(toolSteps(10_000)), record: false });
  expect(await drain(h.session, await h.session.run('goal'))).toMatchObject({ kind: 'finish', reason: 'goal_met' });
  expect(h.session.state.totals.toolCalls).toBe(10_000);
}, 60_000);
