/**
 * The programs that only read, each with the options under which that is so. An option that is not here, or a value
 * that could be an option of another program, makes the command unknown; that is meant. So do options that follow the
 * links which a search comes across, because nobody looked where they lead, and those that read a list of files.
 */
import { gitReads } from './git.ts';

interface Reader {
  /** Every word that begins with `-` must fit; absent: none may stand there. */
  readonly options?: RegExp;
  /** Words that do not begin with `-`; absent: any number of any. */
  readonly operands?: (operands: readonly string[]) => boolean;
}

/** Programs that have no option that writes or starts anything. */
const any: Reader = { options: /^-/ };
const none = (operands: readonly string[]): boolean => operands.length === 0;
/** A second operand would be a file that is written. */
const one = (operands: readonly string[]): boolean => operands.length <= 1;

/** Not with links followed, which has other letters on other systems. */
const searching: Reader = { options: /^-(?!-)[^ROS]*$|^--(?!d)/ };
/** Not with a list of what is to be checked: it names files. */
const sum: Reader = { options: /^-[btz]+$|^-a\w*$|^--(binary|text|tag|zero|algorithm=\w+)$/ };

const readers: { readonly [program: string]: Reader } = {
  ':': any,
  true: any,
  false: any,
  echo: any,
  printf: {},
  pwd: any,
  ls: { options: /^-(?!-)[^L]*$|^--(?!de)/ },
  cat: any,
  nl: any,
  tac: any,
  rev: any,
  wc: { options: /^-[clLmw]+$|^--(bytes|chars|lines|max-line-length|words)$/ },
  head: any,
  tail: { options: /^-\d+$|^-[qvz]+$|^-[nc][+]?\d*$|^--(lines|bytes)=[+]?\d+$/ },
  cut: any,
  tr: any,
  paste: any,
  fold: any,
  expand: any,
  comm: any,
  cmp: any,
  basename: any,
  dirname: any,
  realpath: any,
  readlink: any,
  stat: any,
  du: { options: /^-[abchkmsxSDH0]+$|^-d\d*$|^--(max-depth=\d+|apparent-size|human-readable|summarize|total)$/ },
  df: any,
  id: any,
  whoami: any,
  uname: any,
  nproc: any,
  which: any,
  type: any,
  printenv: any,
  // Not -v and -R: they evaluate a subscript, which may run a command.
  test: { options: /^-([abcdefhLnoprstuwxz]|eq|ne|lt|gt|le|ge|nt|ot|ef)$/ },
  '[': { options: /^-([abcdefhLnoprstuwxz]|eq|ne|lt|gt|le|ge|nt|ot|ef)$/ },
  seq: any,
  od: any,
  hexdump: { options: /^-[bcCdovx]+$|^-[ns]\d*$/ },
  // A word that begins with @ names a file of options.
  strings: { options: /^-/, operands: (operands) => !operands.some((operand) => operand.startsWith('@')) },
  md5sum: sum,
  sha1sum: sum,
  sha256sum: sum,
  sha512sum: sum,
  cksum: sum,
  hostname: { operands: none },
  date: {
    options: /^-(u|I\w*|R)$|^--(utc|iso-8601(=\w+)?|rfc-3339=\w+)$/,
    operands: (operands) => operands.every((operand) => operand.startsWith('+')),
  },
  diff: { options: /^-[abBcdeiNnpqstTuUwy\d]+$|^--(brief|unified(=\d+)?|ignore-[a-z-]+|color=never)$/ },
  sort: { options: /^-[bdfghiMnrRVcsuz]+$|^-k[\d.,bdfgihMnRrV]*$|^-t[^o]?$|^--(reverse|unique|numeric-sort)$/ },
  uniq: { options: /^-[cduiz]+$|^-[fsw]\d+$|^--(count|repeated|unique|ignore-case)$/, operands: one },
  file: { options: /^-[bhiLN]+$|^--(brief|mime|mime-type|mime-encoding)$/ },
  base64: { options: /^-[dw]\d*$|^--(decode|wrap=\d+)$/ },
  xxd: { options: /^-[pu]$|^-[lscg]\d+$/, operands: one },
  jq: {
    options: /^-[cCMrsSnejRa]+$|^--(raw-output|compact-output|sort-keys|slurp|exit-status|tab|arg|argjson)$/,
    // The program itself may load others, from any folder, and look at what surrounds it.
    operands: (operands) => !operands.some((operand) => beyondInput.test(operand)),
  },
  tree: { options: /^-[adfLphsDugCF\d]+$|^--(dirsfirst|gitignore|prune|noreport)$/ },
  grep: searching,
  egrep: searching,
  fgrep: searching,
  // What `isPlain` refuses is not repeated here; z is, because it starts programs that unpack.
  rg: { options: /^-[A-KM-Ya-y0-9.]+$|^-[gtTe].*|^--(?!pre|hostname-bin|search-zip|config|file|follow)/ },
  fd: { options: /^-[HIsigap0]+$|^-[tedE].*|^--(hidden|no-ignore|type=\w+|extension=\w+|max-depth=\d+|glob)$/ },
  find: {
    options:
      /^-(H|P|name|iname|path|ipath|wholename|regex|iregex|type|xtype|maxdepth|mindepth|newer|mtime|mmin|atime|ctime|size|empty|perm|user|group|links|print|print0|prune|not|o|a|or|and|depth|mount|xdev|readable|writable|executable|quit|ls)$/,
  },
  sed: {
    options: /^(-n|--quiet|--silent)$/,
    operands: ([script = '', ...files]) => printsLines(script) && files.length > 0,
  },
};

const beyondInput = /\b(import|include|modulemeta|get_search_list|input_filename|env|ENV|__prog\w*)\b/;

/** Line numbers and `p`: what shows part of a file. Other scripts may write files. */
const printsLines = (script: string): boolean =>
  script.split(';').every((part) => /^\s*(\d+|\$)(,(\d+|\$|\+\d+))?p\s*$/.test(part));

/** Whether a program with these words only reads, wherever its paths lie. */
export function readsByWords([program = '', ...args]: readonly string[]): boolean {
  if (program === 'git') return gitReads(args);
  const reader = Object.hasOwn(readers, program) ? readers[program] : undefined;
  if (reader === undefined) return false;
  const { options, operands } = reader;
  const isOption = (word: string): boolean => word.startsWith('-') && word !== '-' && word !== '--';
  if (args.some((word) => isOption(word) && options?.test(word) !== true)) return false;
  return operands === undefined || operands(args.filter((word) => !isOption(word)));
}
