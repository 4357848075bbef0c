import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FactBody, type FactType, factTypes } from '#kernel';
import { int, str } from '#lib';
import { codec, makeCodec } from '../../src/ledger/codec.ts';
import { encodeBatch } from '../../src/ledger/log/batch.ts';
import { crc32c } from '../../src/ledger/log/crc32c.ts';
import { headerFrame } from '../../src/ledger/log/frame.ts';
import { arbitraryBody } from './arbitrary-fact.ts';
import { plant } from './log/sample.ts';
import { bodyOf, errorOf, freshStore, logOf, waited } from './support.ts';

describe('a payload', () => {
  it('is number, time, type and fields, without a version while that is 1', () => {
    expect(codec.encode(waited(5), 7, 1_700_000_000_000)).toBe('[7,1700000000000,"backoff.ended",{"waitedMs":5}]');
  });

  it('has the time of its batch when it has none of its own', () => {
    expect(codec.decode(codec.encode(waited(5), 7, 0), 44)).toMatchObject({ fact: { seq: 7, ts: 44 } });
    expect(codec.decode(codec.encode(waited(5), 7, 3), 44)).toMatchObject({ fact: { seq: 7, ts: 3 } });
  });

  for (const type of Object.keys(factTypes) as FactType[])
    it(`gives back any ${type}`, () =>
      fc.assert(
        fc.property(arbitraryBody(type), (body) => {
          expect(codec.misfits(body)).toEqual([]);
          const decoded = codec.decode(codec.encode(body, 3, 9));
          if (!('fact' in decoded)) throw new Error('not decoded');
          expect(decoded.fact).toMatchObject({ seq: 3, ts: 9, type });
          expect(bodyOf(decoded.fact)).toEqual(body);
        }),
        { numRuns: 20 },
      ));

  it('has room for the names that every fact has', () => {
    for (const [type, { fields }] of Object.entries(factTypes))
      for (const name of ['seq', 'ts', 'type']) expect(Object.hasOwn(fields, name), `${type}.${name}`).toBe(false);
  });

  for (const foreign of [
    '',
    '{}',
    '[]',
    'null',
    '[1,2]',
    '[1,2,"backoff.ended"]',
    '["1",2,"backoff.ended",{}]',
    '[1,2,"a",{},"2"]',
  ])
    it(`is none: ${foreign}`, () => {
      expect(() => codec.decode(foreign)).toThrow();
    });
});

describe('versions', () => {
  const table = { 'thing.made': { version: 3, fields: { name: str, size: int } } };
  const three = makeCodec(table, {
    'thing.made': {
      1: ({ label, ...rest }) => ({ ...rest, name: label }),
      2: (fields) => ({ ...fields, size: 0 }),
    },
  });
  const body = { type: 'thing.made', name: 'n', size: 2 } as unknown as FactBody;

  it('are written when they are not 1', () => {
    expect(three.encode(body, 1, 2)).toBe('[1,2,"thing.made",{"name":"n","size":2},3]');
  });

  const cases: [string, string, object][] = [
    ['1', '[1,2,"thing.made",{"label":"n"}]', { name: 'n', size: 0 }],
    ['2', '[1,2,"thing.made",{"name":"n"},2]', { name: 'n', size: 0 }],
    ['3', '[1,2,"thing.made",{"name":"n","size":2},3]', { name: 'n', size: 2 }],
  ];
  for (const [version, payload, fields] of cases)
    it(`are brought to the present one, from ${version}`, () => {
      expect(three.decode(payload)).toEqual({ fact: { seq: 1, ts: 2, type: 'thing.made', ...fields } });
    });

  const future: [string, string, object][] = [
    ['a version', '[4,2,"thing.made",{},4]', { seq: 4, type: 'thing.made', version: 4 }],
    ['a type', '[4,2,"thing.lost",{}]', { seq: 4, type: 'thing.lost', version: 1 }],
    ['a type named as something every object has', '[4,2,"toString",{}]', { seq: 4, type: 'toString', version: 1 }],
  ];
  for (const [what, payload, newer] of future)
    it(`of the future are named: ${what}`, () => {
      expect(three.decode(payload)).toEqual({ newer, ts: 2 });
    });

  it('of the present fact types can all be reached from 1', () => {
    const raised = Object.entries(factTypes).filter(([, { version }]) => version > 1);
    for (const [type, { version }] of raised)
      for (let from = 1; from < version; from++)
        expect(() => codec.decode(JSON.stringify([1, 2, type, {}, from])), `${type} ${from}`).not.toThrow(/no upcast/);
  });
});

describe('a ledger written by a newer version', () => {
  const future = '[2,3,"thing.imagined",{"of":"later"}]';

  const plantFuture = async () => {
    const store = freshStore();
    const first = encodeBatch([codec.encode(waited(1), 1, 3)], 1, headerFrame());
    const second = encodeBatch([future, codec.encode(waited(3), 3, 3)], 3, first.tail);
    plant(store, 'future', Buffer.concat([first.bytes, second.bytes.subarray(second.skip)]));
    return store;
  };

  it('can be read, with what is unknown named', async () => {
    const report = await (await plantFuture()).openReader('future');
    expect(report.facts.map(bodyOf)).toEqual([waited(1), waited(3)]);
    expect(report).toMatchObject({ damage: null, newer: [{ seq: 2, type: 'thing.imagined', version: 1 }] });
  });

  it('cannot be written', async () => {
    const store = await plantFuture();
    const before = readFileSync(logOf(store, 'future'));
    const error = await errorOf(() => store.openWriter('future'));
    expect(error).toMatchObject({ code: 'newer', type: 'thing.imagined' });
    expect(error.message).toContain('thing.imagined');
    expect(readFileSync(logOf(store, 'future'))).toEqual(before);
  });

  it('is listed like any other', async () => {
    expect(await (await plantFuture()).list()).toMatchObject([{ sessionId: 'future', lastSeq: 3, damaged: false }]);
  });

  it('of another file format is refused by name', async () => {
    const store = freshStore();
    plant(store, 'format', formatTwo());
    for (const call of [() => store.openReader('format'), () => store.openWriter('format')]) {
      const error = await errorOf(call);
      expect(error.code).toBe('newer');
      expect(error.message).toContain('belay ledger 2');
    }
    expect(await store.list()).toMatchObject([{ sessionId: 'format', state: 'unknown', damaged: false }]);
  });
});

function formatTwo(): Buffer {
  const frame = Buffer.from(headerFrame());
  frame[frame.length - 2] = 0x32;
  frame.writeUInt32LE(crc32c(frame, 10, frame.length - 1, crc32c(frame, 1, 6)), 6);
  return Buffer.concat([frame, Buffer.from('whatever comes in that format')]);
}
