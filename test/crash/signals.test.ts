import { existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import {
  ledgerFaults,
  makePlace,
  ordinaryTurns,
  type Place,
  resumeArguments,
  runArguments,
  runBelay,
  startBelay,
} from './scenario.ts';
import { isAlive, until } from './wait.ts';

let place: Place;
afterEach(() => place.remove());

/** Children in the foreground, in the background, without hang-up, in a session of their own, and deaf to signals. */
const tree = (pids: string) => `
sleep 300 & echo $! >>'${pids}'
nohup sleep 300 >/dev/null 2>&1 & echo $! >>'${pids}'
setsid sh -c 'echo $$ >>"${pids}"; exec sleep 300' &
setsid sh -c 'trap "" TERM INT HUP; echo $$ >>"${pids}"; while :; do sleep 0.05; done' &
sh -c 'echo $$ >>"${pids}"; exec sleep 300' | cat &
while [ $(wc -l <'${pids}') -lt 5 ]; do sleep 0.02; done
echo ready >>'${pids}'
sleep 300
`;

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 143],
] as const)(
  '%s in the middle of a command: exit %i, nobody of its tree survives, resume finishes',
  async (signal, code) => {
    // The model is told that the command was stopped, and goes on without it.
    place = makePlace({ turns: ordinaryTurns });
    const pids = path.join(place.folder, 'pids');
    writeFileSync(pids, '');
    writeFileSync(path.join(place.work, 'note.sh'), tree(pids));
    const run = startBelay(place, runArguments(place));
    await until(() => readFileSync(pids, 'utf8').endsWith('ready\n'));
    const children = readFileSync(pids, 'utf8')
      .split('\n')
      .map(Number)
      .filter((pid) => pid > 0);
    expect(children).toHaveLength(5);
    expect(children.filter(isAlive)).toEqual(children);
    process.kill(run.child.pid ?? 0, signal);
    const ended = await run.ended;
    expect({ code: ended.code, stderr: ended.stderr }).toMatchObject({ code });
    expect(children.filter(isAlive)).toEqual([]);
    expect(await ledgerFaults(place)).toEqual([]);
    expect(existsSync(path.join(place.home, 'sessions', 'crash', 'owner.json'))).toBe(false);
    const resumed = await runBelay(place, resumeArguments);
    expect({ code: resumed.code, stderr: resumed.stderr }).toEqual({ code: 0, stderr: '' });
    expect(await ledgerFaults(place)).toEqual([]);
  },
  30_000,
);

test('a second signal ends at once; the ledger stays valid and the session can be resumed', async () => {
  place = makePlace();
  const marker = path.join(place.folder, 'deaf');
  writeFileSync(
    path.join(place.work, 'note.sh'),
    `trap '' TERM INT HUP\necho x >'${marker}'\nwhile [ -e '${marker}' ]; do sleep 0.05; done\necho ran >>'${place.commandRuns}'\n`,
  );
  const run = startBelay(place, runArguments(place));
  await until(() => existsSync(marker));
  process.kill(run.child.pid ?? 0, 'SIGINT');
  await until(() => run.stderr().includes('stopping'));
  process.kill(run.child.pid ?? 0, 'SIGINT');
  const ended = await run.ended;
  expect(ended.code).toBe(130);
  const resumed = startBelay(place, resumeArguments);
  rmSync(marker, { force: true });
  const last = await resumed.ended;
  expect({ code: last.code, stderr: last.stderr }).toMatchObject({ code: 0 });
  expect(await ledgerFaults(place)).toEqual([]);
}, 30_000);

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  '%s while the workspace is looked at for the first time: a word was said, exit %i, and nothing is left',
  async (signal, code) => {
    place = makePlace();
    for (let i = 0; i < 100; i++) {
      writeFileSync(path.join(place.work, `large-${i}`), '');
      truncateSync(path.join(place.work, `large-${i}`), 250 * 1024 * 1024);
    }
    const run = startBelay(place, runArguments(place));
    await until(() => run.stderr().includes('looking at the workspace takes long'));
    process.kill(run.child.pid ?? 0, signal);
    const ended = await run.ended;
    expect({ code: ended.code, stderr: ended.stderr }).toMatchObject({ code });
    expect(ended.stderr).toContain('stopped while the session was being opened');
    expect(readdirSync(path.join(place.home, 'sessions'))).toEqual([]);
  },
  30_000,
);
