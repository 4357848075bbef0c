/** Runs that die again and again before they achieve anything are handed to a person, by the real program. */
import { expect, test } from 'vitest';
import { ended, makePlace, resultOf, until } from '../e2e/belay.ts';
import { bash, say } from '../e2e/turns.ts';

test('killed three times in a row while the model is asked: handed off, and resumable afterwards', async () => {
  const place = makePlace();
  const model = place.script([{ text: 'At last.', delayMs: 60_000 }]);
  const requests = async () =>
    (await place.facts('c').catch(() => [])).filter((fact) => fact.type === 'model.request').length;
  const json = ['--output-format', 'json'];
  for (let n = 0; n < 3; n++) {
    const child = place.start(n === 0 ? ['run', 'Go.', '--session', 'c', '--model', model] : ['resume', 'c']);
    const done = ended(child);
    await until(async () => (await requests()) > n);
    child.kill('SIGKILL');
    await done;
  }
  const result = resultOf(await place.belay(['resume', 'c', ...json]));
  expect(result).toMatchObject({ exit_code: 12, reason: 'handoff:crash_loop' });
  expect(result.message).toMatch(/runs in a row died without any progress; the last fact before was number \d+/);
  expect(await requests()).toBe(3);
  // A person mended it: the work goes on.
  place.script([say('At last.')]);
  expect(resultOf(await place.belay(['resume', 'c', 'Go on.', ...json]))).toMatchObject({
    exit_code: 0,
    result: 'At last.',
  });
});

test('deaths with progress between them are no crash loop', async () => {
  const place = makePlace();
  const turns = [...Array.from({ length: 4 }, (_, n) => bash(`echo ${n} >> effects; sleep 0.5`)), say('Done.')];
  const args = ['--session', 'p', '--model', place.script(turns), '--permission-mode', 'bypassPermissions'];
  // Each death comes while its command runs: one that never began would be no progress.
  const effects = () => {
    try {
      return place.file('effects').trim().split('\n').length;
    } catch {
      return 0;
    }
  };
  for (let n = 0; n < 4; n++) {
    const child = place.start(n === 0 ? ['run', 'Go.', ...args] : ['resume', 'p']);
    const done = ended(child);
    await until(() => effects() > n);
    child.kill('SIGKILL');
    await done;
  }
  const last = resultOf(await place.belay(['resume', 'p', '--output-format', 'json']));
  expect(last, JSON.stringify(last)).toMatchObject({
    exit_code: 0,
    result: 'Done.',
  });
  expect(place.file('effects')).toBe('0\n1\n2\n3\n');
});
