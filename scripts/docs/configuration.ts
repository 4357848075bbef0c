import type { Command } from 'commander';
import type { CliDeps, CliIo } from '../../src/surfaces/cli/contract.ts';
import { buildProgram } from '../../src/surfaces/cli/program.ts';

const prose = `# Configuration

<!-- The reference of commands is generated from the program by npm run docs. -->

Options of a command and a few variables are all there is, besides files with rules (see Permission). Options of \`belay run\` are
recorded as facts of the session; \`belay resume\` keeps them, and an option given to \`resume\` replaces its value and is
recorded too. \`belay sessions show SESSION\` prints what holds.

## Variables

| variable | meaning |
| -------- | ------- |
| \`BELAY_HOME\` | the data folder; else \`$XDG_DATA_HOME/belay\`, else \`~/.local/share/belay\` |
| \`BELAY_MODEL\` | the model where \`--model\` is not given |
| \`ANTHROPIC_API_KEY\`, \`OPENAI_API_KEY\`, \`OPENAI_COMPATIBLE_API_KEY\`, \`GEMINI_API_KEY\` | keys; see [providers](providers.md) for these and the base URLs |
| \`NO_COLOR\`, \`FORCE_COLOR\`, \`TERM=dumb\` | colours off, on, off |

Commands that the model runs get a short list of harmless variables, never a key, token or secret.

## The data folder

\`sessions/ID/\` holds one session: its ledger, large outputs, the folders of running attempts, the inbox and the lock.
\`workspaces/\` holds locks and caches that can be removed at any time. The data folder may lie inside a workspace: it is
then neither searched, nor edited, nor counted as a change. A workspace inside the data folder is refused.

## Project instructions

\`AGENTS.md\` at the root of the workspace, else \`CLAUDE.md\`, is shown to the model; of a longer file the first 16 KiB.
It is read at the start and at every resume; when it changed, the model is told.

## Permission

| mode | what runs without asking |
| ---- | ------------------------ |
| \`default\` | reads and searches inside the workspace, declared checks |
| \`plan\` | reads and searches; nothing else runs at all until a plan is approved |
| \`acceptEdits\` | also edits inside the workspace |
| \`dontAsk\` | as \`default\`; what would ask is denied |
| \`bypassPermissions\` | everything |

\`--allow\` takes rules: \`Edit(src/**)\` (covers \`Write\`), \`Read(…)\`, \`Bash(npm test)\`, \`Bash(npm run *)\`. A shell text is
read whole, and every command in it needs a rule: in lists, pipes, substitutions and here-documents, and behind
\`timeout\`, \`env\` and the like. Redirections need a rule that allows editing the file. These ask whatever a rule says:
what is not understood, paths outside the workspace, secrets, git directories, settings of agents, and commands that
would lose work (\`git reset --hard\`, \`rm -r\`, overwritten files). Code in words (\`node -e\`, \`bash -c\`), options that
start programs and variables that change them are allowed only by a rule for exactly those words. \`--check\` and
\`--check-exit\` are permission to run exactly that command. \`belay permissions test "CMD" --allow RULE\` explains a
decision.

Rules also stand in files, as \`{"permissions": {"allow": [], "ask": [], "deny": []}}\`: \`/etc/belay/settings.json\`,
\`$XDG_CONFIG_HOME/belay/settings.json\`, and in the repository \`.belay/settings.json\`, \`.belay/settings.local.json\`,
\`.claude/settings.json\` and \`.claude/settings.local.json\`, where only \`ask\` and \`deny\` count. deny beats ask beats
allow, in every mode. They are read when a session starts or goes on; a new session keeps what they allow as its own
rules. A rule that can never match is named; where it should deny or ask and the file is the user's, nothing starts (52).
A denied \`Read(…)\` covers the commands that name the file; a program that opens it by itself is not stopped.

| form | matches |
| ---- | ------- |
| \`Bash(npm run *)\`, \`Bash(npm run:*)\` | these words, and any that follow |
| \`Bash(npm run test*)\` | the last word may be longer; a single word (\`Bash(curl*)\`) allows only that program, but denies all that begin so |
| \`Read(src/**)\`, \`Read(./.env)\`, \`Edit(*.md)\` | paths of the workspace; without a slash at any depth |
| \`Read(~/x)\`, \`Read(//etc/**)\` | the home folder, the root of the machine; such paths are asked at least, so these rules only narrow there |
| \`mcp__server\`, \`mcp__server__*\`, \`mcp__server__tool\` | every tool of a server, or one |
| \`WebFetch(domain:a.b)\`, \`WebFetch(domain:*.a.b)\` | a host, or those below it |

Rules that deny or ask match letters of any case. A rule may carry examples, which are checked at each start and by
\`belay permissions test --examples\`: \`{"rule": "Bash(npm run *)", "allows": ["npm run build"], "asks": ["npm run $X"],
"denies": []}\`. One that does not hold in a file of the user stops the start (52) with the rule and the text.

## Output

| format | standard output |
| ------ | --------------- |
| \`text\` | the final answer |
| \`json\` | one object: \`type\` ("result"), \`session_id\`, \`exit_code\`, \`reason\`, \`message\`, \`verified\`, \`result\`, \`num_turns\`, \`usage\`, \`cost_usd\`, \`pending\`, \`unknown\` |
| \`stream-json\` | one object a line: \`{"type":"system","subtype":"init"}\`, then \`{"type":"fact","session_id","fact"}\` for every fact in order, \`assistant\` and \`user\` messages with tool calls and results between them, and the result object last |

\`verified\` is true where the gate accepted on evidence, null where no check is declared, else false. \`cost_usd\` is null
where no price is known. Everything for people goes to standard error. See [exit codes](exit-codes.md).

## Commands
`;

/** docs/configuration.md: prose, then the help of every command as the program prints it. */
export function configurationPage(): string {
  const sections = helpOf(program(), 'belay').map(({ name, help }) => `### ${name}\n\n\`\`\`\n${help}\n\`\`\`\n`);
  return `${prose}\n${sections.join('\n')}`;
}

function helpOf(command: Command, name: string): { readonly name: string; readonly help: string }[] {
  const inner = command.commands.flatMap((child) => helpOf(child, `${name} ${child.name()}`));
  const help = command.helpInformation().trimEnd();
  return name === 'belay' ? inner : [{ name, help }, ...inner];
}

/** The program without a world: only its help is asked for. */
function program(): Command {
  const nothing = {} as CliDeps & CliIo;
  const printer = { out: () => {}, note: () => {}, stream: () => {}, outFailure: async () => null };
  const built = buildProgram({ deps: { ...nothing, version: '' }, io: nothing, printer }, () => {});
  const narrow = (command: Command): void => {
    command.configureHelp({ helpWidth: 100 });
    command.commands.forEach(narrow);
  };
  narrow(built);
  return built;
}
