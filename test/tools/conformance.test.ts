import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '#kernel';
import { type OwnTool, ownTool } from '../../src/tools/index.ts';
import { type Subject, toolKeepsItsPromises } from './conformance.ts';
import { openSession, type TestSession } from './session.ts';

const read = (session: TestSession, path: string): string =>
  existsSync(join(session.root, path)) ? readFileSync(join(session.root, path), 'utf8') : '(none)';

async function ofWorkspace(
  name: string,
  args: Json,
  path: string,
  isDone: (content: string) => number,
  prepare: (session: TestSession) => void = () => {},
): Promise<Subject> {
  const session = await openSession({ 'a.txt': 'one\n' }, [
    { command: 'echo x >>log; echo "# pass 1"', counts: false },
  ]);
  const hash = createHash('sha1').update('blob 4\0one\n').digest('hex');
  session.state = { ...session.state, seen: { 'a.txt': hash } };
  prepare(session);
  return {
    tool: session.tool(name),
    args,
    context: (attemptId) => ({ ...session.context(attemptId), actionId: `act-${session.context('x').actionId}` }),
    effects: () => isDone(read(session, path)),
    world: () => `${read(session, 'a.txt')}${read(session, path)}`,
  };
}

const lines = (text: string): number => (text === '(none)' ? 0 : text.trimEnd().split('\n').length);
const equals = (wanted: string) => (text: string) => (text === wanted ? 1 : 0);

toolKeepsItsPromises('Read', () => ofWorkspace('Read', { file_path: 'a.txt' }, 'a.txt', () => 0));
toolKeepsItsPromises('Edit', () =>
  ofWorkspace('Edit', { file_path: 'a.txt', old_string: 'one', new_string: 'two' }, 'a.txt', equals('two\n')),
);
toolKeepsItsPromises('Write, a new file', () =>
  ofWorkspace('Write', { file_path: 'deep/new.txt', content: 'new\n' }, 'deep/new.txt', equals('new\n')),
);
toolKeepsItsPromises('Bash', () => ofWorkspace('Bash', { command: 'echo once >>log' }, 'log', lines));
// `Test` is left out: a check is repeatable by declaration, and one that changes files is run twice on purpose.

toolKeepsItsPromises('Commit', async () => {
  let root = '';
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
  const subject = await ofWorkspace(
    'Commit',
    { message: 'm', paths: ['a.txt'] },
    'a.txt',
    () => 0,
    (session) => {
      root = session.root;
      git('init', '-q');
      git('config', 'user.name', 'Somebody');
      git('config', 'user.email', 'somebody@localhost');
      session.put('b.txt', 'b\n');
      git('add', 'b.txt');
      git('commit', '-q', '-m', 'as found');
    },
  );
  return {
    ...subject,
    effects: () => Number(git('rev-list', '--count', 'HEAD')) - 1,
    world: () => git('status', '--porcelain', '--', 'a.txt') + git('log', '--format=%H'),
  };
});

/** A service in memory, and tools of the three classes over it. */
async function ofService(make: (done: Map<string, string>) => OwnTool): Promise<Subject> {
  const session = await openSession();
  const done = new Map<string, string>();
  const actionId = session.context('x').actionId;
  return {
    tool: ownTool(make(done), session.workspace.processes.bootId),
    args: { title: 't' },
    context: (attemptId) => ({ ...session.context(attemptId), actionId }),
    effects: () => done.size,
    world: () => JSON.stringify([...done]),
  };
}
const common = { description: 'd', inputSchema: { type: 'object' } };

toolKeepsItsPromises('an own tool of class query', () =>
  ofService((done) => ({
    ...common,
    name: 'Ticket',
    effect: 'query',
    run: (_args, { actionId }) => {
      done.set(`${actionId}${done.size}`, actionId);
      return 'opened';
    },
    ask: (_args, { actionId }) =>
      [...done.values()].includes(actionId) ? { state: 'applied', output: 'opened' } : { state: 'not-applied' },
  })),
);
toolKeepsItsPromises('an own tool of class keyed', () =>
  ofService((done) => ({
    ...common,
    name: 'Pay',
    effect: 'keyed',
    run: (_args, { key }) => {
      done.set(key, 'paid');
      return 'paid';
    },
  })),
);
toolKeepsItsPromises('an own tool of class opaque', () =>
  ofService((done) => ({
    ...common,
    name: 'Post',
    effect: 'opaque',
    run: (_args, { actionId }) => {
      done.set(`${actionId}${done.size}`, actionId);
      return { output: 'posted' };
    },
  })),
);
toolKeepsItsPromises('an own tool of class read', () =>
  ofService(() => ({ ...common, name: 'Look', effect: 'read', run: () => 'seen' })),
);
