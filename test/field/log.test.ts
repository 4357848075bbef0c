import { readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createProjector } from '#context';
import { decide, type Fact, fold } from '#kernel';
import { encodeBatch } from '../../src/ledger/log/batch.ts';
import { headerFrame } from '../../src/ledger/log/frame.ts';
import { makePlace, type Place } from '../e2e/belay.ts';
import { bash, fix, say } from '../e2e/turns.ts';
import { bypass } from './provider.ts';

const ledgerOf = (place: Place) => path.join(place.home, 'sessions', 's', 'ledger.log');
const run = (place: Place, turns: readonly object[]) =>
  place.belay(['run', 'Go.', '--session', 's', '--model', place.script(turns), ...bypass]);

describe('a torn end', () => {
  test('A03, A04: is told, cut before the next append, and costs no later record', async () => {
    const place = makePlace();
    await run(place, [say('One.'), say('Two.'), say('Three.')]);
    const whole = await place.facts('s');
    truncateSync(ledgerOf(place), statSync(ledgerOf(place)).size - 7);
    // Who is killed in the middle of an append has not noted its end.
    rmSync(path.join(path.dirname(ledgerOf(place)), 'ledger.end'));
    const second = await place.belay(['resume', 's', 'Go on.']);
    expect(second.code).toBe(0);
    expect(second.stderr).toMatch(/cut|torn|interrupted/);
    const grown = await place.facts('s');
    expect(grown.length).toBeGreaterThan(whole.length);
    const third = await place.belay(['resume', 's', 'And on.']);
    expect(third).toMatchObject({ code: 0, stdout: 'Three.\n' });
    const last = await place.facts('s');
    expect(last.slice(0, grown.length)).toEqual(grown);
    expect(last.map(({ seq }) => seq)).toEqual(last.map((_, i) => i + 1));
    expect((await place.belay(['log', 's'])).stderr).toBe('');
  });
});

test('A06: a record with a missing or odd field is refused with its number by every command, never a stack trace', async () => {
  const place = makePlace();
  await run(place, fix);
  const facts = await place.facts('s');
  const of = (type: Fact['type']) => facts.findIndex((fact) => fact.type === type);
  const changes = [
    { at: of('session.created'), field: 'workspace', odd: undefined },
    { at: of('session.start'), field: 'goal', odd: null },
    { at: of('model.response'), field: 'parts', odd: 0 },
    { at: of('action.intended'), field: 'tool', odd: undefined },
    { at: of('attempt.outcome'), field: 'output', odd: undefined },
    { at: of('attempt.outcome'), field: 'status', odd: '' },
    { at: of('session.complete'), field: 'reason', odd: [] },
  ];
  writeFileSync(ledgerOf(place), ledgerBytes(facts));
  expect(await place.facts('s')).toEqual(facts);
  for (const { at, field, odd } of changes) {
    writeFileSync(ledgerOf(place), ledgerBytes(facts.map((fact, i) => (i === at ? { ...fact, [field]: odd } : fact))));
    for (const words of [
      ['log', 's'],
      ['sessions', 'show', 's'],
      ['replay', 's'],
      ['diff', 's'],
      ['fork', 's', '--at', String(facts.length)],
      ['undo', 's'],
      ['resume', 's', 'More.'],
    ]) {
      const ran = await place.belay(words);
      const shown = { field, words, code: ran.code, stderr: ran.stderr };
      expect(shown).toMatchObject({ stderr: expect.not.stringMatching(/^ {4}at |Uncaught/m) });
      const named = `fact ${at + 1} (${facts[at]?.type}) does not fit its schema`;
      expect(shown).toMatchObject({ code: 56, stderr: expect.stringContaining(named) });
    }
  }
}, 180_000);

/** A ledger as a program without our checks would write it: whole frames and right sums around any content. */
function ledgerBytes(facts: readonly object[]): Buffer {
  const payloads = facts.map((fact) => {
    const { seq, ts, type, ...fields } = fact as Fact;
    return JSON.stringify([seq, ts, type, fields]);
  });
  const header = headerFrame();
  const { bytes, skip } = encodeBatch(payloads, facts.length, header);
  return Buffer.concat([header, bytes.subarray(skip)]);
}

test('A21: a spinner costs no more of the log than its last line', async () => {
  const sizes: number[] = [];
  for (const ticks of [10, 2000]) {
    const place = makePlace();
    await run(place, [
      bash(`i=0; while [ $i -lt ${ticks} ]; do printf '\\r%04d' $i; i=$((i+1)); done; echo`),
      say('Done.'),
    ]);
    sizes.push(statSync(ledgerOf(place)).size);
  }
  expect(Math.abs((sizes[1] ?? 0) - (sizes[0] ?? 0))).toBeLessThan(200);
});

test('A20: a line of fifty megabytes and an edit of a file that is one long line leave a small log and small requests', async () => {
  const place = makePlace();
  writeFileSync(path.join(place.repository, 'long.txt'), `${'x'.repeat(20_000_000)}needle${'y'.repeat(1000)}`);
  const turns = [
    bash("head -c 50000000 /dev/zero | tr '\\0' z"),
    { calls: [{ tool: 'Read', args: { file_path: 'long.txt' } }] },
    { calls: [{ tool: 'Edit', args: { file_path: 'long.txt', old_string: 'needle', new_string: 'pin' } }] },
    say('Done.'),
  ];
  expect((await run(place, turns)).code).toBe(0);
  expect(place.file('long.txt').slice(20_000_000, 20_000_003)).toBe('pin');
  expect(statSync(ledgerOf(place)).size).toBeLessThan(1_000_000);
  const facts = await place.facts('s');
  const outcome = facts.find((fact) => fact.type === 'attempt.outcome');
  expect(outcome).toMatchObject({ blob: expect.stringMatching(/^\w+$/) });
  expect((await place.belay(['resume', 's'])).code).toBe(0);
});

test('A30: a session is replayed from what was recorded, also when a tool of then is not there now', async () => {
  const place = makePlace();
  await run(place, fix);
  const facts = (await place.facts('s')).map((fact) =>
    fact.type === 'action.intended' ? { ...fact, tool: 'GoneTool' } : fact,
  );
  const projector = createProjector([]);
  projector.fold(facts);
  expect(JSON.stringify(projector.request().messages)).toContain('GoneTool');
  expect(decide(fold(facts)).kind).toBe('finish');
});

test('A28: looking at a session, and resuming one that is finished, changes no byte of it', async () => {
  const place = makePlace();
  await run(place, [say('Done.')]);
  const before = { bytes: readFileSync(ledgerOf(place)), mtime: statSync(ledgerOf(place)).mtimeMs };
  const looks = [
    ['log', 's'],
    ['sessions'],
    ['sessions', 'show', 's'],
    ['diff', 's'],
    ['replay', 's'],
    ['resume', 's'],
  ];
  for (const look of looks) expect((await place.belay(look)).code).toBe(0);
  expect(readFileSync(ledgerOf(place)).equals(before.bytes)).toBe(true);
  expect(statSync(ledgerOf(place)).mtimeMs).toBe(before.mtime);
});

test('A29: an unknown id is refused and makes no session', async () => {
  const place = makePlace();
  await run(place, [say('Done.')]);
  const ran = await place.belay(['resume', 'nobody', 'Hello.']);
  expect(ran.code).toBe(42);
  expect(ran.stderr).toContain('nobody');
  expect(readdirSync(path.join(place.home, 'sessions'))).toEqual(['s']);
});
