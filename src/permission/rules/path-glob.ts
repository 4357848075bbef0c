/**
 * Path patterns of rules and searches, matched against paths relative to the workspace with `/` between segments.
 * `*` and `?` stay inside one segment, `**` spans segments, `[abc]`, `[!a-z]` and `{a,b}` as usual. A pattern without
 * a slash matches the name at any depth; a leading `./` or `/` binds to the root; a trailing `/` means all below.
 */
import { createStepMachine, type Step } from './step-machine.ts';

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
  const steps = stepsOf(bound ? body : `**/${body}`, anyCase);
  return steps.ok ? { ok: true, value: createStepMachine(steps.value) } : steps;
}

type Steps = { readonly ok: true; readonly value: readonly Step[] } | { readonly ok: false; readonly error: string };

/** What is begun and not yet closed: alternatives, and the ends of those before the last one. */
interface Brace {
  readonly starts: number[];
  readonly ends: number[][];
}

/** The steps of a pattern whose every `*` stays inside one segment, save `**` between slashes. */
export function stepsOf(pattern: string, anyCase: boolean): Steps {
  const flags = anyCase ? 'iu' : 'u';
  const steps: Step[] = [];
  const braces: Brace[] = [];
  let fault: string | null = null;
  const take = (fits: (char: string) => boolean): void => void steps.push({ fits });
  for (let i = 0; i < pattern.length; i++) {
    const char = String.fromCodePoint(pattern.codePointAt(i) as number);
    const at = steps.length;
    const open = braces.at(-1);
    if (char === '*') {
      const stars = /^\*+/.exec(pattern.slice(i))?.[0].length ?? 1;
      const whole = stars >= 2 && (i === 0 || pattern[i - 1] === '/') && [undefined, '/'].includes(pattern[i + stars]);
      i += stars - 1;
      if (whole && pattern[i + 1] === '/') {
        // Any number of segments, each with its slash.
        steps.push({ ways: [at + 1, at + 5] }, { fits: isNoSlash }, { ways: [at + 1, at + 3] });
        steps.push({ fits: isSlash }, { ways: [at] });
        i++;
      } else if (whole) steps.push({ fits: () => true }, { ways: [at, at + 2] });
      else steps.push({ ways: [at + 1, at + 3] }, { fits: isNoSlash }, { ways: [at] });
    } else if (char === '?') take(isNoSlash);
    else if (char === '[') {
      const set = /^\[([!^]?)(\]?[^\]]*)\]/.exec(pattern.slice(i));
      if (set === null) return notClosed;
      const fits = setTest(set[1] !== '', set[2] as string, flags);
      if (fits === null) fault = 'the pattern has a range that no character fits';
      else take(fits);
      i += set[0].length - 1;
    } else if (char === '{') {
      const starts = [at + 1];
      steps.push({ ways: starts });
      braces.push({ starts, ends: [] });
    } else if (char === '}' && open !== undefined) {
      for (const end of open.ends) end.push(at);
      braces.pop();
    } else if (char === ',' && open !== undefined) {
      const end: number[] = [];
      steps.push({ ways: end });
      open.ends.push(end);
      open.starts.push(at + 1);
    } else {
      const isEscape = char === '\\' && i + 1 < pattern.length;
      const one = isEscape ? String.fromCodePoint(pattern.codePointAt(i + 1) as number) : char;
      take(charTest(one, anyCase));
      i += one.length - 1 + (isEscape ? 1 : 0);
    }
  }
  if (braces.length > 0) return notClosed;
  return fault === null ? { ok: true, value: steps } : { ok: false, error: fault };
}

const notClosed: Steps = { ok: false, error: 'the pattern has a bracket or brace that is not closed' };

const isSlash = (char: string): boolean => char === '/';
const isNoSlash = (char: string): boolean => char !== '/';

/** Null where there is no such set. */
function setTest(isNegated: boolean, set: string, flags: string): ((char: string) => boolean) | null {
  try {
    const regexp = new RegExp(`^[${isNegated ? '^' : ''}${set.replace(/[\\\][]/g, '\\$&')}]$`, flags);
    return (char) => char !== '/' && regexp.test(char);
  } catch {
    return null;
  }
}

function charTest(one: string, anyCase: boolean): (char: string) => boolean {
  const small = folded(one);
  return (char) => char === one || (anyCase && folded(char) === small);
}

/** The same for all cases of a letter, also where it has more than two, such as sigma. */
const folded = (char: string): string => char.toLowerCase().toUpperCase().toLowerCase();
