/** The commands, their options and their help. What a command does stands in `commands/`. */
import { Command, type CommanderError } from 'commander';
import { exitCodes } from '#surfaces/view';
import { answerApproval, cancel, settle } from './commands/answer.ts';
import { diff } from './commands/diff.ts';
import { doctor } from './commands/doctor.ts';
import { listSessions } from './commands/list-sessions.ts';
import { log } from './commands/log.ts';
import { type PermissionsTestOptions, testPermission } from './commands/permissions.ts';
import { replay } from './commands/replay.ts';
import { type ResumeOptions, resume } from './commands/resume.ts';
import { type RunOptions, run } from './commands/run.ts';
import {
  exportSession,
  importSession,
  removeSessions,
  repairSession,
  showSession,
  verifySession,
} from './commands/sessions.ts';
import { type TrustOptions, trust } from './commands/trust.ts';
import { type ForkOptions, fork, type UndoOptions, undo } from './commands/undo.ts';
import type { CliDeps, CliIo } from './contract.ts';
import { withSessionOptions } from './options/session-options.ts';
import { countOf, modeOf, sessionIdOf } from './options/values.ts';
import type { Printer } from './output/printer.ts';

export interface Context {
  readonly deps: CliDeps;
  readonly io: CliIo;
  readonly printer: Printer;
}

export function buildProgram(context: Context, done: (exitCode: number) => void): Command {
  const { deps, printer } = context;
  const program = new Command('belay')
    .description('A coding agent whose record of what happened can be trusted.')
    .version(deps.version, '-V, --version')
    .showHelpAfterError('(belay --help lists the commands and options)')
    .configureOutput({ writeOut: printer.out, writeErr: (text) => printer.note(text.trimEnd()) })
    .exitOverride()
    .addHelpText('after', `\nbelay -p "…" is belay run "…". Exit codes:\n${codeList()}\n`);

  const command = (name: string, description: string) => program.command(name).description(description);
  const sessionArgument = 'id of a session; see belay sessions';

  withSessionOptions(command('run', 'start a session: say what to do'))
    .argument('[prompt]', 'what to do; standard input when absent or "-"')
    .option('--cwd <FOLDER>', 'the workspace (else the current folder)')
    .option('--session <ID>', 'id of the new session', sessionIdOf)
    .action(async (prompt: string | undefined, options: RunOptions) => done(await run(prompt, options, context)));

  withSessionOptions(command('resume', 'go on with a session; options given here replace its settings'))
    .argument('[session]', sessionArgument)
    .argument('[words]', 'more to say')
    .option('--last', 'the session last changed in this folder')
    .option(
      '--cwd <FOLDER>',
      'the folder that --last looks for (else the current one), or that a session goes on in whose own was lost',
    )
    .action(async (first: string | undefined, second: string | undefined, options: ResumeOptions) => {
      const args = [first, second].filter((arg) => arg !== undefined);
      done(await resume(args, options, context));
    });

  for (const verdict of ['approve', 'deny'] as const) {
    command(verdict, `${verdict} a call that waits; runs nothing`)
      .argument('<session>', sessionArgument)
      .argument('[action]', 'id of the call, when several wait')
      .option('--note <TEXT>', 'words for the model')
      .action(async (session: string, action: string | undefined, options: { readonly note?: string }) =>
        done(await answerApproval(verdict, session, action, options.note, context)),
      );
  }

  command('settle', 'say whether an effect happened that nobody knows about')
    .argument('<session>', sessionArgument)
    .argument('<action>', 'id of the call')
    .argument('<answer>', 'applied, not-applied or unknown')
    .option('--note <TEXT>', 'words for the model')
    .action(async (session: string, action: string, answer: string, options: { readonly note?: string }) =>
      done(await settle(session, action, answer, options.note, context)),
    );

  command('cancel', 'stop the turn of a session, also of one that runs in another process')
    .argument('<session>', sessionArgument)
    .action(async (session: string) => done(await cancel(session, context)));

  const sessions = command('sessions', 'list, show, check, mend, export, import or remove sessions');
  sessions
    .command('list', { isDefault: true })
    .description('one line per session, the last changed first')
    .option('--json', 'one JSON object a line')
    .action(async (options: { readonly json?: boolean }) => done(await listSessions(options, context)));
  sessions
    .command('show')
    .description('settings, state and what waits')
    .argument('<session>', sessionArgument)
    .action(async (session: string) => done(await showSession(session, context)));
  sessions
    .command('rm')
    .description('remove sessions and everything they remember')
    .argument('<session...>', sessionArgument)
    .action(async (ids: readonly string[]) => done(await removeSessions(ids, context)));
  sessions
    .command('export')
    .description('copy a session into a folder')
    .argument('<session>', sessionArgument)
    .argument('<folder>', 'must not exist')
    .action(async (session: string, folder: string) => done(await exportSession(session, folder, context)));
  sessions
    .command('import')
    .description('bring in an exported session; what does not verify is refused')
    .argument('<folder>', 'made by export')
    .action(async (folder: string) => done(await importSession(folder, context)));
  sessions
    .command('verify')
    .description('check every byte, every fact and every blob')
    .argument('<session>', sessionArgument)
    .action(async (session: string) => done(await verifySession(session, context)));
  sessions
    .command('repair')
    .description('mend a damaged ledger: every loss is named, the file as it was is kept')
    .argument('<session>', sessionArgument)
    .action(async (session: string) => done(await repairSession(session, context)));

  command('log', 'every fact of a session with its causes')
    .argument('<session>', sessionArgument)
    .option('--follow', 'go on until the turn ends or pauses')
    .option('--json', 'one JSON object a line')
    .action(async (session: string, options: { readonly follow?: boolean; readonly json?: boolean }) =>
      done(await log(session, options, context)),
    );
  command('diff', 'the change that a session made')
    .argument('<session>', sessionArgument)
    .action(async (session: string) => done(await diff(session, context)));
  for (const kind of ['undo', 'redo'] as const) {
    const what = kind === 'undo' ? 'take back the last round that changed something' : 'take back the last undo';
    const known = command(kind, what).argument('<session>', sessionArgument);
    if (kind === 'undo') {
      known.option('--to <SEQ>', 'to right before the round of this fact', (text) => countOf('--to', text));
    }
    known
      .option('--files', 'the files alone')
      .option('--chat', 'the conversation alone')
      .action(async (session: string, options: UndoOptions) => done(await undo(kind, session, options, context)));
  }
  command('fork', 'a new session that begins as this one was at a fact')
    .argument('<session>', sessionArgument)
    .requiredOption('--at <SEQ>', 'the last fact that both share', (text) => countOf('--at', text))
    .option('--worktree <FOLDER>', 'in a new git worktree, with the files as they were then')
    .option('--session <ID>', 'id of the new session', sessionIdOf)
    .action(async (session: string, options: ForkOptions) => done(await fork(session, options, context)));
  command('replay', 'the state rebuilt from the facts alone: no model, no effect')
    .argument('<session>', sessionArgument)
    .option('--at <SEQ>', 'as it was after this fact', (text) => countOf('--at', text))
    .action(async (session: string, options: { readonly at?: number }) =>
      done(await replay(session, options, context)),
    );
  command('demo', 'fix a real bug with a scripted model; no key needed')
    .option('--kill', 'kill the agent at its last test run, then resume')
    .option('--times <N>', 'so many times in a row', (text) => countOf('--times', text), 1)
    .action(async (options: { readonly kill?: boolean; readonly times: number }) =>
      done(await deps.demo({ kill: options.kill === true, times: options.times })),
    );
  const permissions = command('permissions', 'what the rules say');
  permissions
    .command('test')
    .description('whether a command would run, ask or be denied, and why; runs nothing')
    .argument('[command]', 'the shell text')
    .option('--examples', 'check the examples that rules in files carry')
    .option('--allow <RULE>', 'as in run (repeatable)', repeated)
    .option('--ask <RULE>', 'ask about matching calls (repeatable)', repeated)
    .option('--deny <RULE>', 'deny matching calls (repeatable)', repeated)
    .option('--permission-mode <MODE>', 'default, plan, acceptEdits, dontAsk or bypassPermissions', modeOf)
    .option('--cwd <FOLDER>', 'the workspace (else the current folder)')
    .option('--json', 'one JSON object')
    .action(async (text: string | undefined, options: PermissionsTestOptions) =>
      done(await testPermission(text, options, context)),
    );
  command('trust', 'what the configuration of a repository would start; asks whether it may')
    .argument('[folder]', 'the repository (else the current folder)')
    .option('--yes', 'trust exactly this content')
    .option('--revoke', 'trust it no more')
    .option('--json', 'one JSON object; asks nothing')
    .action(async (folder: string | undefined, options: TrustOptions) => done(await trust(folder, options, context)));
  command('doctor', 'what Belay found on this machine').action(async () => done(await doctor(context)));

  for (const known of program.commands) known.exitOverride();
  for (const known of [...sessions.commands, ...permissions.commands]) known.exitOverride();
  return program;
}

const repeated = (text: string, before: readonly string[] | undefined): readonly string[] => [...(before ?? []), text];

/** Commander reports wrong use by throwing; help and version are no errors. */
export function exitCodeOfCommander(error: CommanderError): number {
  return error.exitCode === 0 || error.code === 'commander.help' || error.code === 'commander.helpDisplayed' ? 0 : 42;
}

const codeList = () => exitCodes.map(({ code, name }) => `  ${String(code).padStart(3)}  ${name}`).join('\n');
