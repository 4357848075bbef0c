import type { Price, Usage } from '#kernel';

interface Listed {
  /** The start of the model's name; dated variants follow after a hyphen. */
  readonly name: string;
  readonly price: Price;
  readonly contextTokens: number;
}

/**
 * List prices in USD per million tokens, as published on 2026-11-30 at platform.claude.com/docs/en/about-claude/pricing,
 * developers.openai.com/api/docs/pricing and ai.google.dev/gemini-api/docs/pricing. Only models with one flat price:
 * where the price depends on the length of the prompt, a number from here would be wrong without notice. For all
 * others the user states the price.
 */
const listed: { readonly [provider: string]: readonly Listed[] } = {
  anthropic: [
    { name: 'claude-opus-5-5', price: { input: 4, output: 20, cachedInput: 0.2 }, contextTokens: 200_000 },
    { name: 'claude-opus-5', price: { input: 5, output: 25, cachedInput: 0.5 }, contextTokens: 200_000 },
    { name: 'claude-opus-4-8', price: { input: 5, output: 25, cachedInput: 0.5 }, contextTokens: 200_000 },
    { name: 'claude-sonnet-5-5', price: { input: 2, output: 10, cachedInput: 0.1 }, contextTokens: 200_000 },
    { name: 'claude-sonnet-5', price: { input: 2, output: 10, cachedInput: 0.2 }, contextTokens: 200_000 },
    { name: 'claude-sonnet-4-6', price: { input: 3, output: 15, cachedInput: 0.3 }, contextTokens: 200_000 },
    { name: 'claude-sonnet-4-5', price: { input: 3, output: 15, cachedInput: 0.3 }, contextTokens: 200_000 },
    { name: 'claude-haiku-4-5', price: { input: 1, output: 5, cachedInput: 0.1 }, contextTokens: 200_000 },
  ],
  openai: [
    { name: 'gpt-5', price: { input: 1.25, output: 10, cachedInput: 0.125 }, contextTokens: 400_000 },
    { name: 'gpt-5-mini', price: { input: 0.25, output: 2, cachedInput: 0.025 }, contextTokens: 400_000 },
    { name: 'gpt-5.1', price: { input: 1.25, output: 10, cachedInput: 0.125 }, contextTokens: 400_000 },
    { name: 'gpt-4.1', price: { input: 2, output: 8, cachedInput: 0.5 }, contextTokens: 1_047_576 },
    { name: 'gpt-4.1-mini', price: { input: 0.4, output: 1.6, cachedInput: 0.1 }, contextTokens: 1_047_576 },
  ],
  google: [
    { name: 'gemini-2.5-flash', price: { input: 0.3, output: 2.5, cachedInput: 0.03 }, contextTokens: 1_048_576 },
  ],
};

/** The list price of `PROVIDER/MODEL`; null where we know none. */
export const priceOf = (id: string): Price | null => find(id)?.price ?? null;

/** The context window of `PROVIDER/MODEL` in tokens; null where we know none. */
export const windowOf = (id: string): number | null => find(id)?.contextTokens ?? null;

/** What a request cost in USD. Null where the price is unknown or the provider did not report the tokens. */
export function costUsd(usage: Usage, price: Price | null): number | null {
  const { inputTokens, outputTokens } = usage;
  if (price === null || inputTokens === undefined || outputTokens === undefined) return null;
  const cached = Math.min(usage.cachedInputTokens ?? 0, inputTokens);
  const input = (inputTokens - cached) * price.input + cached * (price.cachedInput ?? price.input);
  return (input + outputTokens * price.output) / 1_000_000;
}

/** A dated variant, as in `gpt-5-2025-08-07` or `claude-haiku-4-5-20251001`, costs what its base name costs. */
function find(id: string): Listed | undefined {
  const slash = id.indexOf('/');
  const base = id.slice(slash + 1).replace(/-(\d{4}-\d{2}-\d{2}|\d{8}|latest)$/, '');
  return listed[id.slice(0, slash)]?.find((entry) => entry.name === base);
}
