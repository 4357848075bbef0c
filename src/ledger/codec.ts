/**
 * Facts as bytes.
 *
 * 1. A payload is the JSON array `[seq, ts, type, {fields}]`, with the version as a fifth item unless it is 1. The facts
 *    of a batch have one time: it stands in the first of them, the others have 0 there.
 * 2. `decode(encode(x))` is what every reader will ever see of x; `append` hands out nothing else.
 * 3. A fact of an older version is brought to the present one by upcasts, one version at a time; stored bytes never change.
 * 4. A type or version from the future is reported by name, never guessed.
 * 5. What does not fit its schema is no fact, however whole its bytes are: nobody folds it. Fields that we do not know pass.
 */
import { type Fact, type FactBody, factTypes } from '#kernel';
import { type Fields, fieldMisfits, testOfFields } from '#lib';
import type { NewerFact } from './contract.ts';
import { LedgerError } from './error.ts';

type Values = { readonly [name: string]: unknown };
export type FactTable = { readonly [type: string]: { readonly version: number; readonly fields: Fields } };
/** `upcasts[type][n]` turns the fields of version n into those of version n + 1. */
export type Upcasts = { readonly [type: string]: { readonly [version: number]: (fields: Values) => Values } };

export type Decoded = { readonly fact: Fact } | { readonly newer: NewerFact; readonly ts: number };

export interface Codec {
  /** All problems of a body against its schema; empty means it fits. */
  misfits(body: FactBody): string[];
  /** `ts` is the time for the first fact of a batch, and 0 for the others. */
  encode(body: FactBody, seq: number, ts: number): string;
  /** `batchTs` stands for a time of 0. Throws a plain error for a payload that is none of ours: to the caller that is damage. */
  decode(payload: string, batchTs?: number): Decoded;
  /** The same of a payload that was parsed; the fields become part of the fact. */
  decodeParts(parts: unknown, batchTs: number): Decoded;
}

const upcasts: Upcasts = {};

/** The codec of the facts of this version. */
export const codec: Codec = makeCodec(factTypes, upcasts);

export function makeCodec(table: FactTable, steps: Upcasts): Codec {
  // Of each type one text, which is cheap to compare with: a parsed one would be compared letter by letter.
  const known = new Map(
    Object.entries(table).map(([name, { version, fields }]) => [name, { name, version, fits: testOfFields(fields) }]),
  );
  return {
    misfits(body) {
      const { type, ...fields } = body;
      const known = Object.hasOwn(table, type) ? table[type] : undefined;
      return known ? fieldMisfits(known.fields, fields) : [`/type: unknown fact type ${type}`];
    },
    encode(body, seq, ts) {
      const { type, ...fields } = body;
      const version = table[type]?.version ?? 1;
      return JSON.stringify(version === 1 ? [seq, ts, type, fields] : [seq, ts, type, fields, version]);
    },
    decode(payload, batchTs = 0) {
      return this.decodeParts(JSON.parse(payload), batchTs);
    },
    decodeParts(parts, batchTs) {
      if (!Array.isArray(parts)) throw new Error('the payload is not a list');
      const list = parts as unknown[];
      const seq = list[0];
      const ownTs = list[1];
      const type = list[2];
      const fields = list[3];
      const version = list.length < 5 ? 1 : list[4];
      if (
        typeof seq !== 'number' ||
        typeof ownTs !== 'number' ||
        typeof type !== 'string' ||
        typeof version !== 'number'
      )
        throw new Error('the payload does not begin with number, time and type');
      if (typeof fields !== 'object' || fields === null) throw new Error('the payload has no fields');
      const ts = ownTs === 0 ? batchTs : ownTs;
      const present = known.get(type);
      if (present === undefined || version > present.version) return { newer: { seq, type, version }, ts };
      const body =
        version === present.version ? fields : upcast(steps, type, version, present.version, fields as Values);
      if (!present.fits(body as Values)) {
        const [problem] = fieldMisfits(table[type]?.fields ?? {}, body as Values);
        throw new Error(`fact ${seq} (${type}) does not fit its schema: ${problem}`);
      }
      // The parsed object is ours alone: adding to it is many times cheaper than copying it.
      const fact = body as { [name: string]: unknown };
      fact['seq'] = seq;
      fact['ts'] = ts;
      fact['type'] = present.name;
      return { fact: fact as unknown as Fact };
    },
  };
}

function upcast(steps: Upcasts, type: string, from: number, to: number, fields: Values): Values {
  let present = fields;
  for (let version = from; version < to; version++) {
    const step = steps[type]?.[version];
    if (step === undefined) throw new Error(`no upcast of ${type} from version ${version}`);
    present = step(present);
  }
  return { ...present };
}

/** Why a ledger with facts from the future can be read but not written. */
export function newerError(newer: NewerFact): LedgerError {
  return new LedgerError(
    'newer',
    `fact ${newer.seq} (${newer.type}, version ${newer.version}) was written by a newer version of Belay; update Belay to go on with this session`,
    { type: newer.type, lastGoodSeq: newer.seq - 1 },
  );
}
