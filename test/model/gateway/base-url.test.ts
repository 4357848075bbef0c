import { expect, it } from 'vitest';
import { baseUrl } from '../../../src/model/gateway/base-url.ts';

it.each([
  ['https://api.example.com', 'v1', 'https://api.example.com/v1'],
  ['https://api.example.com/', 'v1', 'https://api.example.com/v1'],
  ['https://api.example.com/v1', 'v1', 'https://api.example.com/v1'],
  ['https://api.example.com/v1///', 'v1', 'https://api.example.com/v1'],
  ['http://127.0.0.1:8080', 'v1beta', 'http://127.0.0.1:8080/v1beta'],
  ['http://127.0.0.1:8080/v1beta/', 'v1beta', 'http://127.0.0.1:8080/v1beta'],
  ['https://example.com/anthropic', 'v1', 'https://example.com/anthropic/v1'],
  ['https://example.com/api/paas/v4', 'v1', 'https://example.com/api/paas/v4'],
  ['https://example.com/v1beta/openai', 'v1', 'https://example.com/v1beta/openai'],
  ['  https://example.com ', 'v1', 'https://example.com/v1'],
  ['example.com', 'v1', null],
  ['file:///etc/passwd', 'v1', null],
  ['', 'v1', null],
])('%j with %s is %j', (text, version, expected) => {
  expect(baseUrl(text, version)).toBe(expected);
});
