import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { findMutants, type Mutant } from './find-mutants.ts';

export interface Room {
  readonly mutants: readonly Mutant[];
  readonly tests: readonly string[];
  readonly anew: readonly string[];
}

/** Tests that start processes. */
const slowTests = /^(oracle|mutation)\b/;

/** Every file of the permission room, and the tests of it that start nothing. */
export function permissionRoom(root: string): Room {
  const source = path.join(root, 'src/permission');
  const tests = path.join(root, 'test/permission');
  const files = (folder: string): readonly string[] =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .sort();
  return {
    mutants: files(source)
      .map((name) => path.join(source, name))
      .flatMap((file) => findMutants(file, readFileSync(file, 'utf8'))),
    tests: files(tests)
      .filter((name) => name.endsWith('.test.ts') && !slowTests.test(name))
      .map((name) => path.join(tests, name)),
    anew: [`${source}/`, `${tests}/`],
  };
}
