import type { Json } from '#kernel';
import { isObject, pointer, type SchemaObject, typeNames } from './schema-node.ts';

const texts: readonly string[] = ['description', 'title'];
const lengths: readonly string[] = ['minLength', 'maxLength', 'minItems', 'maxItems'];
const bounds: readonly string[] = ['minimum', 'maximum'];
const depthMax = 20;

/** All faults of a schema, each as `pointer: sentence`; empty when every keyword is one that arguments are checked by. */
export function schemaFaults(schema: Json, path = '', depth = 0): string[] {
  const at = path === '' ? '/' : path;
  if (depth > depthMax) return [`${at}: nested deeper than ${depthMax}`];
  if (!isObject(schema)) return [`${at}: a schema is an object`];
  return Object.entries(schema).flatMap(([keyword, value]) => keywordFaults(schema, keyword, value, path, depth));
}

function keywordFaults(schema: SchemaObject, keyword: string, value: Json, path: string, depth: number): string[] {
  const at = pointer(path, keyword);
  if (keyword === 'type') {
    const types = Array.isArray(value) ? value : [value];
    const known = types.length > 0 && types.every((type) => typeof type === 'string' && typeNames.includes(type));
    return known ? [] : [`${at}: types are ${typeNames.join(', ')}`];
  }
  if (texts.includes(keyword)) return typeof value === 'string' ? [] : [`${at}: expected a text`];
  if (lengths.includes(keyword)) {
    if (!Number.isSafeInteger(value) || (value as number) < 0) return [`${at}: expected a whole number from 0 on`];
    return orderFaults(schema, keyword, at);
  }
  if (bounds.includes(keyword)) {
    if (typeof value !== 'number' || !Number.isFinite(value)) return [`${at}: expected a number`];
    return orderFaults(schema, keyword, at);
  }
  switch (keyword) {
    case 'enum':
      return Array.isArray(value) && value.length > 0 ? [] : [`${at}: expected a list of values`];
    case 'pattern':
      return isRegExp(value) ? [] : [`${at}: expected a regular expression`];
    case 'required':
      return Array.isArray(value) && value.every((name) => typeof name === 'string')
        ? []
        : [`${at}: expected a list of names`];
    case 'properties':
      if (!isObject(value)) return [`${at}: expected an object`];
      return Object.entries(value).flatMap(([name, inner]) => schemaFaults(inner, pointer(at, name), depth + 1));
    case 'items':
      return schemaFaults(value, at, depth + 1);
    case 'additionalProperties':
      return typeof value === 'boolean' ? [] : [`${at}: expected true or false`];
    default:
      return [`${at}: this keyword is not supported`];
  }
}

function orderFaults(schema: SchemaObject, keyword: string, at: string): string[] {
  if (!keyword.startsWith('min')) return [];
  const max = schema[keyword.replace('min', 'max')];
  return typeof max === 'number' && (schema[keyword] as number) > max ? [`${at}: is above its maximum`] : [];
}

function isRegExp(value: Json): boolean {
  if (typeof value !== 'string') return false;
  try {
    new RegExp(value, 'u');
    return true;
  } catch {
    return false;
  }
}
