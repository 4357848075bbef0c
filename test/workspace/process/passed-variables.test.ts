import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandEnv, passedVariables, passFault, toolEnv } from '#workspace';
import { NON_INTERACTIVE } from '../../../src/workspace/process/non-interactive.ts';
import { carry } from '../../../src/workspace/process/passed-variables.ts';
import { openPlace, textOf } from '../bench-place.ts';

describe('an entry', () => {
  test.each([
    'DATABASE_URL',
    'DOTNET_*',
    'AB*',
    'http_proxy',
    'MY_TOKEN',
    'X',
    'GIT_SSL_CAINFO',
    'GIT_*',
    'ENVIRON',
    'HOME',
  ])('that counts: %s', (entry) => expect(passFault(entry)).toBeNull());

  const shell = 'cannot be passed: it changes how the shell reads commands';
  const set = 'cannot be passed: Belay sets it, so that nothing asks or pages; a command can set it for itself';
  const elsewhere = 'cannot be passed: it leads git to another repository than the one that is guarded';
  const secrets = 'passes nothing: no pattern passes secrets, so name each variable whole';
  test.each<[unknown, string]>([
    ['PATH', 'cannot be passed: every command has it already'],
    ['TMPDIR', 'cannot be passed: every command has it already'],
    ...['BASH_ENV', 'ENV', 'SHELLOPTS', 'BASHOPTS', 'PS4', 'IFS', 'CDPATH', 'GLOBIGNORE', 'PROMPT_COMMAND'].map(
      (name): [string, string] => [name, shell],
    ),
    ...['BASH_*', 'BASH_FUNC_x', 'UID', 'POSIXLY_CORRECT', 'PWD', '_'].map((name): [string, string] => [name, shell]),
    ['BELAY_HOME', 'cannot be passed: it is a setting of Belay'],
    ['BELAY_*', 'cannot be passed: it is a setting of Belay'],
    ['GIT_REFLOG_ACTION', 'cannot be passed: Belay sets it, to tell what an action did'],
    ['GIT_DIR', elsewhere],
    ['GIT_INDEX_FILE', elsewhere],
    ...Object.keys(NON_INTERACTIVE).map((name): [string, string] => [name, set]),
    ['*', 'has "*" elsewhere than once at its end; write "PREFIX_*"'],
    ['A*', 'must have two letters or more before "*"'],
    ['A_*', 'must have two letters or more before "*"'],
    ['__*', 'must have two letters or more before "*"'],
    ['DOT*NET', 'has "*" elsewhere than once at its end; write "PREFIX_*"'],
    ['DOTNET_**', 'has "*" elsewhere than once at its end; write "PREFIX_*"'],
    ['MY_TOKEN*', secrets],
    ['AUTH_*', secrets],
    ['A=b', 'cannot hold a value: values come from Belay\'s own environment; write "A"'],
    ['=b', 'cannot hold a value: values come from Belay\'s own environment; write "NAME"'],
    ['', 'is no name of a variable; write "NAME" or "PREFIX_*"'],
    [' ', 'is no name of a variable; write "NAME" or "PREFIX_*"'],
    [' A ', 'is no name of a variable; write "A"'],
    ['$HOME', 'is no name of a variable; write "HOME"'],
    ['${CI_X}', 'is no name of a variable; write "CI_X"'],
    ['1A', 'is no name of a variable; write "NAME" or "PREFIX_*"'],
    ['A-B', 'is no name of a variable; write "A"'],
    ['A\n', 'is no name of a variable; write "A"'],
    [1, 'is no text; write "NAME" or "PREFIX_*"'],
    [null, 'is no text; write "NAME" or "PREFIX_*"'],
    [['A'], 'is no text; write "NAME" or "PREFIX_*"'],
  ])('that does not: %j', (entry, fault) => expect(passFault(entry)).toBe(fault));
});

describe('which variables are passed', () => {
  const env = {
    DATABASE_URL: 'd',
    DOTNET_ROOT: 'r',
    DOTNET_AUTH_TOKEN: 's',
    DOTNET_DSN: 's',
    'DOTNET_FUNC%%': '() {',
    MY_TOKEN: 't',
    GIT_DIR: 'g',
    GIT_EDITOR: 'e',
    GIT_SSL_CAINFO: 'c',
    HOME: '/h',
    LC_ALL: 'C',
    UNSET: undefined,
  };
  test.each<[readonly string[], object]>([
    [[], {}],
    [['DATABASE_URL'], { DATABASE_URL: 'd' }],
    [['DATABASE'], {}],
    [['DATABASE_URL_'], {}],
    [['DOTNET_*'], { DOTNET_ROOT: 'r' }],
    [['DOTNET_*', 'DOTNET_DSN', 'MY_TOKEN'], { DOTNET_ROOT: 'r', DOTNET_DSN: 's', MY_TOKEN: 't' }],
    [['DOTNET_ROOT*'], { DOTNET_ROOT: 'r' }],
    [['GIT_*'], { GIT_SSL_CAINFO: 'c' }],
    [['HOME', 'LC_ALL', 'LC_*', 'UNSET', 'NOWHERE'], {}],
  ])('by %j', (pass, passed) => expect(passedVariables(pass, env)).toEqual(passed));
});

describe('the environment of a command', () => {
  const env = { PATH: '/bin', GITHUB_TOKEN: 's' };
  const own = { BELAY_ATTEMPT: 'at', GIT_REFLOG_ACTION: 'belay/ac', ...NON_INTERACTIVE };
  test.each<[string, object | undefined, object]>([
    ['nothing is passed', undefined, { PATH: '/bin', ...own }],
    ['an empty list', {}, { PATH: '/bin', ...own }],
    ['what is carried is there', { BELAY_PASSED_0: 'x' }, { PATH: '/bin', BELAY_PASSED_0: 'x', ...own }],
    ['what Belay sets wins', { GIT_EDITOR: 'vi', BELAY_ATTEMPT: 'x' }, { PATH: '/bin', ...own }],
  ])('%s', (_name, carried, expected) =>
    expect(commandEnv(env, 'at', 'ac', carried as { readonly [name: string]: string })).toEqual(expected),
  );
});

test('what the documentation lists is what every command gets', () => {
  const docs = readFileSync(path.resolve(import.meta.dirname, '../../../docs/configuration.md'), 'utf8');
  const table = docs.slice(docs.indexOf('## Environment of commands'), docs.indexOf('Belay sets `BELAY_ATTEMPT`'));
  const names = [...table.matchAll(/`([A-Z_]+)(\*?)`/g)].map(([, name, star]) => (star === '' ? name : `${name}X`));
  const env = Object.fromEntries(names.map((name) => [name, '/x']));
  expect(names.length).toBeGreaterThan(40);
  expect(Object.keys(toolEnv(env)).sort()).toEqual([...names, ...Object.keys(NON_INTERACTIVE)].sort());
  const code = readFileSync(path.resolve(import.meta.dirname, '../../../src/workspace/process/command-env.ts'), 'utf8');
  const listed = [...code.matchAll(/^ {2}'([A-Z_]+)',$/gm)].map(([, name]) => name);
  expect(listed.filter((name) => !names.includes(name))).toEqual([]);
});

describe('what is carried', () => {
  test('is nothing where nothing is passed', () => expect(carry({})).toEqual({ env: {}, words: '' }));

  test('has its own name in the shell alone, whole, and what is set already wins', () => {
    const odd = ' a  "b" $(c) `d` \\ \' *\n\ne ';
    const { env, words } = carry({ ODD: odd, HTTPS_PROXY: 'http://user' });
    expect(Object.keys(env).join(' ')).not.toMatch(/ODD|PROXY/);
    const shown = execFileSync('sh', ['-c', `${words}node -p 'JSON.stringify(process.env)'`], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], ...env, HTTPS_PROXY: 'http://ours' },
    });
    const seen = JSON.parse(shown) as { readonly [name: string]: string };
    expect(seen).toMatchObject({ ODD: odd, HTTPS_PROXY: 'http://ours' });
    expect(Object.keys(seen).filter((name) => name.startsWith('BELAY_'))).toEqual([]);
  });
});

/** One text that a launcher starts, and one that is too long for it. */
describe.each([
  ['', ''],
  [', the long way', `: ${'x'.repeat(10_000)}\n`],
])('a command%s', (_kind, before) => {
  const passed = () => ({ DATABASE_URL: 'postgres://db', LD_LIBRARY_PATH: '/nowhere/lib' });

  test('gets them; those around it, and programs of Belay, do not', async () => {
    const place = await openPlace({ passed });
    const shown = textOf(
      await place.run(`${before}echo $DATABASE_URL $LD_LIBRARY_PATH; env; tr '\\0' '\\n' </proc/$PPID/environ`),
    );
    expect(shown).toContain('postgres://db /nowhere/lib\n');
    expect(shown.match(/^DATABASE_URL=/gm)).toHaveLength(1);
    expect(shown.match(/^LD_LIBRARY_PATH=/gm)).toHaveLength(1);
    expect(shown.match(/^GIT_EDITOR=/gm)?.length).toBeGreaterThanOrEqual(1);
    expect(Object.keys(place.workspace.processes.helperEnv()).join(' ')).not.toMatch(/DATABASE|LD_|PASSED/);
  });

  test('without the setting sees nothing, and its text is as it was', async () => {
    const place = await openPlace({ env: { DATABASE_URL: 'postgres://db' } });
    const shown = textOf(
      await place.run(`${before}echo "\${DATABASE_URL-none}"; tr '\\0' '\\n' </proc/$$/cmdline; env`),
    );
    expect(shown).toMatch(/^none\n/);
    expect(shown).not.toMatch(/PASSED|export/);
  });

  test.each([{}, { separate: true }])('keeps line numbers, stages and quoted texts %j', async (more) => {
    const place = await openPlace({ passed });
    const stages = await place.run(`${before}echo $LINENO; (exit 3) | cat`, more);
    expect(textOf(stages)).toBe(before === '' ? '1\n' : '2\n');
    expect(stages.stages).toEqual([3, 0]);
    const bad = await place.run(`${before}false | )`, more);
    expect(bad.exitCode).toBe(2);
    const said = `${textOf(bad)}${Buffer.from(bad.errors?.output ?? []).toString('latin1')}`;
    expect(said).toMatch(/`false \| \)'\n$/);
    expect(said).not.toMatch(/PASSED|export/);
  });

  test('that a signal ends is told so', async () => {
    const place = await openPlace({ passed });
    expect(await place.run(`${before}kill -KILL $$`)).toMatchObject({ exitCode: 137, endedBy: 'signal' });
  });
});
