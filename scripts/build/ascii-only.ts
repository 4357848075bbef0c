import type { Rolldown } from 'tsdown';

/**
 * V8 keeps a source of which one character lies beyond Latin-1 with two bytes for every character: a megabyte more for
 * a few arrows and dots. Such characters are written as escapes, which mean the same in texts and patterns. It is done
 * last, because the printer of the bundler writes escapes as the characters they stand for.
 */
export const asciiOnly = (): Rolldown.Plugin => ({
  name: 'ascii-only',
  generateBundle(_options, bundle) {
    for (const item of Object.values(bundle)) {
      if (item.type === 'chunk') item.code = item.code.replace(/[^\0-\x7f]/g, escaped);
    }
  },
});

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
