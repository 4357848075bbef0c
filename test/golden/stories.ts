/** What golden ledgers are recorded of: real runs of the real program, with a scripted model. */
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { RecordingPlace } from './place.ts';

export interface Story {
  readonly name: string;
  /** For people who look at the file years later. */
  readonly tells: string;
  play(place: RecordingPlace): Promise<void>;
}

const call = (tool: string, args: object) => ({ calls: [{ tool, args }] });
const edit = call('Edit', {
  file_path: 'src/slugify.js',
  old_string: "words.join('_')",
  new_string: "words.join('-')",
});
const fix = [
  call('Read', { file_path: 'src/slugify.js' }),
  edit,
  call('Test', {}),
  { text: 'Words are joined with hyphens now.' },
];
const session = ['--session', 's', '--check', 'node --test'];
const bypass = ['--permission-mode', 'bypassPermissions'];

async function kill(child: ReturnType<RecordingPlace['start']>): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'close');
}

export const stories: readonly Story[] = [
  {
    name: 'finished',
    tells: 'read, edit, test, answer; accepted on evidence',
    async play(place) {
      await place.belay(0, 'run', 'Fix it.', '--model', place.script(fix), ...session, ...bypass);
    },
  },
  {
    name: 'approval-pending',
    tells: 'the edit waits for a person',
    async play(place) {
      await place.belay(10, 'run', 'Fix it.', '--model', place.script(fix), ...session);
    },
  },
  {
    name: 'killed',
    tells: 'the agent was killed while a command ran; the next run waited for it and finished',
    async play(place) {
      const turns = [call('Bash', { command: 'echo begun; sleep 3; echo ended' }), ...fix];
      const child = place.start('run', 'Fix it.', '--model', place.script(turns), ...session, ...bypass);
      await place.spooled('begun');
      await kill(child);
      await place.belay(0, 'resume', 's');
    },
  },
  {
    name: 'unknown',
    tells: 'agent and command were killed; nobody can tell how far the command came, and a person is asked',
    async play(place) {
      const turns = [call('Bash', { command: 'echo begun; sleep 60' }), { text: 'I see.' }];
      const child = place.start('run', 'Go.', '--model', place.script(turns), '--session', 's', ...bypass);
      const attempt = await place.spooled('begun');
      await kill(child);
      process.kill(-Number(readFileSync(path.join(attempt, 'claim'), 'utf8').split(' ')[0]), 'SIGKILL');
      await place.belay(11, 'resume', 's');
    },
  },
  {
    name: 'undone',
    tells: 'a finished fix whose files a person brought back',
    async play(place) {
      await place.belay(0, 'run', 'Fix it.', '--model', place.script(fix), ...session, ...bypass);
      await place.belay(0, 'undo', 's', '--files');
    },
  },
  {
    name: 'background',
    tells: 'a command in the background, a search for tools, and the end of the command told once',
    async play(place) {
      const turns = [
        call('Bash', { command: 'sleep 1; echo ended', run_in_background: true }),
        call('ToolSearch', { query: 'Symbols' }),
        call('Bash', { command: 'sleep 2' }),
        { text: 'It ended.' },
      ];
      await place.belay(0, 'run', 'Go.', '--model', place.script(turns), '--session', 's', ...bypass);
    },
  },
  {
    name: 'hooked',
    tells: 'the agent was killed in a command hook; the next run waited for the hook, which refused the call',
    async play(place) {
      const hook = { type: 'command', command: 'echo begun; sleep 3; echo not that >&2; exit 2' };
      mkdirSync(path.join(place.folder, 'config/belay'), { recursive: true });
      const settings = { hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [hook] }] } };
      writeFileSync(path.join(place.folder, 'config/belay/settings.json'), JSON.stringify(settings));
      const turns = [call('Bash', { command: 'echo one' }), { text: 'I see.' }];
      const child = place.start('run', 'Go.', '--model', place.script(turns), '--session', 's', ...bypass);
      await place.spooled('begun');
      await kill(child);
      await place.belay(0, 'resume', 's');
    },
  },
  {
    name: 'repaired',
    tells: 'one record was damaged; the call whose end it held is a question',
    async play(place) {
      const turns = [call('Bash', { command: 'echo one' }), { text: 'Done.' }];
      const limit = ['--max-rounds', '1'];
      await place.belay(53, 'run', 'Go.', '--model', place.script(turns), '--session', 's', ...bypass, ...limit);
      const bytes = readFileSync(place.log);
      bytes[bytes.indexOf('"attempt.outcome"')] = 0xff;
      writeFileSync(place.log, bytes);
      await place.belay(0, 'sessions', 'repair', 's');
    },
  },
];
