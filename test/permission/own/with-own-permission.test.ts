import { getEventListeners } from 'node:events';
import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import type { PermissionContext } from '../../../src/permission/contract.ts';
import { createPermission } from '../../../src/permission/create-permission.ts';
import { type OwnPermission, withOwnPermission } from '../../../src/permission/own/with-own-permission.ts';

const context = (mode: PermissionContext['mode'], signal = new AbortController().signal): PermissionContext => ({
  mode,
  allow: ['Bash(ls)'],
  checks: [],
  workspace: '/repo',
  signal,
});
const bash = (command: string) => ({ tool: 'Bash', args: { command }, effect: 'process' as const, paths: null });
const decide = (own: OwnPermission, mode: PermissionContext['mode'] = 'default', command = 'ls') =>
  withOwnPermission(createPermission(), own, 40)(bash(command), context(mode));

describe('a permission function of the embedding program', () => {
  it.each<[string, OwnPermission, string]>([
    ['allows', () => 'allow', 'allow'],
    ['asks', () => Promise.resolve('ask' as const), 'ask'],
    ['denies', () => ({ decision: 'deny', reason: 'not now', message: 'Wait.' }), 'deny'],
    ['goes around the policy', async (_tool, _input, { policy }) => (await policy()).decision, 'allow'],
    [
      'throws',
      () => {
        throw new Error('broken');
      },
      'ask',
    ],
    ['rejects', () => Promise.reject(new Error('broken')), 'ask'],
    ['hangs', () => new Promise(() => {}), 'ask'],
    ['answers nonsense', () => 'yes' as 'allow', 'ask'],
    ['answers nothing', () => undefined as unknown as 'allow', 'ask'],
    ['answers true', () => ({ decision: true }) as unknown as 'allow', 'ask'],
  ])('that %s', async (_what, own, expected) => {
    expect((await decide(own)).decision).toBe(expected);
    expect((await decide(own, 'dontAsk')).decision).toBe(expected === 'allow' ? 'allow' : 'deny');
  });

  it('says for people and for the model what it was', async () => {
    expect(await decide(() => 'deny')).toEqual({
      decision: 'deny',
      by: 'policy',
      reason: 'the permission function says deny',
    });
    const spoken: OwnPermission = () => ({ decision: 'deny', reason: 'not now', message: 'Wait.' });
    expect(await decide(spoken)).toEqual({ decision: 'deny', by: 'policy', reason: 'not now', message: 'Wait.' });
    expect((await decide(spoken, 'default', 'rm -r x')).losses).toBe(undefined);
    const allowed = await decide(() => ({ decision: 'allow', message: 'x' }));
    expect(allowed).toEqual({ decision: 'allow', by: 'policy', reason: 'the permission function says allow' });
    expect(Object.keys(allowed)).not.toContain('losses');
    const silent = await decide(() => 'ask', 'dontAsk');
    expect([silent.by, silent.reason]).toEqual(['mode', 'mode dontAsk: the permission function says ask']);
    expect(silent.message).toContain('This Bash call needs an answer (the permission function says ask)');
    const why = async (own: OwnPermission) => {
      const { by, reason } = await decide(own);
      return `${by}: ${reason}`;
    };
    expect(await why(() => 'ask')).toBe('policy: the permission function says ask');
    expect(await why(() => Promise.reject(new Error('broken')))).toBe(
      'policy: the permission function gave no answer: broken',
    );
    expect(await why(() => new Promise(() => {}))).toContain('longer than 40 ms');
    expect(await why(() => 'yes' as 'allow')).toBe(
      'policy: the permission function answered neither allow, ask nor deny',
    );
  });

  it('is asked once, and so is the policy', async () => {
    let asked = 0;
    const policy = async () => {
      asked++;
      return { decision: 'allow', by: 'rule', reason: 'x' } as const;
    };
    const own: OwnPermission = async (_tool, _input, { policy: known }) => {
      await known();
      return (await known()).decision;
    };
    expect((await withOwnPermission(policy, own)(bash('ls'), context('default'))).decision).toBe('allow');
    expect(asked).toBe(1);
  });

  it('is handed the tool, the input and the signal, and keeps what would be lost in the decision', async () => {
    const seen: unknown[] = [];
    const decision = await decide(
      (tool, input, { mode, workspace, effect, paths }) => {
        seen.push(tool, input, mode, workspace, effect, paths);
        return 'allow';
      },
      'acceptEdits',
      'git reset --hard',
    );
    expect(seen).toEqual(['Bash', { command: 'git reset --hard' }, 'acceptEdits', '/repo', 'process', null]);
    expect(decision).toMatchObject({ decision: 'allow', losses: [{ what: 'git reset --hard' }] });
  });

  it('leaves nothing behind that waits', async () => {
    const waiting = () => process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length;
    const { signal } = new AbortController();
    const before = waiting();
    for (let i = 0; i < 20; i++)
      await withOwnPermission(createPermission(), () => 'allow')(bash('ls'), context('default', signal));
    expect(waiting()).toBeLessThan(before + 20);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('does not hold up a run that is stopped', async () => {
    const stop = new AbortController();
    const decided = withOwnPermission(createPermission(), () => new Promise(() => {}))(
      bash('ls'),
      context('default', stop.signal),
    );
    stop.abort();
    const { decision, reason } = await decided;
    expect([decision, reason]).toEqual(['ask', 'the permission function gave no answer: the run was stopped']);
    const late = withOwnPermission(createPermission(), () => new Promise(() => {}))(
      bash('ls'),
      context('default', stop.signal),
    );
    expect((await late).decision).toBe('ask');
  });
});

property.prop([fc.anything()])('nothing but a plain allow allows', async (said) => {
  const { decision } = await decide(() => said as 'allow');
  const plain = typeof said === 'object' && said !== null ? (said as { decision?: unknown }).decision : said;
  expect(decision === 'allow').toBe(plain === 'allow');
});
