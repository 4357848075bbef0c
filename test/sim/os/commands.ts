/** The programs of the simulated machine: each is a few steps, and each says what it did to the world. */
import { theWorld } from '../world.ts';
import { appendFile } from './exec-files.ts';
import { theMachine } from './machine.ts';

export interface Command {
  readonly attemptId: string;
  readonly text: string;
  readonly folder: string;
}

/** `append T`, `slow T` and `fail T` have one effect each; `npm test` is the check; everything else is not found. */
export async function runCommand({ attemptId, text, folder }: Command): Promise<number> {
  const machine = theMachine();
  const world = theWorld();
  if (text.includes('export CLAUDE_PROJECT_DIR=')) return runHook({ attemptId, text, folder });
  const [program = '', token = ''] = text.split(' ');
  const say = (line: string) => appendFile(folder, 'out', `${line}\n`);
  await machine.latency();
  switch (program) {
    case 'forever':
      await machine.wait(60_000);
      machine.log('NO DEADLINE');
      world.endedByItself.add(attemptId);
      return world.exited(attemptId, 0);
    case 'append':
    case 'flood':
    case 'slow':
    case 'fail': {
      // More than one result shows, so that the rest is kept apart.
      if (program === 'flood') for (let i = 0; i < 12; i++) say('flood '.repeat(1000));
      if (program === 'slow') {
        say('working');
        await machine.wait(20 + machine.random.below(400));
      }
      machine.enter('effect', token, true);
      world.append('log.txt', `${token}\n`);
      world.effect(token, attemptId);
      await machine.latency();
      say(`did ${token}`);
      await machine.latency();
      return world.exited(attemptId, program === 'fail' ? 3 : 0);
    }
    case 'npm': {
      const passed = world.checkPasses();
      const tests = world.testCount();
      world.checkRuns.push({ passed, boot: machine.boot, manifest: world.manifestText() });
      await machine.wait(machine.random.below(30));
      if (machine.chance(0.3)) world.put('cov.txt', `covered ${machine.random.below(3)}\n`);
      const names = Array.from({ length: tests }, (_, i) => `${passed ? 'ok' : 'not ok'} ${i + 1} - works\n`);
      say(`TAP version 13\n${names.join('')}1..${tests}`);
      say(`# tests ${tests}\n# pass ${passed ? tests : 0}\n# fail ${passed ? 0 : tests}\n# skipped 0`);
      return world.exited(attemptId, passed ? 0 : 1);
    }
    default:
      say(`${program}: not found`);
      return world.exited(attemptId, 127);
  }
}

/** What a hook is asked about: the call or the prompt, with the event. Now and then it refuses, breaks or says something. */
async function runHook({ attemptId, text, folder }: Command): Promise<number> {
  const machine = theMachine();
  const world = theWorld();
  const input = JSON.parse(/^\{.*\}$/m.exec(text)?.[0] ?? '{}') as { readonly [name: string]: unknown };
  const about = `${String(input['hook_event_name'])}:${String(input['tool_use_id'] ?? '')}`;
  await machine.wait(machine.random.below(machine.chance(0.3) ? 300 : 20));
  machine.enter('effect', about, true);
  world.hookRan(about, attemptId);
  await machine.latency();
  if (machine.chance(0.2)) appendFile(folder, 'out', '{"hookSpecificOutput":{"additionalContext":"careful"}}\n');
  await machine.latency();
  return world.exited(attemptId, machine.chance(0.15) ? 2 : machine.chance(0.05) ? 1 : 0);
}
