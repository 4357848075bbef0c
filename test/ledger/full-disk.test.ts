import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { programPath } from './processes.ts';
import { temporaryFolder } from './support.ts';

/** A file size limit works everywhere; a small disk of our own only where user namespaces (or root) allow it. */
const places: [string, string][] = [['a file size limit', 'ulimit -f 200; exec "$@"']];
const ownDisks = spawnSync('unshare', ['-Urm', 'true']).status === 0;
if (ownDisks)
  places.push([
    'a full disk',
    'exec unshare -Urm sh -c \'mount -t tmpfs -o size=600k tmpfs "$3" && exec "$@"\' sh "$@"',
  ]);

describe('without room', { timeout: 60_000 }, () => {
  for (const [what, script] of places)
    it(`nothing is lost and nothing is half written: ${what}`, () => {
      const folder = temporaryFolder();
      const run = spawnSync('sh', ['-c', script, 'sh', process.execPath, programPath('fill-up'), folder], {
        encoding: 'utf8',
      });
      expect(run.stderr).toBe('');
      const result = JSON.parse(run.stdout);
      expect(result).toMatchObject({ code: 'full', again: 'full', blob: 'full', flush: 'none', reopened: 'none' });
      expect(result).toMatchObject({ tornBytes: 0, damage: null, read: result.appended });
      expect(result.appended).toBeGreaterThan(10);
    });
});

if (ownDisks)
  describe('on a disk that became read-only', { timeout: 60_000 }, () => {
    it('a session can be read and listed, and everything else says why not', () => {
      const mount = 'mount -t tmpfs tmpfs "$4" && "$1" "$2" make "$4" && mount -o remount,ro "$4" && exec "$@"';
      const run = spawnSync(
        'unshare',
        ['-Urm', 'sh', '-c', mount, 'sh', process.execPath, programPath('read-only'), 'try', temporaryFolder()],
        { encoding: 'utf8' },
      );
      expect(run.stderr).toBe('');
      expect(JSON.parse(run.stdout)).toEqual({
        facts: 1,
        listed: 1,
        write: 'readonly',
        create: 'readonly',
        leave: 'readonly',
        remove: 'readonly',
      });
    });
  });
