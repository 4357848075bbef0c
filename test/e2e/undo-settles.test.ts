/** What was under way when the agent died is settled by an undo as a resume settles it; whatever fails, it ends in order. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Fact } from '#kernel';
import { openStore } from '#ledger';
import { undoSession } from '../../src/assembly/sessions/undo/undo-session.ts';
import { ended, entry, makePlace, type Place, until, untilReceipt } from './belay.ts';
import { bash, say } from './turns.ts';

const free = ['--permission-mode', 'bypassPermissions'];
const write = (file_path: string, content: string) => ({ calls: [{ tool: 'Write', args: { file_path, content } }] });

const secret = 'Zx81kqPl77secretQQ';
const token = `ghp_${'abcdefghijklmnopqrstuvwxyz0123456789'}`;
const env = { DEPLOY_TOKEN: secret };

/** A session of which the agent is killed while its command runs, which ends by itself. */
async function killedAtWork(): Promise<Place> {
  const place = makePlace();
  place.write('token.txt', `${secret}\n${token}\n`);
  const command = 'touch mark; cat token.txt; seq 1 60000; sleep 1; touch over';
  const model = place.script([write('z.txt', 'z\n'), bash(command), say('Done.'), say('Done.')]);
  const child = place.start(['run', 'Go.', '--session', 's', '--model', model, ...free], { env });
  await until(() => existsSync(path.join(place.repository, 'mark')));
  child.kill('SIGKILL');
  await ended(child);
  await untilReceipt(place, 's');
  return place;
}

async function settledBy(place: Place, args: readonly string[]) {
  await place.belay(args, { env });
  const facts = await place.facts('s');
  const outcome = facts.findLast((fact) => fact.type === 'attempt.outcome' && fact.exitCode !== undefined);
  if (outcome?.type !== 'attempt.outcome') throw new Error('the command has no outcome');
  const { status, provenance, exitCode, output, blob = '' } = outcome;
  const whole = Buffer.from(await openStore({ home: place.home }).getBlob('s', blob)).toString();
  const shown = output.replace(outcome.actionId, 'ID');
  return { all: JSON.stringify(facts) + whole, told: { status, provenance, exitCode, shown, whole } };
}

test('a command that outlived its agent is recorded by an undo as by a resume: secrets masked, its output whole', async () => {
  const resumed = await settledBy(await killedAtWork(), ['resume', 's']);
  const undone = await settledBy(await killedAtWork(), ['undo', 's', '--files']);
  expect(undone.told).toEqual(resumed.told);
  expect(undone.told.whole).toContain('\n60000');
  for (const hidden of [secret, token]) expect(undone.all).not.toContain(hidden);
});

const openEnds = (facts: readonly Fact[]): number =>
  facts.filter(({ type }) => type === 'executor.attached').length -
  facts.filter(({ type }) => type === 'executor.detached').length;

/** A small disk of our own, where user namespaces (or root) allow it. */
const ownDisks = spawnSync('unshare', ['-Urm', 'true']).status === 0;
if (ownDisks) {
  test('without room it undoes nothing, names the folder and the next step, and no run counts as crashed for it', async () => {
    const place = makePlace();
    mkdirSync(place.home, { recursive: true });
    for (let i = 0; i < 30; i++) place.write(`f${i}`, `${'x'.repeat(50_000)}${i}`);
    const model = place.script([bash('rm f*; seq 1 9 > made.txt'), say('Done.'), say('More.')]);
    const script = `mount -t tmpfs -o size=24m tmpfs "$BELAY_HOME"
      "$@" run Go. --session f --model ${model} ${free.join(' ')} || exit 1
      dd if=/dev/zero of="$BELAY_HOME/fill" bs=1k 2>/dev/null
      seq 1 99 > made.txt; for i in 1 2 3 4 5 6 7 8; do head -c 90000 /dev/urandom > new$i; done
      for i in 1 2 3; do "$@" undo f; echo "undo: $?" >&2; done
      rm "$BELAY_HOME/fill"
      "$@" resume f More. >&2; echo "resume: $?" >&2
      cp -r "$BELAY_HOME" "$BELAY_HOME.copy"`;
    const child = spawn('unshare', ['-Urm', 'sh', '-c', script, 'sh', process.execPath, entry], {
      cwd: place.repository,
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], BELAY_HOME: place.home, BELAY_SANDBOX: 'off' },
    });
    const { stderr } = await ended(child);
    expect(stderr.match(/undo: \d+/g)).toEqual(['undo: 56', 'undo: 56', 'undo: 56']);
    expect(stderr).toContain(`nothing was undone: no space is left in ${place.home} (ENOSPC); free some there`);
    expect(stderr).not.toContain('runs in a row died');
    expect(stderr).toContain('resume: 0');
  });
}

test('stopped before anything is planned it leaves all as it was and nobody attached', async () => {
  const place = makePlace();
  const model = place.script([write('z.txt', 'z\n'), say('Done.')]);
  await place.belay(['run', 'Go.', '--session', 's', '--model', model, ...free]);
  const store = openStore({ home: place.home });
  const signal = AbortSignal.abort();
  const stopped = await undoSession(store, process.env, 's', { kind: 'undo', scope: 'both', toSeq: null, signal });
  expect(stopped).toMatchObject({ ok: false, error: { message: 'stopped before anything was undone' } });
  expect([openEnds(await place.facts('s')), place.file('z.txt')]).toEqual([0, 'z\n']);
});

test('a signal ends it in order: all is undone or nothing, and nobody stays attached', async () => {
  const place = makePlace();
  const files = Array.from({ length: 40 }, (_, i) => `f${i}.txt`);
  const model = place.script([bash(`touch ${files.join(' ')}`), say('Done.')]);
  await place.belay(['run', 'Go.', '--session', 's', '--model', model, ...free]);
  const ledger = path.join(place.home, 'sessions/s/ledger.log');
  const { size } = statSync(ledger);
  const child = place.start(['undo', 's']);
  await until(() => statSync(ledger).size > size);
  child.kill('SIGTERM');
  const ran = await ended(child);
  expect(ran).toMatchObject({ code: 143, stderr: expect.stringContaining('belay: stopping; once more ends at once') });
  const isUndone = ran.stdout.includes('removed f0.txt');
  expect(isUndone || ran.stderr.includes('stopped before anything was undone')).toBe(true);
  for (const file of files) expect(existsSync(path.join(place.repository, file)), file).toBe(!isUndone);
  expect(openEnds(await place.facts('s'))).toBe(0);
});
