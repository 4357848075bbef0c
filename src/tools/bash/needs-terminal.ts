/**
 * Programs that draw a screen and wait for keys. Without a terminal some of them wait until their time is over, so they
 * are refused before they start, with what to do instead. Those that notice by themselves (less, top, ssh) are not here.
 */
import { type Failure, makeFailure } from '#kernel';
import { readPlainCommands } from '#permission';

interface Screen {
  readonly next: string;
  /** Words under which it needs no keys, and ends. */
  readonly alone: RegExp;
}

const editor = 'Change the file with Edit or Write, show it with Read, or use sed.';
const never = /^--?(h|help|version)$/;
const vim: Screen = {
  next: `${editor} Without a screen: vim -es FILE -c 'COMMAND' -c 'wq'.`,
  alone: /^(-(c|S|e|E|es|Es|s|h)|--(cmd|help|version)|\+[^\d].*)$/,
};
const nano: Screen = { next: editor, alone: /^(-[hV]|--help|--version)$/ };
const emacs: Screen = { next: editor, alone: /^--?(batch|script|version|help)\b/ };
const monitor: Screen = { next: 'For one look: ps aux, or top -b -n1.', alone: never };
const files: Screen = { next: 'Use ls, find, du or Glob.', alone: never };
const git: Screen = { next: 'Use git log, git show or git status.', alone: never };

const screens: { readonly [program: string]: Screen } = {
  ...{ vim, vi: vim, nvim: vim, view: vim, vimdiff: vim },
  ...{ nano, pico: nano, joe: nano, mcedit: nano, emacs },
  ...{ htop: monitor, btop: monitor, nvtop: monitor, glances: monitor },
  ...{ mc: files, ranger: files, nnn: files, vifm: files, ncdu: files },
  ...{ tig: git, lazygit: git },
  watch: {
    next: 'Run the command once; to wait for something, use a loop with sleep that ends.',
    alone: /^(-[a-z]*[ge][a-z]*|--(chgexit|errexit|help|version))$/,
  },
};

/** A look at the text alone, so that nothing is parsed where none of the names stands. */
const anyName = new RegExp(`(^|[^\\w-])(${Object.keys(screens).join('|')})($|[^\\w-])`);

/** The refusal of a command that could only wait; null for every other, and where the text cannot be read so simply. */
export async function needsTerminal(command: string): Promise<Failure | null> {
  if (!anyName.test(command)) return null;
  for (const { words } of (await readPlainCommands(command)) ?? []) {
    const [path = '', ...args] = words;
    const name = path.slice(path.lastIndexOf('/') + 1);
    const screen = Object.hasOwn(screens, name) ? screens[name] : undefined;
    if (screen === undefined || args.some((word) => screen.alone.test(word))) continue;
    return makeFailure(
      'precondition',
      `${name} needs a terminal, and commands have none: it would wait for keys. Nothing was run.`,
      screen.next,
      { signature: 'precondition: needs a terminal' },
    );
  }
  return null;
}
