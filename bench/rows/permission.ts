/** A decision about a command of a kilobyte, with the rules that a user may have; the first one loads the parser. */
import { createPermission, type PermissionContext } from '#permission';
import { median } from '../measure/statistics.ts';
import type { Row } from '../row.ts';

const WARM_UP = 50;
const DECISIONS = 500;

const part = `npm test -- --run src/a.test.ts 2>&1 | grep -n 'not ok' && git diff --stat HEAD~1 -- src/lib test/lib`;
const text = Array.from({ length: 11 }, () => part).join(' && ');
const allow = ['npm test', 'git diff', 'git status', 'git log', 'grep', 'ls', 'rg', 'sed', 'cat', 'node --test'].map(
  (program) => `Bash(${program} *)`,
);

export const permission: Row = {
  id: 'permission',
  async run({ folder }) {
    const decide = createPermission(null, [], { deny: ['Read(./.env)', 'Bash(git push *)'], ask: ['Bash(rm *)'] });
    const context: PermissionContext = {
      mode: 'default',
      allow,
      checks: [],
      workspace: folder,
      signal: new AbortController().signal,
    };
    const timed = async (n: number): Promise<number> => {
      // Each text is another one, so that nothing could be remembered.
      const command = `${text} && ls src/${n}`;
      const before = performance.now();
      const { decision } = await decide({ tool: 'Bash', args: { command }, effect: 'process', paths: null }, context);
      const took = performance.now() - before;
      if (decision !== 'allow') throw new Error(`the command should be allowed and is ${decision}`);
      return took;
    };
    const first = await timed(0);
    for (let n = 1; n <= WARM_UP; n++) await timed(n);
    const took: number[] = [];
    for (let n = 1; n <= DECISIONS; n++) took.push(await timed(n));
    return [
      {
        name: `permission decision, command of ${(text.length / 1024).toFixed(1)} KB`,
        unit: 'ms',
        belay: median(took),
        baseline: null,
        bound: 1,
        note: `the first one, which loads the parser, took ${first.toFixed(1)} ms`,
      },
    ];
  },
};
