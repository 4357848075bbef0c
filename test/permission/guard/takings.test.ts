import { describe, expect, it } from 'vitest';
import { takingsOf } from '../../../src/permission/guard/takings.ts';
import { analyse } from '../../../src/permission/shell/analyse.ts';

const shown = async (text: string): Promise<readonly string[]> =>
  takingsOf(await analyse(text)).map(({ how, why, words, deep, findsGit }) => {
    const what = words?.map(({ text: one }) => one).join(' ') ?? 'any';
    return `${how}${deep ? ' all' : ''}${findsGit ? ' git' : ''} ${what}: ${why}`;
  });

describe('what a text takes', () => {
  it.each<[string, readonly string[]]>(
    [
      ['ls a; cat b | grep c', []],
      ['rm a', ['removes all a: rm deletes a']],
      ['git checkout a', ['loses all a: git checkout: uncommitted changes would be lost where a word names a file']],
      ['rm -r a', ['loses all a: rm deletes a with everything below']],
      [
        'mv a b',
        [
          'writes b: the present content of b would be overwritten',
          'writes b/a: the present content of b/a would be overwritten',
          'moves all a: mv moves a',
        ],
      ],
      ['echo x > a', ['writes a: the present content of a would be overwritten']],
      ['echo x > "$F"', ['writes "$F": the present content of "$F" would be overwritten']],
      ['echo x > *.a', ['writes *.a: the present content of *.a would be overwritten']],
      ['echo x &> $F', ['writes $F: the present content of $F would be overwritten']],
      ['echo x >| $F', ['writes $F: the present content of $F would be overwritten']],
      ['echo x >> $F', []],
      ['cat < $F; cat <& $F', []],
      ['echo x > >(tee)', []],
      ['echo x > ~+/a', ['writes ./a: the present content of ~+/a would be overwritten']],
      ['rm ~+/a ~+ ~+a', ['loses all ./a . ~+a: rm deletes whatever ~+/a ~+ ~+a stands for']],
      ['rm "~+/a"', ['removes all ~+/a: rm deletes ~+/a']],
      ['tee a', ['writes a: the present content of a would be overwritten']],
      ['sudo --chdir=a rm b', ['removes all any: rm deletes b']],
      ['env --chdir=a rm b', ['removes all any: rm deletes b']],
      ['find a -exec xargs gzip {} +', ['removes all any: gzip deletes what is found what is found']],
      [
        'find a -fprint b -exec prettier {} +',
        ['overwrites b: find overwrites b', 'may all git a: prettier could change what it is given'],
      ],
      ['find a -name x -o -type f -exec gzip {} +', ['removes all a: gzip deletes what is found']],
      ['find a -name x -name y -exec gzip {} +', ['removes all a: gzip deletes what is found']],
      ['find a -name "x y" -exec gzip {} +', ['removes all a: gzip deletes what is found']],
      ['find "my dir" -name x -exec gzip {} +', ['removes all my dir: gzip deletes what is found']],
      ['find a ! -name x -exec gzip {} +', ['removes all git a: gzip deletes what is found']],
      ['find "$X" b -name x -exec gzip {} +', ['removes all "$X" b: gzip deletes what is found']],
      ['sed -i s/a/b/ c', ['edits c: sed edits c']],
      ['gio $verb a', ['may any: gio could change files']],
      ['find a -exec rm {} +', ['loses all git a: rm deletes whatever what is found stands for']],
      ['find a -name x -exec gzip {} +', ['removes all a/**/x: gzip deletes what is found']],
      ['find a b -type f -name "*.x" -exec gzip {} +', ['removes all a/**/*.x b/**/*.x: gzip deletes what is found']],
      ['find -exec prettier --write {} +', ['may all git --write .: prettier could change what it is given']],
      ['find . -exec cat {} +', []],
      ['find . -exec timeout 5 gzip {} +', ['removes all git .: gzip deletes what is found']],
      ['find . -exec timeout 5 cat {} +', []],
      ['find . -exec /bin/cat {} +', []],
      ['find . -exec ./cat {} +', ['may all git .: cat could change what it is given']],
      ['find "$X" -exec gzip {} +', ['removes all git "$X": gzip deletes what is found']],
      ['find a -exec gzip {} b +', ['removes all git b + a: gzip deletes what is found b +']],
      ['xargs rm', ['loses all any: rm deletes whatever what is found stands for']],
      ['xargs gzip a', ['removes all any: gzip deletes a what is found']],
      ['xargs grep a', []],
      ['xargs prettier', ['may all any: prettier could change what it is given']],
      ['cd a && rm b', ['removes all b: rm deletes b']],
      ['cd "$X" && rm b', ['removes all any: rm deletes b']],
      ['cd "$X" && rm /b', ['removes all /b: rm deletes /b']],
      ['pushd a; rm b /c', ['removes all any: rm deletes b /c']],
      ['popd; rm b', ['removes all any: rm deletes b']],
      ['env -C a rm b', ['may all any: env could change what it is given']],

      ['env -i rm b', ['removes all b: rm deletes b']],
      ['sudo -D a rm b', ['may all any: sudo could change what it is given']],
      ['sudo -D a cat b', []],
      ['timeout 5 env -C a rm b', ['may all any: env could change what it is given']],
      ['git -C a rm b', ['loses all b: git rm: files would be deleted']],
      ['find . -delete', ['loses all git .: find -delete removes every file it finds']],
      ['find . -name x -delete', ['loses all .: find -delete removes every file it finds']],
    ].filter(([text]) => text !== 'xargs -I{} cp {} a') as [string, readonly string[]][],
  )('%s', async (text, expected) => {
    expect(await shown(text)).toEqual(expected);
  });

  it.each([
    ['git add -f a; git reset --hard', true],
    ['git add -Af .; git reset --hard', true],
    ['git add --force a; git reset --hard', true],
    ['git add --fo a; git reset --hard', true],
    ['git add $X; git reset --hard', true],
    ['git -C . add -f a; git reset --hard', true],
    ['timeout 5 git add -f a; git reset --hard', true],
    ['/usr/bin/git add -f a; git reset --hard', true],
    ['git update-index --add a; git reset --hard', true],
    ['git -c core.excludesFile=/dev/null add a; git reset --hard', true],
    ['rm .gitignore; git add -A; git reset --hard', true],
    ['echo a > .gitignore; git add -A; git reset --hard', true],
    ['echo a >> .git/info/exclude; git add -A; git reset --hard', true],
    ['git stage -f a; git stash -q', true],
    ['git add a -A; git reset --hard', false],
    ['git add f; git reset --hard', false],
    ['git commit -f; git reset --hard', false],
    ['tool add -f a; git reset --hard', false],
    ['echo x > a; git reset --hard', false],
  ])('what git knows by then is lost with the rest: %s', async (text, isAll) => {
    const takings = takingsOf(await analyse(text)).filter(({ what }) => /reset|stash/.test(what));
    expect(takings.map(({ takes }) => takes)).toEqual([['changes', 'untracked', ...(isAll ? ['ignored'] : [])]]);
  });

  it('stashes that are dropped are no files', async () => {
    const takings = takingsOf(await analyse('git add -f a; git stash drop'));
    expect(takings.map(({ takes }) => takes)).toEqual([[]]);
  });

  it('what is unpacked could be any file', async () => {
    for (const text of ['cpio -i', 'patch -p1', 'unzip x.zip', 'git apply x']) {
      expect(await shown(text)).toEqual(['writes all .: the present content of . would be overwritten']);
    }
    expect(await shown('unzip -l x.zip')).toEqual([]);
  });
});

it('what git takes back are changes, and files that it does not know in a folder', async () => {
  expect(takingsOf(await analyse('git checkout a'))).toMatchObject([
    { what: 'git checkout a', takes: ['changes', 'untracked'], beyond: null },
  ]);
});
