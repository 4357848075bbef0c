/**
 * Which settings of a repository could start a program, read other settings or lead elsewhere. What is not known to be
 * harmless counts: git has hundreds of settings, and new ones with each version.
 */

const list = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Without the name of a branch, remote or submodule between. */
const harmless = list(
  'core.repositoryformatversion core.filemode core.bare core.logallrefupdates core.ignorecase core.precomposeunicode core.symlinks core.autocrlf core.eol core.safecrlf core.quotepath core.compression core.sharedrepository core.abbrev core.protecthfs core.protectntfs core.longpaths core.untrackedcache core.splitindex core.commitgraph core.sparsecheckout core.sparsecheckoutcone index.sparse extensions.objectformat extensions.refstorage extensions.worktreeconfig user.name user.email author.name author.email committer.name committer.email init.defaultbranch branch.remote branch.merge branch.rebase branch.description remote.fetch remote.push remote.tagopt remote.prune remote.mirror remote.skipfetchall submodule.active push.default push.followtags push.autosetupremote pull.rebase pull.ff fetch.prune merge.ff merge.conflictstyle rebase.autostash rebase.autosquash gc.auto maintenance.auto receive.denycurrentbranch receive.denynonfastforwards receive.denydeletes http.postbuffer lfs.repositoryformatversion',
);
const harmlessSections = list('advice color');
/** Settings whose value decides. */
const harmlessValues: { readonly [name: string]: RegExp } = {
  'remote.url': /^(?!-)(?!.*::)/,
  'remote.pushurl': /^(?!-)(?!.*::)/,
  'submodule.url': /^(?!-)(?!.*::)/,
  'submodule.update': /^(checkout|merge|rebase|none)$/,
  'commit.gpgsign': /^(false|no|off|0)$/,
  'tag.gpgsign': /^(false|no|off|0)$/,
};

/** One line for each setting that is not known to be harmless. `mayBeTree` says of a folder whether its files may be the work tree. */
export function startingSettings(text: string, mayBeTree: (folder: string) => boolean): readonly string[] {
  const found: string[] = [];
  let section = '';
  for (const line of text.split('\n')) {
    let rest = line.trim();
    // It may go on in the next line, which is not followed.
    if (rest.endsWith('\\')) found.push(`${section}: ${rest}`);
    const head = /^\[\s*([\w.-]+)\s*(?:"(?:[^"\\]|\\.)*")?\s*\](.*)$/s.exec(rest);
    if (head !== null) {
      // A section may be written with its subsection behind a dot.
      section = (head[1] ?? '').toLowerCase().replace(/\..*$/, '');
      rest = (head[2] ?? '').trim();
    }
    if (rest === '' || /^[#;]/.test(rest)) continue;
    const [, key, value] = /^([A-Za-z][\w-]*)\s*(?:=\s*(.*))?$/s.exec(rest) ?? [];
    const name = `${section}.${(key ?? '').toLowerCase()}`;
    if (key === undefined || !isHarmless(section, name, plain(value ?? ''), mayBeTree))
      found.push(`${section}: ${rest}`);
  }
  return found;
}

function isHarmless(section: string, name: string, value: string, mayBeTree: (folder: string) => boolean): boolean {
  if (harmless.has(name) || harmlessSections.has(section)) return true;
  if (name === 'core.worktree') return !/[#;]/.test(value) && mayBeTree(value);
  return Object.hasOwn(harmlessValues, name) && harmlessValues[name]?.test(value) === true;
}

/** Quotes may stand anywhere in a value; a comment behind it stays. */
const plain = (value: string): string => value.replace(/["\\]/g, '');
