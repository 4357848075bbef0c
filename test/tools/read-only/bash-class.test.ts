import { describe, expect, it } from 'vitest';
import type { Json } from '#kernel';
import { openSession } from '../session.ts';

describe('the class of a Bash call follows from its input', () => {
  it.each<[Json, string]>([
    [{ command: 'cat a.txt' }, 'read'],
    [{ command: 'cat a.txt', timeout: 1000, description: 'look' }, 'read'],
    [{ command: 'rm a.txt' }, 'process'],
    [{ command: 'cat a.txt', run_in_background: true }, 'process'],
    [{ command: 'cat a.txt', run_in_background: false }, 'process'],
    // It changes where later commands start.
    [{ command: 'ls', cwd: 'src' }, 'process'],
    [{ command: 'ls', unsandboxed: true }, 'process'],
    [{ command: 'ls', of_a_later_version: true }, 'process'],
    [{ command: '' }, 'process'],
    [{}, 'process'],
    [null, 'process'],
  ])('%j: %s', async (args, effect) => {
    const session = await openSession({ 'a.txt': 'x\n', 'src/b.txt': '' });
    expect(await session.tool('Bash').classify(args)).toEqual({ effect, paths: null });
  });

  it('never early: its attempt leaves a folder', async () => {
    const session = await openSession();
    expect(await session.tool('Bash').classify({ command: 'ls' })).not.toHaveProperty('early');
  });
});
