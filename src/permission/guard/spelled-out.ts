/** What a path in a shell text stands for, as a person can read it. Nothing is looked up. */
import { normalPath } from '../paths/place-of.ts';

/** Whose folders and variables count. */
export interface Spelling {
  /** Absolute; where the text starts. */
  readonly folder: string;
  readonly home: string;
  /** The variables that the command gets. */
  readonly env: { readonly [name: string]: string | undefined };
}

export interface SpelledOut {
  /** Absolute, without `.` and `..`; a pattern stays one. Null where only the run itself tells. */
  readonly path: string | null;
  /** Variables in it that are not set, and so stand for nothing. */
  readonly unset: readonly string[];
}

export function spelledOut(source: string, { folder, home, env }: Spelling): SpelledOut {
  const unset: string[] = [];
  const text = hidden(source);
  // The home of somebody else, or a folder in which the shell was.
  if (/^~[^/]/.test(text)) return { path: null, unset };
  if (/\$\(|`|\$\{[^}]*[^\w}]|<\(|\$[^\w{]/.test(text)) return { path: null, unset };
  const plain = text
    .replace(/\$\{(\w+)\}|\$(\w+)/g, (_all, braced: string | undefined, bare: string | undefined) => {
      const name = braced ?? bare ?? '';
      const value = env[name];
      if (value === undefined) unset.push(name);
      return value ?? '';
    })
    .replace(/["']/g, '');
  const full = /^~(?=\/|$)/.test(plain)
    ? `${home}${plain.slice(1)}`
    : plain.startsWith('/')
      ? plain
      : `${folder}/${plain}`;
  return { path: shown(normalPath(full)), unset };
}

/** Where private signs stand for the plain ones that a shell would not look at. */
const away = 0xe000;
const hide = (text: string): string =>
  text.replace(/[\x20-\x7e]/g, (sign) => String.fromCharCode(away + sign.charCodeAt(0)));
const shown = (text: string): string =>
  text.replace(/[\ue020-\ue07e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - away));

/** Behind a backslash, and between single quotes that are certainly no text of double ones, nothing has a meaning. */
function hidden(text: string): string {
  const plain = text.replace(/\\(.)/g, (_all, sign: string) => hide(sign));
  return plain.includes('"') ? plain : plain.replace(/'([^']*)'/g, (_all, inside: string) => hide(inside));
}
