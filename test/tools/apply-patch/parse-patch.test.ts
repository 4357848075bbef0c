import { describe, expect, it } from 'vitest';
import { parsePatch } from '../../../src/tools/apply-patch/parse-patch.ts';

describe('patches that cannot be read are refused with their line', () => {
  it.each([
    ['nothing', '', 'names no file'],
    ['cut off', '*** Begin Patch\n*** Update File: a\n@@\n-x\n+y', 'does not end'],
    ['an unknown section', '*** Begin Patch\n*** Copy File: a\n*** End Patch', 'a section begins with'],
    ['no sign', '*** Begin Patch\n*** Update File: a\n@@\nx\n*** End Patch', 'a line begins with'],
    ['no change', '*** Begin Patch\n*** Update File: a\n*** End Patch', 'changes nothing'],
    ['text behind', '*** Begin Patch\n*** Delete File: a\n*** End Patch\nmore', 'behind *** End Patch'],
    ['prose', 'Please change a to b.', 'neither'],
    ['a part without lines', '--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n\n', 'part 1, @@ -1,2 +1,2 @@ has no lines'],
    ['text in a miscounted part', '--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n-x\nand\n+y', 'part 1, @@ -1,3 +1,3 @@: "and"'],
    [
      'a miscounted part with a line that may be the next file',
      '--- a/a\n+++ b/a\n@@ -1,1 +1,1 @@\n-1\n+2\n@@ -8,9 +8,9 @@\n x\n--- old\n+++ new\n y\n',
      'part 2, @@ -8,9 +8,9 @@: "--- old" may be a line of it or the next file',
    ],
    ['a mail without a diff', 'From: A <a@b>\nSubject: x\n\nSee there.\n', 'names no file'],
    ['a head without its second line', '--- a/a\n@@ -1,1 +1,1 @@\n-x\n+y', 'comes +++'],
  ])('%s', (_name, text, why) => {
    expect(parsePatch(text)).toMatchObject({ ok: false, why: expect.stringContaining(why) });
  });
});

describe('both forms', () => {
  it('sections: update with a head, move, add, delete', () => {
    const text = [
      '*** Begin Patch',
      '*** Update File: a.js',
      '*** Move to: b.js',
      '@@ function f() {',
      ' one',
      '-two',
      '+2',
      '*** End of File',
      '*** Add File: new.txt',
      '+x',
      '+',
      '',
      '*** Delete File: old.txt',
      '*** End Patch',
      '',
    ].join('\n');
    expect(parsePatch(text)).toEqual({
      ok: true,
      files: [
        {
          kind: 'update',
          path: 'a.js',
          to: 'b.js',
          hunks: [
            {
              behind: ['function f() {'],
              line: null,
              lines: [
                { sign: ' ', text: 'one' },
                { sign: '-', text: 'two' },
                { sign: '+', text: '2' },
              ],
              blanks: 0,
              atEnd: true,
              open: null,
            },
          ],
        },
        { kind: 'add', path: 'new.txt', lines: ['x', ''], endsOpen: false },
        { kind: 'delete', path: 'old.txt' },
      ],
    });
  });

  it('unified: what looks like a head inside a part is a line of it', () => {
    const text = '--- a/q.sql\n+++ b/q.sql\n@@ -1,2 +1,2 @@\n--- old remark\n+-- new remark\n select\n';
    const parsed = parsePatch(text);
    expect(parsed.ok && parsed.files).toHaveLength(1);
    expect(parsed).toMatchObject({ files: [{ hunks: [{ lines: [{ text: '-- old remark' }, {}, {}] }] }] });
  });

  it('unified: created, deleted and renamed files', () => {
    const text = [
      'diff --git a/n b/n',
      'new file mode 100644',
      '--- /dev/null',
      '+++ b/n',
      '@@ -0,0 +1,1 @@',
      '+x',
      '\\ No newline at end of file',
      '--- a/o',
      '+++ /dev/null',
      '@@ -1,1 +0,0 @@',
      '-x',
      'diff --git a/p b/q',
      'similarity index 100%',
      'rename from p',
      'rename to q',
    ].join('\n');
    expect(parsePatch(text)).toMatchObject({
      ok: true,
      files: [
        { kind: 'add', path: 'n', lines: ['x'], endsOpen: true },
        { kind: 'delete', path: 'o' },
        { kind: 'update', path: 'p', to: 'q', hunks: [] },
      ],
    });
  });

  it.each([
    [['@@', '-a', '+b', '*** Move to: q'], 6, /^\*\*\* Move to: stands right below \*\*\* Update File: p$/],
    [['@@', '-a', '+b', '*** Rename File: q'], 6, /^no line of a section begins so/],
    [['@@', ' a', '*** a comment */', '+b'], 5, /^no line of a section begins so; .* space, - or \+ in front/],
    [['@@', '*** End of File'], 4, /^a part without lines$/],
  ])('sections: %j is refused at its line, with what is wrong there', (lines, line, why) => {
    const text = ['*** Begin Patch', '*** Update File: p', ...lines, '*** End Patch'].join('\n');
    expect(parsePatch(text)).toEqual({ ok: false, line, why: expect.stringMatching(why) });
  });
});
