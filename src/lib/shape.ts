/**
 * Shapes: a very small schema language for the data that Belay itself writes.
 *
 * A shape is plain data with a type attached, so one declaration gives the static type, the runtime check,
 * the documentation table and the arbitrary of a property test. It is kept to what facts need; foreign JSON
 * Schema (tools of other people) is checked elsewhere by a real validator.
 */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

declare const carried: unique symbol;

export interface Shape<T> {
  readonly kind: 'string' | 'int' | 'number' | 'boolean' | 'json' | 'oneOf' | 'array' | 'object' | 'record';
  readonly optional: boolean;
  readonly values?: readonly string[];
  readonly item?: Shape<unknown>;
  readonly fields?: Fields;
  readonly [carried]?: T;
}

export type Fields = { readonly [name: string]: Shape<unknown> };

type OptionalKeys<F extends Fields> = { [K in keyof F]: undefined extends Infer<F[K]> ? K : never }[keyof F];
export type Infer<S> = S extends Shape<infer T> ? T : never;
export type InferFields<F extends Fields> = { readonly [K in Exclude<keyof F, OptionalKeys<F>>]: Infer<F[K]> } & {
  readonly [K in OptionalKeys<F>]?: Exclude<Infer<F[K]>, undefined>;
};

const simple = <T>(kind: Shape<T>['kind']): Shape<T> => ({ kind, optional: false });

export const str = simple<string>('string');
/** A safe integer. */
export const int = simple<number>('int');
/** A finite number. */
export const num = simple<number>('number');
export const bool = simple<boolean>('boolean');
/** Any JSON value. */
export const json = simple<Json>('json');

export const oneOf = <const V extends readonly string[]>(...values: V): Shape<V[number]> => ({
  kind: 'oneOf',
  optional: false,
  values,
});
export const list = <T>(item: Shape<T>): Shape<readonly T[]> => ({ kind: 'array', optional: false, item });
export const record = <T>(item: Shape<T>): Shape<{ readonly [key: string]: T }> => ({
  kind: 'record',
  optional: false,
  item,
});
export const obj = <F extends Fields>(fields: F): Shape<InferFields<F>> => ({
  kind: 'object',
  optional: false,
  fields,
});
export const opt = <T>(shape: Shape<T>): Shape<T | undefined> => ({ ...shape, optional: true }) as Shape<T | undefined>;

/** All problems of `value` against `shape`, each as `path: message`; empty means it fits. Unknown fields are problems. */
export function misfits(shape: Shape<unknown>, value: unknown, path = ''): string[] {
  const at = path === '' ? '/' : path;
  switch (shape.kind) {
    case 'string':
      return typeof value === 'string' ? [] : [`${at}: expected a string`];
    case 'int':
      return Number.isSafeInteger(value) ? [] : [`${at}: expected a whole number`];
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? [] : [`${at}: expected a number`];
    case 'boolean':
      return typeof value === 'boolean' ? [] : [`${at}: expected true or false`];
    case 'oneOf':
      return typeof value === 'string' && shape.values?.includes(value)
        ? []
        : [`${at}: expected one of ${shape.values?.join(', ')}`];
    case 'json':
      return isJson(value, 0) ? [] : [`${at}: expected a JSON value`];
    case 'array':
      if (!Array.isArray(value)) return [`${at}: expected a list`];
      return value.flatMap((item, i) => misfits(shape.item as Shape<unknown>, item, `${path}/${i}`));
    case 'record':
      if (!isPlain(value)) return [`${at}: expected an object`];
      return Object.entries(value).flatMap(([k, v]) => misfits(shape.item as Shape<unknown>, v, `${path}/${k}`));
    case 'object':
      if (!isPlain(value)) return [`${at}: expected an object`];
      return fieldMisfits(shape.fields ?? {}, value, path);
  }
}

/** As `misfits`, for the fields of an object. */
export function fieldMisfits(fields: Fields, value: { readonly [key: string]: unknown }, path = ''): string[] {
  const found: string[] = [];
  for (const [name, shape] of Object.entries(fields)) {
    const item = value[name];
    if (item === undefined) {
      if (!shape.optional) found.push(`${path}/${name}: missing`);
    } else found.push(...misfits(shape, item, `${path}/${name}`));
  }
  for (const name of Object.keys(value)) if (!Object.hasOwn(fields, name)) found.push(`${path}/${name}: unknown field`);
  return found;
}

type Test = (value: unknown) => boolean;

/**
 * A quick test for many values: true for all that `fieldMisfits` finds nothing in. Fields that are not named, and how
 * deep a JSON value is, are not looked at. The value must have been parsed from JSON.
 */
export function testOfFields(fields: Fields): (value: { readonly [key: string]: unknown }) => boolean {
  const tests = Object.entries(fields).map(([name, shape]) => ({
    name,
    optional: shape.optional,
    test: testOf(shape),
  }));
  return (value) => {
    for (const { name, optional, test } of tests) {
      const item = value[name];
      if (item === undefined ? !optional : !test(item)) return false;
    }
    return true;
  };
}

function testOf(shape: Shape<unknown>): Test {
  switch (shape.kind) {
    case 'string':
      return (value) => typeof value === 'string';
    case 'int':
      return Number.isSafeInteger;
    case 'number':
      return Number.isFinite;
    case 'boolean':
      return (value) => typeof value === 'boolean';
    case 'oneOf': {
      const values = new Set<unknown>(shape.values);
      return (value) => values.has(value);
    }
    case 'json':
      return () => true;
    case 'array': {
      const test = testOf(shape.item as Shape<unknown>);
      return (value) => Array.isArray(value) && value.every(test);
    }
    case 'record': {
      const test = testOf(shape.item as Shape<unknown>);
      return (value) => isPlain(value) && Object.values(value).every(test);
    }
    case 'object': {
      const test = testOfFields(shape.fields ?? {});
      return (value) => isPlain(value) && test(value);
    }
  }
}

function isPlain(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Depth is bounded so that a hostile value cannot exhaust the stack. */
function isJson(value: unknown, depth: number): boolean {
  if (depth > 200) return false;
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (Array.isArray(value)) return value.every((item) => isJson(item, depth + 1));
  return isPlain(value) && Object.values(value).every((item) => item === undefined || isJson(item, depth + 1));
}
