import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isAlive, openPlace, until } from '../bench-place.ts';

/** Nothing of these is in the session of its command or carries its tag. Each tells its process id in `pids`. */
const away = 'setsid env -i sh -c';
const deaf = 'trap "" TERM; echo $$ >>pids; while :; do /bin/sleep 1; done';
const spawner = `cat >spawn.sh <<'S'
trap 'setsid env -i sh -c "echo \\$\\$ >>pids; exec /bin/sleep 300" & /bin/sleep 0.3; exit' TERM
echo $$ >>pids
while :; do /bin/sleep 0.05; done
S
setsid env -i sh ./spawn.sh & wait`;
const commands: readonly [name: string, command: string, told: number][] = [
  ['left session and environment', `${away} 'echo $$ >>pids; exec /bin/sleep 300' & wait`, 1],
  ['left both, and is deaf when its parent dies of TERM', `${away} '${deaf}' & wait`, 1],
  ['has parents that left both', `${away} 'setsid sh -c "echo \\$\\$ >>pids; exec /bin/sleep 300" & wait' & wait`, 1],
  ['left both, and starts another one when it is asked to end', spawner, 2],
];

const pidsOf = (root: string): readonly number[] => {
  try {
    return readFileSync(join(root, 'pids'), 'utf8').trim().split('\n').map(Number);
  } catch {
    return [];
  }
};

test.each(commands)('what %s is ended with the command, at its limit', async (_name, command, told) => {
  const place = await openPlace();
  const running = place.run(command, { timeoutMs: 700 });
  expect(await running).toMatchObject({ state: 'timed-out', stopLevel: 'session+tag' });
  expect(pidsOf(place.root)).toHaveLength(told);
  expect(pidsOf(place.root).filter(isAlive)).toEqual([]);
});

test.each(commands)('what %s is ended at once with a run that waits for nothing', async (_name, command) => {
  const place = await openPlace();
  const running = place.run(command);
  await until(() => pidsOf(place.root).length > 0);
  const ended = place.workspace.processes.abandon([]);
  expect(ended).toEqual(expect.arrayContaining([...pidsOf(place.root)]));
  await until(() => pidsOf(place.root).filter(isAlive).length === 0);
  await running;
});
