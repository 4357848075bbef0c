/**
 * The part of JSON Schema that tool definitions use. It is small on purpose: every keyword here is checked exactly,
 * and a keyword that is not here is refused when the tool is registered instead of being ignored when it is called.
 */
import type { Json } from '#kernel';

export type SchemaObject = { readonly [keyword: string]: Json };

export const typeNames: readonly string[] = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

export const isObject = (value: Json | undefined): value is SchemaObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The types that a node allows; null when it names none. */
export function typesOf(schema: SchemaObject): readonly string[] | null {
  const { type } = schema;
  if (typeof type === 'string') return [type];
  return Array.isArray(type) ? (type as readonly string[]) : null;
}

/** One step of a JSON pointer (RFC 6901). */
export const pointer = (path: string, key: string | number): string =>
  `${path}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
