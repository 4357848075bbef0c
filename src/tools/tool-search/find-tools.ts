import type { ToolDefinition } from '#kernel';

const foundMax = 8;

/** Words that every description has. */
const idle = new Set(['the', 'and', 'for', 'with', 'that', 'this', 'from', 'of', 'to', 'in', 'it', 'is', 'an', 'or']);

export const wordsOf = (query: string): readonly string[] =>
  query
    .toLowerCase()
    .replace(/^select:/, '')
    .split(/[^\p{L}\p{N}_-]+/u)
    .filter((word) => word.length > 1 && !idle.has(word));

/**
 * Tools that are named come alone. Else those with most of the words, best first: a word of the name counts more than
 * one of the description, and letters inside of another word only where nothing better was found.
 */
export function findTools(tools: readonly ToolDefinition[], words: readonly string[]): readonly ToolDefinition[] {
  const named = tools.filter(({ name }) => words.includes(name.toLowerCase()));
  if (named.length > 0) return named.slice(0, foundMax);
  const scored = tools.map((tool) => {
    const name = wordsIn(tool.name.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replaceAll('_', ' '));
    const prose = wordsIn(tool.description);
    const whole = words.map((word) => (name.has(singular(word)) ? 3 : prose.has(singular(word)) ? 2 : 0));
    const text = `${tool.name} ${tool.description}`.toLowerCase();
    return { tool, whole: sum(whole), parts: words.filter((word) => text.includes(word)).length };
  });
  const isBetter = scored.some(({ whole }) => whole > 0);
  return scored
    .filter(({ whole, parts }) => (isBetter ? whole > 0 : parts > 0))
    .sort((a, b) => b.whole - a.whole || b.parts - a.parts)
    .slice(0, foundMax)
    .map(({ tool }) => tool);
}

const wordsIn = (text: string): ReadonlySet<string> => {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+(-[\p{L}\p{N}]+)*/gu) ?? [];
  return new Set(words.flatMap((word) => [word, ...word.split('-')]).map(singular));
};

const singular = (word: string): string => (word.length > 3 ? word.replace(/s$/, '') : word);

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
