/** Arbitrary facts of every type, made from the same shapes that check them. Other suites may use it too. */
import fc from 'fast-check';
import { type FactBody, type FactType, factTypes } from '#kernel';
import type { Fields, Shape } from '#lib';

/** A body of any type, or of one of the types named. */
export function arbitraryBody(...types: FactType[]): fc.Arbitrary<FactBody> {
  const names = types.length > 0 ? types : (Object.keys(factTypes) as FactType[]);
  return fc.oneof(
    ...names.map((type) =>
      arbitraryFields(factTypes[type].fields).map((fields) => ({ type, ...fields }) as unknown as FactBody),
    ),
  );
}

/** Values of an object with these fields; optional ones are sometimes absent. */
function arbitraryFields(fields: Fields): fc.Arbitrary<{ [name: string]: unknown }> {
  const required = Object.keys(fields).filter((name) => !fields[name]?.optional);
  const model = Object.fromEntries(Object.entries(fields).map(([name, shape]) => [name, arbitraryValue(shape)]));
  return fc.record(model, { requiredKeys: required, noNullPrototype: true }) as fc.Arbitrary<{
    [name: string]: unknown;
  }>;
}

/** Text with everything that files, terminals and JSON can be tripped by: quotes, newlines, NUL, emoji, lone surrogates. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('', '\n', '\0', '"', '\\', '\ud800', '\u2028', '\ufeff', 'ÿF\u0000', '🧗🏽', '__proto__'),
);

function arbitraryValue(shape: Shape<unknown>): fc.Arbitrary<unknown> {
  switch (shape.kind) {
    case 'string':
      return text;
    case 'int':
      return fc.maxSafeInteger();
    case 'number':
      return finite;
    case 'boolean':
      return fc.boolean();
    case 'oneOf':
      return fc.constantFrom(...(shape.values ?? []));
    case 'json':
      return json;
    case 'array':
      return fc.array(arbitraryValue(shape.item as Shape<unknown>), { maxLength: 3 });
    case 'record':
      return fc.dictionary(text, arbitraryValue(shape.item as Shape<unknown>), { maxKeys: 3, noNullPrototype: true });
    case 'object':
      return arbitraryFields(shape.fields ?? {});
  }
}

/** JSON knows no negative zero; nothing of ours depends on it. */
const finite = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (value === 0 ? 0 : value));

const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constant(null),
    fc.boolean(),
    finite,
    text,
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(text, tie('json'), { maxKeys: 3, noNullPrototype: true }),
  ),
}));
