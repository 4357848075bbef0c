import { expect, test } from 'vitest';
import { placedFiles } from '../../../../src/permission/shell/programs/placed-files.ts';
import { literalWord } from '../../../../src/permission/shell/shell-word.ts';

/** Letters that take no value, and so may stand before the one that names the folder. */
const letters: readonly (readonly [program: string, letters: string])[] = [
  ['cp', 'bvfRradiHlLnPpsxZ'],
  ['mv', 'bvfinZ'],
  ['install', 'bvfCpsZ'],
  ['ln', 'bvfinsrLPdF'],
];
test.each(letters.flatMap(([program, all]) => [...all].map((letter): [string, string] => [program, letter])))(
  '%s -%st src a puts a into src',
  (program, letter) => {
    const words = [program, `-${letter}t`, 'src', 'b/a'].map(literalWord);
    expect(placedFiles(program, words).map(({ word }) => word.text)).toEqual(['src', 'src/a']);
  },
);
