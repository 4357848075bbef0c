import { expect, test } from 'vitest';
import { shownDiff } from '../../../../src/surfaces/cli/output/diff-text.ts';

test.each([
  ['lines of Unix', '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n', '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b'],
  ['lines of Windows', '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\r\n+b\r\n', '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b'],
  ['a line end that changes', '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\r\n+a\n', '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a␍\n+a'],
  ['one of several', '--- a/x\n+++ b/x\n@@ -1,2 +1 @@\n a\n-b\r\n', '--- a/x\n+++ b/x\n@@ -1,2 +1 @@\n a\n-b␍'],
  [
    'a file of each kind',
    '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\r\n+b\r\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n',
    '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b',
  ],
  [
    'a last line that is open',
    '-a\r\n+b\r\n-c\n\\ No newline at end of file\n',
    '-a␍\n+b␍\n-c\n\\ No newline at end of file',
  ],
  ['no diff', 'rm -r src\n\n', 'rm -r src'],
])('%s', (_name, text, expected) => expect(shownDiff(text)).toBe(expected));
