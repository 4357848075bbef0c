import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makePlace, resultOf } from './belay.ts';

interface Turn {
  readonly calls?: readonly { readonly tool: string; readonly args: { readonly new_string?: string } }[];
}
const script = path.resolve(import.meta.dirname, '../../examples/demo/script.json');
const turns = JSON.parse(readFileSync(script, 'utf8')).turns as readonly Turn[];
const calls = (turn: Turn, tool: string) => turn.calls?.[0]?.tool === tool;

test('the demo plans, edits after an approval, and is accepted because of the second test run', async () => {
  const place = makePlace();
  const ran = await place.belay(['demo'], { env: { TMPDIR: place.folder } });
  expect(ran.code).toBe(0);
  for (const text of ['(exit 10)', '$ belay approve', "+  return words.join('-');", 'accepted because of evidence']) {
    expect(ran.stdout).toContain(text);
  }
  const evidence = ran.stdout.match(/^Evidence .*$/gm) ?? [];
  expect(evidence).toHaveLength(2);
  expect(evidence[0]).toMatch(/failed \(exit 1, 1 passed, 1 failed\) at revision [0-9a-f]{12}/);
  expect(evidence[1]).toMatch(/passed \(exit 0, 2 passed, 0 failed\) at revision [0-9a-f]{12}/);
  expect(ran.stderr).toMatch(/approval\.requested +Edit src\/slugify\.js/);
});

test('the demo with --kill: the last test run survives its agent and ran once', async () => {
  const place = makePlace();
  const ran = await place.belay(['demo', '--kill'], { env: { TMPDIR: place.folder } });
  expect(ran.stdout).toMatch(/Killed the agent .* was alive/);
  expect(ran.stdout).toContain('The killed test run ran once');
  expect(ran.code).toBe(0);
});

/** Plays a changed script the way the demo does, approving whatever is asked. */
async function play(changed: readonly Turn[]) {
  const place = makePlace();
  writeFileSync(path.join(place.folder, 'script.json'), JSON.stringify({ turns: changed }));
  const model = ['--model', `scripted/${path.join(place.folder, 'script.json')}`];
  const json = ['--output-format', 'json'];
  let ran = await place.belay([
    ...['run', 'Fix it.', '--session', 'v', '--permission-mode', 'plan', '--check', 'node --test'],
    ...model,
    ...json,
  ]);
  for (let asked = 0; ran.code === 10 && asked < 5; asked++) {
    await place.belay(['approve', 'v']);
    ran = await place.belay(['resume', 'v', ...json]);
  }
  return resultOf(ran);
}

test('the same script without the second test run ends 13', async () => {
  const result = await play(turns.filter((turn) => !calls(turn, 'Test')));
  expect(result).toMatchObject({ exit_code: 13, verified: false });
});

test('the same script with a wrong edit ends 13', async () => {
  const wrong = turns.map((turn) =>
    calls(turn, 'Edit')
      ? { ...turn, calls: [{ tool: 'Edit', args: { ...turn.calls?.[0]?.args, new_string: "words.join('+')" } }] }
      : turn,
  );
  expect(await play(wrong)).toMatchObject({ exit_code: 13, verified: false });
});
