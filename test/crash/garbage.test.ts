/** Whatever a model says and whatever becomes of the workspace: a documented exit code, a valid ledger, a session that goes on. */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { exitCodes } from '#surfaces/view';
import {
  faultsOf,
  ledgerFaults,
  makePlace,
  ordinaryTurns,
  type Place,
  resultOf,
  resumeArguments,
  runArguments,
  runBelay,
  startBelay,
} from './scenario.ts';
import { until } from './wait.ts';

const provider = fileURLToPath(new URL('../servers/run.ts', import.meta.url));

let place: Place;
afterEach(() => place.remove());

const call = (tool: string, args: unknown) => ({ tool, args });
const raw = (tool: string, argsText: string) => ({ tool, argsText });

/** Answers that no model should give, before the ones that do the work. */
const answers: readonly { readonly name: string; readonly turns: readonly object[] }[] = [
  {
    name: 'arguments that are no JSON',
    turns: [{ calls: [raw('Read', '{"file_path": "sum.m'), raw('Bash', 'ls'), raw('Edit', '')] }],
  },
  {
    name: 'arguments that are no object',
    turns: [{ calls: [raw('Read', '[]'), raw('Bash', 'null'), raw('Test', '7'), raw('Grep', '"x"')] }],
  },
  {
    name: 'tools that do not exist',
    turns: [{ calls: [call('Launch', {}), call('', {}), call('__proto__', {}), call('constructor', {})] }],
  },
  {
    name: 'properties nobody asked for',
    turns: [{ calls: [call('Read', { file_path: 'sum.mjs', __proto__: 1, extra: { deep: [1] } })] }],
  },
  {
    name: 'wrong types',
    turns: [
      {
        calls: [
          call('Read', { file_path: 7, offset: 'x', limit: -1 }),
          call('Bash', { command: ['ls'] }),
          call('TodoWrite', { todos: 'all' }),
        ],
      },
    ],
  },
  {
    name: 'NUL bytes and lone surrogates',
    turns: [
      {
        text: 'a\u0000b\ud800c',
        calls: [
          call('Read', { file_path: 'sum\u0000.mjs' }),
          call('Read', { file_path: '\ud800.mjs' }),
          call('Grep', { pattern: '\udfff\u0000' }),
          call('Bash', { command: 'sh note.sh\u0000' }),
        ],
      },
    ],
  },
  {
    name: 'an edit with lone surrogates',
    turns: [
      { calls: [call('Read', { file_path: 'sum.mjs' })] },
      { calls: [call('Edit', { file_path: 'sum.mjs', old_string: '\ud800', new_string: '\udc00' })] },
    ],
  },
  {
    name: 'paths that lead out',
    turns: [
      {
        calls: [
          call('Read', { file_path: '../../../etc/passwd' }),
          call('Edit', { file_path: '/etc/hosts', old_string: 'a', new_string: 'b' }),
          call('Glob', { pattern: '../**' }),
        ],
      },
    ],
  },
  {
    name: 'two hundred calls in one answer',
    turns: [
      {
        calls: Array.from({ length: 200 }, (_, i) =>
          call('Read', { file_path: i % 2 === 0 ? 'sum.mjs' : `missing-${i}` }),
        ),
      },
    ],
  },
  { name: 'one empty answer', turns: [{ text: '' }] },
  { name: 'nothing but blanks and control characters', turns: [{ text: ' \n\t\u0007\u001b[2J ' }] },
  {
    name: 'three megabytes of text',
    turns: [{ text: 'x\u00e9\ud83d\ude00'.repeat(500_000), calls: [call('Read', { file_path: 'sum.mjs' })] }],
  },
  {
    name: 'a pattern that explodes',
    turns: [
      {
        calls: [
          call('Grep', { pattern: '(a+)+$' }),
          call('Grep', { pattern: '([' }),
          call('Glob', { pattern: '{'.repeat(300) }),
        ],
      },
    ],
  },
];

test.each(answers)(
  '$name: the model is told, and the work is done in the end',
  async ({ turns }) => {
    place = makePlace({ turns: [...turns, ...ordinaryTurns] });
    const ended = await runBelay(place, runArguments(place));
    expect(await faultsOf(place, ended)).toEqual([]);
  },
  30_000,
);

const documented = exitCodes.map(({ code }) => code);

/** Answers after which nothing good comes any more. */
const ends: readonly { readonly name: string; readonly turns: readonly object[]; readonly code: number }[] = [
  { name: 'empty answers only', turns: [{ text: '' }, { text: '' }, { text: '' }], code: 13 },
  {
    name: 'the same broken call for ever',
    turns: Array.from({ length: 40 }, () => ({ calls: [raw('Bash', '{')] })),
    code: 12,
  },
  {
    name: 'an answer that was cut off',
    turns: [
      { text: 'I will', finish: 'length' },
      { text: 'I will', finish: 'length' },
    ],
    code: 13,
  },
  { name: 'a filtered answer', turns: [{ text: '', finish: 'content-filter' }], code: 57 },
  {
    name: 'a claim without any work, again and again',
    turns: Array.from({ length: 6 }, () => ({ text: 'Done.' })),
    code: 13,
  },
];

test.each(ends)(
  '$name: exit $code, and the session can be resumed',
  async ({ turns, code }) => {
    place = makePlace({ turns });
    const ended = await runBelay(place, runArguments(place));
    expect({ code: ended.code, stderr: ended.stderr }).toMatchObject({ code });
    expect(resultOf(ended)).toMatchObject({ type: 'result', exit_code: code });
    expect(await ledgerFaults(place)).toEqual([]);
    const again = await runBelay(place, resumeArguments);
    expect(documented).toContain(again.code);
    expect(await ledgerFaults(place)).toEqual([]);
  },
  30_000,
);

test('a provider on the wire that sends garbage in pieces', async () => {
  place = makePlace();
  const garbage = [
    { text: '\u0000\ud83d\ude00', calls: [raw('Read', '{"file_path"'), call('Nothing', { a: 1 })] },
    ...ordinaryTurns,
  ];
  writeFileSync(place.script, JSON.stringify({ turns: garbage }));
  const server = spawn(
    process.execPath,
    [provider, '--provider', 'openai-compatible', '--script', place.script, '--seed', '7'],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  let port = '';
  server.stdout.on('data', (text: Buffer) => {
    port += text.toString();
  });
  try {
    await until(() => port.endsWith('\n'));
    const env = {
      ...place.env,
      OPENAI_COMPATIBLE_API_KEY: 'test-key',
      OPENAI_COMPATIBLE_BASE_URL: `http://127.0.0.1:${port.trim()}`,
    };
    const args = runArguments(place).map((arg) => (arg.startsWith('scripted/') ? 'openai-compatible/any' : arg));
    const ended = await runBelay({ ...place, env }, args);
    expect(await faultsOf(place, ended)).toEqual([]);
  } finally {
    server.stdin.end();
    server.kill();
  }
}, 30_000);

test('files that are no UTF-8, by name and by content', async () => {
  const odd = Buffer.from('caf\xe9\xff.txt', 'latin1');
  place = makePlace({
    turns: [
      {
        calls: [
          call('Glob', { pattern: '**' }),
          call('Grep', { pattern: 'caf' }),
          call('Read', { file_path: 'latin.txt' }),
          call('Read', { file_path: 'binary.bin' }),
        ],
      },
      { calls: [call('Edit', { file_path: 'latin.txt', old_string: 'caf', new_string: 'Caf' })] },
      ...ordinaryTurns,
    ],
  });
  writeFileSync(Buffer.concat([Buffer.from(`${place.work}/`), odd]), 'caf\xe9\n', 'latin1');
  writeFileSync(path.join(place.work, 'latin.txt'), 'caf\xe9 cr\xe8me\n', 'latin1');
  writeFileSync(path.join(place.work, 'binary.bin'), Buffer.from(Array.from({ length: 256 }, (_, i) => i)));
  const ended = await runBelay(place, runArguments(place));
  expect(await faultsOf(place, ended)).toEqual([]);
  expect(readFileSync(path.join(place.work, 'latin.txt'), 'latin1')).toMatch(/^[Cc]af\xe9 cr\xe8me\n$/);
  expect((await runBelay(place, ['diff', 'crash'])).code).toBe(0);
}, 30_000);

test('a workspace that is deleted while a command runs: documented, and resumable once it is back', async () => {
  place = makePlace({ held: true });
  const run = startBelay(place, runArguments(place));
  const exec = path.join(place.home, 'sessions', 'crash', 'exec');
  await until(async () => {
    const { facts } = await (await import('#ledger'))
      .openStore({ home: place.home })
      .openReader('crash')
      .catch(() => ({ facts: [] }));
    return facts.some((fact) => fact.type === 'attempt.start' && fact.effect === 'process');
  });
  await new Promise((resolve) => setTimeout(resolve, 100));
  rmSync(place.work, { recursive: true });
  rmSync(place.hold);
  const ended = await run.ended;
  expect(documented).toContain(ended.code);
  expect(ended.code).not.toBe(0);
  expect(resultOf(ended)).toMatchObject({ type: 'result', exit_code: ended.code });
  expect(await ledgerFaults(place)).toEqual([]);
  expect(exec).toContain(place.home);
  const elsewhere = { ...place, work: place.folder };
  const gone = await runBelay(elsewhere, resumeArguments);
  expect({ code: gone.code, stderr: gone.stderr }).toEqual({ code: 42, stderr: expect.stringContaining(place.work) });
  mkdirSync(place.work);
  const back = await runBelay(place, resumeArguments);
  expect(documented).toContain(back.code);
  expect(await ledgerFaults(place)).toEqual([]);
}, 30_000);
