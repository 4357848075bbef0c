/** What file tools can reach, and what they refuse to begin. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createPermission } from '#permission';
import { createRegistry } from '#tools';
import { makePlace } from '../e2e/belay.ts';
import { openSession, type TestSession } from '../tools/session.ts';
import { openPlace } from '../workspace/bench-place.ts';
import { bypass } from './provider.ts';

const write = (session: TestSession, file_path: string) => session.call('Write', { file_path, content: 'x\n' });
const patch = (session: TestSession, file: string) =>
  session.call('ApplyPatch', { patch: `*** Begin Patch\n*** Add File: ${file}\n+x\n*** End Patch` });
/** A folder beside the workspace. */
function outside(session: TestSession, name = 'outside'): string {
  const folder = path.join(path.dirname(session.root), name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'secret'), 'secret\n');
  return folder;
}

describe('paths that leave the workspace', () => {
  test.each<[string, (session: TestSession, out: string) => string]>([
    ['D17: climbing', () => '../outside/secret'],
    ['D17: climbing in the middle', () => 'sub/../../outside/secret'],
    ['D17: an absolute path', (_session, out) => path.join(out, 'secret')],
    ['D17: a home folder', () => '~/.ssh/id_rsa'],
    [
      'D18: a link to a file',
      (session, out) => {
        symlinkSync(path.join(out, 'secret'), path.join(session.root, 'l'));
        return 'l';
      },
    ],
    [
      'D18: below a link to a folder',
      (session, out) => {
        symlinkSync(out, path.join(session.root, 'd'));
        return 'd/secret';
      },
    ],
    [
      'D18: a link to what does not exist yet',
      (session, out) => {
        symlinkSync(path.join(out, 'fresh'), path.join(session.root, 'n'));
        return 'n';
      },
    ],
    ['D19: a sibling with the same prefix', () => '../work-evil/secret'],
  ])('%s: neither read nor written', async (_name, prepare) => {
    const session = await openSession({ 'sub/x': '' });
    const out = outside(session);
    const evil = outside(session, 'work-evil');
    const name = prepare(session, out);
    const before = [out, evil].map((folder) =>
      readdirSync(folder).map((one) => readFileSync(path.join(folder, one), 'utf8')),
    );
    const read = await session.call('Read', { file_path: name });
    expect(read.status).toBe('failed');
    expect(read.output).not.toContain('secret\n');
    expect((await write(session, name)).status).toBe('failed');
    expect((await session.call('Edit', { file_path: name, old_string: 'secret', new_string: 'x' })).status).toBe(
      'failed',
    );
    expect((await patch(session, name)).status).toBe('failed');
    const after = [out, evil].map((folder) =>
      readdirSync(folder).map((one) => readFileSync(path.join(folder, one), 'utf8')),
    );
    expect(after).toEqual(before);
  });
});

describe('D36: case variants are judged like the plain name', () => {
  test.each(['.git/config', '.GIT/config', '.Git/HOOKS/pre-commit', 'sub/.gIt/x'])(
    '%s is not written',
    async (name) => {
      const session = await openSession({ 'sub/x': '' });
      for (const outcome of [await write(session, name), await patch(session, name)]) {
        expect(outcome).toMatchObject({ status: 'failed', failure: { kind: 'rejected' } });
      }
      expect(existsSync(path.join(session.root, name))).toBe(false);
    },
  );

  test.each(['Edit', 'Write', 'ApplyPatch'])(
    'the policy denies %s below any spelling of .git in every mode',
    async (tool) => {
      for (const name of ['.git/config', '.GIT/config', '.Git/hooks/x']) {
        const call = { tool, args: {}, effect: 'file', paths: ['ok.txt', name] } as const;
        const context = {
          mode: 'bypassPermissions',
          allow: [tool],
          checks: [],
          workspace: '/w',
          signal: new AbortController().signal,
        } as const;
        expect(await createPermission()(call, context)).toMatchObject({ decision: 'deny' });
      }
    },
  );
});

describe('a patch is judged by every file that it names', () => {
  const judge = (
    allow: readonly string[],
    paths: readonly string[] | null,
    mode: 'default' | 'acceptEdits' = 'default',
  ) =>
    createPermission()(
      { tool: 'ApplyPatch', args: {}, effect: 'file', paths },
      { mode, allow, checks: [], workspace: '/w', signal: new AbortController().signal },
    );
  test.each<[string, readonly string[], readonly string[] | null, string]>([
    ['a rule for edits covers all of them', ['Edit(src/**)'], ['src/a', 'src/b'], 'allow'],
    ['a bare rule for edits', ['Edit'], ['src/a'], 'allow'],
    ['one file that no rule covers', ['Edit(src/**)'], ['src/a', 'docs/b'], 'ask'],
    ['a patch that names nothing that can be told', ['Edit(src/**)'], null, 'ask'],
    ['a rule of its own', ['ApplyPatch'], ['src/a'], 'allow'],
  ])('%s', async (_name, allow, paths, decision) => {
    expect(await judge(allow, paths)).toMatchObject({ decision });
  });
  test('acceptEdits allows what lies inside', async () => {
    expect(await judge([], ['src/a', 'b'], 'acceptEdits')).toMatchObject({ decision: 'allow' });
    expect(await judge([], ['src/a', '../b'], 'acceptEdits')).toMatchObject({ decision: 'ask' });
  });
});

describe('D37: a folder that is swapped for a link between the look and the deed', () => {
  const helpers: ChildProcess[] = [];
  afterEach(() => {
    for (const helper of helpers.splice(0)) helper.kill('SIGKILL');
  });

  /** Flips `p` between a folder of the workspace and a link to `out`, in steps of all lengths. */
  function flip(root: string, out: string): ChildProcess {
    const code = `
      const fs = require('node:fs');
      const [p, kept, out] = process.argv.slice(1);
      const pause = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Math.random() * 4);
      process.stdout.write('on');
      let junk = 0;
      // Where the path is free for an instant, the writer may make a folder of its own there: it is moved aside.
      const place = (put) => {
        for (;;) {
          try { return put(); } catch { try { fs.renameSync(p, kept + '-' + junk++); } catch {} }
        }
      };
      for (;;) {
        fs.renameSync(p, kept);
        place(() => fs.symlinkSync(out, p));
        if (Math.random() < 0.5) pause();
        fs.unlinkSync(p);
        place(() => fs.renameSync(kept, p));
        if (Math.random() < 0.7) pause();
      }`;
    const child = spawn(process.execPath, ['-e', code, path.join(root, 'p'), path.join(root, 'kept'), out], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    helpers.push(child);
    return child;
  }

  test('of five hundred writes, edits and reads no byte comes outside and none comes in', async () => {
    const place = await openPlace();
    const out = path.join(place.data, 'out');
    for (const folder of [out, path.join(out, 'deep'), path.join(place.root, 'p')]) mkdirSync(folder);
    writeFileSync(path.join(out, 'x'), 'outside\n');
    writeFileSync(path.join(place.root, 'p', 'x'), 'inside\n');
    const helper = flip(place.root, out);
    await new Promise((resolve) => helper.stdout?.once('data', resolve));
    const { files } = place.workspace;
    let [written, refused] = [0, 0];
    for (let n = 0; n < 500; n++) {
      const seen = await files.read('p/x').catch(() => null);
      if (seen !== null && !('code' in seen)) {
        expect(seen.text).not.toBe('outside\n');
        const bytes = Buffer.from(`inside ${n}\n`);
        const change = { path: 'p/x', bytes, base: seen.hash, baseBytes: seen.bytes };
        if ((await files.writeAll([change], null).catch(() => ({ ok: false }))).ok) written++;
        else refused++;
      }
      await files
        .write({ path: `p/new-${n}`, bytes: Buffer.from('new\n'), base: null, execFolder: null })
        .catch(() => null);
      await files
        .write({ path: `p/deep/er/${n}`, bytes: Buffer.from('n\n'), base: null, execFolder: null })
        .catch(() => null);
    }
    expect(helper.exitCode).toBeNull();
    helper.kill('SIGKILL');
    expect(readdirSync(out).sort()).toEqual(['deep', 'x']);
    expect(readdirSync(path.join(out, 'deep'))).toEqual([]);
    expect(readFileSync(path.join(out, 'x'), 'utf8')).toBe('outside\n');
    // The case is only shown if some of it went through between two flips, and some did not.
    expect(written).toBeGreaterThan(0);
    expect(refused).toBeGreaterThan(0);
  }, 60_000);
});

describe('calls that are not whole', () => {
  test.each([
    ['B29: a write without content', 'Write', { file_path: 'f' }, '/content'],
    ['B29: a write without a path', 'Write', { content: 'x' }, '/file_path'],
    ['B29: a patch without a text', 'ApplyPatch', {}, '/patch'],
    [
      'B29: an edit of a list that was cut off',
      'Edit',
      { file_path: 'f', edits: [{ old_string: 'a' }] },
      '/edits/0/new_string',
    ],
  ])('%s is refused with the place of the fault', async (_name, tool, args, pointer) => {
    const session = await openSession({ f: 'as it was\n' });
    const failure = createRegistry([session.tool(tool)]).check(tool, args);
    expect(failure).toMatchObject({ kind: 'schema' });
    expect(failure?.message).toContain(pointer);
    expect(failure?.message).toContain('missing');
  });

  test('B29: in a run the file stays, and the model is told; an explicit empty content is another thing', async () => {
    const place = makePlace();
    writeFileSync(path.join(place.repository, 'f'), 'as it was\n');
    const call = (args: object) => ({ calls: [{ tool: 'Write', args }] });
    const read = { calls: [{ tool: 'Read', args: { file_path: 'f' } }] };
    const script = place.script([read, call({ file_path: 'f' }), { text: 'Cut.' }]);
    expect((await place.belay(['run', 'Go.', '--session', 's', '--model', script, ...bypass])).code).toBe(0);
    expect(readFileSync(path.join(place.repository, 'f'), 'utf8')).toBe('as it was\n');
    const again = place.script([read, call({ file_path: 'f', content: '' }), { text: 'Emptied.' }]);
    expect((await place.belay(['run', 'Go.', '--session', 't', '--model', again, ...bypass])).code).toBe(0);
    expect(readFileSync(path.join(place.repository, 'f'), 'utf8')).toBe('');
  });

  test('B26: three spellings of one file in one message: all three changes are there', async () => {
    const place = makePlace();
    mkdirSync(path.join(place.repository, 'sub'));
    writeFileSync(path.join(place.repository, 'a.txt'), '1 2 3\n');
    symlinkSync('a.txt', path.join(place.repository, 'link'));
    const edit = (file_path: string, old_string: string, new_string: string) => ({
      tool: 'Edit',
      args: { file_path, old_string, new_string },
    });
    const script = place.script([
      { calls: [{ tool: 'Read', args: { file_path: 'a.txt' } }] },
      { calls: [edit('./a.txt', '1', 'I'), edit('sub/../a.txt', '2', 'II'), edit('link', '3', 'III')] },
      { text: 'Done.' },
    ]);
    expect((await place.belay(['run', 'Go.', '--session', 's', '--model', script, ...bypass])).code).toBe(0);
    expect(readFileSync(path.join(place.repository, 'a.txt'), 'utf8')).toBe('I II III\n');
  });
});
