/** Approvals through the library: the permission function, the classifier, the rules that are stored. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type OpenedSession,
  type OwnPermission,
  type Pull,
  raceApproval,
  type SafetyClassifier,
  startRepositorySession,
} from '../../src/assembly/library.ts';

let folder: string;
let opened: OpenedSession | null = null;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'belay-embed-')));
  mkdirSync(path.join(folder, 'repo'));
});
afterEach(async () => {
  await opened?.close('test');
  opened = null;
  rmSync(folder, { recursive: true, force: true });
});

const bash = (command: string) => ({ calls: [{ tool: 'Bash', args: { command } }] });
async function start(
  turns: readonly object[],
  options: { readonly permission?: OwnPermission; readonly classify?: SafetyClassifier | null } = {},
): Promise<OpenedSession> {
  const script = path.join(folder, 'script.json');
  writeFileSync(script, JSON.stringify({ turns: [...turns, { text: 'Done.' }] }));
  const started = await startRepositorySession({
    cwd: path.join(folder, 'repo'),
    home: path.join(folder, 'home'),
    env: { PATH: process.env['PATH'], HOME: folder, XDG_CONFIG_HOME: path.join(folder, 'config') },
    settings: { model: `scripted/${script}`, sandbox: 'off' },
    ...options,
  });
  if (!started.ok) throw new Error(started.error.message);
  opened = started.value;
  return opened;
}
const ran = (name: string) => existsSync(path.join(folder, 'repo', name));
const approvalOf = (pull: Pull) => {
  if (pull.kind !== 'approval') throw new Error(`it is ${pull.kind}`);
  return pull;
};
const clock = { sleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)) };

describe('a permission function', () => {
  test('replaces the policy, and what it lets go is kept first', async () => {
    writeFileSync(path.join(folder, 'repo/work.txt'), 'work');
    const { session } = await start([bash('rm -rf work.txt')], { permission: () => 'allow' });
    expect(await session.run('go')).toMatchObject({ kind: 'finish' });
    expect(ran('work.txt')).toBe(false);
    const types = [...session.facts()].map((fact) => fact.type);
    expect(types.lastIndexOf('checkpoint.taken')).toBeGreaterThan(types.indexOf('action.intended'));
    expect(types.indexOf('attempt.start')).toBeGreaterThan(
      types.indexOf('checkpoint.taken', types.indexOf('action.intended')),
    );
  });

  test('goes around it, and denies with words for the model', async () => {
    const permission: OwnPermission = async (_tool, _input, { policy }) => {
      const { decision } = await policy();
      return decision === 'ask' ? { decision: 'deny', reason: 'nobody is here', message: 'Go another way.' } : decision;
    };
    const { session } = await start([bash('touch x')], { permission });
    expect(await session.run('go')).toMatchObject({ kind: 'finish' });
    const verdict = [...session.facts()].find((fact) => fact.type === 'action.verdict');
    expect(verdict).toMatchObject({ verdict: 'deny', reason: 'nobody is here', message: 'Go another way.' });
    expect(ran('x')).toBe(false);
  });

  test('that throws asks', async () => {
    const permission = () => Promise.reject(new Error('broken'));
    const { session } = await start([bash('touch x')], { permission });
    expect(await session.run('go')).toMatchObject({ kind: 'approval' });
    expect(ran('x')).toBe(false);
  });
});

describe('a race for the answer', () => {
  test('the classifier of the program allows; the record says who and why', async () => {
    const seen: unknown[] = [];
    const classify: SafetyClassifier = async (call) => {
      seen.push(call);
      return { safe: true, reason: 'it makes an empty file' };
    };
    const { session, ...rest } = await start([bash('touch x')], { classify });
    const pull = approvalOf(await session.run('go'));
    const ask = () => new Promise<never>(() => {});
    const answered = await raceApproval({ session, pull, classify: rest.classify, ask, clock });
    expect(answered).toEqual({ by: 'classifier', reason: 'it makes an empty file' });
    expect(seen).toMatchObject([{ tool: 'Bash', args: { command: 'touch x' }, always: ['Bash(touch x)'] }]);
    await session.approve(pull.actionId, 'approve', 'classifier', 'it makes an empty file');
    expect(await session.resume()).toMatchObject({ kind: 'finish' });
    expect(ran('x')).toBe(true);
    const verdict = [...session.facts()].find((fact) => fact.type === 'action.verdict');
    expect(verdict).toMatchObject({ by: 'classifier', reason: 'it makes an empty file' });
  });

  test('what could lose work is a person’s', async () => {
    writeFileSync(path.join(folder, 'repo/work.txt'), 'work');
    const { session, classify } = await start([bash('rm -rf work.txt')], {
      classify: async () => ({ safe: true, reason: 'trust me' }),
    });
    const pull = approvalOf(await session.run('go'));
    expect(pull).toMatchObject({ personOnly: true, always: [], preview: expect.stringContaining('Could be lost') });
    const answered = await raceApproval({ session, pull, classify, ask: async () => 'no', clock });
    expect(answered).toEqual({ by: 'person', answer: 'no' });
  });

  test('an answer that comes after a cancel changes nothing', async () => {
    let judge = (_safe: boolean) => {};
    const classify: SafetyClassifier = () =>
      new Promise((resolve) => {
        judge = (safe) => resolve({ safe, reason: 'late' });
      });
    const { session } = await start([bash('touch x')], { classify });
    const pull = approvalOf(await session.run('go'));
    const racing = raceApproval({ session, pull, classify, ask: () => new Promise<never>(() => {}), clock });
    await session.cancel('user');
    judge(true);
    expect(await racing).toMatchObject({ by: 'classifier' });
    await expect(session.approve(pull.actionId, 'approve', 'classifier', 'late')).rejects.toMatchObject({
      code: 'not_pending',
    });
    expect(ran('x')).toBe(false);
  });
});

describe('always', () => {
  test('stores the rules of the question, approves, and asks no more in this session', async () => {
    const { session, allowAlways, rulesFile } = await start([bash('touch x'), bash('touch x'), bash('touch y')]);
    const pull = approvalOf(await session.run('go'));
    expect(pull.always).toEqual(['Bash(touch x)']);
    expect(await allowAlways(pull.actionId, 'me')).toEqual({ ok: true, value: ['Bash(touch x)'] });
    expect(await allowAlways(pull.actionId, 'me')).toMatchObject({ ok: false, error: { exitCode: 42 } });
    expect(JSON.parse(readFileSync(rulesFile, 'utf8')).projects[path.join(folder, 'repo')].permissions.allow).toEqual([
      'Bash(touch x)',
    ]);
    const next = approvalOf(await session.resume());
    expect([ran('x'), ran('y')]).toEqual([true, false]);
    expect(next.always).toEqual(['Bash(touch y)']);
  });

  test('approves nothing where the rules cannot be stored', async () => {
    mkdirSync(path.join(folder, 'config/belay'), { recursive: true });
    const { session, allowAlways, rulesFile } = await start([bash('touch x')]);
    const pull = approvalOf(await session.run('go'));
    writeFileSync(rulesFile, '{"projects": 1}');
    expect(await allowAlways(pull.actionId, 'me')).toMatchObject({ ok: false, error: { exitCode: 52 } });
    expect(await session.resume()).toMatchObject({ kind: 'approval' });
    expect(ran('x')).toBe(false);
  });
});
