import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type Fact, type FactBody, fold } from '#kernel';
import { dataHome } from '../../src/assembly/data-home.ts';
import { instructionBytesMax, readInstructions } from '../../src/assembly/instructions.ts';
import { newId } from '../../src/assembly/new-id.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});
function folder(): string {
  const made = mkdtempSync(path.join(tmpdir(), 'belay-assembly-'));
  folders.push(made);
  return made;
}

test.each<[string, { [name: string]: string }, RegExp]>([
  ['BELAY_HOME first', { BELAY_HOME: '/b', XDG_DATA_HOME: '/x' }, /^\/b$/],
  ['a relative BELAY_HOME counts from the current folder', { BELAY_HOME: 'b' }, /^\/here\/b$/],
  ['then the XDG folder', { XDG_DATA_HOME: '/x' }, /^\/x\/belay$/],
  ['a relative XDG folder is ignored', { XDG_DATA_HOME: 'x' }, /\.local\/share\/belay$/],
  ['else the home folder', {}, /\.local\/share\/belay$/],
])('the data folder: %s', (_, env, expected) => {
  expect(dataHome(env, '/here')).toMatch(expected);
});

describe('project instructions', () => {
  const shown = async (root: string) => (await readInstructions(root)).text;
  test('AGENTS.md is preferred; an empty one does not hide CLAUDE.md', async () => {
    const root = folder();
    expect(await shown(root)).toBeNull();
    writeFileSync(path.join(root, 'CLAUDE.md'), 'From Claude.');
    expect(await shown(root)).toBe('CLAUDE.md:\nFrom Claude.');
    writeFileSync(path.join(root, 'AGENTS.md'), ' \n');
    expect(await shown(root)).toBe('CLAUDE.md:\nFrom Claude.');
    writeFileSync(path.join(root, 'AGENTS.md'), '\ufeffFrom agents.\n');
    expect(await shown(root)).toBe('AGENTS.md:\nFrom agents.');
  });

  test('a long file is cut, and the cut is said', async () => {
    const root = folder();
    writeFileSync(path.join(root, 'AGENTS.md'), 'a'.repeat(instructionBytesMax + 1));
    const text = (await shown(root)) ?? '';
    expect(Buffer.byteLength(text)).toBeLessThan(instructionBytesMax + 200);
    expect(text).toContain('AGENTS.md is longer');
    writeFileSync(path.join(root, 'AGENTS.md'), 'ä'.repeat(instructionBytesMax / 2).replace('ä', 'a'));
    expect(await shown(root)).not.toContain('\ufffd');
  });

  test('a link inside the workspace is followed, one that leads out of it is not, and a pipe is not waited for', async () => {
    const root = folder();
    const secret = path.join(folder(), 'secret');
    writeFileSync(secret, 'a private key');
    symlinkSync(secret, path.join(root, 'AGENTS.md'));
    execFileSync('mkfifo', [path.join(root, 'CLAUDE.md')]);
    expect(await shown(root)).toBeNull();
    rmSync(path.join(root, 'CLAUDE.md'));
    writeFileSync(path.join(root, 'rules.md'), 'The rules.');
    symlinkSync('rules.md', path.join(root, 'CLAUDE.md'));
    expect(await readInstructions(root)).toEqual({
      text: 'CLAUDE.md:\nThe rules.',
      notices: ['AGENTS.md is not shown to the model: it leads out of the workspace'],
    });
  });

  test.each<[string, string, readonly string[], readonly string[], string]>([
    ['a file that is denied', '', ['Read(AGENTS.md)'], [], 'a rule keeps AGENTS.md from being read'],
    ['a file that is asked about', '', [], ['Read(AGENTS.md)'], 'a rule keeps AGENTS.md from being read'],
    ['a link to one that is denied', 'conf.txt', ['Read(./conf.txt)'], [], 'a rule keeps conf.txt from being read'],
    ['a link to one that is asked about', 'conf.txt', [], ['Read(conf.txt)'], 'a rule keeps conf.txt from being read'],
    ['a link to a secret', '.env', [], [], 'it leads to .env, which may hold a secret'],
    ['a link into git', '.git/config', [], [], 'it leads to .git/config, which belongs to git'],
    ['a link out', '..', [], [], 'it leads out of the workspace'],
  ])('%s is left out, and that is told', async (_, target, deny, ask, why) => {
    const root = path.join(folder(), 'w');
    mkdirSync(path.join(root, '.git'), { recursive: true });
    const file = path.join(root, target === '' || target === '..' ? 'AGENTS.md' : target);
    if (target !== '..') writeFileSync(file, 'hunter2');
    if (target !== '') symlinkSync(target, path.join(root, 'AGENTS.md'));
    const notices = [`AGENTS.md is not shown to the model: ${why}`];
    expect(await readInstructions(root, {}, { deny, ask })).toEqual({ text: null, notices });
    writeFileSync(path.join(root, 'CLAUDE.md'), 'From Claude.');
    const text = 'CLAUDE.md:\nFrom Claude.';
    expect(await readInstructions(root, {}, { deny, ask })).toEqual({ text, notices });
  });

  test('a link whose name only begins like the way out is followed', async () => {
    const root = folder();
    writeFileSync(path.join(root, '..rules'), 'The rules.');
    symlinkSync('..rules', path.join(root, 'AGENTS.md'));
    expect(await readInstructions(root, {}, { deny: ['Read(conf.txt)'], ask: [] })).toEqual({
      text: 'AGENTS.md:\nThe rules.',
      notices: [],
    });
  });
});

describe('whether a difference of the workspace can be told apart from our own effects', () => {
  const scanned: FactBody = { type: 'workspace.scanned', revision: 'r', tree: 't', at: 'start' };
  const start = (effect: 'read' | 'file' | 'process'): FactBody => ({
    type: 'attempt.start',
    attemptId: 'a.1',
    actionId: 'a',
    executorId: 'e',
    effect,
  });
  const outcome: FactBody = { type: 'attempt.outcome', actionId: 'a', status: 'succeeded', output: '' };
  const revoked: FactBody = { type: 'attempt.revoked', actionId: 'a', attemptId: 'a.1' };
  const point: FactBody = { type: 'checkpoint.taken', revision: 'r', ref: 'p' };
  const undoPlanned: FactBody = {
    type: 'undo.planned',
    undoId: 'u',
    kind: 'undo',
    scope: 'files',
    toSeq: 1,
    files: [],
  };
  const undoDone: FactBody = { type: 'undo.done', undoId: 'u', scope: 'files', restored: ['x'], refused: [] };
  const repaired: FactBody = { type: 'ledger.repaired', kept: 'k', lost: 1, later: 0 };
  const hook: FactBody = { type: 'hook.started', invocationId: 'i', hook: 'h', attemptId: 'h.1', command: 'fmt' };
  const hookEnd: FactBody = {
    type: 'hook.ended',
    invocationId: 'i',
    attemptId: 'h.1',
    status: 'exited',
    exitCode: 0,
    output: '',
  };
  test.each<[string, readonly FactBody[], boolean]>([
    ['never scanned', [], false],
    ['scanned', [scanned], true],
    ['reads change nothing', [scanned, start('read'), outcome], true],
    ['an edit after the scan', [scanned, start('file'), outcome], false],
    ['a command still running', [scanned, start('process')], false],
    ['a command that ended after the scan', [start('process'), scanned, outcome], false],
    ['scanned after the command', [start('process'), outcome, scanned], true],
    ['scanned while a command runs', [start('process'), scanned], false],
    ['a point kept behind a command that changed nothing', [scanned, start('process'), outcome, point], true],
    ['a point kept while a command runs', [scanned, start('process'), point], false],
    ['a point kept before the first scan', [point], false],
    ['a start that was revoked, and a point', [scanned, start('process'), revoked, point], true],
    ['files brought back behind the point', [scanned, point, undoPlanned, undoDone], false],
    ['a record that was repaired', [scanned, point, repaired], false],
    ['a hook still running', [scanned, hook], false],
    ['a hook that ended after the scan', [hook, scanned, hookEnd], false],
  ])('%s', (_, bodies, expected) => {
    const facts = bodies.map((body, i): Fact => ({ ...body, seq: i + 1, ts: 0 }));
    expect(fold(facts).world.isTreeKnown).toBe(expected);
  });
});

test('ids are fresh and fit a file name', () => {
  const ids = new Set(Array.from({ length: 1000 }, newId));
  expect(ids.size).toBe(1000);
  for (const id of ids) expect(id).toMatch(/^[0-9a-z]{16}$/);
});
