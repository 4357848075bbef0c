import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileSystemOf } from '#ledger';
import { temporaryFolder } from './support.ts';

describe('the file system of a path', () => {
  it('is told for a folder that does not exist yet by the one above it', async () => {
    const folder = temporaryFolder();
    expect(await fileSystemOf(join(folder, 'not', 'yet'))).toEqual(await fileSystemOf(folder));
    expect((await fileSystemOf(folder)).name).toMatch(/^[a-z0-9]+$/);
  });

  if (process.platform === 'linux')
    it('is undependable in shared memory', async () => {
      expect(await fileSystemOf('/dev/shm/x')).toEqual({ name: 'tmpfs', dependable: false });
    });
});
