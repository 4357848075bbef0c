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
])('%s and %s:%i: %s', (text, host, port, expected) => {
  const rule = readHostRule(text);
  if (rule === null) throw new Error('no rule');
  expect(reachOf([rule], host, port)).toBe(expected);
});

test.each(['', '*', '*.', 'http://x.y', 'x y', 'a..b', '-a', 'a:0', 'a:70000', 'a/b', 'ä.de', '*x.y', 'a.*.b'])(
  '%j is no rule',
  (text) => {
    expect(readHostRule(text)).toBeNull();
  },
);
