import { describe, expect, it } from 'vitest';
import { filesOfModule, loadedByScript } from '../../../src/permission/trust/loaded-by-script.ts';

const files = (name: string, text: string, among: readonly string[]) =>
  among.filter((one) => loadedByScript(name, text).files.includes(one));

describe('what a script of Node loads', () => {
  it.each<[string, readonly string[]]>([
    ["import { a } from './lib.mjs';", ['tools/lib.mjs']],
    ['import "../lib.mjs"', ['lib.mjs']],
    ['export * from "./deep/lib.js"', ['tools/deep/lib.js', 'tools/deep/lib.ts']],
    [
      "const a = require('./lib')",
      ['tools/lib', 'tools/lib.js', 'tools/lib.cjs', 'tools/lib.json', 'tools/lib/index.js'],
    ],
    ["require ( '..' )", ['index.js']],
    ["await import(\n  './lib.mjs'\n)", ['tools/lib.mjs']],
    ["require.resolve('./lib.js')", ['tools/lib.js']],
    ['import(`./lib.mjs`)', ['tools/lib.mjs']],
    ["new Worker(new URL('./work.mjs', import.meta.url))", ['tools/work.mjs']],
    ["spawn('bash', ['./x.sh'])", ['x.sh', 'tools/x.sh']],
    ["import a, {\n  b,\n} from './lib.mts'", ['tools/lib.mts']],
  ])('%s', (text, expected) => {
    expect(files('tools/h.mjs', text, expected)).toEqual(expected);
  });

  it.each<[string, string]>([
    ["readFileSync('./data.json')", 'data'],
    ["import '../../out.mjs'", 'out.mjs'],
    ["import 'lib.mjs'", 'lib.mjs'],
  ])('%s is none of it', (text, part) => {
    expect(
      loadedByScript('tools/h.mjs', text).files.filter((one) => one.startsWith(part) || one.endsWith('data.json')),
    ).toEqual([]);
  });

  it('a module without an end has any', () => {
    const all = 'x x.js x.mjs x.cjs x.ts x.mts x.cts x.jsx x.tsx x.json x.node x/index.js x/package.json'.split(' ');
    expect(files('h.mjs', "import './x'", all)).toEqual(all);
  });

  it('a name of it is no module of Python', () => {
    expect(loadedByScript('h.mjs', "import lib from './x.mjs'").files).not.toContain('lib.py');
  });

  it('its own name is not among them', () => {
    expect(loadedByScript('tools/h.mjs', "import './h.mjs'").files).not.toContain('tools/h.mjs');
  });

  it.each<[string, readonly string[]]>([
    ["import fs from 'node:fs'; import path from 'path'; import './a.mjs'", []],
    [
      "import chalk from 'chalk'; require('@scope/x/deep'); import '#inner'",
      ['the package chalk', 'the package @scope/x', 'the package #inner'],
    ],
    ['await import(name)', ['code by a name that is computed']],
    ["require(path.join(dir, 'x'))", ['code by a name that is computed']],
    ['import(`${name}`)', ['code by a name that is computed']],
    ["import(/* late */ './a.mjs')", []],
    ["import one from 'x/deep'; import two from 'x/other'", ['the package x']],
    ['import(`./${name}.mjs`)', ['code by a name that is computed']],
  ])('%s: says what no digest covers', (text, expected) => {
    expect(loadedByScript('h.mjs', text).beyond).toEqual(expected);
  });
});

describe('what a script of Python loads', () => {
  it.each<[string, readonly string[]]>([
    ['import lib', ['lib.py', 'a/lib.py', 'a/b/lib.py', 'a/b/lib/__init__.py']],
    ['import os, lib as l', ['a/b/lib.py']],
    ['    import deep.lib', ['a/b/deep/__init__.py', 'a/b/deep/lib.py']],
    ['from lib import (\n  x,\n  y as z,\n)', ['a/b/lib.py', 'a/b/lib/x.py', 'a/b/lib/y.py']],
    ['from lib import *', ['a/b/lib.py', 'lib/__init__.py']],
    ['from . import x', ['a/b/__init__.py', 'a/b/x.py']],
    ['from .lib import x', ['a/b/lib.py', 'a/b/lib/x.py']],
    ['from ..lib import x', ['a/lib.py', 'a/lib/x.py']],
    ["subprocess.run(['bash', './x.sh'])", ['x.sh', 'a/b/x.sh']],
  ])('%s', (text, expected) => {
    expect(files('a/b/h.py', text, expected)).toEqual(expected);
  });

  it('nothing above the repository, and of a module with dots only what they mean', () => {
    expect(loadedByScript('h.py', 'from ..lib import x').files).toEqual([]);
    expect(loadedByScript('a/b/h.py', 'from .lib import x').files).not.toContain('lib.py');
    expect(loadedByScript('hooks/py/h.py', 'import lib').files).toContain('hooks/py/lib.py');
    expect(loadedByScript('a/h.py', 'import lib').beyond).toEqual([]);
  });

  it.each(['importlib.import_module(x)', 'exec(open(x).read())', 'sys.path.insert(0, x)'])('%s is told', (text) => {
    expect(loadedByScript('h.py', text).beyond).toEqual(['code by a name that is computed']);
  });

  it('a module is a file or a package', () => {
    expect(filesOfModule('a.b')).toEqual(['a.py', 'a/__init__.py', 'a/b.py', 'a/b/__init__.py', 'a/b/__main__.py']);
    expect(filesOfModule('')).toEqual([]);
  });
});

describe('the language is told by the first line or the name', () => {
  it.each<[string, string, boolean]>([
    ['h', "#!/usr/bin/env node\nimport './x.mjs'", true],
    ['h', "import './x.mjs'", false],
    ['h.js', "#!/usr/bin/env python3\nload('./x.mjs')", true],
    ['h', "#!/usr/bin/python3.12\nrun('./x.mjs')", true],
    ['h', "#!/usr/bin/ruby\nload './x.mjs'", true],
    ['h', '#!/usr/bin/env perl\nrequire "./x.mjs"', true],
    ['h', "#!/usr/bin/make\nload './x.mjs'", false],
    ['h.cts', "import './x.mjs'", true],
    ['h.txt', "import './x.mjs'", false],
    ['h.js', "\0import './x.mjs'", false],
    ['h.rb', "require_relative 'x.mjs'", true],
    ['h.rb', "load './x.mjs'", true],
    ['h.pl', 'require "./x.mjs";', true],
    ['h.sh', '. ./x.mjs', true],
  ])('%s %j: %s', (name, text, expected) => {
    expect(loadedByScript(name, text).files.includes('x.mjs')).toBe(expected);
  });

  it('Ruby needs no end of a name', () => {
    expect(loadedByScript('a/h.rb', "require_relative 'x'").files).toEqual(['a/x', 'a/x.rb']);
  });
});
