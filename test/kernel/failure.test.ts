import { expect, it } from 'vitest';
import { makeFailure } from '#kernel';

it.each<[string, string, boolean]>([
  ['short', 'x'.repeat(8_000), false],
  ['long', 'x'.repeat(8_001), true],
  ['a million characters', `begin${'x'.repeat(1_000_000)}end`, true],
  ['long, of characters in two halves', '🧗'.repeat(10_000), true],
])('what is told of a failure has a limit, and says what is left out: %s', (_name, text, isCut) => {
  const { message, suggestedAction } = makeFailure('tool', text, text);
  for (const told of [message, suggestedAction]) {
    if (!isCut) expect(told).toBe(text);
    const [, head = '', left, tail = ''] = /^(\S+)\n\[… (\d+) characters left out …\]\n(\S+)$/.exec(told) ?? [];
    if (isCut) expect(head.length + Number(left) + tail.length).toBe(text.length);
    expect(told.length).toBeLessThan(8_100);
    expect(told.isWellFormed()).toBe(true);
    expect(told.startsWith(text.slice(0, 5)) && told.endsWith(text.slice(-3).toWellFormed().slice(-2))).toBe(true);
  }
});
