import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startRepositorySession } from '../../../src/assembly/library.ts';
import { permissionFiles } from '../../../src/assembly/permission-files.ts';
import { environmentInForce, environmentOf } from '../../../src/assembly/settings/environment-settings.ts';

const shape = 'f: environment must be an object, such as {"pass": ["DATABASE_URL"]}';
const list = 'f: environment.pass must be a list of names, such as ["DATABASE_URL", "DOTNET_*"]';

test.each<[unknown, readonly string[], readonly string[]]>([
  [undefined, [], []],
  [{}, [], []],
  [{ pass: [] }, [], []],
  [{ pass: ['DATABASE_URL', 'DOTNET_*'] }, ['DATABASE_URL', 'DOTNET_*'], []],
  [null, [], [shape]],
  ['DATABASE_URL', [], [shape]],
  [['DATABASE_URL'], [], [shape]],
  [{ pass: 'DATABASE_URL' }, [], [list]],
  [{ pass: { DATABASE_URL: 'x' } }, [], [list]],
  [{ allow: ['A'], pass: ['B'] }, ['B'], ['f: environment.allow is not known']],
  [
    { pass: ['A', 'PATH', 7, '*', 'B'] },
    ['A', 'B'],
    [
      'f: environment.pass: "PATH" cannot be passed: every command has it already',
      'f: environment.pass: 7 is no text; write "NAME" or "PREFIX_*"',
      'f: environment.pass: "*" has "*" elsewhere than once at its end; write "PREFIX_*"',
    ],
  ],
])('%j', (environment, pass, faults) =>
  expect(environmentOf('f', JSON.stringify({ environment }))).toEqual({ pass, faults }),
);

test('a text that is no JSON, or no object, is told by whoever reads its rules; a mark of its encoding is none of it', () => {
  for (const text of ['', '{', 'null', '[]', '1']) expect(environmentOf('f', text)).toEqual({ pass: [], faults: [] });
  expect(environmentOf('f', '\uFEFF{"environment":{"pass":["A"]}}').pass).toEqual(['A']);
});

describe('files', () => {
  let folder: string;
  let user: string;
  let machine: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'belay-environment-'));
    user = path.join(folder, 'belay/settings.json');
    machine = path.join(folder, 'machine.json');
    for (const one of ['belay', 'root/.belay', 'root/.claude']) mkdirSync(path.join(folder, one), { recursive: true });
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const write = (file: string, pass: unknown) => writeFileSync(file, JSON.stringify({ environment: { pass } }));
  const root = () => path.join(folder, 'root');
  const read = () => permissionFiles(root(), { XDG_CONFIG_HOME: folder }, [], machine);
  const alone = () => environmentInForce({ XDG_CONFIG_HOME: folder }, machine);

  test('those of the machine and the user count together', async () => {
    expect(await alone()).toEqual({ pass: [], faults: [] });
    write(machine, ['A']);
    write(user, ['B']);
    expect(await read()).toMatchObject({ ok: true, value: { pass: ['A', 'B'], warnings: [] } });
    expect(await alone()).toEqual({ pass: ['A', 'B'], faults: [] });
  });

  test('a fault in one of them stops the start', async () => {
    write(user, ['BASH_ENV']);
    const message = `${user}: environment.pass: "BASH_ENV" cannot be passed: it changes how the shell reads commands`;
    expect(await read()).toEqual({ ok: false, error: { exitCode: 52, message } });
    expect(await alone()).toEqual({ pass: [], faults: [message] });
  });

  test('one of a repository does nothing, which is told; nor does a part of the user file for one workspace', async () => {
    write(path.join(root(), '.belay/settings.json'), ['A', 'BASH_ENV']);
    write(path.join(root(), '.claude/settings.json'), ['A']);
    writeFileSync(user, JSON.stringify({ projects: { [root()]: { environment: { pass: ['A'] } } } }));
    const hint = "environment is not known and does nothing; variables for commands are named in the user's file";
    expect(await read()).toMatchObject({
      ok: true,
      value: { pass: [], warnings: [`${user}, for this workspace: ${hint}`, `.belay/settings.json: ${hint}`] },
    });
  });

  test('one that cannot be read passes nothing', async () => {
    symlinkSync('gone.json', user);
    expect(await alone()).toEqual({ pass: [], faults: [] });
  });

  test('a program that embeds Belay passes variables by its settings, without recording them; a fault is told', async () => {
    const script = path.join(folder, 'script.json');
    const command = 'echo "is $DATABASE_URL, ${LIBRARY_ONLY-none}"';
    writeFileSync(
      script,
      JSON.stringify({ turns: [{ calls: [{ tool: 'Bash', args: { command } }] }, { text: 'Done.' }] }),
    );
    const start = (pass: readonly string[]) =>
      startRepositorySession({
        cwd: root(),
        home: path.join(folder, 'home'),
        env: {
          PATH: process.env['PATH'],
          HOME: folder,
          XDG_CONFIG_HOME: folder,
          DATABASE_URL: 'db',
          LIBRARY_ONLY: 'x',
        },
        settings: {
          model: `scripted/${script}`,
          sandbox: 'off',
          mode: 'bypassPermissions',
          environment: { pass },
        },
      });
    expect(await start(['PATH'])).toEqual({
      ok: false,
      error: {
        exitCode: 52,
        message: 'settings.environment.pass: "PATH" cannot be passed: every command has it already',
      },
    });
    const opened = await start(['DATABASE_URL']);
    if (!opened.ok) throw new Error(opened.error.message);
    try {
      const { session } = opened.value;
      await session.run('go');
      const facts = [...session.facts()];
      const outputs = facts.flatMap((fact) => (fact.type === 'attempt.outcome' ? [fact.output] : []));
      expect(outputs.join('')).toContain('is db, none');
      expect(JSON.stringify(facts.filter(({ type }) => type === 'settings.changed'))).not.toContain('DATABASE_URL');
    } finally {
      await opened.value.close('test');
    }
  });
});
