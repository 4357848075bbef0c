import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { BodyOf, Check } from '#kernel';
import type { ToolOutcome } from '../../../src/tools/contract.ts';
import { openSession, type TestSession } from '../session.ts';

const counted = (command: string): Check => ({ command, counts: true });
const byExit = (command: string): Check => ({ command, counts: false });
const testFile = (body: string) => `import test from 'node:test';\nimport assert from 'node:assert';\n${body}\n`;
const passing = { 'a.test.mjs': testFile("test('joins', () => {});") };

const evidence = (outcome: ToolOutcome): readonly BodyOf<'evidence.recorded'>[] =>
  (outcome.facts ?? []).filter((fact) => fact.type === 'evidence.recorded');

/** As the kernel does: products of recorded evidence are known from then on. */
const run = async (session: TestSession, args: { check?: string | number } = {}) => {
  const outcome = await session.call('Test', args);
  const products = evidence(outcome).flatMap((fact) => fact.products ?? []);
  const { world } = session.state;
  session.state = { ...session.state, world: { ...world, products: [...world.products, ...products] } };
  return outcome;
};

describe('what counts as a pass', () => {
  it.each<[string, Check, Record<string, string>, boolean, string]>([
    ['a passing test', counted('node --test'), passing, true, 'evidence: passed at tree'],
    [
      'a failing test',
      counted('node --test'),
      { 'a.test.mjs': testFile("test('x', () => assert.equal(1, 2));") },
      false,
      'exit code 1',
    ],
    ['no test file', counted('node --test'), {}, false, 'no test was executed'],
    ['a file without tests', counted('node --test'), { 'a.test.mjs': '' }, false, 'no test was executed'],
    [
      'all skipped',
      counted('node --test'),
      { 'a.test.mjs': testFile("test.skip('x', () => {});") },
      false,
      'all tests were skipped',
    ],
    ['a version', counted('node --version'), {}, false, 'no test counts'],
    ['a help text', counted('python3 -m unittest -h'), {}, false, 'no test counts'],
    [
      'a swallowed failure',
      counted('node --test || true'),
      { 'a.test.mjs': testFile("test('x', () => { throw 1; });") },
      false,
      'although the exit code is 0',
    ],
    ['an exit code where no counts are declared', byExit('true'), {}, true, 'evidence: passed'],
    ['a failing exit code', byExit('exit 2'), {}, false, 'exit code 2'],
  ])('%s', async (_name, check, files, passed, text) => {
    const session = await openSession(files, [check]);
    const outcome = await run(session);
    expect(evidence(outcome)).toMatchObject([{ check: check.command, passed }]);
    expect(outcome.output).toContain(text);
  });

  it('a failing test is a run that succeeded with an exit code; an empty success is a failure', async () => {
    const failing = await openSession({ 'a.test.mjs': testFile("test('x', () => { throw 1; });") }, [
      counted('node --test'),
    ]);
    expect(await run(failing)).toMatchObject({ status: 'succeeded', exitCode: 1 });
    const empty = await openSession({}, [counted('node --test')]);
    expect(await run(empty)).toMatchObject({ status: 'failed', exitCode: 0 });
  });

  it('shows the failing lines', async () => {
    const body = "test('joins words with hyphens', () => assert.equal('my_post', 'my-post'));";
    const session = await openSession({ 'a.test.mjs': testFile(body) }, [counted('node --test')]);
    const { output } = await run(session);
    expect(output).toContain('✖ joins words with hyphens');
    expect(output).toContain('counts: 0 passed, 1 failed, 0 skipped');
  });

  it('binds to the revision it ran at', async () => {
    const session = await openSession(passing, [counted('node --test')]);
    const [fact] = evidence(await run(session));
    const scan = await session.workspace.revision.scan();
    expect(fact).toMatchObject({
      before: session.workspace.revision.tree(scan, []),
      after: session.workspace.revision.tree(scan, []),
      revision: scan.revision,
    });
    session.put('notes.txt', 'later');
    const later = await session.workspace.revision.scan();
    expect(session.workspace.revision.tree(later, [])).not.toBe(fact?.after);
  });
});

describe('which checks', () => {
  const checks = [byExit('echo one'), byExit('echo two')];
  it.each<[string, { check?: string | number }, readonly string[]]>([
    ['all', {}, ['echo one', 'echo two']],
    ['by number', { check: 2 }, ['echo two']],
    ['by number as text', { check: '1' }, ['echo one']],
    ['by text', { check: ' echo  two ' }, ['echo two']],
  ])('%s', async (_name, args, ran) => {
    const session = await openSession({}, checks);
    expect(evidence(await run(session, args)).map((fact) => fact.check)).toEqual(ran);
  });

  it.each<[string, readonly Check[], { check?: string | number }, string]>([
    ['a number that is not declared', checks, { check: 3 }, '1. echo one; 2. echo two'],
    ['none declared', [], {}, 'with Bash'],
  ])('%s is refused', async (_name, declared, args, text) => {
    const session = await openSession({}, declared);
    const inspection = await session.inspect('Test', args);
    expect(inspection.ok ? '' : inspection.failure.suggestedAction).toContain(text);
  });

  it('a command that is not declared runs and is no evidence', async () => {
    const session = await openSession(passing, checks);
    const outcome = await run(session, { check: 'node --test a.test.mjs' });
    expect(outcome.status).toBe('succeeded');
    expect(evidence(outcome)).toEqual([]);
    expect(outcome.output).toContain('not a declared check');
  });

  it('each check is told, also after one that failed', async () => {
    const session = await openSession({}, [byExit('echo one; exit 5'), byExit('echo two')]);
    const outcome = await run(session);
    expect(outcome).toMatchObject({ status: 'succeeded', exitCode: 5 });
    expect(evidence(outcome).map((fact) => fact.passed)).toEqual([false, true]);
    expect(outcome.output).toContain('check: echo two\ntwo\nexit code 0');
  });
});

describe('what a check leaves behind', () => {
  it('caches of a Python run are products, and stay so', async () => {
    const session = await openSession(
      {
        'slug.py': 'def slug(t):\n    return "-".join(t.split())\n',
        'test_slug.py':
          'import unittest, slug\nclass T(unittest.TestCase):\n    def test_a(self): self.assertEqual(slug.slug("a b"), "a-b")\n',
      },
      [counted('python3 -m unittest')],
    );
    const [first] = evidence(await run(session));
    expect(first).toMatchObject({ passed: true });
    expect(first?.products?.every((path) => path.startsWith('__pycache__/'))).toBe(true);
    expect(first?.products?.length).toBeGreaterThan(0);
    expect(first?.before).toBe(first?.after);
    rmSync(join(session.root, '__pycache__'), { recursive: true });
    const [second] = evidence(await run(session));
    expect(second).toMatchObject({ passed: true, after: first?.after, before: first?.after });
    expect(second?.products).toBeUndefined();
  });

  it('a check that changes another file once is run again, and the second run counts', async () => {
    const command = 'echo run >> .belay-data/log; echo clean > state.txt';
    const session = await openSession({ 'state.txt': 'dirty\n' }, [byExit(command)]);
    const outcome = await run(session);
    expect(evidence(outcome)).toMatchObject([{ passed: true }]);
    expect(outcome.output).toContain('run twice, because the first run changed state.txt');
    expect(session.file('.belay-data/log').toString()).toBe('run\nrun\n');
    const [fact] = evidence(outcome);
    expect(fact?.before).toBe(fact?.after);
  });

  it('a tracked file that changes at every run makes the check self-modifying', async () => {
    const session = await openSession({ 'counter.txt': '\n' }, [byExit('echo x >> counter.txt')]);
    execFileSync('git', ['init', '-q'], { cwd: session.root });
    execFileSync('git', ['add', 'counter.txt'], { cwd: session.root });
    const outcome = await run(session);
    expect(evidence(outcome)).toMatchObject([{ passed: false, exitCode: 0 }]);
    expect(outcome).toMatchObject({ status: 'failed' });
    expect(outcome.output).toContain('self-modifying: it changes counter.txt');
  });

  it('an untracked file that changes at every run becomes a product and is named', async () => {
    const session = await openSession({ 'counter.txt': '\n' }, [byExit('echo x >> counter.txt')]);
    execFileSync('git', ['init', '-q'], { cwd: session.root });
    const [fact] = evidence(await run(session));
    expect(fact).toMatchObject({ passed: true, products: ['counter.txt'] });
    const again = await run(session);
    expect(evidence(again)).toMatchObject([{ passed: true, before: fact?.after, after: fact?.after }]);
    expect(session.file('counter.txt').toString()).toBe('\nx\nx\nx\n');
  });
});

describe('settling', () => {
  const session = () => openSession({ 'a.txt': '' }, [byExit('echo one >> "$PWD/../effects"'), byExit('echo two')]);

  it('a receipt is evidence when nothing changed since', async () => {
    const it = await session();
    const prepared = await it.tool('Test').prepare({}, it.context('t1'));
    if (!prepared.ok) throw new Error(prepared.failure.message);
    await prepared.attempt.run();
    const settled = await it.settle('Test', {}, prepared.attempt.base ?? null, 't1');
    const outcome = settled.state === 'settled' ? settled.outcome : null;
    expect(outcome).toMatchObject({ status: 'succeeded', exitCode: 0, provenance: 'receipt' });
    expect(outcome === null ? [] : evidence(outcome)).toMatchObject([{ passed: true }, { passed: true }]);
    expect(it.file('../effects').toString()).toBe('one\n');
  });

  it('a receipt is no evidence when the workspace changed', async () => {
    const it = await session();
    const prepared = await it.tool('Test').prepare({ check: 1 }, it.context('t1'));
    if (!prepared.ok) throw new Error(prepared.failure.message);
    await prepared.attempt.run();
    it.put('a.txt', 'changed');
    const settled = await it.settle('Test', { check: 1 }, prepared.attempt.base ?? null, 't1');
    const outcome = settled.state === 'settled' ? settled.outcome : null;
    expect(outcome?.facts).toBeUndefined();
    expect(outcome?.output).toContain('run it again');
  });

  it.each(['out', 'rc', 'claim', '.'])(
    'with its %s removed it is no evidence, for or against: it is to be run again',
    async (part) => {
      const it = await session();
      const prepared = await it.tool('Test').prepare({ check: 1 }, it.context('t1'));
      if (!prepared.ok) throw new Error(prepared.failure.message);
      await prepared.attempt.run();
      rmSync(join(it.context('t1').execFolder, part), { recursive: true, force: true });
      const settled = await it.settle('Test', { check: 1 }, prepared.attempt.base ?? null, 't1');
      const outcome = settled.state === 'settled' ? settled.outcome : null;
      if (part === 'claim') expect(outcome === null ? [] : evidence(outcome)).toMatchObject([{ passed: true }]);
      else {
        expect(outcome).toMatchObject({ status: 'failed', failure: { kind: 'incomplete' } });
        expect(outcome?.facts).toBeUndefined();
        expect(outcome?.failure?.suggestedAction).toBe('Call Test again.');
      }
    },
  );

  it('nothing started: none of the checks can start any more', async () => {
    const it = await session();
    const prepared = await it.tool('Test').prepare({}, it.context('t1'));
    if (!prepared.ok) throw new Error(prepared.failure.message);
    expect(await it.settle('Test', {}, prepared.attempt.base ?? null, 't1')).toMatchObject({ state: 'not-started' });
    expect((await prepared.attempt.run()).status).toBe('cancelled');
    expect(() => it.file('../effects')).toThrow();
  });
});
