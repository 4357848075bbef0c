import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { makePlace, resultOf } from './belay.ts';
import { bash, edit, fix, read, test as runTest, say } from './turns.ts';

const allowed = ['--check', 'node --test', '--allow', 'Edit(**)'];

describe('belay run', () => {
  test('text: only the answer goes to standard output; session, resume and diff are named on standard error', async () => {
    const place = makePlace();
    const ran = await place.belay(['run', '--session', 's1', '--model', place.script(fix), ...allowed, 'Fix it.']);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toBe('Words are joined with hyphens now.\n');
    for (const text of ['Accepted: verified by node --test', 'belay resume s1', 'belay diff s1']) {
      expect(ran.stderr).toContain(text);
    }
    expect(place.file('src/slugify.js')).toContain("words.join('-')");
  });

  test('json: exactly one object, verified because of evidence', async () => {
    const place = makePlace();
    const ran = await place.belay([
      '-p',
      'Fix it.',
      '--output-format',
      'json',
      '--model',
      place.script(fix),
      ...allowed,
    ]);
    expect(ran.stdout.trimEnd().split('\n')).toHaveLength(1);
    expect(resultOf(ran)).toMatchObject({
      type: 'result',
      exit_code: 0,
      reason: 'goal_met',
      verified: true,
      result: 'Words are joined with hyphens now.',
      num_turns: 4,
      cost_usd: null,
      pending: [],
      unknown: [],
    });
    expect(resultOf(ran).usage.input_tokens).toBeGreaterThan(0);
  });

  test.each(['default', 'plan'])(
    'mode %s: a deferred tool is looked for and called without a question',
    async (mode) => {
      const place = makePlace();
      const script = place.script([
        { calls: [{ tool: 'ToolSearch', args: { query: 'definitions' } }] },
        { calls: [{ tool: 'Symbols', args: { path: 'src' } }], expect: { tools: ['Symbols'] } },
        { text: 'Seen.', expect: { shown: ['slugify_title'] } },
      ]);
      const ran = await place.belay(['run', 'Look.', '--model', script, '--permission-mode', mode, '--headless']);
      expect(ran).toMatchObject({ code: 0, stdout: 'Seen.\n' });
    },
  );

  test('the example of the page about scripted models plays as the page says', async () => {
    const place = makePlace();
    const page = readFileSync(path.join(import.meta.dirname, '../../docs/scripted-model.md'), 'utf8');
    place.write('../script.json', /```json\n([\s\S]*?)```/.exec(page)?.[1] ?? '');
    const options = ['--check', 'node --test', '--allow', 'Edit(src/**)', '--output-format', 'json'];
    const ran = await place.belay(['run', 'Fix the slugs.', '--model', 'scripted/../script.json', ...options]);
    expect(resultOf(ran)).toMatchObject({ exit_code: 0, verified: true, num_turns: 4 });
  });

  test('stream-json: every line is one object; init first, each fact once and in order, the result last', async () => {
    const place = makePlace();
    const ran = await place.belay([
      'run',
      'Fix it.',
      '--output-format',
      'stream-json',
      '--model',
      place.script(fix),
      ...allowed,
    ]);
    const lines = ran.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines[0]).toMatchObject({ type: 'system', subtype: 'init', permissionMode: 'default' });
    expect(lines[0].tools).toContain('Edit');
    expect(lines.at(-1)).toMatchObject({ type: 'result', exit_code: 0, verified: true });
    const seqs = lines.filter((line) => line.type === 'fact').map((line) => line.fact.seq);
    expect(seqs).toEqual(seqs.map((_, i) => i + 1));
    const uses = lines.flatMap((line) =>
      line.type === 'assistant'
        ? line.message.content.filter((part: { type: string }) => part.type === 'tool_use')
        : [],
    );
    const results = lines.flatMap((line) => (line.type === 'user' ? line.message.content : []));
    expect(uses.map((use) => use.name)).toEqual(['Read', 'Edit', 'Test']);
    expect(results.map((result) => result.tool_use_id)).toEqual(uses.map((use) => use.id));
  });

  test('without a declared check nothing is verified, and that is said', async () => {
    const place = makePlace();
    const model = place.script([say('It looks fine.')]);
    const text = await place.belay(['run', 'Look.', '--model', model]);
    expect(text).toMatchObject({ code: 0, stdout: 'It looks fine.\n' });
    expect(text.stderr).toContain('No check is declared');
    const json = await place.belay(['run', 'Look.', '--model', model, '--output-format', 'json']);
    expect(resultOf(json)).toMatchObject({ verified: null, exit_code: 0 });
  });

  test.each([
    ['absent', []],
    ['-', ['-']],
  ])('the prompt comes from standard input when it is %s', async (_, prompt) => {
    const place = makePlace();
    const model = place.script([{ text: 'Yes.', expect: { history: 'Say yes, étoile.' } }]);
    const ran = await place.belay(['run', ...prompt, '--model', model], { input: 'Say yes, étoile.\n' });
    expect(ran).toMatchObject({ code: 0, stdout: 'Yes.\n' });
  });

  test('the model can come from BELAY_MODEL; without one both ways are named', async () => {
    const place = makePlace();
    const env = { BELAY_MODEL: place.script([say('Hello.')]) };
    expect((await place.belay(['run', 'Hi.'], { env })).stdout).toBe('Hello.\n');
    const none = await place.belay(['run', 'Hi.']);
    expect(none.code).toBe(52);
    expect(none.stderr).toMatch(/--model.*BELAY_MODEL/);
    const json = await place.belay(['run', 'Hi.', '--output-format', 'json']);
    expect(resultOf(json)).toMatchObject({ type: 'result', exit_code: 52, session_id: null });
  });

  test.each<[string, string[], number, RegExp]>([
    ['an unknown command', ['frobnicate'], 42, /unknown command/],
    ['an unknown option', ['run', 'x', '--modle', 'y'], 42, /--model/],
    ['too many arguments', ['run', 'fix', 'it'], 42, /argument/],
    ['a mode that does not exist', ['run', 'x', '--permission-mode', 'yolo'], 42, /default, plan, acceptEdits/],
    ['a format that does not exist', ['run', 'x', '--output-format', 'xml'], 42, /stream-json/],
    ['a duration without unit', ['run', 'x', '--max-time', '30'], 42, /90s, 30m/],
    ['a count of zero', ['run', 'x', '--max-rounds', '0'], 42, /from 1 on/],
    ['a cost that is no amount', ['run', 'x', '--max-cost', 'ten'], 42, /2\.50/],
    ['a price that is no pair', ['run', 'x', '--price', '3'], 42, /IN\/OUT/],
    [
      'a rule that can never match',
      ['run', 'x', '--model', 'scripted/x', '--allow', 'Frob(x)'],
      42,
      /no tool called Frob/,
    ],
    ['an empty check', ['run', 'x', '--check', ' '], 42, /needs a command/],
    ['a session id with a slash', ['run', 'x', '--session', '../x'], 42, /no session id/],
    ['an empty prompt', ['run', ' ', '--model', 'scripted/x'], 42, /prompt is empty/],
    ['a workspace that does not exist', ['run', 'x', '--cwd', '/does/not/exist'], 42, /not an existing folder/],
    ['a script that does not exist', ['run', 'x', '--model', 'scripted/none.json'], 52, /none\.json/],
    ['an unknown provider', ['run', 'x', '--model', 'acme/one'], 52, /acme/],
    ['a missing key', ['run', 'x', '--model', 'anthropic/claude-sonnet-5'], 41, /ANTHROPIC_API_KEY/],
    ['a session that does not exist', ['log', 'nope'], 42, /no session nope/],
  ])('%s is refused with its own exit code and a hint', async (_, args, code, hint) => {
    const place = makePlace();
    const model = args.includes('--model') ? [] : ['--model', place.script([say('x')])];
    const ran = await place.belay(args[0] === 'run' ? [...args, ...model] : args);
    expect(ran.code).toBe(code);
    expect(ran.stderr).toMatch(hint);
    expect(ran.stdout).toBe('');
  });

  test('belay alone and --help print help; every command has its own', async () => {
    const place = makePlace();
    expect((await place.belay([])).stdout).toContain('Usage: belay');
    for (const command of [
      'run',
      'resume',
      'approve',
      'deny',
      'settle',
      'sessions',
      'log',
      'diff',
      'replay',
      'demo',
      'doctor',
    ]) {
      const ran = await place.belay([command, '--help']);
      expect(ran.code).toBe(0);
      expect(ran.stdout).toContain(`Usage: belay ${command}`);
    }
  });

  test('the id of a session can be chosen; a taken one is refused and changes nothing', async () => {
    const place = makePlace();
    const args = ['run', 'Hi.', '--session', 'mine', '--model', place.script([say('Hello.')])];
    expect((await place.belay(args)).code).toBe(0);
    const before = await place.facts('mine');
    const again = await place.belay(args);
    expect(again.code).toBe(42);
    expect(again.stderr).toContain('mine');
    expect(await place.facts('mine')).toEqual(before);
  });

  test('a cost limit needs a price; with one the cost is told', async () => {
    const place = makePlace();
    const model = place.script([{ text: 'Hello.', usage: { inputTokens: 1_000_000, outputTokens: 100_000 } }]);
    const refused = await place.belay(['run', 'Hi.', '--model', model, '--max-cost', '5']);
    expect(refused.code).toBe(52);
    expect(refused.stderr).toContain('--price IN/OUT');
    const priced = await place.belay([
      'run',
      'Hi.',
      '--model',
      model,
      '--max-cost',
      '5',
      '--price',
      '3/15',
      '--output-format',
      'json',
    ]);
    expect(resultOf(priced).cost_usd).toBeCloseTo(4.5);
  });

  test('a dirty tree is noted and not part of the change that is shown', async () => {
    const place = makePlace();
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@localhost', ...args], { cwd: place.repository });
    git('init', '-q');
    git('add', '-A');
    git('commit', '-q', '-m', 'x');
    place.write('README.md', 'dirty\n');
    const ran = await place.belay(['run', '--session', 'd', '--model', place.script(fix), ...allowed, 'Fix it.']);
    expect(ran.stderr).toContain('uncommitted changes');
    const diff = await place.belay(['diff', 'd']);
    expect(diff.stdout).toContain("+  return words.join('-');");
    expect(diff.stdout).not.toContain('README');
  });

  test.each([
    ['blank lines behind it', 'a\n\n\n\nc\nd\n'],
    ['line ends of Windows', 'a\r\nb\r\n'],
    ['no line end at the end', 'a\nb'],
  ])('the change that is shown can be applied as a patch: %s', async (_name, content) => {
    const place = makePlace();
    execFileSync('git', ['init', '-q'], { cwd: place.repository });
    place.write('x.txt', content);
    const model = place.script([read('x.txt'), edit('x.txt', 'a', 'A'), say('Done.')]);
    expect((await place.belay(['run', 'Go.', '--session', 's', '--model', model, '--allow', 'Edit(x.txt)'])).code).toBe(
      0,
    );
    const changed = place.file('x.txt');
    expect(changed).toBe(content.replace('a', 'A'));
    const diff = await place.belay(['diff', 's']);
    place.write('x.txt', content);
    execFileSync('git', ['apply', '-'], { cwd: place.repository, input: diff.stdout });
    expect(place.file('x.txt')).toBe(changed);
  });

  test('AGENTS.md is shown to the model, CLAUDE.md where there is none', async () => {
    const place = makePlace();
    place.write('CLAUDE.md', 'Prefer tabs.');
    const claude = place.script([{ text: 'Yes.', expect: { system: ['Prefer tabs.'] } }], 'claude.json');
    expect((await place.belay(['run', 'Hi.', '--model', claude])).code).toBe(0);
    place.write('AGENTS.md', 'Prefer spaces.');
    const agents = place.script([{ text: 'Yes.', expect: { system: ['Prefer spaces.'] } }], 'agents.json');
    expect((await place.belay(['run', 'Hi.', '--model', agents])).code).toBe(0);
  });

  test('a data folder inside the workspace is neither searched nor counted as change', async () => {
    const place = makePlace();
    const env = { BELAY_HOME: path.join(place.repository, '.belay') };
    const model = place.script([
      { calls: [{ tool: 'Glob', args: { pattern: '**/*.log' } }] },
      { ...read('.belay/sessions/in/ledger.log'), expect: { notShown: 'ledger.log' } },
      { ...edit('src/slugify.js', 'x', 'y'), expect: { notShown: 'session.created' } },
      say('Done.'),
    ]);
    const ran = await place.belay(['run', 'Look.', '--session', 'in', '--model', model], { env });
    expect(ran.code).toBe(0);
    expect((await place.belay(['diff', 'in'], { env })).stdout).toBe('');
  });

  test('a workspace inside the data folder is refused', async () => {
    const place = makePlace();
    const ran = await place.belay(['run', 'Hi.', '--model', place.script([say('x')])], {
      env: { BELAY_HOME: place.folder },
    });
    expect(ran.code).toBe(42);
    expect(ran.stderr).toContain('data folder');
  });
});

describe('what is not proven is not accepted', () => {
  test('a model that claims without ever running the check ends 13 after Belay ran it', async () => {
    const place = makePlace();
    const lies = [say('Done.'), say('Really done.'), say('I am sure.')];
    const ran = await place.belay([
      'run',
      'Fix it.',
      '--session',
      'l',
      '--model',
      place.script(lies),
      ...allowed,
      '--output-format',
      'json',
    ]);
    expect(resultOf(ran)).toMatchObject({ exit_code: 13, verified: false, is_error: true });
    const evidence = (await place.facts('l')).filter((fact) => fact.type === 'evidence.recorded');
    expect(evidence).toMatchObject([{ passed: false, exitCode: 1 }]);
  });

  test('a wrong edit ends 13', async () => {
    const place = makePlace();
    const wrong = [
      read('src/slugify.js'),
      edit('src/slugify.js', "words.join('_')", "words.join('+')"),
      runTest,
      say('Done.'),
      say('Done.'),
      say('Done.'),
    ];
    const ran = await place.belay(['run', 'Fix it.', '--model', place.script(wrong), ...allowed]);
    expect(ran.code).toBe(13);
  });

  test('a refused claim outranks a provider that then fails; without a check the provider is named', async () => {
    const place = makePlace();
    const model = place.script([say('Done.')]);
    const checked = await place.belay(['run', 'Fix it.', '--model', model, ...allowed]);
    expect(checked.code).toBe(13);
    const failing = place.script([{ fail: { kind: 'invalid_request' } }], 'failing.json');
    expect((await place.belay(['run', 'Hi.', '--model', failing])).code).toBe(57);
  });

  test('deleting the test does not help: a run without a test is no evidence', async () => {
    const place = makePlace();
    const model = place.script([bash('rm -r test'), runTest, say('Done.'), say('Done.'), say('Done.')]);
    const ran = await place.belay([
      'run',
      'Fix it.',
      '--model',
      model,
      ...allowed,
      '--permission-mode',
      'bypassPermissions',
    ]);
    expect(ran.code).toBe(13);
  });

  test('a check by exit code is accepted without counts', async () => {
    const place = makePlace();
    const model = place.script([runTest, say('Done.')]);
    const ran = await place.belay([
      'run',
      'Look.',
      '--model',
      model,
      '--check-exit',
      'test -f package.json',
      '--output-format',
      'json',
    ]);
    expect(resultOf(ran)).toMatchObject({ exit_code: 0, verified: true });
  });
});

test('the table of exit codes in the help names every documented code', async () => {
  const place = makePlace();
  const { stdout } = await place.belay(['--help']);
  for (const code of [0, 10, 11, 12, 13, 41, 42, 44, 52, 53, 54, 55, 56, 57, 130, 143]) {
    expect(stdout).toMatch(new RegExp(`^ +${code} `, 'm'));
  }
});
