import { expect, it } from 'vitest';
import { encodingsFor } from '#workspace';

it.each<[string, readonly string[], readonly string[]]>([
  ['检索', ['gb18030'], ['big5', 'windows-1252']],
  ['検索', ['shift_jis', 'euc-jp', 'gb18030'], ['windows-1252']],
  ['Ж', ['windows-1251', 'koi8-r', 'iso-8859-5'], ['windows-1252', 'windows-1253']],
  ['안녕', ['euc-kr'], ['shift_jis', 'euc-jp']],
  ['é', ['windows-1252', 'windows-1250'], ['windows-1251', 'koi8-r']],
])('%s can be written in some and not in others', async (text, some, others) => {
  const names = await encodingsFor(text);
  expect(names).toEqual(expect.arrayContaining([...some]));
  expect(names.filter((name) => others.includes(name))).toEqual([]);
});

it('names every encoding as the platform does, so that ripgrep knows each', async () => {
  for (const name of await encodingsFor('')) expect(() => new TextDecoder(name)).not.toThrow();
});
