/** What a commit is found by, and it by the mark below; see `find-commit.ts`. */
export const trailer = 'Belay-Action';
/** What the supervisor has git write into the log of the refs that a command moves. */
export const reflogMark = (actionId: string): string => `belay/${actionId}`;

/**
 * The shell text of a commit. Paths that git does not know yet are first noted as to be added, which stores nothing of
 * them; `--only` then takes the whole content of the paths named and of no others. Nothing in a path is a pattern.
 * `program` is the path of git: a name would be looked for where the user's search path says, which can be the workspace.
 *
 * Hooks work on an index of git's own, so what they added is in the commit and not in the index of the user, whose next
 * commit would take it back. Afterwards that index follows the commit wherever the user had staged nothing; and after a
 * commit that was refused, nothing is noted any more.
 */
export function commitCommand(
  program: string,
  message: string,
  paths: readonly string[],
  present: readonly string[],
  actionId: string,
): string {
  const magic = quoted(program);
  const git = `${magic} --literal-pathspecs`;
  const list = (names: readonly string[]) => names.map(quoted).join(' ');
  const text = `--message=${quoted(message)} --trailer=${quoted(`${trailer}: ${actionId}`)}`;
  const commit = `${git} commit --only ${text} -- ${list(paths)}`;
  const others = list([':(top)', ...paths.map((path) => `:(exclude,literal)${path}`)]);
  const follow = [
    `${git} diff-index --cached --quiet HEAD -- ${list(paths)} || ${git} reset -q -- ${list(paths)}`,
    // Of two trees: what is as the first has it becomes as the second has it, and what is not stays, or all does.
    `[ -z "$(${magic} diff-tree -r --name-only "$was" HEAD -- ${others})" ] || ${git} read-tree -m -i "$was" HEAD`,
  ];
  const was = `was=$({ ${git} rev-parse -q --verify HEAD || ${git} hash-object -t tree --stdin; } </dev/null 2>/dev/null)`;
  const after = `[ "$code" != 0 ] || { ${follow.join('; ')}; } >/dev/null 2>&1`;
  if (present.length === 0) return `${was}; ${commit}; code=$?; ${after}; (exit $code)`;
  const noted = `${git} diff-files --relative --name-only --diff-filter=A`;
  const before = `noted=$(${noted} -- ${list(present)} 2>&1)`;
  const forget = `${noted} -z -- ${list(present)} | ${git} update-index -z --force-remove --stdin`;
  const refused = `[ "$code" = 0 ] || [ -n "$noted" ] || { ${forget}; } >/dev/null 2>&1`;
  const note = `${git} add --intent-to-add -- ${list(present)}`;
  return `${was}; ${before}; ${note} && ${commit}; code=$?; ${after}; ${refused}; (exit $code)`;
}

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
