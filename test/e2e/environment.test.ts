/** Variables that the user's settings pass to commands, through the whole program: each kind of command, sandboxed and not. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { makePlace, type Place, resultOf } from './belay.ts';
import { bash, test as check, say } from './turns.ts';

const json = ['--output-format', 'json'];
const free = ['--permission-mode', 'bypassPermissions'];
const levels = ['off', 'required'] as const;
const url = 'postgres://app:hunter2hunter2@db.example/app';

/** Writes the user's settings; the environment to start with. */
function settings(place: Place, pass: readonly unknown[] | null): { readonly [name: string]: string } {
  const config = path.join(place.folder, 'config');
  mkdirSync(path.join(config, 'belay'), { recursive: true });
  const whole = pass === null ? {} : { environment: { pass } };
  writeFileSync(path.join(config, 'belay/settings.json'), JSON.stringify(whole));
  return { XDG_CONFIG_HOME: config, DATABASE_URL: url, DOTNET_ROOT: '/dotnet', DOTNET_TOKEN: 'dotnet-4711-x9' };
}

/** All that a session left behind, without the place where the test itself keeps files. */
const left = (place: Place, session: string): string => {
  const folder = path.join(place.home, 'sessions', session);
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes(`${path.sep}exec`))
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
};
const outputs = async (place: Place, session: string): Promise<string> =>
  (await place.facts(session)).flatMap((fact) => (fact.type === 'attempt.outcome' ? [fact.output] : [])).join('\n');

const show = 'echo "seen ${DATABASE_URL#postgres} ${DOTNET_ROOT-none} ${DOTNET_TOKEN-none}" | tr / _';

describe.each(levels)('a command, sandbox %s', (level) => {
  test('gets what is named, and else only the list', async () => {
    const place = makePlace();
    const model = place.script([bash(show), say('Done.')]);
    for (const [session, pass, seen] of [
      ['with', ['DATABASE_URL', 'DOTNET_*'], 'seen :__app:hunter2hunter2@db.example_app _dotnet none'],
      ['without', null, 'seen  none none'],
    ] as const) {
      const args = ['run', 'go', '--session', session, '--model', model, '--sandbox', level, ...free, ...json];
      const ran = await place.belay(args, { env: settings(place, pass) });
      expect(resultOf(ran)).toMatchObject({ exit_code: 0 });
      expect(await outputs(place, session)).toContain(seen);
    }
  });

  test('in the background, and a declared check', async () => {
    const place = makePlace();
    const env = settings(place, ['DATABASE_URL']);
    const isThere = `[ "$DATABASE_URL" = '${url}' ]`;
    place.write('check.sh', `${isThere}\n`);
    const background = {
      calls: [{ tool: 'Bash', args: { command: `${isThere} && echo it is >there`, run_in_background: true } }],
    };
    const waits = bash('until [ -s there ]; do sleep 0.1; done');
    const model = place.script([background, waits, check, say('Done.')]);
    const args = ['run', 'go', '--model', model, '--check-exit', 'sh check.sh', '--sandbox', level, ...free, ...json];
    expect(resultOf(await place.belay(args, { env }))).toMatchObject({ exit_code: 0, verified: true });
    expect(place.file('there')).toBe('it is\n');
    settings(place, []);
    const bare = place.script([check, say('Done.')], 'bare.json');
    const again = await place.belay(['run', 'go', '--model', bare, ...args.slice(4)], { env });
    expect(resultOf(again).verified).not.toBe(true);
  });

  test('a secret that is named gets there, and is masked in all that is kept and told; so is a password in an address', async () => {
    const place = makePlace();
    const env = { ...settings(place, ['MY_TOKEN', 'DATABASE_URL']), MY_TOKEN: 'canary-4711-token' };
    const model = place.script([
      bash('echo "$MY_TOKEN" "$DATABASE_URL"; echo "$MY_TOKEN" | tr a-z A-Z; yes "$MY_TOKEN" | head -20000'),
      { ...say('Done.'), expect: { matches: '\\[secret:MY_TOKEN\\] postgres://app:\\[secret:url-password\\]@db' } },
    ]);
    const args = ['run', 'go', '--session', 's', '--model', model, '--sandbox', level, ...free];
    const ran = await place.belay([...args, '--output-format', 'stream-json', '--verbose'], { env });
    expect(ran.code).toBe(0);
    expect(await outputs(place, 's')).toContain('CANARY-4711-TOKEN');
    const log = await place.belay(['log', 's'], { env });
    for (const text of [ran.stdout, ran.stderr, log.stdout, left(place, 's')]) {
      expect(text).not.toMatch(/canary-4711-token|hunter2/);
    }
  });

  test('one that a signal ended, and one that cannot be read, are told as without it', async () => {
    const place = makePlace();
    const model = place.script([
      bash("sh -c 'kill -SEGV $$'"),
      bash('kill -TERM $$; :'),
      bash('false | )'),
      say('Done.'),
    ]);
    const told = async (session: string, pass: readonly string[]) => {
      const args = ['run', 'go', '--session', session, '--model', model, '--sandbox', level, ...free, ...json];
      expect(resultOf(await place.belay(args, { env: settings(place, pass) }))).toMatchObject({ exit_code: 0 });
      return outputs(place, session);
    };
    const without = await told('without', []);
    expect(without).toMatch(/killed by signal[\s\S]*`false \| \)'/);
    expect(await told('with', ['DATABASE_URL'])).toBe(without);
  });
});

test('what leads programs to parts of the workspace counts inside of the sandbox alone', async () => {
  const place = makePlace();
  const env = { ...settings(place, ['LD_PRELOAD']), LD_PRELOAD: path.join(place.repository, 'nothing.so') };
  const model = place.script([
    bash('/bin/echo "$LD_PRELOAD"'),
    { ...say('Done.'), expect: { matches: 'object [^]*nothing.so[^]* cannot be preloaded' } },
  ]);
  const args = ['run', 'go', '--session', 's', '--model', model, '--sandbox', 'required', ...free, ...json];
  const ran = await place.belay(args, { env });
  expect(resultOf(ran)).toMatchObject({ exit_code: 0, sandbox: { level: 'bubblewrap' } });
  // The program that the shell starts says so, and nobody before it.
  expect((await outputs(place, 's')).match(/cannot be preloaded/g)).toHaveLength(1);
});

test('the proxy of the sandbox wins over one that is passed', async () => {
  const place = makePlace();
  const env = { ...settings(place, null), HTTPS_PROXY: 'http://corp.example:1', ALL_PROXY: 'http://corp.example:2' };
  const both = { environment: { pass: ['HTTPS_PROXY', 'ALL_PROXY'] }, sandbox: { network: ['host.example'] } };
  writeFileSync(path.join(place.folder, 'config/belay/settings.json'), JSON.stringify(both));
  const model = place.script([bash('echo "$HTTPS_PROXY $ALL_PROXY"'), say('Done.')]);
  for (const [level, seen] of [
    ['required', 'http://127.0.0.1:3128 http://corp.example:2'],
    ['off', 'http://corp.example:1 http://corp.example:2'],
  ] as const) {
    const args = ['run', 'go', '--session', level, '--model', model, '--sandbox', level, ...free, ...json];
    expect(resultOf(await place.belay(args, { env }))).toMatchObject({ exit_code: 0 });
    expect(await outputs(place, level)).toContain(seen);
  }
});

test('of a repository it does nothing, which is told', async () => {
  const place = makePlace();
  mkdirSync(path.join(place.repository, '.belay'), { recursive: true });
  place.write('.belay/settings.json', JSON.stringify({ environment: { pass: ['DATABASE_URL'] } }));
  const model = place.script([bash(show), say('Done.')]);
  const ran = await place.belay(['run', 'go', '--session', 's', '--model', model, ...free], {
    env: settings(place, null),
  });
  expect(ran.code).toBe(0);
  expect(ran.stderr).toContain(
    ".belay/settings.json: environment is not known and does nothing; variables for commands are named in the user's file",
  );
  expect(await outputs(place, 's')).toContain('seen  none none');
});

test('a name that cannot be passed stops the start, and doctor names it', async () => {
  const place = makePlace();
  const env = settings(place, ['BASH_ENV']);
  const told = 'environment.pass: "BASH_ENV" cannot be passed: it changes how the shell reads commands';
  const ran = await place.belay(['run', 'go', '--model', place.script([say('Done.')])], { env });
  expect(ran).toMatchObject({ code: 52, stderr: expect.stringContaining(told) });
  const doctor = await place.belay(['doctor'], { env });
  expect(doctor.stdout).toContain(told);
  expect(doctor.code).not.toBe(0);
});

test('doctor names what is passed, and no value', async () => {
  const place = makePlace();
  const named = await place.belay(['doctor'], { env: settings(place, ['DATABASE_URL', 'DOTNET_*', 'GOFLAGS']) });
  expect(named.stdout).toMatch(/environment +commands get besides: DATABASE_URL, DOTNET_ROOT; not set: GOFLAGS\n/);
  expect(named.stdout).not.toMatch(/hunter2|\/dotnet/);
  expect(named.code).toBe(0);
  const none = await place.belay(['doctor'], { env: settings(place, null) });
  expect(none.stdout).toMatch(/environment +commands get the usual list\n/);
});
