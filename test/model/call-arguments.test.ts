import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Json } from '#kernel';
import { parseCallArguments } from '#model';

it('gives any JSON object back as it was', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })), (value) => {
      const text = JSON.stringify(value);
      expect(parseCallArguments(text)).toEqual({ args: JSON.parse(text) as Json });
    }),
  );
});

it('refuses every proper beginning of an argument text', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), fc.nat(), (value, at) => {
      const text = JSON.stringify(value);
      expect(parseCallArguments(text.slice(0, at % text.length))).toEqual({
        args: {},
        malformed: expect.stringMatching(/position \d+/),
      });
    }),
  );
});

it.each([
  ['a trailing comma', '{"a":1,}', /position 7/],
  ['single quotes', "{'a':1}", /position 1/],
  ['a raw newline in a string', '{"a":"x\ny"}', /position 7/],
  ['a code fence', '```json\n{}\n```', /position 0/],
  ['text after the object', '{"a":1} and more', /position 8/],
  ['two objects', '{}{}', /position 2/],
  ['an early end', '{"a":"x', /position 7/],
  ['nothing', '', /position 0/],
  ['a list', '[1]', /a list/],
  ['an encoded object', '"{\\"a\\":1}"', /a string/],
  ['null', 'null', /null/],
  ['a number without bounds', '{"a":[{"b":-1e400}]}', /too large/],
  ['a bottomless object', `{"a":${'['.repeat(200)}${']'.repeat(200)}}`, /deeper/],
])('says what is wrong with %s', (_name, text, told) => {
  expect(parseCallArguments(text)).toEqual({ args: {}, malformed: expect.stringMatching(told) });
});
