/**
 * The effects of the matrix. Each leaves a trace that is counted outside Belay: lines of a file that is only appended
 * to, commits in the repository, or the content and the inode of a file.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

export const effectNames = ['read', 'shell', 'git', 'commit', 'test', 'edit', 'write', 'approval'] as const;
export type EffectName = (typeof effectNames)[number];

/** What a text says of the effect. `other`: neither that it happened, nor that it did not, nor that nobody knows. */
export type Said = 'done' | 'not-done' | 'unknown' | 'other';

export interface Outside {
  readonly work: string;
  /** Append-only: one line each time the effect happens. */
  readonly effects: string;
  /** Append-only: one line each time a running command comes a little further. */
  readonly progress: string;
}

export interface Effect {
  readonly name: EffectName;
  readonly tool: string;
  /** `check` is a process that may be run again, `query` one whose end the world is asked for: neither is a question. */
  readonly settles: 'read' | 'file' | 'process' | 'check' | 'query';
  /** Made in the repository's own folder before the run. */
  readonly hooks?: (outside: Outside) => { readonly [name: string]: string };
  readonly files: (outside: Outside) => { readonly [name: string]: string };
  readonly turns: readonly object[];
  readonly args: readonly string[];
  /** How often it happened. */
  readonly count: (outside: Outside) => number;
  /** The file it changes, whose inode tells a second change to the same content. */
  readonly target?: string;
  readonly said: (text: string, isError: boolean) => Said;
  /** Whether nothing of the output is missing, where the text says done. */
  readonly whole: (text: string) => boolean;
}

/** How often a command comes a little further before its effect, and again after it. */
export const STEPS = 6;

const lines = (file: string): number => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0);
const call = (tool: string, args: object) => ({ calls: [{ tool, args }] });
/** Asked more than once where the gate wants evidence first. */
const end = Array.from({ length: 4 }, () => ({ text: 'Finished.' }));
const always = () => true;
const unknownText = /is not known/;

const step = ({ progress }: Outside): string => `
step() {
  i=0
  while [ $i -lt ${STEPS} ]; do i=$((i+1)); echo "$1 $i"; echo on >>'${progress}'; sleep 0.01; done
}
`;
const hook = (outside: Outside, word: string): string => `#!/bin/sh\n${step(outside)}\nstep ${word}\n`;
const script = (outside: Outside, effect: string): string => `
${step(outside)}
echo begun
step before
${effect}
step after
echo finished
`;
const commandOutput = ['begun', ...steps('before'), ...steps('after'), 'finished'];
function steps(word: string): string[] {
  return Array.from({ length: STEPS }, (_, i) => `${word} ${i + 1}`);
}
const isWholeOutput = (text: string): boolean => {
  const shown = text.split('\n');
  return commandOutput.every((line) => shown.filter((one) => one === line).length === 1);
};
const commandSaid = (text: string): Said => {
  if (unknownText.test(text)) return 'unknown';
  if (/did not start/.test(text)) return 'not-done';
  return text.split('\n').includes('finished') && /exit(ed|) (with )?(code )?0|exit code 0/i.test(text)
    ? 'done'
    : 'other';
};
/** Not every wire format has a mark for errors, so the words count. */
const refusedText =
  /nothing was (committed|written)|could not be written|was given up|is not permitted|denied this call/i;
const fileSaid = (text: string, isError: boolean): Said =>
  unknownText.test(text) ? 'unknown' : isError || refusedText.test(text) ? 'not-done' : 'done';

const page = 'first\nlast\n';
const edited = 'first\nnew\nlast\n';
const edit = call('Edit', { file_path: 'page.txt', old_string: 'last\n', new_string: 'new\nlast\n' });
/** Applied twice, the line would be there twice. */
const countInPage = ({ work }: Outside): number =>
  readFileSync(path.join(work, 'page.txt'), 'utf8')
    .split('\n')
    .filter((line) => line === 'new').length;

export const effects: { readonly [name in EffectName]: Effect } = {
  read: {
    name: 'read',
    tool: 'Read',
    settles: 'read',
    files: () => ({ 'page.txt': page }),
    turns: [call('Read', { file_path: 'page.txt' }), ...end],
    args: [],
    count: () => 1,
    said: (text, isError) => (isError ? 'not-done' : text.includes('first') ? 'done' : 'other'),
    whole: (text) => text.includes('last'),
  },
  shell: {
    name: 'shell',
    tool: 'Bash',
    settles: 'process',
    files: (outside) => ({ 'work.sh': script(outside, `echo once >>'${outside.effects}'`) }),
    turns: [call('Bash', { command: 'sh work.sh' }), ...end],
    args: ['--allow', 'Bash(sh work.sh)'],
    count: ({ effects: file }) => lines(file),
    said: commandSaid,
    whole: isWholeOutput,
  },
  git: {
    name: 'git',
    tool: 'Bash',
    settles: 'process',
    files: (outside) => ({ 'work.sh': script(outside, 'git commit -q --allow-empty -m effect') }),
    turns: [call('Bash', { command: 'sh work.sh' }), ...end],
    args: ['--allow', 'Bash(sh work.sh)'],
    count: ({ work }) => commits(work),
    said: commandSaid,
    whole: isWholeOutput,
  },
  commit: {
    name: 'commit',
    tool: 'Commit',
    settles: 'query',
    files: () => ({ 'page.txt': page }),
    hooks: (outside) => ({ 'pre-commit': hook(outside, 'before'), 'post-commit': hook(outside, 'after') }),
    turns: [call('Commit', { message: 'effect', paths: ['page.txt'] }), ...end],
    args: ['--allow', 'Commit'],
    count: ({ work }) => commits(work),
    said: fileSaid,
    whole: always,
  },
  test: {
    name: 'test',
    tool: 'Test',
    settles: 'check',
    files: (outside) => ({ 'page.test.mjs': testText(outside) }),
    turns: [call('Test', {}), ...end],
    args: ['--check', 'node --test'],
    count: ({ effects: file }) => lines(file),
    said: (text, isError) => {
      if (unknownText.test(text)) return 'unknown';
      return /counts: 1 passed, 0 failed/.test(text) && !isError ? 'done' : 'other';
    },
    whole: always,
  },
  edit: {
    name: 'edit',
    tool: 'Edit',
    settles: 'file',
    files: () => ({ 'page.txt': page }),
    turns: [call('Read', { file_path: 'page.txt' }), edit, ...end],
    args: ['--allow', 'Edit(**)'],
    count: countInPage,
    target: 'page.txt',
    said: fileSaid,
    whole: always,
  },
  write: {
    name: 'write',
    tool: 'Write',
    settles: 'file',
    files: () => ({}),
    turns: [call('Write', { file_path: 'made.txt', content: edited }), ...end],
    args: ['--allow', 'Edit(**)', '--allow', 'Write(**)'],
    count: ({ work }) => {
      const file = path.join(work, 'made.txt');
      return existsSync(file) && readFileSync(file, 'utf8') === edited ? 1 : 0;
    },
    target: 'made.txt',
    said: fileSaid,
    whole: always,
  },
  approval: {
    name: 'approval',
    tool: 'Edit',
    settles: 'file',
    files: () => ({ 'page.txt': page }),
    turns: [call('Read', { file_path: 'page.txt' }), edit, ...end],
    args: [],
    count: countInPage,
    target: 'page.txt',
    said: fileSaid,
    whole: always,
  },
};

/** Inode of the changed file once the effect is there: a later one means that it was written again. */
export function inodeOf(effect: Effect, outside: Outside): number | null {
  if (effect.target === undefined || effect.count(outside) === 0) return null;
  return statSync(path.join(outside.work, effect.target)).ino;
}

function commits(work: string): number {
  // Cheap to look at again and again; the objects themselves decide.
  if (!readFileSync(path.join(work, '.git/logs/HEAD'), 'utf8').includes(': effect\n')) return 0;
  const subjects = execFileSync('git', ['log', '--all', '--format=%s'], { cwd: work, encoding: 'utf8' });
  return subjects.split('\n').filter((subject) => subject === 'effect').length;
}

const testText = ({ effects: file, progress }: Outside): string => `
import { test } from 'node:test';
import { appendFileSync } from 'node:fs';
const steps = async () => {
  for (let i = 0; i < ${STEPS}; i++) {
    appendFileSync(${JSON.stringify(progress)}, 'on\\n');
    await new Promise((done) => setTimeout(done, 10));
  }
};
test('page', async () => {
  await steps();
  appendFileSync(${JSON.stringify(file)}, 'once\\n');
  await steps();
});
`;
