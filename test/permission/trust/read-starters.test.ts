import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import {
  namedFiles,
  readChecks,
  readStarters,
  runnersIn,
  starterFiles,
} from '../../../src/permission/trust/read-starters.ts';

const read = (name: string, value: unknown) =>
  readStarters([{ name, text: typeof value === 'string' ? value : JSON.stringify(value) }]).map(
    ({ kind, name: what, command }) => `${kind} ${what}: ${command}`,
  );

describe('what a configuration would start', () => {
  it.each<[string, string, unknown, readonly string[]]>([
    [
      'hooks',
      '.claude/settings.json',
      { hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: './check.sh' }] }] } },
      ['hook PreToolUse: ./check.sh'],
    ],
    [
      'hooks of a form that is not known',
      '.belay/settings.json',
      {
        hooks: {
          New: [{ hooks: [{ type: 'http', url: 'http://x' }] }],
          Stop: 'echo',
          Two: { command: 'a', args: ['b'] },
        },
      },
      ['hook New: {"type":"http","url":"http://x"}', 'hook Stop: echo', 'hook Two: a b'],
    ],
    [
      'servers',
      '.mcp.json',
      { mcpServers: { a: { command: 'npx', args: ['-y', 'x'] }, b: { url: 'https://x' }, c: 1 } },
      ['server a: npx -y x', 'server b: https://x', 'server c: 1'],
    ],
    [
      'checks',
      '.belay/settings.local.json',
      { checks: ['npm test', { command: ' lint ', counts: false }, '', 1, {}] },
      ['check : npm test', 'check : lint'],
    ],
    ['checks of another tool', '.claude/settings.json', { checks: ['npm test'] }, []],
    ['rules alone', '.belay/settings.json', { permissions: { deny: ['Bash'] }, hooks: {}, mcpServers: {} }, []],
    ['no JSON', '.mcp.json', '{"mcpServers": {', []],
    ['another form', '.mcp.json', '[1]', []],
    ['with a mark of its encoding', '.mcp.json', '\ufeff{"mcpServers": {"a": {"command": "b"}}}', ['server a: b']],
    [
      'servers of odd forms',
      '.mcp.json',
      { mcpServers: { a: null, b: { args: ['x'] }, c: { command: 'y', args: 'z' } } },
      ['server a: null', 'server b: {"args":["x"]}', 'server c: y'],
    ],
    ['null', '.mcp.json', 'null', []],
    ['nothing but text', '.mcp.json', '"text"', []],
  ])('%s', (_what, name, value, expected) => {
    expect(read(name, value)).toEqual(expected);
  });

  it('looks where tools look', () => {
    expect(starterFiles).toEqual([
      '.belay/settings.json',
      '.belay/settings.local.json',
      '.mcp.json',
      '.claude/settings.json',
      '.claude/settings.local.json',
    ]);
  });

  it('reads checks as options are read', () => {
    const text = JSON.stringify({ checks: ['npm test', { command: 'lint', counts: false }] });
    expect(readChecks(text)).toEqual([
      { command: 'npm test', counts: true },
      { command: 'lint', counts: false },
    ]);
  });

  it('finds the files that commands may name', () => {
    const starters = readStarters([
      {
        name: '.mcp.json',
        text: JSON.stringify({
          mcpServers: {
            d: { command: 'cd ./tools && ././in-folder.sh ../up.sh $X; /repo/whole/path.sh' },
            a: { command: 'bash', args: ['-c', '"$CLAUDE_PROJECT_DIR"/hooks/a.sh && ./b.py --out=c.txt ../../no'] },
            b: { command: '/usr/bin/env', args: ['node', 'tools/server.mjs'] },
          },
        }),
      },
    ]);
    for (const name of ['hooks/a.sh', 'b.py', 'c.txt', 'tools/server.mjs', 'tools/in-folder.sh', 'up.sh']) {
      expect(namedFiles(starters)).toContain(name);
    }
    expect(namedFiles(starters, '/repo')).toEqual(
      [...namedFiles(starters), 'tools/whole/path.sh', 'whole/path.sh'].sort(),
    );
    expect(namedFiles(starters)).not.toContain('whole/path.sh');
    const inFolder = readStarters([
      {
        name: '.mcp.json',
        text: JSON.stringify({ mcpServers: { a: { command: '${CLAUDE_PROJECT_DIR}/hooks/a.sh' } } }),
      },
    ]);
    expect(namedFiles(inFolder)).toEqual(['hooks/a.sh']);
    expect(namedFiles(starters).some((name) => name.includes('..') || name.startsWith('/'))).toBe(false);
  });
});

property.prop([fc.json()])('no text makes it fail', (text) => {
  expect(Array.isArray(readStarters([{ name: '.belay/settings.json', text }]))).toBe(true);
});

describe('what a command names in other words than paths', () => {
  const named = (command: string) => namedFiles([{ file: 'f', kind: 'hook', name: 'n', command }]);

  it.each<[string, readonly string[]]>([
    ['python3 -m hooks.check x', ['hooks/check.py', 'hooks/check/__main__.py', 'hooks/__init__.py']],
    ["cd tools && python -m 'lint'", ['tools/lint.py', 'lint.py']],
    ['sh -c "python -m lint"', ['lint.py']],
  ])('%s: a module', (command, expected) => {
    expect(named(command)).toEqual(expect.arrayContaining([...expected]));
  });

  it.each<[string, readonly string[]]>([
    ['./h >log', ['h']],
    ['./h >> "$CLAUDE_PROJECT_DIR"/.claude/a+b@c-d.log', ['h']],
    ["./h 2> 'log'; ./i", ['2', 'h', 'i']],
    ['./h &>log', ['h']],
    ['./h >|log', ['h']],
    ['./h >& log', ['h']],
    ['./h > log > log2 2>&1 && ./i', ['2', 'h', 'i']],
    ['./h | tee log', ['h', 'tee']],
    ['./h |tee  -a --x "log" | ./i', ['--x', '-a', 'h', 'i', 'log', 'tee']],
    ['./h | tee -a -i log', ['-a', '-i', 'h', 'tee']],
    ['./h | teen log', ['h', 'log', 'teen']],
    ['./h | tee', ['h', 'tee']],
    ['./h |tee -- ./log', ['--', 'h', 'log', 'tee']],
    ['./h >  ./log- >/abs/log >-x', ['-x', 'h']],
    ['bash tee ./i', ['bash', 'i', 'tee']],
    ['./h >log; sh log', ['h', 'log', 'sh']],
    ['./h >"log; ./i"', ['h', 'i']],
    ['./h > >(./i) <in', ['h', 'i', 'in']],
    ['./h >$(./i)', ['h', 'i']],
    ['a->b; x=>./i', ['a-', 'x']],
  ])('%s: what it writes is not started', (command, expected) => {
    expect(named(command)).toEqual(expected);
  });

  it.each<[string, readonly string[]]>([
    ['npm run hook && make lint', ['npm', 'make']],
    ['cd x; npx tool; npx other', ['npx']],
    ['/usr/bin/docker run x', ['docker']],
    ['bun run x', ['bun']],
    ['bun tools/x.ts; node tools/npm.js; ./makeup; echo go-on', []],
    ['"npm" test', ['npm']],
  ])('%s: runners', (command, expected) => {
    expect(runnersIn(command)).toEqual(expected);
  });
});
