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

  it('does not hold up a run that is stopped', async () => {
    const stop = new AbortController();
    const decided = withOwnPermission(createPermission(), () => new Promise(() => {}))(
      bash('ls'),
      context('default', stop.signal),
    );
    stop.abort();
    expect((await decided).decision).toBe('ask');
  });
});

property.prop([fc.anything()])('nothing but a plain allow allows', async (said) => {
  const { decision } = await decide(() => said as 'allow');
  const plain = typeof said === 'object' && said !== null ? (said as { decision?: unknown }).decision : said;
  expect(decision === 'allow').toBe(plain === 'allow');
});
