/** Every attempt succeeds outside, or it would show nothing; inside, none does, and nothing is left behind. */
import { rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { attempts } from './attempts.ts';
import { openStage, SECRET, users } from './stage.ts';

vi.setConfig({ testTimeout: 60_000 });

const shared = `/dev/shm/belay-escape-${process.pid}`;
beforeAll(() => writeFileSync(shared, ''));
afterAll(() => rmSync(shared, { force: true }));

const escaped = (output: string): boolean => output.includes('ESCAPED') || output.includes(SECRET);

describe('nothing escapes', () => {
  for (const user of users) {
    describe(`as ${user.name}`, () => {
      const possible = attempts.filter(
        ({ rootOnly }) => rootOnly !== true || (user.id === null && process.getuid?.() === 0),
      );
      test.each(possible)('$name', ({ text }) => {
        const control = openStage(user);
        expect(control.run('outside', text(control)), 'the control outside').toSatisfy(escaped);
        const stage = openStage(user);
        const before = stage.listing();
        expect(stage.run('inside', text(stage))).not.toSatisfy(escaped);
        expect(stage.listing()).toEqual(before);
      });
    });
  }
});
