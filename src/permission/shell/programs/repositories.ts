/** What version control other than git would lose. Its programs take beginnings of their commands for the whole. */
import type { Profile } from '../analysis.ts';
import type { ShellWord } from '../shell-word.ts';
import { entryOf, findOption, type Options } from './options.ts';

interface Repository {
  /** Commands that lose changes, files, commits or what was put aside, whatever their options. */
  readonly losing: string;
  /** Others do so with one of these. */
  readonly by: Options;
  /** Of those, commands that do not: they only add. */
  readonly spared?: RegExp;
  /** Options by which it runs programs, or works elsewhere. */
  readonly strange: Options;
}

const mercurial: Repository = {
  losing: 'revert purge clean strip rollback shelve unshelve histedit',
  by: { short: 'Cf', long: ['--clean', '--force', '--abort', '--no-backup', '--discard-changes'] },
  spared:
    /^(add|annotate|blame|branches|cat|ci|clone|commit|diff|export|files|grep|heads|id|identify|incoming|init|log|manifest|outgoing|parents|paths|push|st|status|summary|tags|tip)$/,
  strange: { short: 'R', long: ['--config', '--cwd', '--repository'] },
};
const bazaar: Repository = {
  losing: 'revert clean-tree shelve unshelve uncommit',
  by: { long: ['--force', '--overwrite', '--no-backup'] },
  strange: { short: 'OD', long: ['--using', '--directory'] },
};

const repositories: { readonly [program: string]: Repository } = {
  hg: mercurial,
  sl: mercurial,
  bzr: bazaar,
  brz: bazaar,
  svn: {
    losing: 'revert',
    by: { long: ['--force', '--remove-unversioned', '--remove-ignored', '--accept', '--overwrite'] },
    spared: /^(add|lock|unlock|import|propset|propdel)$/,
    strange: { long: ['--config-option', '--config-dir', '--diff-cmd', '--diff3-cmd', '--editor-cmd'] },
  },
  jj: {
    losing: 'restore abandon undo redo op operation',
    by: {},
    spared: /^(op|operation) (log|show|diff)$/,
    strange: { short: 'R', long: ['--config-file', '--config-toml', '--repository', '--tool'] },
  },
  fossil: {
    losing: 'revert clean undo stash',
    by: { short: 'f', long: ['--force', '--hard', '--discard'] },
    spared: /^(add|commit|ci|stash (list|ls|show|diff))$/,
    strange: { short: 'R', long: ['--chdir', '--repository', '--command'] },
  },
  darcs: {
    losing: 'revert obliterate unpull unrevert clean',
    by: { long: ['--force'] },
    strange: { long: ['--prehook', '--posthook', '--repodir', '--external-merge', '--diff-command'] },
  },
  cvs: { losing: 'release', by: { short: 'C' }, strange: { short: 'de' } },
  p4: { losing: 'revert clean', by: { short: 'f' }, strange: { short: 'dx' } },
  pijul: { losing: 'reset', by: { long: ['--reset', '--force'] }, strange: { long: ['--repository'] } },
  got: { losing: 'revert', by: {}, strange: { short: 'D' } },
};

/** Whether a program is version control other than git. */
export const isRepository = (program: string): boolean => entryOf(repositories, program) !== undefined;

/** Null for other programs. */
export function repositoryProfile(program: string, words: readonly ShellWord[]): Profile | null {
  const known = entryOf(repositories, program);
  if (known === undefined) return null;
  const args = words.slice(1);
  const loses = lost(known, args);
  if (loses !== null)
    return { loses: `${program} ${loses}: uncommitted changes, or what was put aside, would be lost` };
  const option = findOption(args, known.strange);
  return option === null ? {} : { hazard: `${program} ${option} changes where it works or what it starts` };
}

/** The word that takes something, or null. */
function lost({ losing, by, spared }: Repository, args: readonly ShellWord[]): string | null {
  const names = args.filter(({ text }) => !text.startsWith('-')).map(({ text }) => text);
  // Behind an option the first word may be its value.
  const commands = args[0]?.text.startsWith('-') === true ? names : names.slice(0, 1);
  const said = names.slice(0, 2).join(' ');
  if (spared?.test(said) === true || spared?.test(names[0] ?? '') === true) return null;
  if (args[0] !== undefined && args[0].kind !== 'literal') return args[0].text;
  const command = commands.find((one) => losing.split(' ').some((name) => name === one || isBeginning(one, name)));
  return command ?? findOption(args, by);
}

const isBeginning = (text: string, name: string): boolean => text.length > 2 && name.startsWith(text);
