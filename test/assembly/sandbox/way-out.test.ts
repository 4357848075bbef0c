import { tmpdir } from 'node:os';
import { afterEach, expect, test } from 'vitest';
import { wayOutOf, withWayOut } from '../../../src/assembly/sandbox/way-out.ts';

const before = process.env['TMPDIR'];
afterEach(() => {
  if (before === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = before;
});

const long = `/${'x'.repeat(100)}`;

test.each([
  ['in the folder of the session', '/data/sessions/s', '/tmp/here', '/data/sessions/s/net.sock'],
  [
    'where that is too long for a socket, in the folder for temporary files',
    `${long}/s`,
    '/tmp/here',
    '/tmp/here/belay-s.sock',
  ],
  ['where that is too long as well, in /tmp', `${long}/s`, long, '/tmp/belay-s.sock'],
])('the socket lies %s', (_name, folder, temporary, expected) => {
  process.env['TMPDIR'] = temporary;
  expect(tmpdir()).toBe(temporary);
  expect(wayOutOf([], folder).socketFile).toBe(expected);
});

test('ports of this machine that are named are found at their place inside', async () => {
  const { rules, socketFile } = wayOutOf(
    ['localhost:5432', '127.0.0.1:80', '[::1]:6379', 'example.com', '*.localhost:1'],
    `/tmp/belay-way-out-${process.pid}`,
  );
  const start = { program: '/bwrap', options: ['--x'], optionsFrom: null, headTo: null };
  const confinement = { confine: async () => start, isOn: () => true, tidy: () => [], hasNetwork: () => false };
  const file = socketFile.replace('/net.sock', '.sock');
  const way = withWayOut(confinement, { rules, socketFile: file });
  const confined = await way.confine('/');
  way.close?.();
  expect(confined?.wayOut?.local).toEqual(['localhost:5432', '127.0.0.1:80', '[::1]:6379']);
});
