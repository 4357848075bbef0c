/** Reading: names that look alike or cannot be written, binary and huge files, and what lies behind the end. */
import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { makePlace } from '../e2e/belay.ts';
import { gif, jpeg, pdf, pngOf, webpLossy } from '../tools/read/pictures.ts';
import { openSession } from '../tools/session.ts';
import { bypass, json, makeScene } from './provider.ts';

const png = pngOf(40, 40);

describe('names', () => {
  const odd = ['日本.txt', 'a b.txt', '-x.txt', 'q"q.txt', "it's.txt", 'tab\there.txt', 'new\nline.txt'];

  test('B34: odd names are listed as they are, and open by the listed name', async () => {
    const session = await openSession(Object.fromEntries(odd.map((name) => [name, `in ${name}\n`])));
    const listed = (await session.call('Glob', { pattern: '*.txt' })).output;
    const names = listed.split('\n');
    expect(names).toHaveLength(odd.length);
    for (const name of names) {
      const outcome = await session.call('Read', { file_path: name });
      expect(outcome.output).toMatch(/^ +1\tin /);
    }
    for (const name of odd) {
      const outcome = await session.call('Read', { file_path: name });
      expect(outcome.status, name).toBe('succeeded');
      expect((await session.call('Edit', { file_path: name, old_string: 'in ', new_string: 'IN ' })).status).toBe(
        'succeeded',
      );
    }
  });

  test('B34: a name that is no UTF-8 is not opened under another one', async () => {
    const session = await openSession({ 'plain.txt': 'x\n' });
    writeFileSync(
      Buffer.concat([Buffer.from(`${session.root}/byte-`), Buffer.from([0xff]), Buffer.from('.txt')]),
      'secret\n',
    );
    const outcome = await session.call('Read', { file_path: 'byte-\ufffd.txt' });
    expect(outcome).toMatchObject({ status: 'failed', failure: { kind: 'not_found' } });
    expect(outcome.output).not.toContain('secret');
  });

  const narrow = 'Shot 1.00\u202fPM.txt';
  const plain = 'Shot 1.00 PM.txt';

  test('B39: the exact name is read', async () => {
    const session = await openSession({ [narrow]: 'narrow\n', [plain]: 'plain\n' });
    expect((await session.call('Read', { file_path: narrow })).output).toBe('     1\tnarrow');
    expect((await session.call('Read', { file_path: plain })).output).toBe('     1\tplain');
  });

  test('B39: a plain blank finds the one file that looks the same, and the result names it', async () => {
    const session = await openSession({ [`d/${narrow}`]: 'narrow\n', 'd/other.txt': 'x\n' });
    const outcome = await session.call('Read', { file_path: `d/${plain}` });
    expect(outcome.output).toContain('this is "d/Shot 1.00\\u{202f}PM.txt"');
    expect(outcome.output).toContain('narrow');
    expect(outcome.seen?.map((file) => file.path)).toEqual([`d/${narrow}`]);
    const { paths } = await session.tool('Read').classify({ file_path: `d/${plain}` });
    expect(paths).toContain(`d/${narrow}`);
  });

  test('B39: of two that look the same none is chosen; composed letters count as alike', async () => {
    const session = await openSession({
      [narrow]: '1\n',
      'Shot 1.00\u00a0PM.txt': '2\n',
      'caf\u0065\u0301.txt': 'café\n',
    });
    expect((await session.call('Read', { file_path: plain })).failure?.kind).toBe('not_found');
    expect((await session.call('Read', { file_path: 'caf\u00e9.txt' })).output).toContain('café');
  });

  test('B43: every tool finds a file by either composition of its letters', async () => {
    const [given, real] = ['caf\u00e9', 'cafe\u0301'];
    const session = await openSession({ [`${real}/${real}.ts`]: 'export const one = 1;\n' });
    const file_path = `${given}/${given}.ts`;
    const write = () => session.call('Write', { file_path, content: 'new\n' });
    expect((await write()).failure?.message).toContain('was not read');
    expect((await session.call('Read', { file_path })).output).toContain('this is "cafe\\u{301}/cafe\\u{301}.ts"');
    expect((await session.call('Grep', { pattern: 'one', path: given })).output).toContain(`${real}.ts`);
    expect((await session.call('Glob', { pattern: '*', path: given })).output).toContain(`${real}.ts`);
    expect((await session.call('Symbols', { path: given })).output).toContain('one');
    const edit = await session.call('Edit', { file_path, old_string: '= 1', new_string: '= 2' });
    expect(edit.status).toBe('succeeded');
    const patch = `*** Begin Patch\n*** Update File: ${file_path}\n-export const one = 2;\n+export const one = 3;\n*** End Patch`;
    expect((await session.call('ApplyPatch', { patch })).status).toBe('succeeded');
    expect(session.file(`${real}/${real}.ts`).toString()).toBe('export const one = 3;\n');
    expect((await write()).status).toBe('succeeded');
    expect(readdirSync(session.root).filter((name) => name.startsWith('caf'))).toEqual([real]);
    expect(readdirSync(path.join(session.root, real))).toEqual([`${real}.ts`]);
  });

  test('B39: an edit or a write never falls back to other blanks', async () => {
    const session = await openSession({ [narrow]: 'narrow\n' });
    await session.call('Read', { file_path: plain });
    const edit = await session.call('Edit', { file_path: plain, old_string: 'narrow', new_string: 'x' });
    expect(edit.failure?.kind).toBe('not_found');
    await session.call('Write', { file_path: plain, content: 'new\n' });
    expect(session.file(narrow).toString()).toBe('narrow\n');
    expect(session.file(plain).toString()).toBe('new\n');
  });
});

describe('what is not shown whole', () => {
  test('B35: a binary file of 2 MB costs a sentence', async () => {
    const bytes = Buffer.concat([Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1]), Buffer.alloc(2_000_000, 0)]);
    const session = await openSession({ prog: bytes });
    const outcome = await session.call('Read', { file_path: 'prog' });
    expect(outcome.output).toContain('an ELF program or library, 2000006 bytes');
    expect(outcome.output.length).toBeLessThan(300);
    expect(outcome.attachments).toBeUndefined();
  });

  test('B35: a large PNG is told by kind and size, and not attached above 5 MB', async () => {
    const session = await openSession({ 'a.png': Buffer.concat([png, Buffer.alloc(6 * 1024 * 1024)]) });
    const outcome = await session.call('Read', { file_path: 'a.png' });
    expect(outcome.output).toContain('a PNG image');
    expect(outcome.output.length).toBeLessThan(400);
    expect(outcome.attachments).toBeUndefined();
  });

  test('B35: 5 MB of minified script on one line', async () => {
    const session = await openSession({ 'x.min.js': 'var a=1;'.repeat(655_360) });
    const outcome = await session.call('Read', { file_path: 'x.min.js' });
    expect(outcome.output.length).toBeLessThan(3000);
    expect(outcome.output).toContain('more characters');
  });

  test('B35: of a file that is larger than what is read at once the rest is told', async () => {
    const session = await openSession();
    execFileSync('sh', ['-c', 'yes "some line of a log" | head -c 40000000 > big.log'], { cwd: session.root });
    const outcome = await session.call('Read', { file_path: 'big.log', limit: 3 });
    expect(outcome.output).toContain('of 40000000 bytes were read');
    const behind = await session.call('Read', { file_path: 'big.log', offset: 1_800_000 });
    expect(behind).toMatchObject({ status: 'failed', failure: { kind: 'precondition' } });
    expect(behind.output).toContain("sed -n '1800000,+200p'");
  });

  test('B36: behind the end the number of lines is told', async () => {
    const session = await openSession({ f: 'x\n'.repeat(10) });
    const outcome = await session.call('Read', { file_path: 'f', offset: 50 });
    expect(outcome.output).toContain('f has 10 lines');
  });
});

describe('images and documents', () => {
  test.each<[string, Uint8Array, string]>([
    ['a.png', png, 'image/png'],
    ['named-wrong.txt', png, 'image/png'],
    ['a.jpg', jpeg, 'image/jpeg'],
    ['a.gif', gif, 'image/gif'],
    ['a.webp', webpLossy, 'image/webp'],
    ['a.pdf', pdf, 'application/pdf'],
  ])('%s is attached by its content', async (name, content, mediaType) => {
    const session = await openSession({ [name]: content });
    const outcome = await session.call('Read', { file_path: name });
    expect(outcome.status).toBe('succeeded');
    expect(outcome.attachments).toMatchObject([{ path: name, mediaType }]);
    expect(Buffer.from(outcome.attachments?.[0]?.content ?? []).equals(content)).toBe(true);
  });

  test.each([0, 1, 2, 3])(
    'a session keeps the bytes in a blob, and tells or shows them to the model (wire %i)',
    async (wire) => {
      const read = { calls: [{ tool: 'Read', args: { file_path: 'shot.png' } }] };
      const scene = await makeScene([read, { text: 'A picture.' }], wire);
      writeFileSync(path.join(scene.repository, 'shot.png'), png);
      expect((await scene.belayWith(scene.run)).code).toBe(0);
      const outcome = (await scene.facts('s')).find((fact) => fact.type === 'attempt.outcome');
      const attachments = outcome?.type === 'attempt.outcome' ? outcome.attachments : [];
      expect(attachments).toMatchObject([{ path: 'shot.png', mediaType: 'image/png', bytes: png.byteLength }]);
      const sent = JSON.stringify(scene.server.requests.at(-1)?.body);
      const shown = sent.includes(png.toString('base64'));
      expect(shown || sent.includes('This model is not shown shot.png')).toBe(true);
      expect((await scene.belay(['sessions', 'verify', 's'])).code).toBe(0);
    },
  );

  test.each([0, 1])(
    'B42: a picture that the provider refuses is left out, also by whoever resumes (wire %i)',
    async (wire) => {
      const read = (file_path: string) => ({ calls: [{ tool: 'Read', args: { file_path } }] });
      const bad = pngOf(16, 16, 1);
      const refusedText = bad.toString('base64').slice(0, -8);
      const turns = [read('good.png'), read('bad.png'), { text: 'One picture.' }, { text: 'As asked.' }];
      const scene = await makeScene(turns, wire, { refusedText });
      writeFileSync(path.join(scene.repository, 'good.png'), png);
      writeFileSync(path.join(scene.repository, 'bad.png'), bad);
      expect((await scene.belayWith(scene.run)).code).toBe(0);
      const resumed = ['resume', 's', 'Go on.', ...bypass, ...json, '--model', scene.run[5] ?? ''];
      expect((await scene.belayWith(resumed)).code).toBe(0);
      expect(scene.server.requests.map(({ status }) => status)).toEqual([200, 200, 400, 200, 200]);
      for (const { text } of scene.server.requests.slice(-2)) {
        expect(text).toContain(png.toString('base64'));
        expect(text).not.toContain(refusedText);
        expect(text).toContain('bad.png cannot be shown: the provider');
      }
      const failed = (await scene.facts('s')).filter((fact) => fact.type === 'model.failed');
      expect(failed).toMatchObject([{ failure: { kind: 'invalid_request', retryable: true }, media: [{}, {}] }]);
      expect((await scene.belay(['sessions', 'verify', 's'])).code).toBe(0);
    },
  );

  test('an exported session brings its pictures along', async () => {
    const place = makePlace();
    writeFileSync(path.join(place.repository, 'shot.png'), png);
    const script = place.script([{ calls: [{ tool: 'Read', args: { file_path: 'shot.png' } }] }, { text: 'Done.' }]);
    expect((await place.belay(['run', 'Look.', '--session', 's', '--model', script, ...bypass])).code).toBe(0);
    const folder = path.join(place.home, 'out');
    expect((await place.belay(['sessions', 'export', 's', folder])).code).toBe(0);
    await place.belay(['sessions', 'rm', 's']);
    expect((await place.belay(['sessions', 'import', folder])).code).toBe(0);
    expect((await place.belay(['sessions', 'verify', 's'])).code).toBe(0);
  });
});
