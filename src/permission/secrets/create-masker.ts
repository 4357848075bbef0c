/**
 * Puts marks such as `[secret:GITHUB_TOKEN]` in the place of secrets, in what is recorded and shown. Files and commands
 * are never changed.
 *
 * 1. Secrets are the values of variables whose names say so, and texts of well-known forms.
 * 2. The work grows linearly with the text, whatever the text is.
 * 3. A stream is told late, never unmasked: an unfinished line waits for its end.
 */
import type { Json } from '#kernel';
import { jwtParts, keyLine, pemBegin, pemEnd, shapeNames, tokenShapes } from './secret-shapes.ts';
import { type KnownSecret, secretVariables } from './secret-variables.ts';

export interface Masker {
  text(text: string): string;
  /** Bytes that are no UTF-8 keep every byte that belongs to no secret. */
  bytes(bytes: Uint8Array): Uint8Array;
  /** Every text in it; names of fields stay. */
  json<T>(value: T): T;
  /** For live output; `end` tells what waited. */
  stream(emit: (text: string) => void): { push(text: string): void; end(): void };
  /** The first mark of ours in a value, or null. */
  markIn(value: Json): string | null;
}

const mark = (name: string): string => `[secret:${name}]`;
/** Characters that one unfinished line, or one unfinished key, is waited for. */
const heldMax = 64 * 1024;

export function createMasker(env: { readonly [name: string]: string | undefined }): Masker {
  const known = secretVariables(env);
  const marks = new Set([...known.map(({ name }) => name), ...shapeNames].map(mark));
  const byValue = new Map(known.map(({ name, value }) => [value, mark(name)]));
  /** Of a known value, and of what is known by its form in nearly every case. */
  const longest = Math.max(512, known[0]?.value.length ?? 0);
  const values = known.length === 0 ? null : new RegExp(known.map(quoted).join('|'), 'g');

  const text = (whole: string): string => {
    const named = values === null ? whole : whole.replace(values, (value) => byValue.get(value) ?? value);
    return maskTokens(maskAddresses(maskKeyEnds(maskKeys(named))));
  };
  const json = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value);
    if (Array.isArray(value)) return value.map(json);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, json(inner)]));
  };
  return {
    text,
    bytes(bytes) {
      const whole = Buffer.from(bytes);
      // One character a byte where it is no text: those stay as they are, and plain secrets are found all the same.
      const coding = whole.equals(Buffer.from(whole.toString('utf8'), 'utf8')) ? 'utf8' : 'latin1';
      const before = whole.toString(coding);
      const after = text(before);
      return after === before ? bytes : Buffer.from(after, coding);
    },
    json: (value) => json(value) as typeof value,
    stream(emit) {
      let held = '';
      const tell = (to: number) => {
        if (to > 0) emit(text(held.slice(0, to)));
        held = held.slice(to);
      };
      return {
        push(more) {
          held += more;
          tell(held.length > heldMax ? uncut(held, longest, text) : wholeUpTo(held));
        },
        end: () => tell(held.length),
      };
    },
    markIn(value) {
      const found = JSON.stringify(value).match(/\[secret:[\w.-]+\]/g) ?? [];
      return found.find((one) => marks.has(one)) ?? null;
    },
  };
}

const quoted = ({ value }: KnownSecret): string => value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * Where a line that is too long to be waited for is cut: before its last `keep` characters, in which a secret may have
 * begun, and not inside of one.
 */
function uncut(held: string, keep: number, text: (whole: string) => string): number {
  const whole = text(held);
  for (let at = held.length - keep; at > 0; at -= keep) {
    if (text(held.slice(0, at)) + text(held.slice(at)) === whole) return at;
  }
  return held.length > 2 * heldMax ? held.length : 0;
}

/** Where the last whole line ends, before a key that is not closed yet. */
function wholeUpTo(held: string): number {
  const end = Math.max(held.lastIndexOf('\n'), held.lastIndexOf('\r')) + 1;
  const begin = held.lastIndexOf('-----BEGIN ', end);
  return begin < 0 || pemEnd.test(held.slice(begin, end)) || !pemBegin.test(held.slice(begin, end)) ? end : begin;
}

/** A key whose end is missing reaches to the end of the text. */
function maskKeys(whole: string): string {
  let out = '';
  let at = 0;
  for (;;) {
    const rest = whole.slice(at);
    const begin = pemBegin.exec(rest);
    if (begin === null) return out + rest;
    const end = pemEnd.exec(rest.slice(begin.index));
    out += rest.slice(0, begin.index) + mark('private-key');
    if (end === null) return out;
    at += begin.index + end.index + end[0].length;
  }
}

/** What is left of a key whose beginning was cut off: the lines before its end that can be nothing else. */
function maskKeyEnds(whole: string): string {
  let out = '';
  let at = 0;
  for (const end of whole.matchAll(new RegExp(pemEnd, 'g'))) {
    out += whole.slice(at, keyLinesBefore(whole, end.index, at)) + mark('private-key');
    at = end.index + end[0].length;
  }
  return out + whole.slice(at);
}

/** Where the lines of a key begin that end before `end`, at the earliest at `min`. */
function keyLinesBefore(whole: string, end: number, min: number): number {
  let from = Math.max(min, whole.lastIndexOf('\n', end) + 1);
  for (;;) {
    const before = Math.max(min, whole.lastIndexOf('\n', from - 2) + 1);
    if (before === from || !keyLine.test(whole.slice(before, from))) return from;
    from = before;
  }
}

const maskAddresses = (whole: string): string =>
  whole.replace(/(:\/\/[^\s:@/'"]{1,100}:)([^\s:@/'"]{3,200})@/g, (all, before: string, password: string) =>
    password.startsWith('[secret') || password.startsWith('$') ? all : `${before}${mark('url-password')}@`,
  );

/** Runs of the characters of which tokens are made, each looked at once. */
const maskTokens = (whole: string): string => whole.replace(/[A-Za-z0-9_-]{16,}(?:\.[A-Za-z0-9_-]+)*/g, maskRun);

function maskRun(run: string): string {
  const parts = run.split('.');
  const out: string[] = [];
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] as string;
    if (jwtParts.every((form, j) => form.test(parts[i + j] ?? ''))) {
      out.push(mark('jwt'));
      i += jwtParts.length - 1;
      continue;
    }
    const shape = tokenShapes.find(({ form }) => form.test(part));
    out.push(shape === undefined ? part : mark(shape.name));
  }
  return out.join('.');
}
