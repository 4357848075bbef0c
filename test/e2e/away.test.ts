/** What others changed while no run was attached, where the last one was killed and left nothing in order. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Fact } from '#kernel';
import { makePlace, type Place, until } from './belay.ts';
import { bash, say } from './turns.ts';

const write = { calls: [{ tool: 'Write', args: { file_path: 'new/w.txt', content: 'ours\n' } }] };
const slow = (text: string) => ({ text, delayMs: 60_000 });

/** Runs until the facts tell of something, is killed there, and whatever the command still does is over. */
async function killed(place: Place, first: object, told: (facts: readonly Fact[]) => boolean, next: object) {
  const model = place.script([first, slow('Never said.'), next]);
  const child = place.start([
    'run',
    'Go.',
    '--session',
    's',
    '--model',
    model,
    '--permission-mode',
    'bypassPermissions',
  ]);
  await until(async () => told(await place.facts('s').catch(() => [])));
  const gone = new Promise((resolve) => child.on('close', resolve));
  child.kill('SIGKILL');
  await gone;
  // The request that was open is asked again, and counts once.
  place.script([first, next]);
}

const afterOutcome = (facts: readonly Fact[], type: Fact['type']) => {
  const outcome = facts.find((fact) => fact.type === 'attempt.outcome');
  return outcome !== undefined && facts.some((fact) => fact.type === type && fact.seq > outcome.seq);
};
const looked = (facts: readonly Fact[]) => afterOutcome(facts, 'checkpoint.taken');
const thinks = (facts: readonly Fact[]) => afterOutcome(facts, 'model.request');

const changesOf = async (place: Place) =>
  (await place.facts('s')).flatMap((fact) => {
    if (fact.type === 'workspace.rebased') return [{ by: 'others', changed: fact.changed }];
    return fact.type === 'workspace.scanned' && fact.at === 'resume' ? [{ by: 'anybody', changed: fact.changed }] : [];
  });

const byOthers = 'Somebody changed the workspace while the run was stopped: mine.txt, p.txt.';

describe('what a person changed after the kill', () => {
  test.each([
    ['behind the look at a command that changed nothing', bash('test -f p.txt'), looked],
    ['behind the look at a command that changed something', bash('echo ours > ours.txt'), looked],
    ['behind an edit, at which nobody looked', write, thinks],
  ] as const)('%s: is told as that, stays at an undo, and nothing else is told', async (_name, first, told) => {
    const place = makePlace();
    place.write('p.txt', 'before\n');
    await killed(place, first, told, { ...say('Seen.'), expect: { history: byOthers } });
    place.write('p.txt', 'a day of work\n');
    place.write('mine.txt', 'mine\n');
    const ran = await place.belay(['resume', 's']);
    expect(ran).toMatchObject({ code: 0, stdout: 'Seen.\n' });
    expect(ran.stderr).toContain('the workspace was changed since the last run; the model is told');
    expect(await changesOf(place)).toEqual([{ by: 'others', changed: ['mine.txt', 'p.txt'] }]);
    const diff = await place.belay(['diff', 's']);
    expect(diff.stdout).not.toMatch(/mine\.txt|p\.txt/);
    expect(diff.stderr).toContain('others changed it and not this session: mine.txt, p.txt');
    await place.belay(['undo', 's', '--files']);
    expect([place.file('p.txt'), place.file('mine.txt')]).toEqual(['a day of work\n', 'mine\n']);
  });

  test('while a command was at work: cannot be told apart from what that did, and is told as just that', async () => {
    const place = makePlace();
    place.write('p.txt', 'before\n');
    const works = bash('echo ours > ours.txt; sleep 2');
    const history = 'some of it may be by others: mine.txt, ours.txt, p.txt.';
    await killed(place, works, () => existsSync(path.join(place.repository, 'ours.txt')), {
      ...say('Seen.'),
      expect: { history },
    });
    place.write('p.txt', 'a day of work\n');
    place.write('mine.txt', 'mine\n');
    const ran = await place.belay(['resume', 's']);
    expect(ran).toMatchObject({ code: 0, stdout: 'Seen.\n' });
    expect(ran.stderr).toContain('may be of others too: mine.txt, ours.txt, p.txt; the model is told');
    expect(await changesOf(place)).toEqual([{ by: 'anybody', changed: ['mine.txt', 'ours.txt', 'p.txt'] }]);
  });
});

test('where nobody changed anything, nothing is told', async () => {
  const place = makePlace();
  await killed(place, write, thinks, say('Seen.'));
  const ran = await place.belay(['resume', 's']);
  expect(ran).toMatchObject({ code: 0, stdout: 'Seen.\n' });
  expect(ran.stderr).not.toContain('the model is told');
  expect(await changesOf(place)).toEqual([]);
});
