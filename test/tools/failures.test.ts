/** What a model is told when a call fails, over all tools: what is wrong, and the next step. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Failure, Json } from '#kernel';
import { openSession } from './session.ts';

const files = { 'a.txt': 'one\ntwo\none\n', 'bin.dat': '\u0000\u0001\u0002', 'src/b.ts': 'x\n', 'x.sql': 'select' };

const calls: readonly (readonly [tool: string, all: readonly Json[]])[] = [
  [
    'Read',
    [
      { file_path: 'nope.txt' },
      { file_path: 'src' },
      { file_path: '../x' },
      { file_path: 'a.txt', offset: 99 },
      { file_path: '' },
      { file_path: 'a\u0000b' },
      { file_path: '.belay-data/ledger.log' },
      { file_path: 'a.txt/b' },
    ],
  ],
  [
    'Edit',
    [
      { file_path: 'nope.txt', old_string: 'a', new_string: 'b' },
      { file_path: 'a.txt', old_string: 'one', new_string: 'b' },
      { file_path: 'a.txt' },
      { file_path: 'src', old_string: 'a', new_string: 'b' },
      { file_path: '../x', old_string: 'a', new_string: 'b' },
    ],
  ],
  [
    'Write',
    [
      { file_path: 'src', content: '' },
      { file_path: 'a.txt', content: '' },
      { file_path: '/etc/x', content: '' },
    ],
  ],
  [
    'ApplyPatch',
    [
      { patch: '' },
      { patch: 'nonsense' },
      { patch: '*** Begin Patch\n*** Update File: nope\n@@\n-a\n+b\n*** End Patch' },
    ],
  ],
  ['Bash', [{ command: '' }, { command: 'a\u0000b' }, { command: 'ls', cwd: 'nope' }, { command: 'ls', cwd: '/etc' }]],
  ['TaskOutput', [{ task_id: 'nope' }]],
  ['TaskStop', [{ task_id: 'nope' }]],
  [
    'Grep',
    [{ pattern: '(' }, { pattern: 'a', path: 'nope' }, { pattern: 'a', glob: '[' }, { pattern: 'a', type: 'nope' }],
  ],
  ['Glob', [{ pattern: '[' }, { pattern: '' }, { pattern: '*', path: 'nope' }, { pattern: '*', path: '..' }]],
  ['Symbols', [{ path: 'x.sql' }, { path: 'nope' }, { path: '..' }, { path: '.belay-data' }]],
  ['Test', [{}, { check: 'nope' }, { check: 7 }]],
  ['Commit', [{ message: '' }, { message: 'x' }]],
  ['ExitPlanMode', [{ plan: '' }]],
];

it.each(calls)('%s names the next step in every failure', async (tool, all) => {
  const session = await openSession(files);
  mkdirSync(join(session.root, '.belay-data'), { recursive: true });
  let failures = 0;
  for (const args of all) {
    const what = `${tool} ${JSON.stringify(args)}`;
    const inspection = await session.inspect(tool, args).catch((thrown: unknown) => {
      throw new Error(`${what} threw`, { cause: thrown });
    });
    if (!inspection.ok) speaks(inspection.failure, what);
    const outcome = await session.call(tool, args);
    if (outcome.status === 'succeeded') continue;
    failures++;
    expect(outcome.failure, what).toBeDefined();
    if (outcome.failure === undefined) continue;
    speaks(outcome.failure, what);
    expect(outcome.output, what).toContain(outcome.failure.suggestedAction);
  }
  expect(failures).toBeGreaterThan(0);
});

/** A message, and behind it a step: a sentence that begins with what to do. */
function speaks({ message, suggestedAction }: Failure, what: string): void {
  expect(message.trim().length, what).toBeGreaterThan(5);
  expect(suggestedAction, what).toMatch(
    /^(Add|Ask|Call|Change|Check|Choose|Correct|Declare|Did you mean|Find|Give|Go|Leave|List|Look|Mend|Name|Read|Run|Say|Search|Send|Start|Stop|Try|Use|Write|Escape)\b/,
  );
}
