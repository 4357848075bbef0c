/** What git subcommands only read. Which options of them start programs or write files is known to the permission room. */

/** They read with any option that is no hazard. */
const reading: readonly string[] =
  'status log diff show blame annotate rev-parse rev-list ls-files ls-tree cat-file describe shortlog merge-base name-rev for-each-ref show-ref diff-tree diff-files diff-index grep count-objects check-ignore check-attr cherry whatchanged show-branch version'.split(
    ' ',
  );

/** They read only under these words. */
const sometimes: { readonly [subcommand: string]: (args: readonly string[]) => boolean } = {
  branch: (args) =>
    args.every((word) => /^(-a|-r|-v|-vv|--all|--remotes|--list|--show-current|--verbose|--no-color)$/.test(word)),
  tag: (args) => args.length === 0 || (args.length === 1 && /^(-l|--list)$/.test(args[0] ?? '')),
  remote: (args) => args.length === 0 || (args.length === 1 && /^(-v|--verbose)$/.test(args[0] ?? '')),
  stash: (args) => args[0] === 'list' && args.length === 1,
  worktree: (args) => args[0] === 'list' && args.length === 1,
  reflog: (args) => args.length === 0,
};

/** `args` are the words behind `git`. */
export function gitReads(args: readonly string[]): boolean {
  const [subcommand = '', ...rest] = args.filter((word, i) => !(i === 0 && word === '--no-pager'));
  if (reading.includes(subcommand)) return true;
  return Object.hasOwn(sometimes, subcommand) && sometimes[subcommand]?.(rest) === true;
}
