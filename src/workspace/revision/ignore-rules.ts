/**
 * Git's ignore rules, evaluated by ourselves: `.gitignore` on every level over the repository's `info/exclude`.
 * Rules of the user's own configuration do not count, because a revision must not depend on whose machine it is.
 * Decisions are remembered until the text of a rule file changes.
 */
import createIgnore, { type Ignore } from 'ignore';
import { readRegular } from '../files/read-regular.ts';

/** A longer rule file counts as none, as git has it as well. */
const RULES_BYTES_MAX = 100 * 1024 * 1024;

/** The rule files that apply in one folder, outermost first. */
export type Rules = readonly Level[];

interface Level {
  /** Path of the folder the rules belong to, with a trailing slash; empty for the root. */
  readonly prefix: string;
  readonly rules: Ignore;
}
interface KnownFile {
  readonly text: string;
  readonly level: Level;
}

export interface IgnoreRules {
  /** Rules inside a folder, given those outside. `file` is its rule file, null when it has none. */
  enter(prefix: string, outer: Rules, file: string | null): Rules;
  /** Whether a path is ignored by its own name; folders end in a slash. The folder around it is not ignored. */
  ignores(path: string, rules: Rules): boolean;
  /** Rules for the inside of a folder that counts. */
  descend(path: string, rules: Rules): Rules;
}

export function ignoreRules(): IgnoreRules {
  const files = new Map<string, KnownFile>();
  const decided = new Map<string, boolean>();

  const load = (key: string, prefix: string, file: string | null): Level | null => {
    const text = file === null ? null : readText(file);
    const known = files.get(key);
    if (text === (known?.text ?? null)) return known?.level ?? null;
    // Everything decided before this moment in the same walk lies outside this folder.
    decided.clear();
    if (text === null) {
      files.delete(key);
      return null;
    }
    const level = { prefix, rules: createIgnore({ ignorecase: false, allowRelativePaths: true }).add(text) };
    files.set(key, { text, level });
    return level;
  };

  return {
    enter(prefix, outer, file) {
      const key = `${prefix}${file?.endsWith('/exclude') ? 'exclude' : ''}`;
      const level = file === null && !files.has(key) ? null : load(key, prefix, file);
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
      return rules.filter((level) => !level.rules.test(path.slice(level.prefix.length)).ignored);
    },
  };
}

/** The innermost file with a matching rule decides; undefined when no rule matches. */
function decide(path: string, rules: Rules): boolean | undefined {
  for (const { prefix, rules: own } of rules.toReversed()) {
    const { ignored, unignored } = own.test(path.slice(prefix.length));
    if (ignored || unignored) return ignored;
  }
  return undefined;
}

function readText(file: string): string | null {
  try {
    return readRegular(file, RULES_BYTES_MAX)?.toString('utf8') ?? null;
  } catch {
    return null;
  }
}
