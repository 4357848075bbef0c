/** What a git command could lose, start or write. Unknown subcommands may be aliases, which run anything. */
import type { Profile } from '../analysis.ts';
import type { ShellWord } from '../shell-word.ts';
import { entryOf, findOption, isOption } from './options.ts';

const list = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const known = list(
  'add am annotate apply archive bisect blame branch bundle cat-file check-attr check-ignore check-mailmap check-ref-format checkout checkout-index cherry cherry-pick clean clone commit commit-graph commit-tree config count-objects credential describe diff diff-files diff-index diff-tree difftool fast-export fast-import fetch filter-branch filter-repo for-each-ref format-patch fsck gc grep hash-object help hook index-pack init instaweb log ls-files ls-remote ls-tree maintenance merge merge-base merge-file merge-tree mergetool mktag mktree multi-pack-index mv name-rev notes pack-objects pack-refs patch-id prune pull push range-diff read-tree rebase reflog remote repack replace request-pull rerere reset restore rev-list rev-parse revert rm send-email shortlog show show-branch show-ref sparse-checkout stash status stripspace submodule switch symbolic-ref tag unpack-objects update-index update-ref var verify-commit verify-pack verify-tag version whatchanged worktree write-tree',
);
/** They run commands, change the configuration, talk to other machines in ways a text decides, or write anywhere. */
const hazardous = list(
  'am apply archive bundle clone config credential difftool fast-export fast-import filter-branch filter-repo format-patch hook instaweb mergetool send-email init maintenance replace submodule help request-pull unpack-objects index-pack pack-objects update-index rerere remote notes read-tree checkout-index sparse-checkout symbolic-ref update-ref bisect',
);
const readOnlyConfig = /^(--get|--get-all|--list|-l|get|list|--show-origin|--name-only|--show-scope)$/;
const readOnlyRemote = /^(-v|--verbose|show|get-url)$/;

const hazards = {
  long: '--output --output-directory --ext-diff --textconv --open-files-in-pager --upload-pack --receive-pack --exec --exec-path --config --config-env --template --no-index --show-signature --paginate --git-dir --work-tree --edit-description --gpg-sign --signoff-key --contents --file --pathspec-from-file --interactive --edit --patch-with-raw-exec --strategy --server-option --separate-git-dir --trailer --filters --orderfile'.split(
    ' ',
  ),
  except:
    '--text --oneline --only --format --fixup --first-parent --follow --full-index --files --find-renames --filter --patch --patch-with-stat --patch-with-raw --stat --no-edit --no-textconv --no-ext-diff --summary --short --show-toplevel --source --since --sort --staged --no-pager --on --contains --color --column --count --cached --combined --cc --check --committer --force --fetch --author --exclude --exit-code --exec-batch --signed --signoff --track --tags --topo-order --intent-to-add --include --ignored --ignore-case --ignore-all-space --inter-hunk-context --pretty --porcelain --grep --graph --git-common-dir --word-diff --no-index-version --points-at --parents --path-format --prune'.split(
      ' ',
    ),
};

export function gitProfile(words: readonly ShellWord[]): Profile {
  const at = subcommandAt(words);
  const name = words[at]?.text ?? '';
  const args = words.slice(at + 1);
  const loses = lossOf(name, args);
  if (loses !== null) return { loses };
  const global = words
    .slice(1, at)
    .find(({ text }) => !/^(--no-pager|--no-optional-locks|--literal-pathspecs)$/.test(text));
  if (global !== undefined) {
    return /^(--version|-v|--help|-h)$/.test(global.text)
      ? {}
      : { hazard: `git ${global.text} changes how git runs`, ...(name === 'config' ? { governs: true } : {}) };
  }
  if (words[at] === undefined) return {};
  if (words[at]?.kind !== 'literal' || !known.has(name)) return { hazard: `git ${name} may be an alias for anything` };
  const first = args[0]?.text ?? '';
  const reads =
    (name === 'config' &&
      readOnlyConfig.test(first) &&
      findOption(args, {
        long: [
          '--add',
          '--unset',
          '--unset-all',
          '--replace-all',
          '--edit',
          '--file',
          '--remove-section',
          '--rename-section',
          '--blob',
        ],
        short: 'ef',
      }) === null) ||
    (name === 'remote' && (args.length === 0 || readOnlyRemote.test(first))) ||
    (name === 'submodule' && first === 'status') ||
    (name === 'notes' && /^(list|show)$/.test(first));
  if (!reads && name === 'config') {
    return { hazard: 'git config can run commands or write files by its words', governs: true };
  }
  if (!reads && hazardous.has(name)) return { hazard: `git ${name} can run commands or write files by its words` };
  const option = findOption(args, hazards) ?? shortHazard(name, args);
  if (option !== null)
    return { hazard: `git ${name} ${option} runs another program, reads a file as input or writes one` };
  if (args.some(({ text }) => /^(ext|fd)::|^[a-z0-9+]+::|:\/\/-/i.test(text)))
    return { hazard: `git ${name} uses a transport that runs commands` };
  // Git gives the name of a host to ssh, and ssh may give it to a shell, as its configuration says.
  if (/^(fetch|pull|push|ls-remote)$/.test(name) && args.some(({ text }) => /^(?=.*:).*[\s;&|<>()$`"'\\]/s.test(text)))
    return { hazard: `git ${name} may name a host with signs that mean something to a shell` };
  if (name === 'rebase') return { hazard: 'git rebase rewrites commits' };
  if (/^(log|show|diff|status|rev-parse|shortlog|blame|ls-files|rev-list)$/.test(name))
    return { notPaths: messages(words, at, /^(--format|--pretty|--author|--grep|-S|-G|--since|--until)$/) };
  if (name === 'commit' || name === 'tag' || name === 'merge')
    return {
      notPaths: messages(words, at, /^(-m|-am|--message)$/),
      values: words.flatMap((_word, i) => (/^(-m|-am|--message)$/.test(words[i - 1]?.text ?? '') ? [i] : [])),
    };
  if (name === 'grep') return grepWords(words, at);
  return {};
}

/** Letters mean different things to different subcommands. */
function shortHazard(name: string, args: readonly ShellWord[]): string | null {
  const letters: { readonly [subcommand: string]: string } = {
    grep: 'Of',
    commit: 'FeCpcS',
    tag: 'Fus',
    merge: 'FeSs',
    rebase: 'xiS',
    'cherry-pick': 'eS',
    revert: 'eS',
    log: 'O',
    show: 'O',
    diff: 'O',
    fetch: 'uo',
    pull: 'Ss',
    push: 'o',
    branch: 'u',
    add: 'ipe',
    blame: 'S',
    'ls-files': 'X',
    annotate: 'S',
    reset: 'p',
    'hash-object': 'w',
  };
  return findOption(args, { short: entryOf(letters, name) ?? '' });
}

function messages(words: readonly ShellWord[], at: number, option: RegExp): readonly number[] {
  return words.flatMap(({ text }, i) =>
    i > at &&
    (option.test(words[i - 1]?.text ?? '') || /^--(format|pretty|author|grep|message|since|until)=/.test(text))
      ? [i]
      : [],
  );
}

function grepWords(words: readonly ShellWord[], at: number): Profile {
  const pattern = words.findIndex(({ text }, i) => i > at && !text.startsWith('-'));
  const plain = words
    .slice(at + 1, pattern < 0 ? undefined : pattern)
    .every(({ text }) => /^-[nilwvcHhEFPGI]+$/.test(text));
  return plain && pattern > 0 ? { notPaths: [pattern] } : {};
}

/** Where the subcommand stands; behind the last word where there is none. */
export function subcommandAt(words: readonly ShellWord[]): number {
  let at = 1;
  while (at < words.length) {
    const text = words[at]?.text ?? '';
    if (!text.startsWith('-')) break;
    at +=
      /^(-c|-C|--git-dir|--work-tree|--namespace|--super-prefix|--config-env|--exec-path|--attr-source|--list-cmds)$/.test(
        text,
      )
        ? 2
        : 1;
  }
  return Math.min(at, words.length);
}

const uncommitted = 'uncommitted changes would be lost';

function lossOf(name: string, args: readonly ShellWord[]): string | null {
  const texts = args.map(({ text }) => text);
  const has = (long: string, short = ''): boolean =>
    texts.some((text) => isOption(text, { long: long === '' ? [] : long.split(' '), short }));
  const first = texts[0] ?? '';
  switch (name) {
    case 'reset':
      return has('--hard --merge --keep') || args.some(({ kind }) => kind !== 'literal')
        ? `git reset: ${uncommitted}`
        : null;
    case 'checkout': {
      const makes = texts.some((text) => /^(-b|--orphan)$/.test(text)) && !has('--force', 'f');
      return makes || (texts.length === 1 && first === '-')
        ? null
        : `git checkout: ${uncommitted} where a word names a file`;
    }
    case 'restore':
      return has('--staged', 'S') && !has('--worktree', 'W') ? null : `git restore: ${uncommitted}`;
    case 'switch':
      return has('--force --discard-changes --force-create', 'fC') ? `git switch: ${uncommitted}` : null;
    case 'clean':
      return has('--dry-run') || texts.some((text) => /^-[a-zA-Z]*n/.test(text))
        ? null
        : 'git clean: files that git does not know would be deleted';
    case 'stash':
      return /^(list|show)$/.test(first)
        ? null
        : 'git stash: uncommitted changes leave the tree, and stashes can be lost';
    case 'branch':
      return has('--delete --force --move', 'dDfMmC')
        ? 'git branch: a branch, and commits only it holds, would be lost'
        : null;
    case 'tag':
      return has('--delete --force', 'df') ? 'git tag: a tag would be lost' : null;
    case 'push':
      return has('--force --force-with-lease --force-if-includes --mirror --delete --prune', 'fd') ||
        texts.some((text) => /^[+:]/.test(text))
        ? 'git push: commits of the remote would be lost'
        : null;
    case 'fetch':
    case 'pull': {
      // What another repository last had (refs/remotes) is moved by force at each fetch; a branch of this one is not.
      const own = texts.filter((text) => /^\+?[^-+:][^:]*:(?!refs\/remotes\/|\/)[^:]+$/.test(text));
      return own.some((text) => text.startsWith('+')) || (own.length > 0 && has('--force', 'f'))
        ? `git ${name}: a branch, and commits only it holds, would be lost`
        : null;
    }
    case 'worktree':
      return /^(list|add)$/.test(first) && !has('--force', 'fB')
        ? null
        : 'git worktree: a worktree with its uncommitted changes would be lost';
    case 'rm':
      return has('--cached') && !has('--force', 'f') ? null : 'git rm: files would be deleted';
    case 'mv':
      return has('--force', 'f') ? 'git mv: a file would be overwritten' : null;
    case 'reflog':
      return /^(expire|delete|drop)$/.test(first) ? 'git reflog: the way back to lost commits would be lost' : null;
    case 'gc':
    case 'prune':
    case 'repack':
      return 'git: objects that nothing names any more would be deleted';
    case 'filter-branch':
    case 'filter-repo':
      return 'git: every commit would be rewritten';
    case 'update-ref':
      return 'git update-ref: a branch, and commits only it holds, would be lost';
    case 'submodule':
      return first === 'deinit' || has('--force', 'f') ? 'git submodule: changes in submodules would be lost' : null;
    case 'read-tree':
    case 'checkout-index':
      return `git ${name}: ${uncommitted}`;
    case 'merge':
    case 'rebase':
    case 'cherry-pick':
    case 'revert':
    case 'am':
      return has('--abort --skip --quit') ? `git ${name}: what was resolved so far would be lost` : null;
    default:
      return null;
  }
}
