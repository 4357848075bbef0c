import { describe, expect, it } from 'vitest';
import { lookFor, repositoryWith } from '../../../src/permission/paths/bare-repository.ts';

const lookAt = (there: readonly string[]) => {
  const look = lookFor({
    realPath: async (path) => path,
    kind: async (path) => (there.includes(path) ? 'other' : 'missing'),
  });
  if (look === null) throw new Error('nobody looks');
  return look;
};

describe('repositoryWith', () => {
  it.each<[path: string, folder: string | null]>([
    ['e/HEAD', 'e'],
    ['./e/HEAD', 'e'],
    ['e//HEAD', 'e'],
    ['e/./HEAD', 'e'],
    ['/e/HEAD', 'e'],
    ['f/HEAD', null],
  ])('with %s: %s', async (path, folder) => {
    expect(await repositoryWith([path], [], lookAt(['e/objects', 'e/refs']))).toBe(folder);
  });
});
