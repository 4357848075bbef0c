/** The simulated file system answers like the real one, call by call, error by error: claims stand on that. */
import * as real from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runningMachine } from '../pump.ts';
import * as simulated from './fs.ts';

const { volume } = runningMachine(12);

type Call = readonly [name: string, from: string, to: string];
type Files = Pick<
  typeof real,
  | 'existsSync'
  | 'linkSync'
  | 'mkdirSync'
  | 'readFileSync'
  | 'readdirSync'
  | 'renameSync'
  | 'rmSync'
  | 'rmdirSync'
  | 'statSync'
  | 'writeFileSync'
>;

const names = ['a', 'b', 'claim', 'dir', 'dir/a', 'dir/claim', 'missing/a'];
const calls: { readonly [name: string]: (fs: Files, from: string, to: string) => unknown } = {
  'create exclusively': (fs, from) => fs.writeFileSync(from, 'mine', { flag: 'wx' }),
  write: (fs, from) => fs.writeFileSync(from, `content of ${basename(from)}`),
  append: (fs, from) => fs.writeFileSync(from, '+', { flag: 'a' }),
  read: (fs, from) => fs.readFileSync(from, 'utf8'),
  exists: (fs, from) => fs.existsSync(from),
  link: (fs, from, to) => fs.linkSync(from, to),
  rename: (fs, from, to) => (from === to ? null : fs.renameSync(from, to)),
  remove: (fs, from) => fs.rmSync(from, { force: true }),
  'make folders': (fs, from) => void fs.mkdirSync(from, { recursive: true }),
  list: (fs, from) => fs.readdirSync(from).sort(),
  'same file': (fs, from, to) => fs.statSync(from).ino === fs.statSync(to).ino,
  size: (fs, from) => (fs.statSync(from).isFile() ? fs.statSync(from).size : 'folder'),
};

/** What a call gave back, or the code of its error. */
function outcome(call: () => unknown): string {
  try {
    return JSON.stringify(call() ?? null);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
}

/** Folders as targets of links, renames and removals do not occur in the product and are not compared. */
function isUsed([name, from, to]: Call): boolean {
  const folders = ['dir', 'missing'];
  if (['link', 'rename', 'remove'].includes(name)) return !folders.includes(from) && !folders.includes(to);
  if (name === 'make folders') return folders.includes(from);
  return !(
    folders.includes(from) &&
    ['write', 'append', 'create exclusively', 'list'].includes(name) &&
    name !== 'list'
  );
}

test('any sequence of calls has the results that the real file system gives', () => {
  let run = 0;
  const call = fc.tuple(fc.constantFrom(...Object.keys(calls)), fc.constantFrom(...names), fc.constantFrom(...names));
  fc.assert(
    fc.property(fc.array(call.filter(isUsed), { maxLength: 25 }), (sequence) => {
      const folder = real.mkdtempSync(join(tmpdir(), 'belay-sim-'));
      const twin = `/sim/${++run}`;
      volume.makeFolders(twin);
      try {
        for (const [name, from, to] of sequence) {
          const perform = calls[name] ?? (() => null);
          const expected = outcome(() => perform(real, join(folder, from), join(folder, to)));
          const found = outcome(() => perform(simulated as unknown as Files, `${twin}/${from}`, `${twin}/${to}`));
          expect([name, from, to, found]).toEqual([name, from, to, expected]);
        }
      } finally {
        real.rmSync(folder, { recursive: true });
      }
    }),
    { numRuns: 150 },
  );
});
