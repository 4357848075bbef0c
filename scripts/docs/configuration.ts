import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import type { CliDeps, CliIo } from '../../src/surfaces/cli/contract.ts';
import { buildProgram } from '../../src/surfaces/cli/program.ts';

/** What stands above this heading is written by hand, in the page itself. */
const heading = '\n## Commands\n';

/** docs/configuration.md: what is there by hand, then the help of every command as the program prints it. */
export function configurationPage(root: string): string {
  const page = readFileSync(path.join(root, 'docs/configuration.md'), 'utf8');
  const at = page.lastIndexOf(heading);
  if (at < 0) throw new Error('docs/configuration.md has lost its heading "## Commands"');
  const sections = helpOf(program(), 'belay').map(({ name, help }) => `### ${name}\n\n\`\`\`\n${help}\n\`\`\`\n`);
  return `${page.slice(0, at + heading.length)}\n${sections.join('\n')}`;
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
