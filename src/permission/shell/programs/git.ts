/** What a git command could lose, start or write. Unknown subcommands may be aliases, which run anything. */
import type { Profile } from '../analysis.ts';
import type { ShellWord } from '../shell-word.ts';
import { gitOptions } from './git-options.ts';
import { amongPeers, type Peers, peersOf } from './git-peers.ts';
import { entryOf, findOption, isOption } from './options.ts';
import { type ReadOptions, readOptions } from './read-options.ts';

const list = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Besides those that always lose something. */
const known = list(
  'add am annotate apply archive bisect blame branch bundle cat-file check-attr check-ignore check-mailmap check-ref-format checkout cherry cherry-pick clean clone commit commit-graph commit-tree config count-objects credential describe diff diff-files diff-index diff-tree difftool fast-export fast-import fetch for-each-ref format-patch fsck grep hash-object help hook index-pack init instaweb log ls-files ls-remote ls-tree maintenance merge merge-base merge-file merge-tree mergetool mktag mktree multi-pack-index mv name-rev notes pack-objects pack-refs patch-id pull push range-diff rebase reflog remote replace request-pull rerere reset restore rev-list rev-parse revert rm send-email shortlog show show-branch show-ref sparse-checkout stash status stripspace submodule switch symbolic-ref tag unpack-objects update-index var verify-commit verify-pack verify-tag version whatchanged worktree write-tree',
);
/** They run commands, change the configuration, talk to other machines in ways a text decides, or write anywhere. */
const hazardous = list(
  'am apply archive bundle clone credential difftool fast-export fast-import format-patch hook instaweb mergetool send-email init maintenance replace submodule help request-pull unpack-objects index-pack pack-objects update-index rerere remote notes sparse-checkout symbolic-ref bisect merge-file',
);
/** Spelled out: git takes back an option that follows as `--no-get`, and what is left of it sets. */
const readingConfig = /^(--get|--get-all|--list|-l)$/;
const besidesReading = /^--(show-origin|name-only|show-scope)$/;

const hazards = {
  long: '--output --output-directory --ext-diff --textconv --open-files-in-pager --upload-pack --receive-pack --exec --exec-path --config --config-env --template --no-index --show-signature --verify-signatures --paginate --git-dir --work-tree --edit-description --gpg-sign --local-user --signed --signoff-key --contents --file --pathspec-from-file --interactive --edit --patch-with-raw-exec --strategy --server-option --separate-git-dir --trailer --filters --orderfile --update-head-ok --refmap --stdin --batch --batch-command'.split(
    ' ',
  ),
  /** Whole names that are the beginning of another one. */
  except: ['--text', '--filter', '--patch', '--patch-with-raw', '--signoff', '--verify'],
};
/** In formats and orders of commits and refs: git asks the program that checks signatures. */
const signature = /%[-+ ]?G|%\(\*?signature|^--sort=-?\*?signature/;

export function gitProfile(words: readonly ShellWord[]): Profile {
  const at = subcommandAt(words);
  const name = words[at]?.text ?? '';
  const args = words.slice(at + 1);
  const loses = lossOf(name, args);
  const named = loses !== null && name === 'checkout' && at === 1 ? branchOf(args, loses) : null;
  if (loses !== null && named === null) return { loses };
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
    (name === 'config' && readsConfig(args)) ||
    (name === 'remote' && readsRemote(args)) ||
    (name === 'submodule' && first === 'status') ||
    (name === 'notes' && /^(list|show)$/.test(first));
  if (!reads && name === 'config') {
    return { hazard: 'git config can run commands or write files by its words', governs: true };
  }
  if (!reads && hazardous.has(name)) return { hazard: `git ${name} can run commands or write files by its words` };
  const option = findOption(args, hazards) ?? shortHazard(name, args);
  if (option !== null)
    return { hazard: `git ${name} ${option} runs another program, reads a file as input or writes one` };
  if (
    /^verify-(commit|tag)$/.test(name) ||
    args.some(({ text }) => signature.test(text) || (name === 'tag' && text === '--verify'))
  )
    return { hazard: `git ${name} starts the program that checks signatures` };
  if (args.some(({ text }) => /^[a-z0-9+]+::|:\/\/-/i.test(text)))
    return { hazard: `git ${name} uses a transport that runs commands` };
  const peers = peersOfCommand(name, args);
  if (peers.strange !== null) return { hazard: `git ${name} ${peers.strange} is not followed` };
  if (peers.local !== null)
    return {
      hazard: `git ${name} ${peers.local} runs what a repository on this machine says in its hooks and settings`,
    };
  if (/^(fetch|pull)$/.test(name)) {
    const { own } = fetched(args);
    if (own.length > 0)
      return { hazard: `git ${name} ${own.join(' ')} writes into branches or tags of this repository` };
  }
  // Git gives the name of a host to ssh, and ssh may give it to a shell, as its configuration says.
  if (/^(fetch|pull|push|ls-remote)$/.test(name) && args.some(({ text }) => /^(?=.*:).*[\s;&|<>()$`"'\\]/s.test(text)))
    return { hazard: `git ${name} may name a host with signs that mean something to a shell` };
  if (name === 'rebase') return { hazard: 'git rebase rewrites commits' };
  if (peers.names.length > 0) return { peers: peers.names };
  if (/^(log|show|diff|status|rev-parse|shortlog|blame|ls-files|rev-list)$/.test(name))
    return { notPaths: messages(words, /^(--format|--pretty|--author|--grep|-S|-G|--since|--until)$/) };
  if (name === 'commit' || name === 'tag' || name === 'merge')
    return {
      notPaths: messages(words, /^(-m|-am|--message)$/),
      values: words.flatMap((_word, i) => (/^(-m|-am|--message)$/.test(words[i - 1]?.text ?? '') ? [i] : [])),
    };
  if (named !== null) return named;
  if (name === 'grep') return grepWords(words, at);
  return {};
}

function peersOfCommand(name: string, args: readonly ShellWord[]): Peers {
  switch (name) {
    case 'push':
    case 'ls-remote':
      return peersOf(name, args);
    case 'fetch':
    case 'pull': {
      const { given, operands, strange } = fetched(args);
      return { ...amongPeers(given.has('multiple') ? operands : operands.slice(0, 1)), strange };
    }
    case 'remote':
      // It talks to those of which it shows something.
      return { ...amongPeers(args.filter(({ text }) => !text.startsWith('-')).slice(1)), strange: null };
    default:
      return { local: null, names: [], strange: null };
  }
}

/** The word that chooses what such a subcommand does: options may stand before it. */
const choice = (args: readonly ShellWord[]): string => args.find(({ text }) => !text.startsWith('-'))?.text ?? '';

function readsConfig(args: readonly ShellWord[]): boolean {
  const texts = args.map(({ text }) => text);
  const options = texts.filter((text) => text.startsWith('-'));
  // The name of a setting alone, which is told by its dot.
  if (args.length === 1 && args[0]?.kind === 'literal' && /^\w[\w-]*\.[\w.-]+$/.test(texts[0] ?? '')) return true;
  return (
    (/^(get|list)$/.test(texts[0] ?? '') || options.some((text) => readingConfig.test(text))) &&
    options.every((text) => readingConfig.test(text) || besidesReading.test(text))
  );
}

function readsRemote(args: readonly ShellWord[]): boolean {
  const at = args.findIndex(({ text }) => !/^(-v|--verbose)$/.test(text));
  return at < 0 || /^(show|get-url)$/.test(args[at]?.text ?? '');
}

/** Letters mean different things to different subcommands. */
function shortHazard(name: string, args: readonly ShellWord[]): string | null {
  const letters: { readonly [subcommand: string]: string } = {
    grep: 'Of',
    commit: 'FeCpcS',
    tag: 'Fusv',
    merge: 'FeSs',
    rebase: 'xiS',
    'commit-tree': 'S',
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

function messages(words: readonly ShellWord[], option: RegExp): readonly number[] {
  return words.flatMap(({ text }, i) =>
    option.test(words[i - 1]?.text ?? '') || /^--(format|pretty|author|grep|message|since|until)=/.test(text)
      ? [i]
      : [],
  );
}

function grepWords(words: readonly ShellWord[], at: number): Profile {
  const first = words.findIndex(({ text }, i) => i > at && !/^-[nilwvcHhEFPGI]+$/.test(text));
  const word = words[first];
  return word === undefined || word.text.startsWith('-') ? {} : { notPaths: [first] };
}

/** Where the subcommand stands; behind the last word where there is none. */
export function subcommandAt(words: readonly ShellWord[]): number {
  let at = 1;
  for (let word = words[at]; word?.text.startsWith('-'); word = words[at]) {
    at +=
      /^(-c|-C|--git-dir|--work-tree|--namespace|--super-prefix|--config-env|--exec-path|--attr-source|--list-cmds)$/.test(
        word.text,
      )
        ? 2
        : 1;
  }
  return Math.min(at, words.length);
}

/** The one word that may name a branch or a commit, and holds no sign of a pattern of paths; null where there is none. */
function branchOf(args: readonly ShellWord[], why: string): Profile | null {
  const { given, operands, strange } = readOptions(args, gitOptions.checkout);
  const [word, ...more] = operands;
  const isPlain = strange === null && [...given.keys()].every((option) => /^(quiet|progress|guess)$/.test(option));
  if (!isPlain || word?.kind !== 'literal' || more.length > 0 || args.some(({ text }) => text === '--')) return null;
  return /^\w[\w./@+-]*$/.test(word.text) && !/\.\.|\/$/.test(word.text) ? { losesIfThere: { word, why } } : null;
}

/** The options of `git clean`, from the words behind it. */
export const readClean = (args: readonly ShellWord[]): ReadOptions => readOptions(args, gitOptions.clean);

/** What a fetch does to refs of this repository: those that another one last had (refs/remotes) may move by force. */
function fetched(args: readonly ShellWord[]) {
  const { given, operands, strange } = readOptions(args, gitOptions.fetch);
  // The first operand names the other repository, unless an option says that all of them do.
  const refspecs = operands.slice(strange === null && !given.has('multiple') ? 1 : 0).map(({ text }) => text);
  const own = refspecs.filter((text, at) => {
    if (refspecs[at - 1] === 'tag') return true;
    const colon = text.indexOf(':');
    const target = colon < 0 ? '' : text.slice(colon + 1);
    return target !== '' && !/^(refs\/)?remotes\//.test(target);
  });
  return { given, operands, own, strange };
}

function onlyFromIndex(args: readonly ShellWord[]): boolean {
  const { given, strange } = readOptions(args, gitOptions.rm);
  return strange === null && given.has('cached') && !given.has('force');
}

const uncommitted = 'uncommitted changes would be lost';

function lossOf(name: string, args: readonly ShellWord[]): string | null {
  const texts = args.map(({ text }) => text);
  const has = (long: string, short = ''): boolean =>
    texts.some((text) => isOption(text, { long: long.split(' '), short }));
  const first = texts[0] ?? '';
  switch (name) {
    case 'reset':
      return has('--hard --merge --keep') || args.some(({ kind }) => kind !== 'literal')
        ? `git reset: ${uncommitted}`
        : null;
    case 'checkout': {
      const { given, strange } = readOptions(args, gitOptions.checkout);
      const makes = strange === null && (given.has('b') || given.has('orphan'));
      return makes || (texts.length === 1 && first === '-')
        ? null
        : `git checkout: ${uncommitted} where a word names a file`;
    }
    case 'restore': {
      const { given, strange } = readOptions(args, gitOptions.restore);
      return strange === null && given.has('staged') && !given.has('worktree') ? null : `git restore: ${uncommitted}`;
    }
    case 'switch':
      return has('--force --discard-changes --force-create --merge --conflict', 'fCm')
        ? `git switch: ${uncommitted}`
        : null;
    case 'clean': {
      const { given, strange } = readClean(args);
      return strange === null && given.has('dry-run')
        ? null
        : 'git clean: files that git does not know would be deleted';
    }
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
      const { given, own } = fetched(args);
      const moves = given.has('force') && (given.has('tags') || own.length > 0);
      const prunes = given.has('prune-tags') || (given.has('prune') && own.length > 0);
      const overwrites = own.some((text) => text.startsWith('+')) || given.has('refmap');
      return moves || prunes || overwrites
        ? `git ${name}: a branch or tag, and commits only it holds, would be lost`
        : null;
    }
    case 'worktree':
      return /^(list|add)$/.test(first) && !has('--force', 'fB')
        ? null
        : 'git worktree: a worktree with its uncommitted changes would be lost';
    case 'rm':
      return onlyFromIndex(args) ? null : 'git rm: files would be deleted';
    case 'mv':
      return has('--force', 'f') ? 'git mv: a file would be overwritten' : null;
    case 'reflog':
      return texts.some((text) => /^(expire|delete|drop)$/.test(text))
        ? 'git reflog: the way back to lost commits would be lost'
        : null;
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
      return choice(args) === 'deinit' || has('--force', 'f')
        ? 'git submodule: changes in submodules would be lost'
        : null;
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
