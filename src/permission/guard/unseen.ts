/** What starts a script, a recipe or another branch could take away without a word that says so: ignored files, which no checkpoint holds. */
import type { Loss } from '../contract.ts';
import type { Analysis, ShellCommand } from '../shell/analysis.ts';
import { subcommandAt } from '../shell/programs/git.ts';
import { programName } from '../shell/programs/profile-of.ts';

const list = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** They change what their words name and nothing else, or nothing at all. */
const plain = list(
  ': [ basename bunzip2 bzip2 cat cd chgrp chmod chown cmp comm cp curl cut date dd df diff dirname du echo env exit expr false file find grep gunzip gzip head hostname id install jq kill ln local ls md5sum mkdir mktemp mv nl od paste printenv printf ps pwd read readlink realpath rev rg rm rmdir sed awk seq set sha1sum sha256sum shift shred sleep sort stat strings sum tac tail tee test touch tr tree true truncate type ulimit umask uname uniq unlink unset unxz wait wc wget which whoami xargs xxd xz zip zstd',
);
/** What git does without leaving the files of the commit that is checked out, and without hooks. */
const git = list(
  'add blame branch cat-file check-ignore describe diff fetch for-each-ref grep log ls-files ls-remote ls-tree merge-base mv name-rev push reflog remote rev-list rev-parse rm shortlog show show-ref status tag var version whatchanged',
);

/** Null where the words tell all. */
export function unseenLoss(text: string, { commands, doubts }: Analysis): Loss | null {
  if (doubts.length === 0 && !commands.some(isUnseen)) return null;
  const why = 'it could change files that its words do not name';
  return { what: text, why, takes: ['ignored'], paths: null, beyond: null, unsure: true, unnamed: true };
}

function isUnseen({ words, sets, profile, inner }: ShellCommand): boolean {
  const name = words[0]?.text ?? '';
  // A program of a known name in a folder of its own, or with other variables, may be any program.
  if (sets.length > 0 || (name.includes('/') && !/^(\/usr)?\/bin\/[^/]+$/.test(name))) return true;
  if (inner.length > 0) return inner.some(isUnseen);
  const program = programName(name);
  if (program === 'git') return profile.hazard !== undefined || !git.has(words[subcommandAt(words)]?.text ?? '');
  // Their own code is known where it is told from files.
  if (program === 'sed' || program === 'awk') return profile.notPaths === undefined;
  return !plain.has(program);
}
