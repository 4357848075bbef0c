/** A request is made ready while the disk works, and leaves only when everything before it is on disk. */
import { expect, it } from 'vitest';
import { type ModelResult, makeFailure } from '#kernel';
import { memoryLedger } from '#ledger';
import type { ModelPlanner, SessionPorts } from '#runtime';
import { harness } from '../harness.ts';

/** A ledger whose flushes end when they are let go, and what happened in which order. */
function slowDisk(fault: Error | null = null) {
  const seen: string[] = [];
  const base = memoryLedger('slow');
  const ledger: SessionPorts['ledger'] = {
    ...base,
    get lastSeq() {
      return base.lastSeq;
    },
    append: async (bodies) => {
      seen.push(...bodies.flatMap(({ type }) => (type === 'model.request' ? [type] : [])));
      return base.append(bodies);
    },
    flush: async () => {
      await new Promise((resolve) => setTimeout(resolve, 10));
      if (fault !== null && seen.includes('model.request')) throw fault;
      seen.push('on disk');
    },
  };
  return { ledger, seen };
}

function planner(seen: string[], waitsForDurable: boolean): ModelPlanner {
  return {
    kind: 'model',
    name: 'model',
    modelId: 'test/model',
    price: null,
    waitsForDurable,
    project: () => ({ system: '', tools: [], messages: [] }),
    async generate(_request, { durable }): Promise<ModelResult> {
      seen.push('made ready');
      try {
        await durable;
      } catch {
        return { ok: false, text: '', failure: makeFailure('incomplete', 'not sent', 'ask again') };
      }
      seen.push('sent');
      const usage = { inputTokens: 1, outputTokens: 1 };
      return { ok: true, answer: { parts: [{ kind: 'text', text: 'done' }], finish: 'stop', usage } };
    },
  };
}

const untilSent = (seen: readonly string[]) => seen.slice(seen.indexOf('model.request'), seen.indexOf('sent') + 1);

it('is made ready while the facts go to disk, by a planner that waits for them', async () => {
  const { ledger, seen } = slowDisk();
  const { session } = await harness({ ledger, planner: planner(seen, true) });
  expect((await session.run('go')).kind).toBe('finish');
  expect(untilSent(seen)).toEqual(['model.request', 'made ready', 'on disk', 'sent']);
});

it('is made only when the facts are on disk, by any other planner', async () => {
  const { ledger, seen } = slowDisk();
  const { session } = await harness({ ledger, planner: planner(seen, false) });
  expect((await session.run('go')).kind).toBe('finish');
  expect(untilSent(seen)).toEqual(['model.request', 'on disk', 'made ready', 'sent']);
});

it('is never sent where the disk fails, and the run ends with what the disk said', async () => {
  for (const waits of [true, false]) {
    const { ledger, seen } = slowDisk(new Error('the disk is gone'));
    const { session } = await harness({ ledger, planner: planner(seen, waits) });
    await expect(session.run('go')).rejects.toThrow('the disk is gone');
    expect(seen).not.toContain('sent');
  }
});
