import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { attemptTags, begunAttempts, revokeClaim, takeClaim } from '#workspace';
import { openPlace, tempFolder, until } from '../bench-place.ts';

test('what has claimed has begun, also below its attempt; what was revoked, is half-written or free has not', () => {
  const folder = tempFolder();
  takeClaim(join(folder, 'a.1-x'), 'another-boot');
  takeClaim(join(folder, 'b.1-x', '2'), 'boot');
  revokeClaim(join(folder, 'c.1-x'));
  mkdirSync(join(folder, 'd.1-x'));
  mkdirSync(join(folder, 'e.1-x'));
  writeFileSync(join(folder, 'e.1-x', 'claim'), '12');
  writeFileSync(join(folder, 'stray'), '');
  expect(begunAttempts(folder)).toEqual([
    { attemptId: 'a.1-x', pids: [] },
    { attemptId: 'b.1-x', pids: [] },
  ]);
  expect(attemptTags(folder)).toEqual(['a.1-x', 'b.1-x', 'b.1-x.2', 'c.1-x', 'd.1-x', 'e.1-x']);
  expect(begunAttempts(join(folder, 'missing'))).toEqual([]);
});

test('what of it lives is told, without its wrapper', async () => {
  const place = await openPlace();
  const abort = new AbortController();
  const request = place.request('echo $$; exec sleep 300', { signal: abort.signal });
  let pid = 0;
  const onOutput = (text: string) => {
    pid = Number(text);
  };
  const running = (await place.workspace.processes.prepare({ ...request, onOutput })).start();
  await until(() => pid > 0);
  const found = begunAttempts(join(place.data, 'exec'));
  expect(found).toEqual([{ attemptId: request.attemptId, pids: [pid] }]);
  abort.abort();
  await running;
});
