/** Programs whose first operand is a small program or a pattern: `sed`, `awk`, `grep`, `rg`, `jq` and its kin. */
import type { Profile } from '../analysis.ts';
import type { ShellWord } from '../shell-word.ts';
import { dangerousOptions } from './dangerous-options.ts';
import { entryOf, findOption, firstOperand } from './options.ts';

/** Substitutions and printing by line or pattern; no flag or command that writes, reads or executes. */
const safeSed =
  /^(?:(?:\d+|\$|\/[^/\\\n]*\/)(?:,(?:\d+|\$|\/[^/\\\n]*\/|\+\d+))?!?)?(?:[pdq=]|s\/(?:[^/\\\n]|\\[^\n])*\/(?:[^/\\\n]|\\[^\n])*\/[gpiI0-9]*|s([|#,])(?:(?!\1)[^\\\n]|\\[^\n])*\1(?:(?!\1)[^\\\n]|\\[^\n])*\1[gpiI0-9]*)$/;

export function sedProfile(words: readonly ShellWord[]): Profile {
  const scripts: ShellWord[] = [];
  const notPaths: number[] = [];
  let inPlace: string | null = null;
  let at = 1;
  for (; at < words.length; at++) {
    const { text } = words[at] as ShellWord;
    if (/^(-n|-E|-r|-z|-s|-u|-nE|-En|-nr|--quiet|--silent|--regexp-extended|--posix|--sandbox|--debug)$/.test(text))
      continue;
    if (/^(-[nErsz]*i[.~\w]*|--in-place(=.*)?)$/.test(text)) {
      inPlace = text;
      continue;
    }
    if (text === '-e' && words[at + 1] !== undefined) {
      scripts.push(words[at + 1] as ShellWord);
      notPaths.push(at + 1);
      at++;
      continue;
    }
    if (text.startsWith('-') && text !== '-') return { hazard: editing(text) };
    break;
  }
  if (scripts.length === 0 && words[at] !== undefined) {
    scripts.push(words[at] as ShellWord);
    notPaths.push(at);
  }
  const late = words.slice(at).find(({ text }) => text.startsWith('-') && text !== '-');
  if (late !== undefined) return { hazard: `sed ${late.text} may edit files` };
  const isSafe = (script: ShellWord): boolean =>
    script.kind === 'literal' &&
    script.text.length < 500 &&
    splitSed(script.text).every((one) => safeSed.test(one.trim()));
  if (!scripts.every(isSafe)) {
    return { hazard: inPlace === null ? 'the sed script may write files or run commands' : editing(inPlace) };
  }
  return inPlace === null ? { notPaths } : { hazard: editing(inPlace), notPaths };
}

const editing = (option: string): string => `sed ${option} edits files or reads its script from one`;

/** Commands stand behind semicolons; one inside a substitution only makes two texts that are not safe. */
const splitSed = (script: string): readonly string[] => script.replace(/;\s*$/, '').split(';');

export function awkProfile(words: readonly ShellWord[]): Profile {
  const at = firstOperand(words, { flags: /^-F.+$/, valued: /^-F$/ }) ?? words.length;
  const program = words[at];
  if (program?.kind !== 'literal') return { hazard: 'the awk program is not known' };
  // Assignments among the operands are decoded by awk itself; @ loads code.
  if (/system|getline|[|>@`]|ENVIRON|ARGV|close|fflush|nextfile/.test(withoutComparing(program.text))) {
    return { hazard: 'the awk program may run commands, write or read other files' };
  }
  const late = words.slice(at + 1).find(({ text }) => text.startsWith('-') || text.includes('='));
  return late === undefined ? { notPaths: [at] } : { hazard: `awk ${late.text} changes the program` };
}

/** Printing stands in braces: before the first of them `>` compares. `>=` and `||` are signs of their own everywhere. */
function withoutComparing(code: string): string {
  const at = code.indexOf('{');
  const [pattern, rest] = at === -1 ? [code, ''] : [code.slice(0, at), code.slice(at)];
  return `${pattern.replaceAll('>', ' ')}${rest.replace(/>=/g, ' ')}`.replace(/\|\|/g, ' ');
}

export function patternProfile(program: 'grep' | 'rg', words: readonly ShellWord[]): Profile {
  const option = findOption(words.slice(1), dangerousOptions[program] ?? {});
  if (option !== null) return { hazard: `${program} ${option} starts a program or reads a list from a file` };
  const flags =
    program === 'grep'
      ? /^(-[rRnilwvcHhEFPoqsxILaTZz]+|-[ABCm]\d+|--(include|exclude|exclude-dir|color|max-count)(=.*)?|--line-number|--recursive|--ignore-case|--count|--files-with-matches|--word-regexp|--extended-regexp|--fixed-strings)$/
      : /^(-[nilwvcFPoqsxSHNIU.]+|-[ABCm]\d+|--(glob|type|color|max-count)=.*|--line-number|--ignore-case|--count|--files-with-matches|--fixed-strings|--no-heading|--hidden)$/;
  const valued = program === 'grep' ? /^-[ABCm]$/ : /^-[ABCmgt]$/;
  const at = firstOperand(words, { flags, valued }) ?? words.length;
  return words[at] === undefined ? {} : { notPaths: [at] };
}

/** Filters that read what is no input of theirs: modules from anywhere, other files, the environment, another filter. */
const beyondInput =
  /(?<![.\w])(import|include|modulemeta|get_search_list|input_filename|env(subst)?|ENV|__prog\w*|strenv|load(_\w+)?|system|eval)\b/;
const queryFlags =
  /^(-[nrRsScCMeajPyY]+|--(null-input|raw-input|raw-output0?|slurp|compact-output|color-output|monochrome-output|sort-keys|exit-status|ascii-output|join-output|tab|seq|stream|stream-errors|unbuffered|prettyPrint|yaml-(in|out)put|(indent|output-format|input-format)=\w+)|-[opI]=?\w+)$/;
/** How many words behind it belong to an option. */
const queryValues: { readonly [option: string]: number } = { '--indent': 1, '--arg': 2, '--argjson': 2 };

/** `jq`, what is made after it, and the `yq` of two makers. */
export function queryProfile(program: string, words: readonly ShellWord[]): Profile {
  const option = findOption(words.slice(1), dangerousOptions[program] ?? {});
  if (option !== null) return { hazard: `${program} ${option} reads a file of its own choice, or writes one` };
  const at = filterAt(words);
  const code = at === null ? words.slice(1) : words.slice(at, at + 1);
  if (code.some(({ text }) => beyondInput.test(text)))
    return { hazard: `the ${program} filter may read other files or the environment` };
  return at === null || words[at] === undefined ? {} : { notPaths: [at] };
}

/** Null where an option stands before it that is not known. */
function filterAt(words: readonly ShellWord[]): number | null {
  let at = /^(e|ea|eval|eval-all)$/.test(words[1]?.text ?? '') ? 2 : 1;
  for (;;) {
    const text = words[at]?.text ?? '';
    const values = entryOf(queryValues, text);
    if (values !== undefined) at += values + 1;
    else if (queryFlags.test(text)) at++;
    else return text.startsWith('-') ? null : at;
  }
}
