import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { WorkspaceOptions } from '#workspace';
import { startAgent } from '../agents/start-agent.ts';
import { isAlive, openPlace, type Place, textOf, until } from '../bench-place.ts';

const CHILDREN = {
  'a plain command': 'echo $$ >pid; sleep 300',
  'a child in a session of its own': 'setsid sh -c "echo \\$\\$ >pid; sleep 300" & wait',
  'a child that is deaf to TERM': "trap '' TERM; echo $$ >pid; while :; do sleep 1; done",
  'a child that left session and environment': 'setsid env -i sh -c "echo \\$\\$ >pid; exec /bin/sleep 300" & wait',
  'a child that left both, is deaf and outlives its parent': `setsid env -i sh -c 'trap "" TERM; echo $$ >pid; while :; do /bin/sleep 1; done' & wait`,
  'a child that left its environment': 'env -i sh -c "echo \\$\\$ >pid; exec /bin/sleep 300"',
};

/** Starts a command in an agent process and kills that agent once the command has told its process id. */
async function orphan(place: Place, command: string, timeoutMs: number, options: Partial<WorkspaceOptions> = {}) {
  const request = place.request(command, { timeoutMs });
  const agent = startAgent('run-command.ts', [
    place.root,
    place.data,
    JSON.stringify(request),
    JSON.stringify(options),
  ]);
  await until(() => readPid(place) > 0);
  await agent.kill();
  return { request, pid: readPid(place) };
}

function readPid(place: Place): number {
  const path = join(place.root, 'pid');
  return existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0;
}

const settle = async (place: Place, request: ReturnType<Place['request']>, timeoutMs: number) =>
  place.workspace.processes.settle({ ...request, timeoutMs, bootId: await place.workspace.processes.bootId() });

test.each(Object.entries(CHILDREN))(
  'with the agent killed, %s ends at its limit, and the next agent is told so',
  async (_name, command) => {
    const place = await openPlace();
    const { request, pid } = await orphan(place, `echo before; ${command}`, 1_500);
    expect(isAlive(pid)).toBe(true);
    await until(() => !isAlive(pid));
    expect(existsSync(join(request.execFolder, 'limit'))).toBe(true);
    await until(() => / end\n/.test(readFileSync(join(request.execFolder, 'rc'), 'latin1')));
    const result = await settle(place, request, 15_000);
    expect(result).toMatchObject({ state: 'timed-out', consistent: true });
    expect(textOf(result)).toMatch(/^before\n/);
  },
);

test('where commands are to end with their agent, they do at once', async () => {
  const place = await openPlace();
  const { request, pid } = await orphan(place, 'echo $$ >pid; sleep 300', 60_000, { whenKilled: 'end' });
  await until(() => !isAlive(pid));
  expect(await settle(place, request, 15_000)).toMatchObject({ state: 'cancelled' });
});

test('a command that an agent follows again has a new limit', async () => {
  const place = await openPlace();
  const { request } = await orphan(place, 'echo $$ >pid; sleep 3.5; echo through', 1_500);
  const result = await settle(place, request, 15_000);
  expect(result).toMatchObject({ state: 'exited', exitCode: 0, provenance: 'reattached' });
  expect(textOf(result)).toBe('through\n');
});

test('an orderly end takes the keeper along, and the next command has one again', async () => {
  const place = await openPlace();
  for (const text of ['one', 'two']) {
    const prepared = await place.workspace.processes.prepare(place.request(`echo ${text}`));
    expect(textOf(await prepared.start())).toBe(`${text}\n`);
    await until(() => keepers().length === 1);
    await place.workspace.processes.stopLeftovers();
    await until(() => keepers().length === 0);
  }
});

/** Keepers that this process started. */
function keepers(): readonly string[] {
  return readdirSync('/proc').filter((name) => {
    try {
      const parent = readFileSync(`/proc/${name}/stat`, 'latin1').replace(/^.*\) . (\d+) .*$/s, '$1');
      return parent === String(process.pid) && readFileSync(`/proc/${name}/cmdline`, 'latin1').includes('session_of');
    } catch {
      return false;
    }
  });
}
