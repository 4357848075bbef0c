/** Command hooks through the whole program: they narrow, and a kill in a hook neither loses nor repeats it. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ended, makePlace, type Place, resultOf, until } from '../e2e/belay.ts';
import { bash, say } from '../e2e/turns.ts';
import { isRunning } from './background.ts';

const json = ['--output-format', 'json'];
const bypass = ['--permission-mode', 'bypassPermissions'];

function withHooks(hooks: object): Place {
  const place = makePlace();
  const config = path.join(place.folder, 'config');
  mkdirSync(path.join(config, 'belay'), { recursive: true });
  writeFileSync(path.join(config, 'belay', 'settings.json'), JSON.stringify({ hooks }));
  const env = { XDG_CONFIG_HOME: config };
  const start = (args: readonly string[]) => place.start(args, { env });
  return { ...place, start, belay: (args) => ended(start(args)) };
}
const command = (text: string, more: object = {}) => [{ ...more, hooks: [{ type: 'command', command: text }] }];
const effects = (place: Place) => readFileSync(path.join(place.folder, 'effects'), 'utf8');

test('a refusal holds in every mode, the model is told why, and the next call goes on', async () => {
  const place = withHooks({
    PreToolUse: command('grep -q forbidden && { echo not that >&2; exit 2; }; exit 0', { matcher: 'Bash' }),
  });
  const turns = [bash('echo forbidden > a'), { ...bash('echo fine > b'), expect: { shown: 'not that' } }, say('Done.')];
  const ran = await place.belay(['run', 'Go.', '--session', 'h', '--model', place.script(turns), ...bypass, ...json]);
  expect(resultOf(ran)).toMatchObject({ exit_code: 0, result: 'Done.' });
  expect([existsSync(path.join(place.repository, 'a')), place.file('b')]).toEqual([false, 'fine\n']);
});

test('what a hook says after a call reaches the model', async () => {
  const place = withHooks({ PostToolUse: command('echo run the formatter >&2; exit 2') });
  const turns = [bash('true'), { ...say('I will.'), expect: { shown: 'run the formatter' } }];
  const ran = await place.belay(['run', 'Go.', '--model', place.script(turns), ...bypass, ...json]);
  expect(resultOf(ran)).toMatchObject({ exit_code: 0, result: 'I will.' });
});

test('killed inside a hook: the resume waits for the same command, and its effect is there once', async () => {
  const hook = 'echo $$ > ../hook; echo once >> ../effects; until [ -e ../go ]; do sleep 0.05; done';
  const place = withHooks({ PreToolUse: command(hook) });
  const model = place.script([bash('echo call >> call'), say('Done.')]);
  const child = place.start(['run', 'Go.', '--session', 'k', '--model', model, ...bypass]);
  const end = ended(child);
  await until(() => existsSync(path.join(place.folder, 'hook')));
  child.kill('SIGKILL');
  await end;
  const resumed = place.belay(['resume', 'k', ...json]);
  const hookOf = async () => (await place.facts('k')).find((fact) => fact.type === 'hook.started');
  const exec = path.join(place.home, 'sessions/k/exec', (await hookOf())?.attemptId ?? '');
  await until(() => existsSync(path.join(exec, 'attached')));
  writeFileSync(path.join(place.folder, 'go'), '');
  expect(resultOf(await resumed)).toMatchObject({ exit_code: 0, result: 'Done.' });
  expect([effects(place), place.file('call')]).toEqual(['once\n', 'call\n']);
  expect((await place.facts('k')).filter(({ type }) => type.startsWith('hook.'))).toMatchObject([
    { type: 'hook.started' },
    { type: 'hook.ended', status: 'exited', exitCode: 0, provenance: expect.stringMatching(/^(reattached|receipt)$/) },
  ]);
});

test('what nobody waits for of a killed run is stopped at the end of the next one', async () => {
  const hook = 'echo $$ >> ../hook; [ -e ../again ] || sleep 60';
  const place = withHooks({ SessionStart: command(hook) });
  const model = place.script([say('Done.')]);
  const child = place.start(['run', 'Go.', '--session', 'l', '--model', model, ...bypass]);
  const end = ended(child);
  await until(() => existsSync(path.join(place.folder, 'hook')));
  child.kill('SIGKILL');
  await end;
  writeFileSync(path.join(place.folder, 'again'), '');
  const resumed = await place.belay(['resume', 'l']);
  expect(resumed.stderr).toContain('left processes behind');
  const [first] = readFileSync(path.join(place.folder, 'hook'), 'utf8').split('\n');
  expect(isRunning(Number(first), (file) => readFileSync(file, 'latin1'))).toBe(false);
});

test.each<[string, string, number]>([
  ['PreToolUse', 'a call that is cancelled there', 1],
  ['UserPromptSubmit', 'the words of the turn, which are asked about anew', 1],
])('%s: a fork made while a hook is at work on %s has attempts of its own', async (event, _about, runs) => {
  const hook = 'echo once >> ../effects; touch ../hook; until [ -e ../go ]; do sleep 0.05; done';
  const place = withHooks({ [event]: command(hook) });
  const turns = [bash('echo first >> calls'), bash('echo second >> calls'), say('Done.')];
  const child = place.start(['run', 'Go.', '--session', 'p', '--model', place.script(turns), ...bypass]);
  const end = ended(child);
  await until(() => existsSync(path.join(place.folder, 'hook')));
  child.kill('SIGKILL');
  await end;
  const before = await place.facts('p');
  const at = String(before.at(-1)?.seq);
  expect(await place.belay(['fork', 'p', '--at', at, '--session', 'f'])).toMatchObject({ code: 0 });

  const attempts = async (session: string) => {
    const facts = await place.facts(session);
    const ends = new Map(facts.flatMap((fact) => (fact.type === 'hook.ended' ? [[fact.attemptId, fact]] : [])));
    return facts.flatMap((fact) =>
      fact.type === 'hook.started' ? [{ ...fact, status: ends.get(fact.attemptId)?.status ?? 'at work' }] : [],
    );
  };
  const [ofParent] = await attempts('p');
  const [copied] = await attempts('f');
  expect([ofParent?.status, copied?.status]).toEqual(['at work', 'unknown']);
  expect(copied?.attemptId).not.toBe(ofParent?.attemptId);
  expect(copied?.invocationId).not.toBe(ofParent?.invocationId);

  // The fork does not wait for what the other session started, nor take its answer.
  const forked = place.belay(['resume', 'f', ...json]);
  await until(async () => (await attempts('f')).length === 1 + runs);
  writeFileSync(path.join(place.folder, 'go'), '');
  expect(resultOf(await forked)).toMatchObject({ exit_code: 0, result: 'Done.' });
  const own = (await attempts('f')).slice(1);
  expect(own.every(({ status }) => status === 'exited')).toBe(true);
  expect(own.map(({ invocationId }) => invocationId === copied?.invocationId)).toEqual([event === 'UserPromptSubmit']);
  const called = event === 'UserPromptSubmit' ? 'first\nsecond\n' : 'second\n';
  expect([effects(place), place.file('calls')]).toEqual(['once\n'.repeat(2), called]);

  // And the other session goes on as if there were no fork.
  expect(resultOf(await place.belay(['resume', 'p', ...json]))).toMatchObject({ exit_code: 0, result: 'Done.' });
  const ids = (await attempts('p')).map(({ attemptId }) => attemptId);
  const all = [...ids, ...(await attempts('f')).map(({ attemptId }) => attemptId)];
  expect(new Set(all).size).toBe(all.length);
  expect(place.file('calls')).toBe(`${called}first\nsecond\n`);
});

test('while a hook of a killed run is at work nothing is undone', async () => {
  const hook = 'echo $$ > ../hook; until [ -e ../go ]; do sleep 0.05; done';
  const place = withHooks({ PostToolUse: command(hook) });
  const model = place.script([bash('echo call > call'), say('Done.')]);
  const child = place.start(['run', 'Go.', '--session', 'u', '--model', model, ...bypass]);
  const end = ended(child);
  await until(() => existsSync(path.join(place.folder, 'hook')));
  child.kill('SIGKILL');
  await end;
  const refused = await place.belay(['undo', 'u']);
  expect([refused.code, refused.stderr]).toEqual([42, expect.stringContaining('a hook of this session still runs')]);
  writeFileSync(path.join(place.folder, 'go'), '');
  await until(async () => (await place.belay(['undo', 'u'])).code === 0);
  expect(existsSync(path.join(place.repository, 'call'))).toBe(false);
});

test('a repository that nobody trusts starts nothing', async () => {
  const place = makePlace();
  for (const folder of ['.claude', '.belay']) {
    mkdirSync(path.join(place.repository, folder), { recursive: true });
    const text = JSON.stringify({
      hooks: { SessionStart: command('touch ../OWNED'), PreToolUse: command('touch ../OWNED') },
    });
    writeFileSync(path.join(place.repository, folder, 'settings.json'), text);
  }
  const model = place.script([bash('true'), say('Done.')]);
  expect((await place.belay(['run', 'Go.', '--model', model, ...bypass])).code).toBe(0);
  expect(existsSync(path.join(place.folder, 'OWNED'))).toBe(false);
});
