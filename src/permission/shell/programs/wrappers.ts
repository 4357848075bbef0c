/** Programs that start the command which stands in their words. */
import type { Profile } from '../analysis.ts';
import { literalWord, type ShellWord, unknownWord } from '../shell-word.ts';
import { entryOf, firstOperand, type Leading } from './options.ts';

/** Those that change nothing about the command they start: it is judged in their place. */
const transparent: { readonly [program: string]: Leading & { readonly skip?: number } } = {
  timeout: {
    flags: /^(-v|--verbose|--foreground|--preserve-status|-k\d+[smhd]?|-s[A-Z0-9]+|--(kill-after|signal)=\w+)$/,
    valued: /^(-k|-s|--kill-after|--signal)$/,
    skip: 1,
  },
  nohup: {},
  nice: { flags: /^(-n-?\d+|-\d+|--adjustment=-?\d+)$/, valued: /^(-n|--adjustment)$/ },
  ionice: { flags: /^(-t|-c\d|-n\d)$/, valued: /^(-c|-n)$/ },
  stdbuf: { flags: /^(-[ioe][L0-9]\w*|--(input|output|error)=\w+)$/, valued: /^-[ioe]$/ },
  time: { flags: /^(-p|-v|--verbose|--portability)$/ },
  setsid: { flags: /^(-w|--wait|-f|--fork|-c)$/ },
  command: { flags: /^-p$/ },
  builtin: {},
  exec: { flags: /^-[cl]+$/ },
  chronic: { flags: /^-[ev]+$/ },
  ifne: { flags: /^-n$/ },
  ccache: {},
  sccache: {},
  distcc: {},
  env: { flags: /^(-i|--ignore-environment|-0|--null)$/ },
};

/** Those that do something of their own besides: they need a rule, and so does the command. */
const starters: { readonly [program: string]: Leading } = {
  c8: { flags: /^--(all|clean|no-clean|check-coverage|reporter=\w+)$/ },
  nyc: { flags: /^--(all|silent|clean|no-clean|check-coverage|reporter=\w+)$/ },
};

/** Whether a program starts the command which stands in its words, as far as they are followed. */
export const isWrapper = (program: string): boolean =>
  entryOf(transparent, program) !== undefined ||
  entryOf(starters, program) !== undefined ||
  /^(xargs|busybox|toybox)$/.test(program);

export function wrapperProfile(program: string, words: readonly ShellWord[]): Profile | null {
  if (program === 'command' && /^-[vV]$/.test(words[1]?.text ?? '')) return { pathless: true };
  if (program === 'xargs') return xargsProfile(words);
  if (program === 'watch') {
    const at = firstOperand(words, { flags: /^-[bcdegtwx0-9.]+$/, valued: /^(-n|--interval)$/ });
    const rest = at === null ? [] : words.slice(at);
    const script = rest.every(({ kind }) => kind === 'literal') ? rest.map(({ text }) => text).join(' ') : '';
    return { hazard: 'watch runs its words as a shell text', ...(script === '' ? {} : { scripts: [script] }) };
  }
  if (program === 'pee' || program === 'mispipe') {
    const scripts = words.slice(1).flatMap(({ kind, text }) => (kind === 'literal' ? [text] : []));
    return { hazard: `${program} runs its words as shell texts`, scripts };
  }
  if (program === 'busybox' || program === 'toybox') {
    return { hazard: `${program} is many programs`, starts: words.length > 1 ? [words.slice(1)] : [] };
  }
  const starter = entryOf(starters, program);
  if (starter !== undefined) return inOrder(program, words.slice(1), starter);
  const known = entryOf(transparent, program);
  if (known === undefined) return null;
  const first = firstOperand(words, known);
  if (program === 'env' && first === null) {
    const script = splitText(words);
    if (script !== null) return { hazard: 'env splits a text into words', scripts: [script] };
  }
  if (first === null) return { hazard: `${program} is used in a way that is not followed`, ...startsOf(rough(words)) };
  let at = first + (known.skip ?? 0);
  if (program === 'env') {
    // A dash alone is no command: it empties the environment, as -i does.
    if (words[at]?.text === '-') at++;
    for (; at < words.length; at++) {
      const word = words[at] as ShellWord;
      const set = /^([A-Za-z_]\w*)=([\w.,:@+-]*)$/.exec(word.text);
      if (word.kind === 'literal' && !word.text.includes('=')) break;
      if (set === null || !/^(CI|NODE_ENV|NO_COLOR|FORCE_COLOR|TZ|LANG|LC_[A-Z]+|TERM)$/.test(set[1] as string)) {
        return { hazard: `env sets ${word.text}`, ...startsOf(rough(words)) };
      }
    }
    if (words.slice(1, at).some(({ text }) => /^(-i?|--ignore-environment)$/.test(text))) {
      return { hazard: 'env empties the environment', ...startsOf(words.slice(at)) };
    }
  }
  if (words.slice(1, at).some(({ kind }) => kind !== 'literal')) {
    return { hazard: `${program} gets words that are known only when it runs`, ...startsOf(rough(words)) };
  }
  const inner = words.slice(at);
  if (inner.length === 0) return program === 'env' ? { pathless: true } : { hazard: `${program} starts nothing` };
  return { transparent: true, pathless: true, ...startsOf(inner) };
}

/** What `env` splits into words: the whole of it, as the words behind it go on with the command. */
function splitText(words: readonly ShellWord[]): string | null {
  const at = words.findIndex(({ text }) => /^-[a-z0]*S|^--s[a-z-]*(=|$)/.test(text));
  const [option, ...rest] = at === -1 ? [] : words.slice(at);
  if (option === undefined || option.kind !== 'literal') return null;
  const attached = option.text.replace(/^-[a-z0]*S|^--s[a-z-]*=?/, '');
  const texts = attached === '' ? rest : [{ ...option, text: attached }, ...rest];
  if (texts[0]?.kind !== 'literal') return null;
  return texts.map(({ text }, i) => (i === 0 ? text : `'${text.replaceAll("'", "'\\''")}'`)).join(' ');
}

/** What a program starts whose command line is the words, behind the options that `known` describes. */
export function inOrder(program: string, words: readonly ShellWord[], known: Leading = {}): Profile {
  const first = firstOperand([literalWord(program), ...words], known);
  const inner = first === null ? rough([literalWord(program), ...words]) : words.slice(first - 1);
  if (inner.length === 0) return {};
  return first !== null && inner[0]?.kind === 'literal'
    ? { starts: [inner] }
    : { hazard: `${program} is used in a way that is not followed`, ...startsOf(first === null ? inner : []) };
}

const startsOf = (words: readonly ShellWord[]): Pick<Profile, 'starts'> =>
  words.length > 0 ? { starts: [words] } : {};

/** The command in the words of a wrapper that is not understood: only good for naming what must not run. */
const rough = (words: readonly ShellWord[]): readonly ShellWord[] => {
  const at = words.findIndex(({ text, kind }, i) => i > 0 && kind === 'literal' && !/^-|=|^\d/.test(text));
  return at === -1 ? [] : words.slice(at);
};

function xargsProfile(words: readonly ShellWord[]): Profile {
  const at = firstOperand(words, {
    flags: /^(-0|--null|-r|--no-run-if-empty|-t|--verbose|-x|-[nPL]\d+|-I\S+|--max-(args|procs|lines)=\d+|-d.+)$/,
    valued: /^(-n|-P|-L|-I|-d|-s|-E)$/,
  });
  const inner = at === null ? rough(words) : words.slice(at);
  return {
    hazard: 'xargs adds words that nobody knows before it runs',
    ...startsOf(inner.length > 0 ? [...inner, unknownWord] : []),
  };
}

/** `find`, whose expression may start commands, delete and write. */
export function findProfile(words: readonly ShellWord[]): Profile {
  const texts = words.map(({ text }) => text);
  const starts = startsOfFind(words);
  if (texts.includes('-delete')) return { loses: 'find -delete removes every file it finds', starts };
  if (starts.length > 0) return { hazard: 'find starts a command for what it finds', starts };
  if (words.some(({ kind }) => kind === 'dynamic')) return { hazard: 'the words of find are known only when it runs' };
  const action = texts.find((text) => /^-(exec|ok|fprint|fls|files0|f$)/.test(text));
  if (action !== undefined) return { hazard: `find ${action} starts a command or writes a file` };
  const notPaths = texts.flatMap((_text, i) =>
    /^-(i?name|i?path|i?regex|i?wholename|i?lname|regextype|printf|newermt|size|mtime|mmin|perm|type|maxdepth|mindepth)$/.test(
      texts[i - 1] ?? '',
    )
      ? [i]
      : [],
  );
  return { notPaths };
}

/** An action within the words of a command that another one starts is a word of that command, so each is read once. */
function startsOfFind(words: readonly ShellWord[]): readonly (readonly ShellWord[])[] {
  const starts: (readonly ShellWord[])[] = [];
  let inner: ShellWord[] | null = null;
  for (const word of words) {
    if (inner === null) {
      if (/^-(exec|execdir|ok|okdir)$/.test(word.text)) inner = [];
    } else if (word.text === ';' || (word.text === '+' && inner.at(-1) === unknownWord)) {
      starts.push(inner);
      inner = null;
    } else inner.push(word.text.includes('{}') ? unknownWord : word);
  }
  return [...starts, inner ?? []].filter((one) => one.length > 0);
}
