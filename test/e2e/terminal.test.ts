import { spawn } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ended, entry, makePlace, until } from './belay.ts';
import { bash, fix, say } from './turns.ts';

const driver = path.join(import.meta.dirname, 'fixtures/on-terminal.py');

test.each([
  ['y\\n', 0, "'-'", 'Accepted: verified'],
  ['maybe\\n|n\\n', 13, "'_'", 'deny, by person'],
  ['q\\n', 10, "'_'", 'belay approve'],
  ['\\x04', 10, "'_'", 'belay approve'],
  ['\\x03', 130, "'_'", 'belay resume'],
])('on a terminal the edit is asked with its diff; %s ends %i', async (answers, code, content, shown) => {
  const place = makePlace();
  const args = ['run', 'Fix it.', '--model', place.script(fix), '--check', 'node --test'];
  const child = spawn('python3', [driver, answers, process.execPath, entry, ...args], {
    cwd: place.repository,
    env: { ...process.env, BELAY_HOME: place.home, NO_COLOR: '1', FORCE_COLOR: '' },
  });
  const ran = await ended(child);
  expect(ran.stdout).toContain("+  return words.join('-');");
  expect(ran.stdout).toContain(shown);
  expect(ran.stdout).not.toContain('\u001b[32m');
  expect(place.file('src/slugify.js')).toContain(content);
  expect(ran.code).toBe(code);
});

test.each([
  [10, 1],
  [200, 2],
])('behind a diff of %d lines the question is told again where that fills the screen', async (lines, times) => {
  const place = makePlace();
  const content = Array.from({ length: lines }, (_, i) => `line ${i}`).join('\n');
  const turns = [{ calls: [{ tool: 'Write', args: { file_path: 'long.txt', content } }] }, say('Done.')];
  const args = ['run', 'Write it.', '--model', place.script(turns)];
  const child = spawn('python3', [driver, 'n\\n', process.execPath, entry, ...args], {
    cwd: place.repository,
    env: { ...process.env, BELAY_HOME: place.home, NO_COLOR: '1', FORCE_COLOR: '' },
  });
  const { stdout } = await ended(child);
  const question = stdout.slice(0, stdout.indexOf('Allow?'));
  expect(question.match(/^Write long\.txt\r?$/gm)).toHaveLength(times);
  expect(/\nWrite long\.txt\r?\n(always: [^\n]*\n| {2}for this [^\n]*\n)*[^\n]*$/.test(question)).toBe(times === 2);
});

test('an answer that comes from elsewhere while the terminal asks is heard, and nothing has to be typed', async () => {
  const place = makePlace();
  const args = ['run', 'Fix it.', '--model', place.script(fix), '--check', 'node --test', '--session', 'e'];
  const child = spawn('python3', [driver, '', process.execPath, entry, ...args], {
    cwd: place.repository,
    env: { ...process.env, BELAY_HOME: place.home, NO_COLOR: '1', FORCE_COLOR: '' },
  });
  const end = ended(child);
  const types = (): Promise<string[]> =>
    place.facts('e').then(
      (facts) => facts.map((fact) => fact.type),
      () => [],
    );
  await until(async () => (await types()).includes('session.pause'));
  expect((await place.belay(['approve', 'e'])).stdout).toContain('left for the running agent');
  const ran = await end;
  expect(ran.stdout).toContain('answered elsewhere');
  expect(ran.code).toBe(0);
  expect((await types()).filter((type) => type === 'approval.resolved')).toHaveLength(1);
});

const secret = 'Zq8-correct-horse-battery-staple';

/** Where the value stands at the edge of a title, the rest of it is cut. */
const telling: readonly (readonly [string, readonly (readonly string[])[]])[] = [
  [
    `echo ${secret}`,
    [
      ['replay', 's'],
      ['approve', 's', 'nothing'],
      ['settle', 's', 'nothing', 'applied'],
    ],
  ],
  [
    `echo ${'x'.repeat(72)} ${secret}`,
    [
      ['log', 's'],
      ['sessions', 'show', 's'],
    ],
  ],
];

test.each(telling)(
  'no line of a question shows a secret, and a rule that would hold one is not offered: %s',
  async (command, surfaces) => {
    const place = makePlace();
    const model = place.script([bash(command), say('Done.')]);
    const env = { ...process.env, BELAY_HOME: place.home, NO_COLOR: '1', FORCE_COLOR: '', MY_API_TOKEN: secret };
    const args = ['run', 'Go.', '--model', model, '--session', 's', '--check', 'true'];
    const child = spawn('python3', [driver, 'a\\n|q\\n', process.execPath, entry, ...args], {
      cwd: place.repository,
      env,
    });
    const { stdout } = await ended(child);
    expect(stdout).toContain('Bash echo ');
    expect(stdout).toContain('[secret:MY_API_TOKEN]');
    expect(stdout).toContain('Allow? y = yes, n = no');
    expect(stdout).not.toMatch(/Zq8|always/);
    const [asked] = (await place.facts('s')).filter(({ type }) => type === 'approval.requested');
    expect(JSON.stringify(asked)).not.toContain('Zq8');
    const masked = { env: { MY_API_TOKEN: secret } };
    for (const told of surfaces) {
      const shown = await place.belay(told, masked);
      expect(`${shown.stdout}${shown.stderr}`, told.join(' ')).not.toContain('Zq8');
    }
  },
);

test('a rule that holds what is a secret only by now is not offered any more', async () => {
  const place = makePlace();
  const model = place.script([bash(`echo ${secret}`), say('Done.')]);
  expect(await place.belay(['run', 'Go.', '--model', model, '--session', 's', '--headless'])).toMatchObject({
    code: 10,
  });
  const [asked] = (await place.facts('s')).filter(({ type }) => type === 'approval.requested');
  expect(asked).toMatchObject({ always: [`Bash(echo ${secret})`] });
  const child = spawn('python3', [driver, 'a\\n|q\\n', process.execPath, entry, 'resume', 's'], {
    cwd: place.repository,
    env: { ...process.env, BELAY_HOME: place.home, NO_COLOR: '1', FORCE_COLOR: '', MY_API_TOKEN: secret },
  });
  const { stdout } = await ended(child);
  expect(stdout).toContain('[secret:MY_API_TOKEN]');
  expect(stdout).not.toMatch(/Zq8|always/);
});

test('what may be allowed always is offered as before', async () => {
  const place = makePlace();
  const args = ['run', 'Go.', '--model', place.script([bash('touch a'), say('Done.')]), '--session', 's'];
  const child = spawn('python3', [driver, 'q\\n', process.execPath, entry, ...args], {
    cwd: place.repository,
    env: { ...process.env, BELAY_HOME: place.home, NO_COLOR: '1', FORCE_COLOR: '', MY_API_TOKEN: secret },
  });
  const { stdout } = await ended(child);
  expect(stdout).toContain('always: Bash(touch a)');
  expect(stdout).toContain('a = always');
});
