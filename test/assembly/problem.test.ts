import { expect, it } from 'vitest';
import { problemOf } from '../../src/assembly/problem.ts';
import { systemError } from '../../src/ledger/error.ts';

const systemFault = (code: string) => Object.assign(new Error(`${code}: write`), { code, path: '/w/a.txt' });

it.each([
  ['a disk', systemFault('ENOSPC'), 'no space is left in /w (ENOSPC); free some there, then try again'],
  ['a limit of files', systemFault('EFBIG'), 'EFBIG: write; a file may not grow further: raise the limit (ulimit -f)'],
  ['a record on a disk', systemError(systemFault('ENOSPC'), '/h/log'), 'no space left to write /h/log (ENOSPC); free'],
  [
    'a record above a limit of files',
    systemError(systemFault('EFBIG'), '/h/log'),
    '/h/log would be longer than a file may be here (EFBIG); a file may not grow further: raise the limit',
  ],
])('what is full is told with the right advice: %s', (_name, thrown, text) => {
  expect(problemOf(thrown, '/h').message).toContain(text);
});
