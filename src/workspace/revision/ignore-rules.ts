/**
 * Git's ignore rules, evaluated by ourselves: `.gitignore` on every level of the repository over its `info/exclude`.
 * Rules of the user's own configuration do not count, because a revision must not depend on whose machine it is.
 * Decisions are remembered until the text of a rule file changes.
 */
import createIgnore from 'ignore';
import { readRegular } from '../files/read-regular.ts';

/** A longer rule file counts as none, as git has it as well. */
const RULES_BYTES_MAX = 100 * 1024 * 1024;

/**
 * Each `**` between two names multiplies the ways in which a path can be tried by the number of its folders. So a rule
 * with more of them counts as none, and none with any counts for a path of more folders: what a rule would leave out is
 * counted then, which loses nothing.
 */
const TREES_MAX = 3;
const FOLDERS_MAX = 40;

/** The rule files that apply in one folder, outermost first. */
export type Rules = readonly Level[];

interface Level {
  /** Path of the folder the rules belong to, with a trailing slash; empty for the root. */
  readonly prefix: string;
  /** The way from that folder to the root, with a trailing slash, where it lies above the root. */
  readonly lead: string;
  readonly rules: Matcher;
}
interface Matcher {
  test(path: string): { readonly ignored: boolean; readonly unignored: boolean };
}
interface KnownFile {
  readonly text: string;
  readonly level: Level;
}

export interface IgnoreRules {
  /** Rules inside a folder, given those outside. `file` is its rule file, null when it has none; `lead` see `Level`. */
  enter(prefix: string, outer: Rules, file: string | null, lead?: string): Rules;
  /** Whether a path is ignored by its own name; folders end in a slash. The folder around it is not ignored. */
  ignores(path: string, rules: Rules): boolean;
  /** Rules for the inside of a folder that counts. */
  descend(path: string, rules: Rules): Rules;
  /** The same for the root, of rules from above it. */
  descendToRoot(rules: Rules): Rules;
}

export function ignoreRules(): IgnoreRules {
  const files = new Map<string, KnownFile>();
  const decided = new Map<string, boolean>();

  const load = (key: string, prefix: string, file: string | null, lead: string): Level | null => {
    const text = file === null ? null : readText(file);
    const known = files.get(key);
    if (text === (known?.text ?? null)) return known?.level ?? null;
    // Everything decided before this moment in the same walk lies outside this folder.
    decided.clear();
    if (text === null) {
      files.delete(key);
      return null;
    }
    const level = { prefix, lead, rules: matcherOf(text) };
    files.set(key, { text, level });
    return level;
  };

  return {
    enter(prefix, outer, file, lead = '') {
      // No path holds two slashes in a row.
      const key = `${prefix}//${lead}${file?.endsWith('/exclude') ? 'exclude' : ''}`;
      const level = file === null && !files.has(key) ? null : load(key, prefix, file, lead);
      return level === null ? outer : [...outer, level];
    },
    ignores(path, rules) {
      if (rules.length === 0) return false;
      let verdict = decided.get(path);
      if (verdict === undefined) {
        verdict = decide(path, rules) === true;
        decided.set(path, verdict);
      }
      return verdict;
    },
    descend(path, rules) {
      // An inner file may take back what an outer one ignores; the outer one would still ignore all that lies inside.
      if (rules.length < 2 || decide(path, rules) !== false) return rules;
      return rules.filter((level) => !tested(level, path).ignored);
    },
    descendToRoot: (rules) => rules.filter(({ lead, rules: own }) => lead === '' || !own.test(lead).ignored),
  };
}

function matcherOf(text: string): Matcher {
  // Git looks behind a byte order mark, too.
  const lines = asBytes(text.replace(/^\ufeff/, ''))
    .split(/\r?\n/)
    .map((line) => ({ line, trees: line.match(/\/\*\*(?=\/)/g)?.length ?? 0 }));
  const withTrees = (max: number) =>
    createIgnore({ ignorecase: false, allowRelativePaths: true }).add(
      lines.filter(({ trees }) => trees <= max).map(({ line }) => line),
    );
  const usual = withTrees(TREES_MAX);
  if (lines.every(({ trees }) => trees === 0)) return { test: (path) => usual.test(asBytes(path)) };
  const deep = withTrees(0);
  return { test: (path) => (path.split('/').length > FOLDERS_MAX ? deep : usual).test(asBytes(path)) };
}

/** Git compares bytes: `?` is one of them. So each byte that is not ASCII becomes a character that nothing else is. */
function asBytes(text: string): string {
  if (!/[^\0-\x7f]/.test(text)) return text;
  return Array.from(Buffer.from(text, 'utf8'), (byte) =>
    String.fromCharCode(byte < 0x80 ? byte : PRIVATE_USE + byte),
  ).join('');
}

const PRIVATE_USE = 0xe000;

/** The innermost file with a matching rule decides; undefined when no rule matches. */
function decide(path: string, rules: Rules): boolean | undefined {
  for (const level of rules.toReversed()) {
    const { ignored, unignored } = tested(level, path);
    if (ignored || unignored) return ignored;
  }
  return undefined;
}

const tested = ({ prefix, lead, rules }: Level, path: string) => rules.test(lead + path.slice(prefix.length));

function readText(file: string): string | null {
  try {
    return readRegular(file, RULES_BYTES_MAX)?.toString('utf8') ?? null;
  } catch {
    return null;
  }
}
