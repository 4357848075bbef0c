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
    // Where nobody is asked the call is not inspected.
    const outcome = await session.call('Bash', { command, ...more });
    expect(outcome).toMatchObject({ status: 'failed', failure: inspection.failure });
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

it.each([
  ['rm -i a', 'asked and got no answer'],
  ['cp -i a b', 'asked and got no answer'],
  ['git init -q . && git add a && echo y >a && git add -p', 'asked and got no answer'],
  ["printf 'package name: (p) '; exit 1", 'asked for input'],
  ["printf 'Enter file in which to save the key (/root/.ssh/id_rsa): '; exit 1", 'asked for input'],
  [`python3 -c 'input("ok? ")'`, 'asked for input'],
])('%s: the model is told that nobody answered', async (command, hint) => {
  const session = await openSession({ a: 'x\n', b: 'y\n' });
  expect((await session.call('Bash', { command })).output).toContain(`hint: it ${hint}`);
});

it.each(['echo "why? "', 'printf "a: b"', 'printf "100%%"', 'echo "[y/n]"', 'rm -f a', 'cat a'])(
  '%s asks nothing',
  async (command) => {
    const session = await openSession({ a: 'x\n' });
    expect((await session.call('Bash', { command })).output).not.toContain('hint:');
  },
);
