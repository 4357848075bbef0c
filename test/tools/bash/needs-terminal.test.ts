import { expect, it } from 'vitest';
import { needsTerminal } from '../../../src/tools/bash/needs-terminal.ts';
import { openSession } from '../session.ts';

it.each([
  ['vim a', 'vim', 'Edit'],
  ['cd src && vi a', 'vi', 'Edit'],
  ['/usr/bin/nvim +10 a', 'nvim', 'vim -es'],
  ['git diff | vim -', 'vim', 'Edit'],
  ['nano -w a', 'nano', 'sed'],
  ['emacs -nw a', 'emacs', 'Write'],
  ['htop', 'htop', 'ps aux'],
  ['watch -n 1 ls', 'watch', 'a loop with sleep'],
  ['tig', 'tig', 'git log'],
  ['ncdu', 'ncdu', 'du'],
])('%s is refused before it starts, and the way to do it is named', async (command, name, way) => {
  const session = await openSession({ a: 'x\n' });
  for (const more of [{}, { run_in_background: true }]) {
    const inspection = await session.inspect('Bash', { command, ...more });
    expect(inspection).toMatchObject({ ok: false, failure: { kind: 'precondition' } });
    if (inspection.ok) return;
    expect(inspection.failure.message).toContain(`${name} needs a terminal`);
    expect(inspection.failure.message).toContain('Nothing was run.');
    expect(inspection.failure.suggestedAction).toContain(way);
  }
});

it.each([
  `vim -es a -c '%s/x/y/' -c wq`,
  'vim +wq a',
  'vim --version',
  'emacs --batch -l x.el',
  'nano --version',
  'watch -g ls',
  'less a',
  'man ls',
  'top -b -n1',
  'which vim',
  'echo vim a',
  'grep -rn watch src',
  'npm run watch',
  'git log --oneline',
  'vim -es a <<EOF\n%s/x/y/\nwq\nEOF',
  'vim "$FILE"',
  'if',
])('%s is not', async (command) => {
  expect(await needsTerminal(command)).toBeNull();
});

it('what waited for keys all the same is told with a hint when its time is over', async () => {
  const session = await openSession();
  const command = "echo 'Vim: Warning: Output is not to a terminal' && exec sleep 60";
  const outcome = await session.call('Bash', { command, timeout: 300 });
  expect(outcome.output).toContain('hint: it needs a terminal');
});
