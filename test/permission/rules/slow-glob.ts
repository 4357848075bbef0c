/** The language of path patterns as a regular expression, which tries every way and so may take very long. */
export function slowGlob(pattern: string, anyCase: boolean): RegExp {
  let body = pattern.replace(/^(\.\/)+/, '').replace(/^\/+/, '');
  if (body.endsWith('/')) body += '**';
  const source = translate(pattern.slice(0, -1).includes('/') ? body : `**/${body}`);
  return new RegExp(`^${source}$`, anyCase ? 'siu' : 'su');
}

function translate(pattern: string): string {
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
      const set = /^\[([!^]?)(\]?[^\]]*)\]/.exec(pattern.slice(i)) ?? [''];
      out += `(?!/)[${set[1] === '' ? '' : '^'}${(set[2] ?? '').replace(/[\\\][]/g, '\\$&')}]`;
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
      out += escaped(pattern[i] as string);
    } else out += escaped(char);
  }
  return out;
}

const escaped = (char: string): string => char.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&');
