import { describe, expect, test } from 'vitest';
import type { Json } from '#kernel';
import { checksOfTest, commandOf, findDeclaredCheck } from '../../src/permission/declared-check.ts';

const unit = { command: 'node --test', counts: true };
const lint = { command: 'make a &&  make b', counts: false };
const checks = [unit, lint];
const listOf = (fields: object): Json => Object.assign([], fields) as Json;

describe('the command text of a call', () => {
  test.each<[Json, string | null]>([
    [{ command: 'ls' }, 'ls'],
    [{ check: 'ls' }, 'ls'],
    [{ command: 'a', check: 'b' }, 'a'],
    [{ command: 1, check: 'b' }, 'b'],
    [{ check: 1 }, null],
    [{}, null],
    [null, null],
    ['ls', null],
    [listOf({ command: 'ls' }), null],
  ])('%j: %j', (args, text) => expect(commandOf(args)).toBe(text));
});

describe('a declared check', () => {
  test.each([
    ['node --test', unit],
    [' node  "--test"', unit],
    ['make a &&  make b\n', lint],
    ['make a && make b', null],
    ['node', null],
  ])('%j', async (text, check) => expect(await findDeclaredCheck(text, checks)).toBe(check));

  test('of two that are the same words, the one with the same letters', async () => {
    const spelled = { command: 'node "--test"', counts: false };
    expect(await findDeclaredCheck('node "--test"', [unit, spelled])).toBe(spelled);
    expect(await findDeclaredCheck("node '--test'", [unit, spelled])).toBe(unit);
  });

  test.each<[Json, readonly object[] | null]>([
    [{}, checks],
    [null, checks],
    ['2', checks],
    [listOf({ check: 2 }), checks],
    [{ check: 'node --test' }, [unit]],
    [{ check: 2 }, [lint]],
    [{ check: '1' }, [unit]],
    [{ check: '1 ' }, null],
    [{ check: 0 }, null],
    [{ check: 3 }, null],
    [{ check: 1.5 }, null],
    [{ check: null }, null],
    [{ check: true }, null],
  ])('of a call with %j', async (args, named) => expect(await checksOfTest(args, checks)).toEqual(named));
});
