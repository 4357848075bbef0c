import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import type { Json } from '#kernel';
import { createTools } from '../../../src/tools/create-tools.ts';
import { readTool } from '../../../src/tools/outcome.ts';
import { createRegistry } from '../../../src/tools/registry/create-registry.ts';

const tool = (name: string, inputSchema: Json = { type: 'object' }) =>
  readTool({
    definition: { name, description: 'does something', inputSchema },
    paths: () => null,
    run: async () => ({ status: 'succeeded', output: '' }),
  });

const names = [
  'Read',
  'Edit',
  'Write',
  'ApplyPatch',
  'Bash',
  'TaskOutput',
  'TaskStop',
  'Grep',
  'Glob',
  'Symbols',
  'TodoWrite',
  'Test',
  'Commit',
  'EnterPlanMode',
  'ExitPlanMode',
];
const own = createRegistry(createTools({ root: '/repo' } as never));

describe('registration', () => {
  it('keeps the order and finds tools by name', () => {
    const registry = createRegistry([tool('B'), tool('A')]);
    expect(registry.definitions.map(({ name }) => name)).toEqual(['B', 'A']);
    expect(registry.get('A')?.definition.name).toBe('A');
    expect(registry.get('C')).toBeNull();
  });

  it.each(['', '1abc', 'with space', 'a.b', 'x'.repeat(65)])('refuses the name %j', (name) => {
    expect(() => createRegistry([tool(name)])).toThrow('does not fit');
  });
  it('refuses a name twice', () => {
    expect(() => createRegistry([tool('A'), tool('A')])).toThrow('two tools');
  });

  it.each<[string, Json]>([
    ['an unknown keyword', { oneOf: [] }],
    ['an unknown type', { type: 'text' }],
    ['an empty list of types', { type: [] }],
    ['an enum that is no list', { enum: 'a' }],
    ['a negative length', { minLength: -1 }],
    ['a boolean length', { maxLength: true }],
    ['a minimum above the maximum', { minimum: 3, maximum: 2 }],
    ['a length above its maximum', { minLength: 3, maxLength: 2 }],
    ['a broken pattern', { pattern: '(' }],
    ['properties that are no object', { properties: [] }],
    ['a required list of numbers', { required: [1] }],
    ['a fault deep inside', { properties: { a: { items: { type: 'nothing' } } } }],
  ])('refuses %s', (_name, schema) => {
    expect(() => createRegistry([tool('A', schema)])).toThrow('faulty');
  });

  it('holds exactly the tools that users know by name, in few bytes', () => {
    expect(own.definitions.map(({ name }) => name)).toEqual(names);
    expect(Buffer.byteLength(JSON.stringify(own.definitions))).toBeLessThanOrEqual(5400);
  });
});

describe('arguments', () => {
  const pathOf = (name: string, args: Json) => {
    const failure = own.check(name, args);
    return failure === null ? [] : [...failure.message.matchAll(/^- (\S+):/gm)].map(([, path]) => path);
  };
  it.each<[string, string, Json, readonly string[]]>([
    ['right ones', 'Read', { file_path: 'a', offset: 1, limit: 2.0 }, []],
    ['a missing one', 'Read', {}, ['/file_path']],
    ['two missing ones', 'Write', {}, ['/file_path', '/content']],
    ['a wrong type', 'Read', { file_path: 1 }, ['/file_path']],
    ['a number as text', 'Read', { file_path: 'a', offset: '1' }, ['/offset']],
    ['a boolean as number', 'Read', { file_path: 'a', offset: true }, ['/offset']],
    ['a fraction', 'Read', { file_path: 'a', offset: 1.5 }, ['/offset']],
    ['below the minimum', 'Read', { file_path: 'a', offset: 0 }, ['/offset']],
    ['above the maximum', 'Bash', { command: 'ls', timeout: 600_001 }, ['/timeout']],
    ['an extra one', 'Read', { file_path: 'a', 'x/y~z': 1 }, ['/x~1y~0z']],
    ['extra and missing', 'Read', { path: 'a' }, ['/file_path', '/path']],
    ['a value outside the enum', 'Grep', { pattern: 'a', output_mode: 'lines' }, ['/output_mode']],
    ['text or number', 'Test', { check: 'node --test' }, []],
    ['number or text', 'Test', { check: 1 }, []],
    ['neither', 'Test', { check: false }, ['/check']],
    ['nothing at all', 'EnterPlanMode', {}, []],
    ['something where nothing is', 'EnterPlanMode', { a: 1 }, ['/a']],
    ['no object', 'Read', 'a', ['/']],
    [
      'faults inside a list',
      'TodoWrite',
      {
        todos: [
          { content: 'a', status: 'done', activeForm: 'b' },
          { content: 'a', status: 'pending' },
        ],
      },
      ['/todos/0/status', '/todos/1/activeForm'],
    ],
  ])('%s', (_name, name, args, paths) => {
    expect(pathOf(name, args)).toEqual(paths);
  });

  it.each(own.definitions.map(({ name }) => [name] as const))('%s takes no nonsense, and says so in full', (name) => {
    const nonsense: readonly Json[] = [null, true, 1, 'text', [], [{}], { '': 1 }, { x: { y: [null] } }];
    for (const args of nonsense) {
      const failure = own.check(name, args);
      expect(failure, JSON.stringify(args)).toMatchObject({ kind: 'schema', retryable: true, blame: 'model' });
      expect(failure?.suggestedAction).toBe(`Call ${name} again with all of these corrected.`);
      expect(failure?.message).toMatch(/\n- \//);
    }
  });
  it('of two types of one value the right one is never made from the wrong one', () => {
    const wrong: Json = { command: ['ls'], timeout: '5', run_in_background: 'true', description: 1 };
    expect(pathOf('Bash', wrong)).toEqual(['/command', '/timeout', '/run_in_background', '/description']);
  });
  test.prop([fc.constantFrom(...names), fc.jsonValue()])('any arguments are judged and never changed', (name, args) => {
    const given = structuredClone(args) as Json;
    const failure = own.check(name, given);
    expect(given).toEqual(args);
    expect(failure === null || failure.suggestedAction !== '').toBe(true);
  });

  it('says what to send instead', () => {
    expect(own.check('Read', { path: 'a' })?.message).toContain('there are file_path, offset, limit');
    expect(own.check('Grep', { pattern: 'a', output_mode: 'x' })?.message).toContain('"content"');
    expect(own.check('Read', { file_path: 'a', offset: '1' })?.message).toContain('send an integer, not a string');
  });
  it('an unknown tool is told the existing ones, and a near one by name', () => {
    expect(own.check('Delete', {})?.suggestedAction).toContain('Read, Edit, Write');
    expect(own.check('read', {})?.suggestedAction).toBe('The tool is called Read.');
    expect(own.check('Delete', {})?.kind).toBe('not_found');
  });
  it('of a long name that is no tool only the beginning is repeated', () => {
    const told = own.check(`Delete${'x'.repeat(10_000)}`, {})?.message ?? '';
    expect(told).toContain('"Deletexxx');
    expect(told).toContain('(10006 characters)');
    expect(told.length).toBeLessThan(200);
  });
  it.each<[string, string, Json, string]>([
    ['a command', 'Bash', { command: 'echo \ud83d' }, '/command'],
    ['a path', 'Read', { file_path: 'a\udc00b' }, '/file_path'],
    [
      'a text in a list',
      'Edit',
      { file_path: 'a', edits: [{ old_string: '\ud800', new_string: 'x' }] },
      '/edits/0/old_string',
    ],
  ])('half of a character is refused everywhere: %s', (_name, tool, args, where) => {
    expect(own.check(tool, args)?.message).toContain(`${where}: it holds half of a character`);
    expect(
      own.check(tool, JSON.parse(JSON.stringify(args).replace(/\\ud83d|\\udc00|\\ud800/, '\\ud83d\\ude00'))),
    ).toBeNull();
  });
  it('the same fault has the same signature, another one another', () => {
    const signature = (args: Json) => own.check('Read', args)?.signature;
    expect(signature({ file_path: 1 })).toBe(signature({ file_path: 2 }));
    expect(signature({ file_path: 1 })).not.toBe(signature({}));
  });
});
