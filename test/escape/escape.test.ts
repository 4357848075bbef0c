/** Every attempt succeeds outside, or it would show nothing; inside, none does, and nothing is left behind. */
import { rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { attempts } from './attempts.ts';
import { openStage, SECRET, type User, users } from './stage.ts';

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

describe('without one word of the sandbox, the attempt that it is for succeeds', () => {
  const without = (...words: readonly string[]) => {
    const gone = `${words.join('\n')}\n`;
    return (all: string) => {
      if (!all.includes(gone)) throw new Error(`the sandbox has no ${words.join(' ')}`);
      return all.replace(gone, '');
    };
  };
  const bound = (option: string, name: string) => (all: string) => {
    const found = new RegExp(`${option}\\n\\S+/${name}\\n\\S+/${name}\\n`);
    if (!found.test(all)) throw new Error(`${name} is not bound`);
    return all.replace(found, '');
  };
  // Settings of the machine belong to root.
  const asRoot = <T>(row: T): readonly T[] => (process.getuid?.() === 0 ? [row] : []);
  test.each<readonly [string, (all: string) => string, string]>([
    ['--unshare-net', without('--unshare-net'), 'a server on the loopback'],
    ['--unshare-net', without('--unshare-net'), 'an abstract socket'],
    ['--disable-userns', without('--disable-userns'), 'a nested user namespace'],
    [
      '--cap-drop and --disable-userns, which each alone would do',
      (all) => without('--disable-userns')(all).replace('--cap-drop\nALL\n', '--cap-add\nALL\n'),
      'a folder of the system is mounted writable again',
    ],
    [
      '--unshare-pid and --proc',
      (all) => without('--proc', '/proc', '--remount-ro', '/proc')(without('--unshare-pid')(all)),
      'the agent is signalled',
    ],
    ...asRoot([
      '--remount-ro /proc',
      without('--remount-ro', '/proc'),
      'a setting of the machine is written, kernel/printk',
    ] as const),
    ['--dev', (all) => all.replace('--dev\n/dev\n', '--dev-bind\n/dev\n/dev\n'), 'shared memory of the machine'],
    [
      'an empty /tmp',
      (all) => all.replace(/--size\n\d+\n--tmpfs\n\/tmp\n/, ''),
      'the secret files of the home are read',
    ],
    ['.git on itself', bound('--bind-try', '\\.git'), 'the folder of git is renamed'],
    ['hooks read-only', bound('--ro-bind-try', '\\.git/hooks'), 'a hook of git is written'],
    ['settings read-only', bound('--ro-bind-try', '\\.git/config'), 'settings of git are written'],
    ['the editor read-only', bound('--ro-bind-try', '\\.vscode'), 'tasks of the editor are written'],
    [
      'a closed file',
      (all) => all.replace(/--ro-bind\n\/dev\/null\n\S+\/\.env\n/, ''),
      'a file that a rule keeps from being read',
    ],
    ['--ro-bind', (all) => all.replace(/--ro-bind-try\n(\S+\/outside)\n/, '--bind\n$1\n'), 'a file outside is made'],
  ])('%s (%#)', (_word, weaken, name) => {
    const attempt = attempts.find((one) => one.name === name);
    const stage = openStage(users[0] as User, weaken);
    expect(stage.run('inside', attempt?.text(stage) ?? '')).toSatisfy(escaped);
  });
});
