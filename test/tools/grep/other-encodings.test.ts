import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import type { Json } from '#kernel';
import { openSession } from '../session.ts';

const chinese = '// 这个函数计算两个数字的总和，并返回结果。\nreturn a + b; // 加法运算\n';
const japanese = '// これは日本語の文章です。検索できますか\nreturn 1;\n';
const french = 'déjà vu — non, café crème\nnaïve needle\n';
const files = {
  'gbk.c': iconv.encode(chinese, 'gbk'),
  'sjis.c': iconv.encode(japanese, 'shift_jis'),
  'euc.c': iconv.encode(japanese, 'euc-jp'),
  'latin.txt': iconv.encode(
    'Les enfants mangent dans la cuisine de la maison, et le café est sur la table pour les parents\nun garçon naïve needle\n',
    'latin1',
  ),
  'short.txt': iconv.encode('检索\n', 'gbk'),
  'koi.txt': iconv.encode('Это русский текст в старой кодировке, привет мир\n', 'koi8-r'),
  'wide.txt': iconv.encode(french, 'utf-16le', { addBOM: false }),
  'wide-be.txt': iconv.encode(french, 'utf-16be', { addBOM: false }),
  'marked.txt': iconv.encode(french, 'utf-16le', { addBOM: true }),
  'plain.txt': 'café 加法运算 日本語 привет\n',
  'binary.dat': Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 37) % 256)),
};
const grep = async (args: Json) => (await openSession(files)).call('Grep', args);

describe('Grep in files that are not UTF-8', () => {
  it.each<[string, Json, string]>([
    ['GB 18030', { pattern: '加法运算' }, 'gbk.c\nplain.txt'],
    ['Japanese, in both ways of writing it', { pattern: '日本語' }, 'euc.c\nplain.txt\nsjis.c'],
    [
      'Latin-1 and UTF-16 with and without a mark',
      { pattern: 'café' },
      'latin.txt\nmarked.txt\nplain.txt\nwide-be.txt\nwide.txt',
    ],
    ['a code instead of the letter', { pattern: ', caf\\x{e9} cr' }, 'marked.txt\nwide-be.txt\nwide.txt'],
    ['in any case', { pattern: 'ПРИВЕТ', '-i': true }, 'koi.txt\nplain.txt'],
    ['a class of letters', { pattern: '\\p{Hiragana}{2}' }, 'euc.c\nsjis.c'],
    ['with letters of anything between', { pattern: '函数.*总和' }, 'gbk.c'],
    ['counts', { pattern: '法|果', output_mode: 'count' }, 'gbk.c:2\nplain.txt:1'],
    ['below a glob', { pattern: 'café', glob: 'w*' }, 'wide-be.txt\nwide.txt'],
    ['below a type', { pattern: '日本', type: 'c' }, 'euc.c\nsjis.c'],
    ['nowhere', { pattern: '没有这个' }, 'No match.'],
    [
      'lines, as reading shows them',
      { pattern: '检索日?|加法运算', output_mode: 'content', glob: '*.c', '-B': 1 },
      'gbk.c-1-// 这个函数计算两个数字的总和，并返回结果。\ngbk.c:2:return a + b; // 加法运算',
    ],
    [
      'Latin letters beside others',
      { pattern: 'needle', output_mode: 'content', path: 'latin.txt' },
      'latin.txt:2:un garçon naïve needle',
    ],
    ['Latin letters in a file of two bytes each that is named', { pattern: 'needle', path: 'wide.txt' }, 'wide.txt'],
  ])('%s', async (_name, args, output) => {
    expect(await grep(args)).toMatchObject({ status: 'succeeded', output });
  });

  it('shows a line that was found by its Latin letters as reading shows it', async () => {
    const { output } = await grep({ pattern: 'needle|return a', output_mode: 'content' });
    expect(output.split('\n')).toEqual([
      'gbk.c:2:return a + b; // 加法运算',
      'latin.txt:2:un garçon naïve needle',
      'marked.txt:2:naïve needle',
    ]);
  });

  it('finds what is too short to tell its encoding, and says what it was taken for', async () => {
    expect((await grep({ pattern: '检索' })).output).toMatch(
      /^short\.txt\n\(short\.txt: found as gb18030; Read may take it for .+\)$/,
    );
  });

  it('looks into no file that a search leaves out, and follows no link', async () => {
    const outside = await openSession({ 'x.c': iconv.encode(chinese, 'gbk') });
    const session = await openSession({ '.gitignore': 'out/\n', 'out/a.c': iconv.encode(chinese, 'gbk') });
    symlinkSync(join(outside.root, 'x.c'), join(session.root, 'link.c'));
    expect((await session.call('Grep', { pattern: '加法' })).output).toBe('No match.');
    rmSync(join(session.root, '.gitignore'));
    expect((await session.call('Grep', { pattern: '加法' })).output).toBe('out/a.c');
  });

  it('a file called like an option or like standard input is a file', async () => {
    const session = await openSession({ '-': iconv.encode(chinese, 'gbk'), '-x': iconv.encode(chinese, 'gbk') });
    expect((await session.call('Grep', { pattern: '加法' })).output).toBe('-\n-x');
  });
});
