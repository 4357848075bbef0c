/**
 * Path patterns of rules and searches, matched against paths relative to the workspace with `/` between segments.
 * `*` and `?` stay inside one segment, `**` spans segments, `[abc]`, `[!a-z]` and `{a,b}` as usual. A pattern without
 * a slash matches the name at any depth; a leading `./` or `/` binds to the root; a trailing `/` means all below.
 */
const patternLengthMax = 1000;

/** A test for paths, or a sentence why the pattern can never match. */
export type PathGlob =
  | { readonly ok: true; readonly value: (path: string) => boolean }
  | { readonly ok: false; readonly error: string };

export function compilePathGlob(pattern: string, { anyCase = false }: { readonly anyCase?: boolean } = {}): PathGlob {
  if (pattern.length > patternLengthMax) {
    return { ok: false, error: `the pattern is longer than ${patternLengthMax} characters` };
  }
  const bound = pattern.slice(0, -1).includes('/');
  let body = pattern.replace(/^(\.\/)+/, '').replace(/^\/+/, '');
  if (body.endsWith('/')) body += '**';
  if (body === '') return { ok: false, error: 'the pattern is empty' };
  if (body.split('/').some((segment) => segment === '..' || segment === '.')) {
    return { ok: false, error: 'the pattern holds a "." or ".." segment, and no path of the workspace does' };
  }
  const source = translate(bound ? body : `**/${body}`);
  if (source === null) return { ok: false, error: 'the pattern has a bracket or brace that is not closed' };
  try {
    const regexp = new RegExp(`^${source}$`, anyCase ? 'siu' : 'su');
    return { ok: true, value: (path) => regexp.test(path) };
  } catch {
    return { ok: false, error: 'the pattern has a range that no character fits' };
  }
}

/** The regular expression of a pattern, or null when a bracket or brace stays open. */
function translate(pattern: string): string | null {
  let out = '';
  let braces = 0;
  for (let i = 0; i < pattern.length; i++) {
    const char = pattern[i] as string;
    if (char === '*') {
      const stars = /^\*+/.exec(pattern.slice(i))?.[0].length ?? 1;
      const whole = stars >= 2 && (i === 0 || pattern[i - 1] === '/') && [undefined, '/'].includes(pattern[i + stars]);
      i += stars - 1;
      if (whole && pattern[i + 1] === '/') {
        out += '(?:[^/]+/)*';
        i++;
      } else out += whole ? '.+' : '[^/]*';
    } else if (char === '?') out += '[^/]';
    else if (char === '[') {
      const set = /^\[([!^]?)(\]?[^\]]*)\]/.exec(pattern.slice(i));
      if (set === null) return null;
      out += `(?!/)[${set[1] === '' ? '' : '^'}${(set[2] as string).replace(/[\\\][]/g, '\\$&')}]`;
      i += set[0].length - 1;
    } else if (char === '{') {
      out += '(?:';
      braces++;
    } else if (char === '}' && braces > 0) {
      out += ')';
      braces--;
    } else if (char === ',' && braces > 0) out += '|';
    else if (char === '\\' && i + 1 < pattern.length) {
      i++;
      out += escapeRegExp(pattern[i] as string);
    } else out += escapeRegExp(char);
  }
  return braces === 0 ? out : null;
}

const escapeRegExp = (char: string): string => char.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&');
