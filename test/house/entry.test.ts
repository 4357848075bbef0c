import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { isSupportedNode } from '../../scripts/setup.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const entry = path.join(root, 'src/assembly/entry.ts');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'belay-entry-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function start(args: readonly string[], pretend = '') {
  const preload = pretend === '' ? [] : ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`];
  const { status, stdout, stderr } = spawnSync(process.execPath, [...preload, entry, ...args], {
    cwd: folder,
    encoding: 'utf8',
    // Type stripping announces itself on Node 22; an installed Belay is plain JavaScript and says nothing.
    env: { ...process.env, NODE_NO_WARNINGS: '1' },
  });
  return { status, stdout, stderr };
}

const pretendNode = (version: string) =>
  `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`;
const pretendPlatform = (platform: string) => `Object.defineProperty(process, 'platform', { value: '${platform}' })`;

describe('the entry', () => {
  it.each(['--version', '-V'])('answers %s with the version of package.json', (option) => {
    expect(start([option])).toEqual({ status: 0, stdout: `${manifest.version}\n`, stderr: '' });
  });

  it.each(['18.20.0', '20.20.2', '22.22.1', '23.11.0', '24.14.9', '25.2.0'])(
    'refuses Node %s in one line before it does anything',
    (version) => {
      const { status, stdout, stderr } = start(['--version'], pretendNode(version));
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
      expect(stderr).toMatch(
        new RegExp(`^belay: this is Node ${version}, but Belay needs Node 22\\.22\\.2 [^\\n]*\\n$`),
      );
    },
  );

  it.each(['22.22.2', '22.23.5', '24.15.0', '24.21.0', '26.0.0', '27.1.0'])('accepts Node %s', (version) => {
    expect(start(['--version'], pretendNode(version)).status).toBe(0);
  });

  it('sends Windows to WSL with exit code 52', () => {
    const { status, stderr } = start(['--version'], pretendPlatform('win32'));
    expect({ status, stderr }).toEqual({ status: 52, stderr: 'belay: Windows is not supported. Use WSL.\n' });
  });

  it('starts through ./belay and through a symlink to it', () => {
    const link = path.join(folder, 'belay-link');
    symlinkSync(path.join(root, 'belay'), link);
    for (const program of [path.join(root, 'belay'), link]) {
      const { status, stdout } = spawnSync(program, ['--version'], { cwd: folder, encoding: 'utf8' });
      expect({ status, stdout }).toEqual({ status: 0, stdout: `${manifest.version}\n` });
    }
  });
});

describe('the bootstrap', () => {
  it.each([
    ['18.20.0', false],
    ['20.20.2', false],
    ['22.22.1', false],
    ['22.22.2', true],
    ['23.11.0', false],
    ['24.14.9', false],
    ['24.15.0', true],
    ['25.2.0', false],
    ['26.0.0', true],
  ])('judges Node %s as package.json does: %s', (version, expected) => {
    expect(manifest.engines.node).toBe('^22.22.2 || ^24.15.0 || >=26.0.0');
    expect(isSupportedNode(version)).toBe(expected);
  });
});
