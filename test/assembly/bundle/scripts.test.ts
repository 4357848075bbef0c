/** The files of a bundle as scripts: what they are handed, and the code that is kept of them. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readCode, tidyCode, writeCode } from '../../../src/assembly/bundle/kept-code.ts';
import { createScripts } from '../../../src/assembly/bundle/scripts.ts';

let folder: string;
let cache: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'belay-scripts-'));
  cache = path.join(folder, 'home', 'code');
  mkdirSync(path.dirname(cache));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A file as the build makes it. */
const put = (name: string, body: string, text = 'a1'): void =>
  writeFileSync(
    path.join(folder, name),
    `// ${text}\n(function (exports, require, module, __filename, __dirname, importModule) {${body}\n})\n`,
  );
const open = (where: string | null = cache) =>
  createScripts({
    folder,
    cache: where,
    importModule: Object.assign((name: string) => import(name), { resolve: import.meta.resolve }),
  });
const kept = () => readdirSync(cache).map((name) => [name.replace(/-v.*/, ''), statSync(path.join(cache, name)).ino]);
const commandsOf = (name: string, text = 'a1') => readCode(cache, name, text)?.commands;

test('hands a file what a module takes, runs it once, and loads what it requires from the bundle or from Node', async () => {
  put(
    'main.cjs',
    "exports.other = require('./other.cjs'); exports.at = [__filename, __dirname]; exports.ask = importModule;",
  );
  put('other.cjs', "globalThis.runs = (globalThis.runs ?? 0) + 1; module.exports = { sep: require('node:path').sep };");
  const scripts = open();
  const main = scripts.load('main.cjs') as { other: object; at: string[]; ask: (name: string) => Promise<object> };
  expect(main.other).toEqual({ sep: path.sep });
  expect(main.at).toEqual([path.join(folder, 'main.cjs'), folder]);
  expect(await main.ask('node:os')).toHaveProperty('tmpdir');
  expect([scripts.load('main.cjs'), scripts.load('other.cjs')]).toEqual([main, main.other]);
  expect((globalThis as { runs?: number }).runs).toBe(1);
  expect(() => scripts.load('none.cjs')).toThrow(/ENOENT/);
});

test('keeps the functions that ran, and writes anew only for a command that had no part in it', () => {
  put('main.cjs', `exports.work = () => { let a = 1; ${'a += a;'.repeat(400)} };`);
  const work = (scripts: ReturnType<typeof open>) => (scripts.load('main.cjs') as { work(): void }).work();
  const first = open();
  first.load('main.cjs');
  first.keep('run');
  const [size] = readdirSync(cache).map((name) => statSync(path.join(cache, name)).size);
  const files = kept();
  expect([files, commandsOf('main.cjs')]).toEqual([[['main.cjs', files[0]?.[1]]], ['run']]);

  const second = open();
  work(second);
  second.keep('run');
  expect(kept()).toEqual(files);
  const third = open();
  work(third);
  third.keep('resume');
  expect(commandsOf('main.cjs')).toEqual(['run', 'resume']);
  const [grown] = readdirSync(cache).map((name) => statSync(path.join(cache, name)).size);
  expect(grown).toBeGreaterThan((size ?? 0) + 1000);

  const after = kept();
  for (const command of ['run', 'resume']) {
    const again = open();
    work(again);
    again.keep(command);
    expect(kept()).toEqual(after);
  }
});

test('takes no code that is damaged, cut off, of another text or of none, and replaces it', () => {
  put('main.cjs', 'exports.answer = () => 42;');
  const answer = () => {
    const scripts = open();
    expect((scripts.load('main.cjs') as { answer(): number }).answer()).toBe(42);
    scripts.keep('run');
    return commandsOf('main.cjs');
  };
  expect(answer()).toEqual(['run']);
  const [name = ''] = readdirSync(cache);
  const file = path.join(cache, name);
  const good = readFileSync(file);
  const step = Math.ceil(good.length / 150);
  for (let at = 0; at < good.length; at += step) {
    const flipped = Buffer.from(good);
    flipped[at] = (flipped[at] as number) ^ 1;
    for (const bytes of [flipped, good.subarray(0, at), Buffer.concat([good.subarray(0, at), Buffer.alloc(4096)])]) {
      writeFileSync(file, bytes);
      expect(readCode(cache, 'main.cjs', 'a1')).toBe(null);
    }
  }
  expect(answer()).toEqual(['run']);
  // A text of the same length, which V8 would take for the one that its code was made of.
  put('main.cjs', 'exports.answer = () => 41 + 1;', 'b2');
  expect([answer(), commandsOf('main.cjs', 'b2')]).toEqual([undefined, ['run']]);
  // Whole, but nothing that V8 made.
  put('main.cjs', 'exports.answer = () => 40 + 2;', 'c3');
  writeCode(cache, 'main.cjs', 'c3', { commands: ['run', 'undo'], data: Buffer.from('no code') });
  expect([answer(), commandsOf('main.cjs', 'c3')]).toEqual([undefined, ['run']]);
});

test('keeps nothing where it may not, cannot, or where nobody has a data folder', () => {
  put('main.cjs', 'exports.n = 1;');
  const none = path.join(folder, 'never', 'code');
  const occupied = path.join(folder, 'home', 'file');
  writeFileSync(occupied, '');
  for (const where of [null, none, occupied]) {
    const scripts = open(where);
    expect(scripts.load('main.cjs')).toEqual({ n: 1 });
    scripts.keep('run');
  }
  expect(readdirSync(path.join(folder, 'home'))).toEqual(['file']);
  expect(readdirSync(folder)).not.toContain('never');
});

test('removes the oldest files of a folder that has too many', () => {
  mkdirSync(cache);
  for (let n = 0; n < 30; n++) {
    writeFileSync(path.join(cache, `f${n}`), '');
    utimesSync(path.join(cache, `f${n}`), n, n);
  }
  mkdirSync(path.join(cache, 'node'));
  utimesSync(path.join(cache, 'node'), 0, 0);
  tidyCode(cache);
  expect(readdirSync(path.join(cache, 'node'))).toEqual([]);
  rmSync(path.join(cache, 'node'), { recursive: true });
  expect(readdirSync(cache).sort()).toEqual(Array.from({ length: 24 }, (_, n) => `f${n + 6}`).sort());
});
