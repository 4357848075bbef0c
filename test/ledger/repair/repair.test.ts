import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fc } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { closeAfterImport, closeAfterRepair, type FactBody, fold } from '#kernel';
import type { Store } from '#ledger';
import { encodeBatch } from '../../../src/ledger/log/batch.ts';
import { FACT, frameChecks, HEAD_BYTES, headerFrame, MARK } from '../../../src/ledger/log/frame.ts';
import { bodyOf, created, errorOf, freshStore, logOf, said, temporaryFolder } from '../support.ts';

const nothing = () => [];

/** A ledger of so many batches of so many facts each; returns the facts it holds. */
async function fill(store: Store, sizes: readonly number[]) {
  const ledger = await store.create('s');
  await ledger.append([created('s')]);
  for (const [i, size] of sizes.entries()) {
    await ledger.append(Array.from({ length: size }, (_, k) => said(`batch ${i} fact ${k}`)));
  }
  const facts = [...ledger.read()];
  await ledger.close();
  return facts;
}

/** Offsets of the fact frames of an undamaged file, in order. */
function factFrames(bytes: Buffer): { at: number; end: number }[] {
  const found: { at: number; end: number }[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + HEAD_BYTES + bytes.readUInt32LE(at + 2) + 1;
    if (bytes[at] !== MARK || !frameChecks(bytes, at)) throw new Error(`no frame at ${at}`);
    if (bytes[at + 1] === FACT) found.push({ at, end });
    at = end;
  }
  return found;
}

describe('repair', () => {
  test('keeps every fact whose bytes are whole, names every other, and is a ledger one can go on with', async () => {
    const damage = fc.record({ at: fc.nat(), length: fc.integer({ min: 1, max: 400 }), zero: fc.boolean() });
    const sizes = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(sizes, fc.array(damage, { minLength: 1, maxLength: 3 }), async (batches, damages) => {
        const store = freshStore();
        const facts = await fill(store, batches);
        const path = logOf(store, 's');
        const bytes = readFileSync(path);
        const frames = factFrames(bytes);
        const touched = (at: number, end: number) =>
          damages.some(({ at: n, length }) => n % bytes.length < end && (n % bytes.length) + length > at);
        const broken = Buffer.from(bytes);
        for (const { at, length, zero } of damages) {
          for (let i = at % bytes.length; i < Math.min(broken.length, (at % bytes.length) + length); i++) {
            broken[i] = zero ? 0 : (bytes[i] ?? 0) ^ 0x55;
          }
        }
        writeFileSync(path, broken);
        const done = await store.repair('s', nothing).catch((error: unknown) => String(error));
        if (typeof done === 'string') {
          // Nothing could be read, which is so only where the first batch is hit.
          expect(done).toContain('nothing of');
          expect([touched(0, frames[1]?.at ?? 0), readFileSync(path).equals(broken)]).toEqual([true, true]);
          return;
        }
        const report = await store.openReader('s');
        expect(report).toMatchObject({ damage: null, newer: [] });
        const read = new Map(report.facts.map((fact) => [fact.seq, fact]));
        const whole = facts.filter((_, i) => !touched(frames[i]?.at ?? 0, frames[i]?.end ?? 0));
        if (done === null) {
          // Only an interrupted append was found: what stands before it is untouched.
          expect(report.facts.map(bodyOf)).toEqual(facts.slice(0, report.facts.length).map(bodyOf));
          return;
        }
        for (const fact of whole) {
          const now = read.get(fact.seq);
          // A tail that looks like an interrupted append was never told to anybody.
          if (now !== undefined && now.type !== 'ledger.repaired') expect(bodyOf(now)).toEqual(bodyOf(fact));
        }
        const lost = report.facts.filter((fact) => fact.type === 'record.lost');
        expect(done.lost).toBe(lost.length);
        expect(report.facts.map((fact) => fact.seq)).toEqual(report.facts.map((_, i) => i + 1));
        expect(readFileSync(done.kept).equals(broken)).toBe(true);
        const ledger = await store.openWriter('s');
        await ledger.append([said('on')]);
        await ledger.close();
        expect((await store.verify('s')).problems).toEqual([]);
        expect(await store.repair('s', nothing)).toBeNull();
      }),
      { numRuns: 60 },
    );
  });

  test.each<readonly [name: string, change: (text: string) => string]>([
    ['line ends', (text) => text.replaceAll('\n', '\r\n')],
    ['an encoding', (text) => Buffer.from(text, 'utf8').toString('latin1')],
  ])('of a file that a conversion of %s went over nothing can be read, and it stays', async (_name, change) => {
    const store = freshStore();
    await fill(store, [3, 2]);
    const path = logOf(store, 's');
    const broken = Buffer.from(change(readFileSync(path, 'latin1')), 'utf8');
    writeFileSync(path, broken);
    const error = await errorOf(() => store.repair('s', nothing));
    expect([error.code, error.message]).toEqual(['damaged', expect.stringContaining('belay sessions rm')]);
    expect(readFileSync(path).equals(broken)).toBe(true);
  });

  test('a file that was written twice into one: what repeats is left out, and that is said', async () => {
    const store = freshStore();
    const facts = await fill(store, [3, 2]);
    const path = logOf(store, 's');
    const bytes = readFileSync(path);
    writeFileSync(path, Buffer.concat([bytes, bytes]));
    const done = await store.repair('s', nothing);
    expect(done?.problems).toEqual(['6 later records have numbers that do not follow; they are left out']);
    const report = await store.openReader('s');
    expect(report.facts.slice(0, 6).map(bodyOf)).toEqual(facts.map(bodyOf));
  });

  test('a damaged record in the middle: one number is lost, its neighbours in the same batch are not', async () => {
    const store = freshStore();
    await fill(store, [3, 2]);
    const path = logOf(store, 's');
    const bytes = readFileSync(path);
    const frame = factFrames(bytes)[2]!;
    bytes[frame.at + HEAD_BYTES + 4]! ^= 1;
    writeFileSync(path, bytes);
    expect((await errorOf(() => store.openWriter('s'))).code).toBe('damaged');
    expect(await store.repair('s', nothing)).toMatchObject({ lost: 1, later: 4, offset: frame.at });
    const { facts } = await store.openReader('s');
    expect(facts.map((fact) => fact.type)).toEqual([
      'session.created',
      'input.received',
      'record.lost',
      'input.received',
      'input.received',
      'input.received',
      'ledger.repaired',
    ]);
  });

  test('a fact that does not fit its schema is lost with its reason, however whole its bytes are', async () => {
    const store = freshStore();
    await fill(store, [1]);
    const payloads = [
      '[1,5,"input.received",{"text":"a"}]',
      '[2,0,"input.received",{"text":7}]',
      '[3,0,"input.received",{"text":"c"}]',
    ];
    writeFileSync(logOf(store, 's'), encodeBatch(payloads, 3, headerFrame()).bytes);
    const problem = 'fact 2 (input.received) does not fit its schema: /text: expected a string';
    expect((await store.openReader('s')).damage).toMatchObject({ lastGoodSeq: 1, laterRecords: 1, problem });
    expect(await store.repair('s', nothing)).toMatchObject({ lost: 1, problems: [problem] });
    const { facts, damage } = await store.openReader('s');
    expect(damage).toBeNull();
    expect(facts.map(({ type, ts }) => [type, ts > 4])).toEqual([
      ['input.received', true],
      ['record.lost', true],
      ['input.received', true],
      ['ledger.repaired', true],
    ]);
  });

  test.each([
    ['a whole ledger', (_path: string) => {}],
    ['an interrupted append', (path: string) => appendFileSync(path, readFileSync(path).subarray(-40, -5))],
    ['a tail of zeros', (path: string) => appendFileSync(path, Buffer.alloc(4096))],
  ])('%s needs no repair', async (_name, change) => {
    const store = freshStore();
    await fill(store, [2]);
    const path = logOf(store, 's');
    const { size } = { size: readFileSync(path).length };
    if (_name === 'an interrupted append') {
      const ledger = await store.openWriter('s');
      await ledger.append([said('cut')]);
      await ledger.close();
      truncateSync(path, size + 20);
    } else change(path);
    const before = readFileSync(path);
    expect(await store.repair('s', nothing)).toBeNull();
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(readdirSync(join(store.home, 'sessions', 's')).filter((name) => name.includes('damaged'))).toEqual([]);
  });

  test('is refused while somebody holds the session', async () => {
    const store = freshStore();
    await fill(store, [2]);
    const held = await store.openWriter('s');
    expect((await errorOf(() => store.repair('s', nothing))).code).toBe('locked');
    await held.close();
  });

  test('a second repair keeps both files as they were', async () => {
    const store = freshStore();
    await fill(store, [2, 2]);
    const path = logOf(store, 's');
    for (const n of [1, 2]) {
      const bytes = readFileSync(path);
      bytes[60 + n]! ^= 0xff;
      writeFileSync(path, bytes);
      expect((await store.repair('s', nothing))?.kept).toBe(join(store.home, 'sessions', 's', `ledger.damaged-${n}`));
    }
  });
});

/** A turn whose command was started; `ended` adds its end and the answer that came of it. */
const turn = (ended: boolean): readonly FactBody[] => [
  created('s'),
  { type: 'executor.attached', executorId: 'e', bootId: 'b', pid: 1 },
  { type: 'session.start', turnId: 't', goal: 'g', planner: 'model' },
  { type: 'model.request', requestId: 'r', model: 'm', messages: 1, bytes: 1 },
  {
    type: 'model.response',
    requestId: 'r',
    parts: [{ kind: 'call', actionId: 'a' }],
    finish: 'tool-calls',
    usage: {},
  },
  {
    type: 'action.intended',
    actionId: 'a',
    tool: 'Bash',
    args: { command: 'x' },
    origin: 'model',
    effect: 'process',
    intent: 'i',
  },
  { type: 'phase.enter', to: 'executing' },
  { type: 'step.start', stepId: 'r.0', actionId: 'a' },
  { type: 'action.verdict', actionId: 'a', verdict: 'allow', by: 'mode' },
  { type: 'step.end', stepId: 'r.0', outcome: 'awaiting_tool' },
  { type: 'attempt.start', attemptId: 'a.1', actionId: 'a', executorId: 'e', effect: 'process' },
  ...(ended
    ? [{ type: 'attempt.outcome', actionId: 'a', attemptId: 'a.1', status: 'succeeded', output: 'o' } as const]
    : []),
  { type: 'input.received', text: 'later' },
];

async function ledgerOf(store: Store, bodies: readonly FactBody[]) {
  const ledger = await store.create('s');
  for (const body of bodies) await ledger.append([body]);
  await ledger.close();
}

function breakFacts(store: Store, ...seqs: readonly number[]): void {
  const path = logOf(store, 's');
  const bytes = readFileSync(path);
  const frames = factFrames(bytes);
  for (const seq of seqs) bytes[frames[seq - 1]!.at + HEAD_BYTES + 6]! ^= 1;
  writeFileSync(path, bytes);
}

describe('calls that damage left open', () => {
  test.each([
    ['its outcome is lost', turn(true), 12, 1],
    ['its start is lost, its outcome is there', turn(true), 11, 0],
    ['its start is lost and nothing more is told', turn(false), 11, 1],
    ['nothing of it is lost, and it was started behind the damage', turn(false), 4, 0],
  ])('%s', async (_name, bodies, lost, questions) => {
    const store = freshStore();
    await ledgerOf(store, bodies);
    breakFacts(store, lost);
    await store.repair('s', closeAfterRepair);
    const { facts } = await store.openReader('s');
    const open = fold(facts).unknowns;
    expect(open.length).toBe(questions);
    if (questions > 0) {
      expect(facts.find((fact) => fact.type === 'attempt.outcome')).toMatchObject({
        status: 'unknown',
        settling: { probe: 'record', verdict: 'unknown' },
      });
      expect(facts.at(-1)).toMatchObject({ type: 'session.pause', reason: 'handoff:repaired' });
    }
  });

  const later: FactBody = { type: 'model.request', requestId: 'r2', model: 'm', messages: 3, bytes: 1 };
  const read = turn(false).map((body) => (body.type === 'attempt.start' ? { ...body, effect: 'read' as const } : body));
  test.each<[name: string, bodies: readonly FactBody[], lost: readonly number[], asked: readonly string[]]>([
    ['the start of its turn', turn(false), [3], ['Bash']],
    ['the answer that it belongs to', turn(false), [5], ['Bash']],
    ['its intent', turn(false), [6], ['call']],
    ['the start of its turn, but not its outcome', turn(true), [3], []],
    ['the start of its turn and its outcome', turn(true), [3, 12], ['Bash']],
    ['both, and the model went on: it had ended', [...turn(true), later], [3, 12], []],
    ['the start of its turn, where it only reads', read, [3], []],
  ])('what is lost is %s', async (_name, bodies, lost, asked) => {
    const store = freshStore();
    await ledgerOf(store, bodies);
    breakFacts(store, ...lost);
    await store.repair('s', closeAfterRepair);
    const { facts } = await store.openReader('s');
    const state = fold(facts);
    expect(state.unknowns.map(({ tool, answer }) => [tool, answer])).toEqual(asked.map((tool) => [tool, null]));
    const again = { type: 'unknown.settled', actionId: 'a', answer: 'applied', by: 'p' } as const;
    const settled = fold([...facts, { ...again, seq: facts.length + 1, ts: 0 }]);
    expect(settled.unknowns.every(({ answer }) => answer === 'applied')).toBe(true);
  });
});

describe('attempts whose folders say that they had begun', () => {
  const begun = (attemptId: string, ...pids: number[]) => [{ attemptId, pids }];
  test.each<[string, readonly number[], ReturnType<typeof begun>, readonly string[], string]>([
    [
      'of which no fact knows',
      [5, 6, 7, 8, 9, 10, 11],
      begun('x.1-abc'),
      ['x'],
      'the record of this call was damaged.',
    ],
    [
      'of which no fact knows, and it runs',
      [5],
      begun('x.1-abc', 7, 8),
      ['x'],
      'running at the repair (processes 7, 8).',
    ],
    ['whose start alone is lost, and it runs', [11], begun('a.1-abc', 7), ['a'], 'running at the repair (process 7).'],
    ['whose end is there', [5], begun('a.1'), [], ''],
    ['that belong to a hook', [5], begun('hook'), [], ''],
  ])('%s', async (_name, lost, attempts, asked, told) => {
    const store = freshStore();
    await ledgerOf(store, turn(lost.length === 1 && lost[0] === 5));
    breakFacts(store, ...lost);
    await store.repair('s', (facts) => closeAfterRepair(facts, attempts));
    const { facts } = await store.openReader('s');
    const unknowns = fold(facts).unknowns.map(({ actionId }) => actionId);
    expect(unknowns).toEqual(asked);
    const outputs = facts.flatMap((fact) => (fact.type === 'attempt.outcome' ? [fact.output] : []));
    expect(outputs.join('\n')).toContain(told);
  });
});

describe('export and import', () => {
  async function exported(store: Store): Promise<string> {
    const folder = join(temporaryFolder(), 'out');
    await store.exportTo('s', folder);
    return folder;
  }

  test('a session goes to another place whole, and what was under way there is a question here', async () => {
    const store = freshStore();
    const ledger = await store.create('s');
    await ledger.append(turn(false));
    const blob = await ledger.putBlob(Buffer.from('large'));
    await ledger.append([{ type: 'attempt.outcome', actionId: 'z', status: 'succeeded', output: '', blob }]);
    await ledger.close();
    const other = freshStore();
    expect(await other.importFrom(await exported(store), closeAfterImport)).toBe('s');
    const { facts } = await other.openReader('s');
    expect(facts.slice(0, 13).map(bodyOf)).toEqual((await store.openReader('s')).facts.map(bodyOf));
    expect(facts.at(13)).toMatchObject({ type: 'ledger.imported', facts: 13 });
    expect(fold(facts).unknowns).toMatchObject([{ actionId: 'a', answer: null }]);
    expect(Buffer.from(await other.getBlob('s', blob)).toString()).toBe('large');
    expect((await errorOf(async () => other.importFrom(await exported(store), nothing))).code).toBe('exists');
    await (await other.openWriter('s')).close();
  });

  test.each([
    ['a flipped bit', (folder: string) => flip(join(folder, 'ledger.log'), 100), 'damaged'],
    ['a cut end', (folder: string) => truncateSync(join(folder, 'ledger.log'), 300), 'damaged'],
    ['an empty file', (folder: string) => writeFileSync(join(folder, 'ledger.log'), ''), 'invalid'],
    [
      'a changed blob',
      (folder: string) => flip(join(folder, 'blobs', readdirSync(join(folder, 'blobs'))[0]!), 1),
      'damaged',
    ],
  ])('%s is refused and leaves nothing behind', async (_name, change, code) => {
    const store = freshStore();
    const ledger = await store.create('s');
    await ledger.append(turn(true));
    const blob = await ledger.putBlob(Buffer.from('large'));
    await ledger.append([{ type: 'attempt.outcome', actionId: 'z', status: 'succeeded', output: '', blob }]);
    await ledger.close();
    const folder = await exported(store);
    change(folder);
    const other = freshStore();
    expect((await errorOf(() => other.importFrom(folder, nothing))).code).toBe(code);
    expect(readdirSync(join(other.home, 'sessions'))).toEqual([]);
  });

  test('a copy taken while the session is written holds whole batches only', async () => {
    const store = freshStore();
    const ledger = await store.create('s');
    await ledger.append([created('s'), said('whole')]);
    const { at } = factFrames(readFileSync(logOf(store, 's')))[0]!;
    appendFileSync(logOf(store, 's'), readFileSync(logOf(store, 's')).subarray(at, at + 40));
    const folder = await exported(store);
    const other = freshStore();
    await other.importFrom(folder, nothing);
    expect((await other.openReader('s')).facts.map((fact) => fact.type)).toEqual([
      'session.created',
      'input.received',
      'ledger.imported',
    ]);
    await ledger.close();
  });

  test('a folder that holds no session is missing', async () => {
    const folder = join(temporaryFolder(), 'empty');
    mkdirSync(folder);
    expect((await errorOf(() => freshStore().importFrom(folder, nothing))).code).toBe('missing');
    expect(existsSync(folder)).toBe(true);
  });
});

function flip(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes[at]! ^= 1;
  writeFileSync(path, bytes);
}
