import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Real processes and real files: forks keep one suite's signals and working directory away from another's.
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 20_000,
    teardownTimeout: 10_000,
    // A machine with other work on it takes longer than the second that is usual.
    expect: { poll: { timeout: 10_000 } },
  },
});
