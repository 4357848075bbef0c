/**
 * Programs of which nothing else is known. Anyone can install one that starts what it is given, so words that look as if
 * they named a command, a piece of code or what loads some are taken for it.
 */
import type { Profile } from '../analysis.ts';
import type { ShellWord } from '../shell-word.ts';
import { inOrder } from './wrappers.ts';

const list = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** No option or operand of theirs starts anything or loads code. */
const harmless = list(
  'base32 base64 basename cat cksum clear cmp column comm cut df dirname dir expand factor fmt fold free groups head hexdump id iostat join last link ln logname look ls lsblk lsof lscpu md5 md5sum mkdir mkfifo mktemp nl nm nproc numfmt objdump od paste pathchk pgrep ping pr printenv ps pstree readelf readlink realpath rev rmdir seq sha1sum sha224sum sha256sum sha384sum sha512sum size sleep ss stat strings stty sum sync tac tail touch tput tr tsort tty uname unexpand uniq uptime users vdir vmstat w wc who whoami xxd yes',
);

/** Parts of the names of options that start programs, load code or say where more options stand. */
const loading = list(
  'eval exec execute expr command commands cmd shell hook hooks pager editor browser viewer plugin plugins extension extensions preload require requires load loader register import setup addon addons script scripts interpreter wrapper launcher program extractor bootstrap lua on pythonpath config conf configuration rcfile',
);
/** Letters behind which code stands, where it is not a plain word. */
const coding = /^-[A-Za-z]?[ecxE]$/;
const attached = /^-[ecxE](?=.*[\s;|&(){}<>$`"'!])/s;
const plainValue = /^[\w./:=,@%+~^-]*$/;

/** Commands behind which a command line stands. */
const starting = list('exec run spawn launch dlx devenv');
/** Commands that take code, from their words or from whoever types it. */
const taking = list('eval repl console shell develop runner script tinker execute cmd runghc ghc ghci utop');
/** What these run, their settings say: the words behind `run` only choose. */
const choosing = list('cypress dbt flask golangci-lint k6 lefthook moon newman pre-commit');

export const isHarmless = (program: string): boolean => harmless.has(program);

export function unknownProfile(program: string, words: readonly ShellWord[]): Profile {
  if (isHarmless(program)) return {};
  const option = words.find(({ text }, at) => isLoading(text) || takesCode(text, words[at + 1]?.text));
  if (option !== undefined) return { hazard: `${program} ${option.text} may run code or load it` };
  const end = words.findIndex(({ text }) => text === '--');
  const verb = verbAt(words);
  const name = words[verb]?.text ?? '';
  if (taking.has(name)) return { hazard: `${program} ${name} may run code` };
  const isStarting = starting.has(name) && !choosing.has(program);
  const behind = isStarting ? verb : end;
  return behind === -1 ? {} : inOrder(program, words.slice(behind + 1));
}

/** Whether the name of an option says that it loads or starts something. */
export function isLoading(text: string): boolean {
  const name = /^--?((?!no-)[A-Za-z][\w.-]+)/.exec(text)?.[1];
  if (name === undefined) return false;
  const parts = [name, name.replace(/[A-Z]/g, (letter) => `-${letter}`)].flatMap((one) => one.split(/[-_.]/));
  return parts.some((part) => loading.has(part.toLowerCase())) || isBeginning(name.toLowerCase());
}

/** Many parsers of options take any unique beginning of a name; these are names of their own. */
const whole = list('page view');
const loadingNames = [...loading];
const isBeginning = (name: string): boolean =>
  name.length > 3 && !whole.has(name) && loadingNames.some((one) => one.startsWith(name));

const takesCode = (text: string, next: string | undefined): boolean =>
  attached.test(text) || (coding.test(text) && next !== undefined && !plainValue.test(next));

/** Where the command of a program stands: it is its first operand, unless that may be the value of an option. */
function verbAt(words: readonly ShellWord[]): number {
  const isVerb = ({ text }: ShellWord): boolean => starting.has(text) || taking.has(text);
  const first = words.findIndex(({ text }, at) => at > 0 && !text.startsWith('-'));
  return first > 1 ? words.findIndex(isVerb) : first;
}
