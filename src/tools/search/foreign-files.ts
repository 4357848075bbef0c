/**
 * Finds what is written in another encoding than UTF-8 (GB 18030, Shift-JIS, Latin-1, UTF-16 without a mark, …), which
 * ripgrep takes for UTF-8.
 *
 * 1. Such files are looked for by their bytes, at ripgrep's own speed; only they are searched again.
 * 2. They are searched in every encoding in which the characters of the pattern can be written, because a short text
 *    does not tell its own. What reading is sure of overrules that.
 * 3. What could not be searched is counted and told.
 */
import type { Failure } from '#kernel';
import { encodingsFor, type Workspace } from '#workspace';
import { byCodeUnits } from './first-paths.ts';
import { type FoundLine, foundFiles, foundLines } from './result-lines.ts';
import { runRipgrep } from './run-ripgrep.ts';
import { isUnspeakable, shownPath } from './search-scope.ts';

export interface ForeignSearch {
  /** Options that say which files of the targets are meant. */
  readonly narrowing: readonly string[];
  readonly targets: readonly string[];
  /** Options and pattern of the search itself. */
  readonly call: readonly string[];
  /** The characters beyond ASCII in the pattern; empty where there is none or only classes of them. */
  readonly characters: string;
  readonly mode: 'files_with_matches' | 'content' | 'count';
  matches(path: string): boolean;
}

export type ForeignFound =
  | {
      readonly ok: true;
      readonly lines: readonly FoundLine[];
      /** Files that were searched here: what was found in them as UTF-8 does not count. */
      readonly searched: ReadonlySet<string>;
      readonly notes: readonly string[];
    }
  | { readonly ok: false; readonly failure: Failure };

const bytesMax = 4 * 1024 * 1024;
/** Characters of all names that one call can hold. */
const argumentsMax = 500_000;
/** Files whose encoding is asked from reading: it is slow, and a search finds few of them. */
const readMax = 60;
const headBytes = 16 * 1024;
const doubtsMax = 10;

const end = '(?:[^\\x80-\\xbf\\n]|$)';
const more = '[\\x80-\\xbf]';
/** A byte, or bytes, that stand in no UTF-8. */
const noUtf8 = [
  `(?:^|[\\x00-\\x09\\x0b-\\x7f])${more}`,
  '[\\xc0\\xc1\\xf5-\\xff]',
  `[\\xc2-\\xdf](?:${end}|${more}{2})`,
  `[\\xe0-\\xef](?:${end}|${more}${end}|${more}{3})`,
  `[\\xf0-\\xf4](?:${end}|${more}${end}|${more}{2}${end}|${more}{4})`,
  '\\xe0[\\x80-\\x9f]|\\xed[\\xa0-\\xbf]|\\xf0[\\x80-\\x8f]|\\xf4[\\x90-\\xbf]',
].join('|');
/** Three Latin characters as UTF-16 writes them, whichever byte comes first. */
const wideLatin = '\\x00[\\t\\r -~]\\x00[\\t\\r -~]\\x00';

export async function searchForeign(
  workspace: Workspace,
  search: ForeignSearch,
  signal: AbortSignal,
): Promise<ForeignFound> {
  const [foreign, wide] = await Promise.all([
    filesWith(workspace, search, signal, [], noUtf8),
    filesWith(workspace, search, signal, ['--text'], wideLatin),
  ]);
  if (!foreign.ok) return foreign;
  if (!wide.ok) return wide;
  const searched = new Set([...foreign.paths, ...wide.paths]);
  const told = encodingReader(workspace);
  const isNamed = search.characters !== '';
  const encodings = isNamed ? await encodingsFor(search.characters) : await toldFor(foreign.paths, told);
  const finds = new Map<string, Find>();
  for (const encoding of ['utf-16le', 'utf-16be', ...encodings]) {
    const paths = encoding.startsWith('utf-16') ? wide.paths : foreign.paths;
    if (paths.length === 0) continue;
    const call = [`--encoding=${encoding}`, ...search.call, '--', ...paths.map((path) => `./${path}`)];
    const run = await runRipgrep(workspace, call, signal, bytesMax);
    if (!run.ok) return run;
    const lines = search.mode === 'files_with_matches' ? foundFiles(run.stdout) : foundLines(run.stdout);
    for (const [path, ofPath] of Map.groupBy(lines, (line) => line.path)) {
      const doubt = doubtOf(await told(path), encoding, isNamed);
      const before = finds.get(path);
      if (doubt !== null && (before === undefined || (before.doubt !== '' && doubt === ''))) {
        finds.set(path, { doubt, lines: ofPath.map((line) => ({ ...line, encoding })) });
      }
    }
  }
  const left = foreign.left + wide.left;
  return {
    ok: true,
    lines: [...finds.values()].flatMap((find) => find.lines),
    searched,
    notes: [
      ...[...finds]
        .filter(([, { doubt }]) => doubt !== '')
        .map(([path, { doubt }]) => `(${shownPath(path)}: ${doubt})`)
        .slice(0, doubtsMax),
      ...(left === 0 ? [] : [`(${left} files that are not UTF-8 were not searched; give a path or glob)`]),
    ],
  };
}

interface Find {
  readonly lines: readonly FoundLine[];
  /** Why reading may show other characters; empty where it shows the same. */
  readonly doubt: string;
}

type Files =
  | { readonly ok: true; readonly paths: readonly string[]; readonly left: number }
  | Extract<ForeignFound, { ok: false }>;

async function filesWith(
  workspace: Workspace,
  { narrowing, targets, matches }: ForeignSearch,
  signal: AbortSignal,
  options: readonly string[],
  bytes: string,
): Promise<Files> {
  const call = [...narrowing, ...options, '--files-with-matches', '--null', '-e', `(?-u:${bytes})`, '--', ...targets];
  const run = await runRipgrep(workspace, call, signal, bytesMax);
  if (!run.ok) return run;
  const found = foundFiles(run.stdout)
    .map(({ path }) => path)
    .filter((path) => matches(path) && !isUnspeakable(path));
  const paths: string[] = [];
  let length = 0;
  for (const path of found.toSorted(byCodeUnits)) {
    length += path.length + 3;
    if (length > argumentsMax) break;
    paths.push(path);
  }
  return { ok: true, paths, left: found.length - paths.length };
}

interface Told {
  readonly encoding: string;
  readonly isSure: boolean;
}

/** What reading takes a file for; null where it is no text. From `readMax` files on nothing is known of further ones. */
function encodingReader(workspace: Workspace): (path: string) => Promise<Told | null> {
  const known = new Map<string, Told | null>();
  return async (path) => {
    let told = known.get(path);
    if (told !== undefined) return told;
    if (known.size >= readMax) return { encoding: '', isSure: false };
    const content = await workspace.files.read(path, { bytesMax: headBytes });
    if ('code' in content || content.binary) told = null;
    // A head without other letters says nothing of the rest.
    else if (content.isPlain === true && content.truncated) told = { encoding: '', isSure: false };
    else told = { encoding: content.encoding, isSure: content.guessed !== true };
    known.set(path, told);
    return told;
  };
}

async function toldFor(
  paths: readonly string[],
  told: (path: string) => Promise<Told | null>,
): Promise<readonly string[]> {
  const encodings = new Set<string>();
  for (const path of paths.slice(0, readMax)) {
    const encoding = (await told(path))?.encoding ?? '';
    if (encoding !== 'utf-8' && canonical(encoding) !== null) encodings.add(encoding);
  }
  return [...encodings];
}

/** Null where a find counts for nothing; else what is to be said of it, empty where reading shows the same. */
function doubtOf(told: Told | null, encoding: string, isNamed: boolean): string | null {
  if (told === null) return null;
  if (canonical(told.encoding) === canonical(encoding)) return '';
  if (told.isSure || !isNamed) return null;
  return told.encoding === '' ? `found as ${encoding}` : `found as ${encoding}; Read may take it for ${told.encoding}`;
}

/** One name for each encoding; null for one that ripgrep does not know either. */
function canonical(encoding: string): string | null {
  try {
    return new TextDecoder(encoding).encoding;
  } catch {
    return null;
  }
}
