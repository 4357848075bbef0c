import { expect, it } from 'vitest';
import { costUsd, priceOf } from '#model';

const price = { input: 2, output: 10, cachedInput: 0.5 };

it.each([
  ['plain', { inputTokens: 1_000_000, outputTokens: 100_000 }, price, 3],
  ['partly cached', { inputTokens: 1_000_000, outputTokens: 0, cachedInputTokens: 600_000 }, price, 1.1],
  [
    'without a price for cached input',
    { inputTokens: 10, outputTokens: 0, cachedInputTokens: 10 },
    { input: 2, output: 10 },
    0.00002,
  ],
  ['more cached than sent', { inputTokens: 10, outputTokens: 0, cachedInputTokens: 99 }, price, 0.000005],
  ['unknown input', { outputTokens: 5 }, price, null],
  ['unknown output', { inputTokens: 5 }, price, null],
  ['unknown price', { inputTokens: 5, outputTokens: 5 }, null, null],
])('costs: %s', (_name, usage, given, expected) => {
  const cost = costUsd(usage, given);
  if (expected === null) expect(cost).toBeNull();
  else expect(cost).toBeCloseTo(expected, 12);
});

it.each([
  ['anthropic/claude-haiku-4-5', { input: 1, output: 5 }],
  ['anthropic/claude-haiku-4-5-20251001', { input: 1, output: 5 }],
  ['openai/gpt-5-2025-08-07', { input: 1.25, output: 10 }],
  ['openai/gpt-5-mini', { input: 0.25, output: 2 }],
])('knows the price of %s', (id, expected) => {
  expect(priceOf(id)).toMatchObject(expected);
});

it.each([
  'openai/gpt-5-pro',
  'anthropic/claude-opus-5-5-mega',
  'openai-compatible/gpt-5',
  'scripted/gpt-5',
  'nonsense',
])('knows no price of %s', (id) => {
  expect(priceOf(id)).toBeNull();
});
