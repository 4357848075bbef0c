import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSession } from '../session.ts';

const outlines: readonly (readonly [file: string, text: string, ...lines: string[]])[] = [
  [
    'a.ts',
    `export interface Shape { area(): number }
export type Name = string;
export enum Color { Red }
export class Square implements Shape {
  constructor(readonly side: number) {}
  area(): number {
    const local = () => 1;
    function inner() {}
    return this.side * local();
  }
}
export const limit = 3;
export const double = (n: number) => n * 2;
export function twice<T>(value: T): T[] { return [value, value]; }
namespace Inner { export function deep() {} }
`,
    '1-1 interface Shape',
    '2-2 type Name',
    '3-3 enum Color',
    '4-11 class Square',
    '  5-5 method constructor',
    '  6-10 method area',
    '12-12 const limit',
    '13-13 const double',
    '14-14 function twice',
    '15-15 namespace Inner',
    '  15-15 function deep',
  ],
  [
    'a.tsx',
    'export const View = () => <p>hi</p>;\nfunction Part() { return <b/>; }\n',
    '1-1 const View',
    '2-2 function Part',
  ],
  [
    'a.mjs',
    'class A { run() {} }\nfunction* gen() {}\nexport const x = 1;\nvar old = 2;\n',
    '1-1 class A',
    '  1-1 method run',
    '2-2 function gen',
    '3-3 const x',
    '4-4 const old',
  ],
  [
    'a.cjs',
    `exports.handler = async (event) => {
  exports.inner = function () {};
};
module.exports.Store = class { get() {} };
Store.prototype.put = function (key) {};
exports.each = function* () {};
exports.name = 'no definition';
module.exports = { list() {}, find: function () {} };
`,
    '1-3 function handler',
    '4-4 class Store',
    '  4-4 method get',
    '5-5 function put',
    '6-6 function each',
    '8-8 method list',
    '8-8 method find',
  ],
  [
    'a.py',
    'class A:\n    def run(self):\n        def local(): pass\n        return 1\n\nasync def go():\n    pass\n',
    '1-4 class A',
    '  2-4 function run',
    '6-7 function go',
  ],
  [
    'a.go',
    'package a\n\nconst Max = 1\n\ntype Dog struct{}\n\nfunc (d *Dog) Bark() {}\n\nfunc New() *Dog { return nil }\n',
    '3-3 const Max',
    '5-5 type Dog',
    '7-7 method Bark',
    '9-9 function New',
  ],
  [
    'a.rs',
    'pub struct P;\nimpl P { pub fn new() -> P { P } }\npub trait T { fn t(&self); }\nmod m { const C: u8 = 1; }\nmacro_rules! mac { () => {} }\n',
    '1-1 struct P',
    '2-2 function new',
    '3-3 trait T',
    '  3-3 function t',
    '4-4 module m',
    '  4-4 const C',
    '5-5 macro mac',
  ],
  [
    'A.java',
    'class A {\n  A() {}\n  int run() { return 1; }\n}\ninterface I {}\nrecord R(int x) {}\nenum E { X }\n',
    '1-4 class A',
    '  2-2 method A',
    '  3-3 method run',
    '5-5 interface I',
    '6-6 record R',
    '7-7 enum E',
  ],
  [
    'a.c',
    '#define SQ(x) ((x)*(x))\nstruct point { int x; };\ntypedef unsigned long word;\nint *find(int a) { return 0; }\nstatic void run(void) {}\n',
    '1-1 macro SQ',
    '2-2 struct point',
    '3-3 type word',
    '4-4 function find',
    '5-5 function run',
  ],
  [
    'a.cpp',
    'namespace n {\nclass A {\n public:\n  int run();\n};\n}\nint n::A::run() { return 1; }\nenum class E { X };\n',
    '1-6 namespace n',
    '  2-5 class A',
    '    4-4 method run',
    '7-7 function n::A::run',
    '8-8 enum E',
  ],
  [
    'a.cs',
    'namespace N {\n  public class A {\n    public int X { get; }\n    public A() {}\n    void Run() {}\n  }\n}\n',
    '1-7 namespace N',
    '  2-6 class A',
    '    3-3 property X',
    '    4-4 method A',
    '    5-5 method Run',
  ],
  [
    'a.rb',
    'module M\n  class A\n    def run; end\n    def self.make; end\n  end\nend\n',
    '1-6 module M',
    '  2-5 class A',
    '    3-3 method run',
    '    4-4 method make',
  ],
  [
    'a.php',
    '<?php\nfunction go() {}\nclass A {\n  public function run() {}\n}\ntrait T {}\n',
    '2-2 function go',
    '3-5 class A',
    '  4-4 method run',
    '6-6 trait T',
  ],
  ['a.sh', 'go() { echo; }\nfunction run { echo; }\n', '1-1 function go', '2-2 function run'],
];

describe('the outline of a file', () => {
  it.each(outlines)('%s', async (path, text, ...lines) => {
    const session = await openSession({ [path]: text });
    const { status, output } = await session.call('Symbols', { path });
    expect({ status, lines: output.split('\n') }).toEqual({ status: 'succeeded', lines });
  });

  it.each<[string, { [path: string]: string }, string, string]>([
    ['an unsupported language says so', { 'a.sql': 'select 1' }, 'a.sql', 'no supported language'],
    ['a file that is too long is not parsed', { 'a.js': `${'x();\n'.repeat(120_000)}` }, 'a.js', 'not parsed'],
    ['binary data', { 'a.js': '\u0000\u0001\u0002'.repeat(50) }, 'a.js', 'no readable text'],
    ['a missing file', {}, 'a.js', 'There is no file'],
    ['a path outside', {}, '../a.js', 'Use a path inside the workspace'],
  ])('%s', async (_name, files, path, text) => {
    const session = await openSession(files);
    const { status, output, failure } = await session.call('Symbols', { path });
    expect(status).toBe('failed');
    expect(output).toContain(text);
    expect(failure?.suggestedAction).not.toBe('');
  });

  it.each<[string, string]>([
    ['a.js', '('.repeat(400_000)],
    ['a.c', '(a)'.repeat(150_000)],
  ])('a text that takes a parser for ever is given up (%s)', async (name, text) => {
    const session = await openSession({ [name]: text, 'b.py': 'def f(): pass\n' });
    const outcome = await session.call('Symbols', { path: name });
    expect(outcome).toMatchObject({ status: 'failed', failure: { kind: 'precondition' } });
    expect(outcome.output).toContain('takes too long to parse.\nFind what you need in it with Grep');
    expect((await session.call('Symbols', {})).output).toBe(
      'b.py\n  1 function f (0)\n(1 of 2 files were not parsed: too many, too long, too slow or no text)',
    );
  });

  it('what cannot be parsed gives what can be', async () => {
    const session = await openSession({ 'a.ts': 'function fine() {}\nclass {{{ broken\nfunction alsoFine() {}\n' });
    expect((await session.call('Symbols', { path: 'a.ts' })).output).toContain('function fine');
    expect((await session.call('Symbols', { path: 'a.ts' })).output).toContain('has syntax errors');
  });

  it('follows the content, not the time', async () => {
    const session = await openSession({ 'a.py': 'def one(): pass\n' });
    const outline = async () => (await session.call('Symbols', { path: 'a.py' })).output;
    expect(await outline()).toBe('1-1 function one');
    writeFileSync(join(session.root, 'a.py'), 'def two(): pass\n');
    expect(await outline()).toBe('1-1 function two');
  });
});

describe('the overview of a folder', () => {
  const files = {
    'src/used.ts': 'export function useful() {}\nexport function rare() {}\n',
    'src/user.ts': 'import { useful } from "./used";\nuseful(); useful(); useful();\nexport class Caller {}\n',
    'lib/tool.py': 'def helper():\n    return useful\n\nhelper()\n',
    'out/built.ts': 'export function ignored() { useful(); }\n',
    '.gitignore': 'out/\n',
    'README.md': 'useful',
  };

  it('ranks definitions by how often they are named, over languages, without ignored files', async () => {
    const session = await openSession(files);
    const { output } = await session.call('Symbols', {});
    expect(output.split('\n')).toEqual([
      'src/used.ts',
      '  1 function useful (3)',
      '  2 function rare (0)',
      'lib/tool.py',
      '  1 function helper (1)',
      'src/user.ts',
      '  3 class Caller (0)',
    ]);
  });

  it('a name counts where it is brought in, and in its own file; members are left to the outline', async () => {
    const session = await openSession({
      'a.ts': 'export function run() {}\nrun();\nexport class Box { get() {} }\n',
      'b.ts': 'import { run } from "./a";\nrun(); run();\n',
      'c.ts': 'import { other } from "./a";\nother.run(); const run = 1; task.run();\n',
      'd.ts': 'import * as a from "./a";\na.run();\n',
      'e.mjs': 'const { run } = require("./a");\nrun();\n',
    });
    const { output } = await session.call('Symbols', {});
    expect(output).toContain('  1 function run (6)');
    expect(output).toContain('  3 class Box (0)');
    expect(output).not.toContain('get');
  });

  it('below a path', async () => {
    const session = await openSession(files);
    expect((await session.call('Symbols', { path: 'lib' })).output).toBe('lib/tool.py\n  1 function helper (1)');
  });

  it('a name that many define does not count for each of them', async () => {
    const session = await openSession({
      'a.py': 'def run(): pass\n',
      'b.py': 'def run(): pass\n',
      'c.py': 'run(); run(); run(); run()\ndef single(): pass\nsingle(); single(); single()\n',
    });
    const { output } = await session.call('Symbols', {});
    expect(output.indexOf('single')).toBeLessThan(output.indexOf('run'));
  });

  it('says what is left out', async () => {
    const functions = Array.from({ length: 300 }, (_, n) => `def f${n}(): pass`).join('\n');
    const session = await openSession({ 'a.py': functions, 'b.py': '\u0000\u0001'.repeat(50) });
    const { output } = await session.call('Symbols', {});
    expect(output).toContain('(180 more definitions; name a folder or a file)');
    expect(output).toContain('(1 of 2 files were not parsed');
  });

  it('follows no link, and says where no language is known', async () => {
    const session = await openSession({ 'a.txt': 'text' });
    symlinkSync('/usr/lib', join(session.root, 'lib'));
    expect((await session.call('Symbols', {})).output).toContain('No file of a supported language');
  });
});
