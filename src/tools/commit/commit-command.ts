/** What a commit is found by, and it by the mark below; see `find-commit.ts`. */
export const trailer = 'Belay-Action';
/** What the supervisor has git write into the log of the refs that a command moves. */
export const reflogMark = (actionId: string): string => `belay/${actionId}`;

/**
 * The shell text of a commit. Paths that git does not know yet are first noted as to be added, which stores nothing of
 * them; `--only` then takes the whole content of the paths named and of no others. Nothing in a path is a pattern.
 * `program` is the path of git: a name would be looked for where the user's search path says, which can be the workspace.
 */
export function commitCommand(
  program: string,
  message: string,
  paths: readonly string[],
  present: readonly string[],
  actionId: string,
): string {
  const git = `${quoted(program)} --literal-pathspecs`;
  const list = (names: readonly string[]) => names.map(quoted).join(' ');
  const note = present.length === 0 ? '' : `${git} add --intent-to-add -- ${list(present)} && `;
  const text = `--message=${quoted(message)} --trailer=${quoted(`${trailer}: ${actionId}`)}`;
  return `${note}${git} commit --only ${text} -- ${list(paths)}`;
}

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
