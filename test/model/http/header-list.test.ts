import fc from 'fast-check';
import { expect, it } from 'vitest';
import { HeaderList } from '../../../src/model/http/header-list.ts';

const name = fc.constantFrom('a', 'A', 'content-type', 'Content-Type', 'x-y');
const value = fc.stringMatching(/^[a-z0-9]{1,8}$/);
const step = fc.oneof(
  fc.record({ kind: fc.constantFrom('set' as const, 'append' as const), name, value }),
  fc.record({ kind: fc.constant('delete' as const), name, value }),
);

it('does what the global one does', () => {
  fc.assert(
    fc.property(fc.dictionary(name, value), fc.array(step), (init, steps) => {
      const ours = new HeaderList(init);
      const theirs = new Headers(init);
      for (const each of steps) {
        for (const list of [ours, theirs]) {
          if (each.kind === 'delete') list.delete(each.name);
          else list[each.kind](each.name, each.value);
        }
        expect(ours.get(each.name)).toBe(theirs.get(each.name));
        expect(ours.has(each.name)).toBe(theirs.has(each.name));
      }
      expect([...ours]).toEqual([...theirs]);
      expect([...new HeaderList(ours)]).toEqual([...theirs]);
      const seen: string[] = [];
      ours.forEach((text, key) => void seen.push(`${key}=${text}`));
      expect(seen).toEqual([...theirs].map(([key, text]) => `${key}=${text}`));
    }),
  );
});
