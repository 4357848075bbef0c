import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SpawnRequest, StartState, Workspace } from '#workspace';
import { openPlace, tempFolder, until } from '../bench-place.ts';
import { slowClaim } from '../slow-claim.ts';

const asked = async (workspace: Workspace, request: SpawnRequest, bootId?: string) => ({
  ...request,
  bootId: bootId ?? (await workspace.processes.bootId()),
});

/** A command whose wrapper has made its claim and not yet written its line. */
async function inItsClaim(more: Partial<SpawnRequest> = {}) {
  const gate = join(tempFolder(), 'gate');
  const place = await openPlace({ env: { PATH: slowClaim(tempFolder(), gate) } });
  const request = place.request('echo x >>effect', { timeoutMs: 24 * 60 * 60 * 1000, ...more });
  const running = (await place.workspace.processes.prepare(request)).start();
  const claim = join(request.execFolder, 'claim');
  await until(() => existsSync(claim));
  expect(statSync(claim).size).toBe(0);
  return { place, request, running, go: () => writeFileSync(gate, '') };
}

const effects = (root: string) => (existsSync(join(root, 'effect')) ? readFileSync(join(root, 'effect'), 'utf8') : '');

test('whoever is in the middle of its claim is waited for: it has begun, and happens once', async () => {
  const { place, request, running, go } = await inItsClaim();
  const later = await place.reopen();
  let told: StartState | null = null;
  const settling = later.processes.settleStart(await asked(later, request)).then((state) => {
    told = state;
  });
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(told).toBeNull();
  go();
  await settling;
  expect(told).toBe('begun');
  expect(await running).toMatchObject({ state: 'exited', exitCode: 0 });
  expect(effects(place.root)).toBe('x\n');
});

test.each<[string, Partial<SpawnRequest>, boolean]>([
  ['its own limit', { timeoutMs: 100 }, false],
  ['a cancellation', {}, true],
])(
  'it is waited for until %s, and then ended: not started, and it never happens',
  async (_name, more, isCancelled) => {
    const { place, request, running, go } = await inItsClaim();
    const later = await place.reopen();
    const signal = isCancelled ? AbortSignal.timeout(50) : request.signal;
    const ask = { ...(await asked(later, request)), ...more, signal };
    expect(await later.processes.settleStart(ask)).toBe('not-started');
    go();
    await running;
    expect(effects(place.root)).toBe('');
  },
  20_000,
);

test.each<[string, readonly string[], boolean, StartState]>([
  ['in this boot and left its claim', [], true, 'begun'],
  ['in this boot, and its claim was removed', ['claim'], true, 'traces-gone'],
  ['in another boot and left its claim', [], false, 'begun'],
  ['in another boot and left what becomes its receipt', ['claim'], false, 'begun'],
  ['in another boot and left nothing', ['claim', 'rc'], false, 'other-boot'],
])('a command that ran %s', async (_name, lost, isThisBoot, state) => {
  const place = await openPlace();
  const request = place.request('true');
  await (await place.workspace.processes.prepare(request)).start();
  for (const name of lost) rmSync(join(request.execFolder, name));
  const ask = await asked(place.workspace, request, isThisBoot ? undefined : 'another-boot');
  expect(await place.workspace.processes.settleStart(ask)).toBe(state);
});

test.each<[string, boolean, StartState]>([
  ['in this boot: it is proven', true, 'not-started'],
  ['in another boot: what is missing may have been lost', false, 'other-boot'],
])('a command that never claimed %s', async (_name, isThisBoot, state) => {
  const place = await openPlace();
  const request = place.request('echo x >>effect');
  const prepared = await place.workspace.processes.prepare(request);
  const ask = await asked(place.workspace, request, isThisBoot ? undefined : 'another-boot');
  expect(await place.workspace.processes.settleStart(ask)).toBe(state);
  expect(await prepared.start()).toMatchObject({ state: 'not-started' });
  expect(effects(place.root)).toBe('');
});
