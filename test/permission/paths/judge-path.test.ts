import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { judgePath } from '../../../src/permission/paths/judge-path.ts';

const real: { readonly [path: string]: string | null } = { link: 'src/a', out: null, 'dir/up': null, secret: '.env' };
/** Where a path without links leads. */
const placed = (path: string): string => posix.relative('/repo', posix.resolve('/repo', path)) || '.';
const judge = (text: string, pattern: boolean, folders: readonly string[] = ['.']) =>
  judgePath(
    { text, pattern },
    {
      workspace: '/repo',
      folders,
      ports: { realPath: async (path) => (Object.hasOwn(real, path) ? (real[path] ?? null) : placed(path)) },
    },
  );

describe('judgePath', () => {
  const named: readonly (readonly [text: string, result: readonly string[] | string, folders?: readonly string[]])[] = [
    ['a', ['a']],
    ['./a//b/.', ['a/b']],
    ['.', ['.']],
    ['/repo', ['.']],
    ['/repo/a', ['a']],
    ['/repo/../repo/a', ['.', 'a']],
    ['/dev/null', []],
    ['/dev/stdin', []],
    ['/dev/stdout', []],
    ['/dev/stderr', []],
    ['/dev/sda', 'outside'],
    ['/dev/nullx', 'outside'],
    ['/repox/a', 'outside'],
    ['..', 'outside'],
    ['../repo2', 'outside'],
    ['a/../..', 'outside'],
    ['~', 'outside'],
    ['~/a', 'outside'],
    ['~me/a', 'outside'],
    ['[a]/../../x', 'outside'],
    ['a/../b', ['a', 'b']],
    ['link', ['src/a', 'link']],
    ['out', 'leads out'],
    ['out/../a', 'leads out'],
    ['./out/../a', 'leads out'],
    ['dir/up/../a', 'leads out'],
    ['secret', 'may hold a secret'],
    ['.git/config', 'belongs to git'],
    ['.GIT', 'belongs to git'],
    ['.claude/x', 'decides what may run later'],
    ['a', ['a', 'src/a'], ['.', './src']],
    ['../a', 'outside', ['.', './src']],
    ['../a', ['a'], ['./src']],
    ['a', 'outside', ['/tmp']],
    ['/repo/a', ['a'], ['.', '/tmp']],
    ['x'.repeat(1001), ['x'.repeat(1001)]],
  ];
  it.each(named.map(([text, result, folders = ['.']]) => ({ text, result, folders })))(
    '$text: $result, from $folders',
    async ({ text, result, folders }) => {
      const judged = await judge(text, false, folders);
      if (typeof result === 'string') expect(judged.asks).toContain(result);
      else expect(judged).toEqual({ places: result });
    },
  );
  it('an address in signs that a program reads in its own way is not followed', async () => {
    const where = { workspace: '/repo', folders: ['.'], ports: null };
    expect(await judgePath({ text: 'file:%61', pattern: false, encoded: true }, where)).toEqual({
      places: [],
      asks: 'file:%61 is the address of a file in a spelling that is not followed',
    });
    expect(await judgePath({ text: 'file:a', pattern: false, encoded: false }, where)).toEqual({ places: ['file:a'] });
  });
  it('asks nothing of the world for what is no path', async () => {
    const asked: string[] = [];
    const ports = {
      realPath: async (path: string) => {
        asked.push(path);
        return path;
      },
    };
    for (const length of [1000, 1001]) {
      await judgePath({ text: 'x'.repeat(length), pattern: false }, { workspace: '/repo', folders: ['.'], ports });
    }
    expect(asked.map((path) => path.length)).toEqual([1000]);
    expect(await judgePath({ text: 'a', pattern: false }, { workspace: '/repo', folders: ['.'], ports: null })).toEqual(
      {
        places: ['a'],
      },
    );
  });

  const patterns: readonly (readonly [text: string, result: readonly string[] | string])[] = [
    ['*', ['.']],
    ['*.ts', ['.']],
    ['?', ['.']],
    ['*a', ['.']],
    ['q*', ['.']],
    ['*.json', ['.']],
    ['*_*', ['.']],
    ['*.*', ['.']],
    ['src/*.ts', ['src']],
    ['src/*/b/*.ts', ['src']],
    ['/repo/src/*', ['src']],
    ['/*', 'outside'],
    ['/etc/*', 'outside'],
    ['../*', 'outside'],
    ['*/../x', 'lead out'],
    ['*/../../x', 'lead out'],
    ['~/*', 'lead out'],
    ['~', 'lead out'],
    ['.*', 'hidden files'],
    ['.e*', 'hidden files'],
    ['.[a-z]*', 'hidden files'],
    ['.{env,x}', 'hidden files'],
    ['.?nv', 'hidden files'],
    ['src/.?*', 'hidden files'],
    ['.github/*', ['.github']],
    ['[', 'not understood'],
    ['a{b', 'not understood'],
    ['x*.pem', 'may find a secret'],
    ['x*.key', 'may find a secret'],
    ['x*.p12', 'may find a secret'],
    ['x*.pfx', 'may find a secret'],
    ['x*.jks', 'may find a secret'],
    ['x*.env', 'may find a secret'],
    ['x*.tfvars', 'may find a secret'],
    ['x*.kdbx', 'may find a secret'],
    ['x*.k?y', 'may find a secret'],
    ['x*.x', ['.']],
    ['x*.[', 'not understood'],
    ['id_*', 'may find a secret'],
    ['dep*', 'may find a secret'],
    ['*netrc', 'may find a secret'],
    ['cred*', 'may find a secret'],
    ['out/*', 'leads out'],
    ['.git/*', 'belongs to git'],
    ['.ssh/*', 'may hold a secret'],
  ];
  it.each(patterns.map(([text, result]) => ({ text, result })))('pattern $text: $result', async ({ text, result }) => {
    const judged = await judge(text, true);
    if (typeof result === 'string') expect(judged.asks).toContain(result);
    else expect(judged).toEqual({ places: result });
  });
});

it.each<[string, string | null]>([
  ['tools/h.sh', 'tools/h.sh decides what may run later'],
  ['x/../tools/h.sh', 'tools/h.sh decides what may run later'],
  ['tools/h', null],
])('%s, where something starts from tools/h.sh', async (text, expected) => {
  const judged = await judgePath(
    { text, pattern: false },
    {
      workspace: '/repo',
      folders: ['.'],
      ports: { realPath: async (path) => placed(path), startsLater: (path) => path === 'tools/h.sh' },
    },
  );
  expect('asks' in judged ? judged.asks : null).toBe(expected);
});

describe('where someone can look', () => {
  const realOf = (path: string): string | null =>
    path === 'self/../x' ? null : path === 'via/../x' ? 'deep/x' : placed(path.replace(/^self\//, ''));
  const look = (text: string, pattern: boolean, folders: readonly string[] = ['.']) =>
    judgePath(
      { text, pattern },
      {
        workspace: '/repo',
        folders,
        ports: {
          realPath: async (path) => realOf(path),
          kind: async (path) => (path.startsWith('gone') ? 'missing' : 'directory'),
          entries: async (folder) => (folder === 'certs' ? ['a.txt', 'server.pem'] : ['a.txt', 'certs/']),
        },
      },
    );
  it.each([
    ['self/../x', false, 'leads out', ['.']],
    ['via/../x', false, ['via', 'deep/x', 'x'], ['.']],
    ['gone/../x', false, 'climbs out of a folder that is not there', ['.']],
    ['gone/x', false, ['gone/x'], ['.']],
    ['../x', false, 'climbs out of a folder that is not there', ['./gone']],
    ['../x', false, 'leads out', ['./self']],
    ['x', false, ['deep/x', 'x'], ['./via/..']],
    ['../x', false, 'outside', ['./via/..']],
    ['*.txt', true, ['.', 'a.txt'], ['.']],
    ['certs/*', true, 'certs/server.pem may hold a secret', ['.']],
    ['*', true, 'certs/server.pem may hold a secret', ['.', './certs']],
    ['*.md', true, ['.'], ['.']],
    ['certs/*', false, ['certs/*'], ['.']],
  ] as const)('%s, a pattern: %s: %j, from %j', async (text, pattern, result, folders) => {
    const judged = await look(text, pattern, folders);
    if (typeof result === 'string') expect(judged.asks).toContain(result);
    else expect(judged).toEqual({ places: result });
  });
  it('tells what it found so far with the question', async () => {
    expect((await look('certs/*', true)).places).toEqual(['certs', 'certs/a.txt', 'certs/server.pem']);
    expect((await look('via/../.env', false)).places).toEqual(['via', '.env']);
  });
});
