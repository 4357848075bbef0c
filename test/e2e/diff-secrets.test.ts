/** What `belay diff` prints may lie in a terminal's history or a ticket: no secret stands in it. */
import { expect, test } from 'vitest';
import { makePlace } from './belay.ts';
import { bash, say } from './turns.ts';

const token = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';
const value = 'correct-horse-battery-staple';

test('secrets are masked, and files that may hold one are named and not shown', async () => {
  const place = makePlace();
  place.write('.gitignore', 'local.txt\n.env\n');
  place.write('.env', 'A=1\n');
  place.write('local.txt', `old ${token}\n`);
  const write = (file_path: string, content: string) => ({ calls: [{ tool: 'Write', args: { file_path, content } }] });
  const model = place.script([
    bash('cat .env local.txt'),
    {
      calls: [
        { tool: 'Read', args: { file_path: '.env' } },
        { tool: 'Read', args: { file_path: 'local.txt' } },
      ],
    },
    write('.env', 'PASSWORD=plain-and-simple\n'),
    write('local.txt', 'plain\n'),
    write('code.js', 'const a = 1;\n'),
    bash(`printf 'const key = "%s%s";\\n' correct-horse -battery-staple >made.js; mkdir keys; echo x >keys/id_rsa`),
    say('Done.'),
  ]);
  const options = ['--session', 's', '--model', model, '--permission-mode', 'bypassPermissions'];
  const env = { STAGE_TOKEN: value };
  expect(await place.belay(['run', 'Go.', ...options], { env })).toMatchObject({ code: 0 });
  expect(place.file('made.js')).toContain(value);
  const { code, stdout, stderr } = await place.belay(['diff', 's'], { env });
  expect(code).toBe(0);
  expect(stdout).not.toMatch(/plain-and-simple|ghp_|battery/);
  expect(stdout).toContain('modified .env (not shown: it may hold a secret)');
  expect(stdout).toContain('added keys/id_rsa (not shown: it may hold a secret)');
  expect(stdout).toContain('-old [secret:github-token]\n+plain');
  expect(stdout).toContain('+const key = "[secret:STAGE_TOKEN]";');
  expect(stdout).toContain('+const a = 1;');
  expect(stderr).toContain('secrets are masked, so the patch cannot be applied where they stand');
});
