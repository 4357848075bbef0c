import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { ModelRequest } from '#kernel';
import type { ScriptTurn } from '../../src/model/scripted/script.ts';

export type Obj = { readonly [key: string]: unknown };

/** One server-sent event as text. `end` marks the frames without which the answer is not complete. */
export interface Frame {
  readonly text: string;
  readonly end?: boolean;
}

/** A provider's wire format: what it refuses, how it reads a request and how it streams an answer. */
export interface Protocol {
  /** Name as in `PROVIDER/MODEL`. */
  readonly provider: string;
  readonly model: string;
  /** The environment that points a client here. */
  environment(origin: string, key: string): { readonly [name: string]: string };
  accepts(url: URL): boolean;
  keyOf(headers: IncomingHttpHeaders): string | null;
  /** What the real one answers 400 with; null when it would accept. */
  refusal(body: Obj): string | null;
  read(body: Obj): ModelRequest;
  frames(turn: ScriptTurn, context: TurnContext): Frame[];
  errorBody(status: number, message: string): Obj;
  errorFrame(message: string): string;
}

export interface TurnContext {
  readonly index: number;
  readonly model: string;
  /** Argument text of a call, which a fault may have cut. */
  argumentsOf(call: number): string;
}

/** The signature of a text: a server without memory can check that what it signed comes back byte for byte. */
export const signatureOf = (text: string): string => createHash('sha256').update(`signed:${text}`).digest('base64');

/** A text as the small pieces in which a model streams it. */
export const pieces = (text: string): string[] => text.match(/\s*\S{1,8}|\s+/gu) ?? (text === '' ? [] : [text]);

export const named = (event: string, data: Obj): Frame => ({
  text: `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`,
});
export const plain = (data: Obj): Frame => ({ text: `data: ${JSON.stringify(data)}\n\n` });

export const isObj = (value: unknown): value is Obj =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const objects = (value: unknown): Obj[] => (Array.isArray(value) ? value.filter(isObj) : []);
export const str = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The first top-level field that the API does not know. */
export function unknownField(body: Obj, known: readonly string[]): string | null {
  return Object.keys(body).find((name) => !known.includes(name)) ?? null;
}

/** A name or id repeated in a list. */
export const repeated = (names: readonly string[]): string | null =>
  names.find((name, i) => names.indexOf(name) !== i) ?? null;

export const hasLoneSurrogate = (body: Obj): boolean =>
  !JSON.stringify(body).isWellFormed() || /\\ud[89a-f]/i.test(JSON.stringify(body));
