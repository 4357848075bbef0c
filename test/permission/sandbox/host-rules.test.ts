import { expect, test } from 'vitest';
import { reachOf, readHostRule } from '#permission';

test.each([
  ['example.com', 'example.com', 443, 'public'],
  ['example.com', 'EXAMPLE.com.', 80, 'public'],
  ['example.com', 'example.com', 22, null],
  ['example.com', 'www.example.com', 443, null],
  ['example.com', 'evil-example.com', 443, null],
  ['*.example.com', 'a.b.example.com', 443, 'public'],
  ['*.example.com', 'example.com', 443, null],
  ['*.example.com', 'evilexample.com', 443, null],
  ['example.com:8443', 'example.com', 8443, 'public'],
  ['example.com:8443', 'example.com', 443, null],
  ['127.0.0.1:9000', '127.0.0.1', 9000, 'any'],
  ['[::1]:9000', '::1', 9000, 'any'],
  ['localhost:1', 'localhost', 1, 'any'],
  ['localhost', 'localhost', 80, 'any'],
  ['*.localhost', 'a.localhost', 80, 'public'],
  ['*.1.2.3.4', 'a.1.2.3.4', 80, 'public'],
  ['1.2.3.4', '1.2.3.4', 443, 'any'],
  ['1.2.3.4', '[1.2.3.4]', 443, 'any'],
  ['1.2.3', '1.2.3', 443, 'public'],
  ['1.2.3.4x', '1.2.3.4x', 443, 'public'],
  ['a.1.2.3.4', 'a.1.2.3.4', 443, 'public'],
  ['[::1]', '[::1]', 80, 'any'],
  [' Example.COM ', 'example.com', 80, 'public'],
  ['a-b.c:1', 'a-b.c', 1, 'public'],
  ['a.b:65535', 'a.b', 65_535, 'public'],
  ['localhost.example', 'localhost.example', 80, 'public'],
])('%s and %s:%i: %s', (text, host, port, expected) => {
  const rule = readHostRule(text);
  if (rule === null) throw new Error('no rule');
  expect(reachOf([rule], host, port)).toBe(expected);
});

test.each([
  '',
  '*',
  '*.',
  'http://x.y',
  'x y',
  'a..b',
  '-a',
  'a:0',
  'a:70000',
  'a/b',
  'ä.de',
  '*x.y',
  'a.*.b',
  'a:65536',
  'a:',
  'a-',
  '[::1',
  '[x]',
])('%j is no rule', (text) => {
  expect(readHostRule(text)).toBeNull();
});

test('the first rule that fits counts', () => {
  const rules = ['*.a', 'localhost:80', 'b:1'].map((text) => readHostRule(text)).filter((one) => one !== null);
  expect(rules).toEqual([
    { host: 'a', below: true, ports: [80, 443] },
    { host: 'localhost', below: false, ports: [80] },
    { host: 'b', below: false, ports: [1] },
  ]);
  expect([reachOf(rules, 'x.a', 80), reachOf(rules, 'localhost', 80), reachOf(rules, 'b', 80)]).toEqual([
    'public',
    'any',
    null,
  ]);
  expect(reachOf([], 'a', 80)).toBeNull();
});
