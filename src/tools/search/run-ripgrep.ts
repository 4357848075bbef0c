import { type Failure, makeFailure } from '#kernel';
import { ripgrepProgram, ruleOptions, runTool, type ToolResult, type Workspace } from '#workspace';
import { cutText } from '../text/number-lines.ts';
import { ruleGuard } from './rule-guard.ts';
import { visibleText } from './search-scope.ts';

const timeoutMs = 30_000;
/** More than any search of ours needs. */
const memoryBytesMax = 1024 * 1024 * 1024;

export type RipgrepRun =
  | {
      readonly ok: true;
      readonly stdout: string;
      /** More was found than is in `stdout`. */
      readonly truncated: boolean;
      /** What the reader should know: of rules that did not count, and of what could not be read. */
      readonly notes: readonly string[];
    }
  | { readonly ok: false; readonly failure: Failure };

/**
 * Options of every run: the user's ripgrep configuration is not read, hidden files count, git's own data does not, and
 * links are not followed.
 */
const fixed = ['--no-config', '--color=never', '--hidden', '--no-ignore-global', '--glob=!.git'];

/**
 * Runs ripgrep in the root. No match is an empty answer; a faulty pattern is a failure that explains itself. Files come
 * in no order, because ripgrep would sort with one thread only; an answer above `outputBytesMax` comes in the order of
 * paths, so that equal trees are cut at equal places. With `taking` the output is handed on as it comes and not kept; the
 * second run of a cut answer asks for another taker. Rule files that are no files are found by their effect: they hold it
 * up, and it runs again without their kind.
 */
export async function runRipgrep(
  workspace: Workspace,
  args: readonly string[],
  signal: AbortSignal,
  outputBytesMax: number,
  taking?: () => (chunk: Uint8Array) => void,
): Promise<RipgrepRun> {
  const program = await ripgrepProgram(workspace.processes);
  if (program === null) {
    const failure = makeFailure('tool', 'ripgrep is not installed.', 'Search with a Bash command.', {
      blame: 'environment',
    });
    return { ok: false, failure };
  }
  const guard = ruleGuard(workspace);
  const rules = ruleOptions(workspace.root);
  const runWith = (more: readonly string[]) =>
    guard.watch(signal, (options, stopped) =>
      runTool(program, [...fixed, ...rules, ...options, ...more, ...args], {
        cwd: workspace.root,
        env: {},
        timeoutMs,
        outputBytesMax,
        memoryBytesMax,
        signal: stopped,
        isAlone: true,
        ...(taking === undefined ? {} : { onOutput: taking() }),
      }),
    );
  let run = await runWith([]);
  if (run.truncated && !run.timedOut && !signal.aborted) run = await runWith(['--sort=path']);
  if (signal.aborted) {
    return { ok: false, failure: makeFailure('cancelled', 'The search was cancelled.', 'Search again if needed.') };
  }
  if (run.timedOut) {
    const failure = makeFailure('timeout', 'The search took longer than 30 s.', 'Search a smaller path or glob.');
    return { ok: false, failure };
  }
  if (run.tookTooMuch === true) {
    const failure = makeFailure('tool', 'The search took more than 1 GiB of memory.', 'Search a smaller path or glob.');
    return { ok: false, failure };
  }
  const stdout = new TextDecoder('utf-8').decode(run.stdout);
  const unread = isWordless(run) ? null : unreadIn(run, stdout !== '');
  if (unread === null && (run.exitCode !== 2 || isWordless(run))) {
    const how = run.exitCode === null ? 'was killed' : `ended with code ${run.exitCode}`;
    const said = isWordless(run) ? `${how} without a word` : `failed (${run.stderr.trim().slice(0, 200)})`;
    const what = `ripgrep ${said}, so what it found cannot be relied on.`;
    return { ok: false, failure: makeFailure('tool', what, 'Search again, or with a Bash command.') };
  }
  if (unread === null) return { ok: false, failure: searchFailure(run.stderr) };
  return { ok: true, stdout, truncated: run.truncated, notes: [...guard.notes(), ...unreadNote(unread)] };
}

/**
 * What an answer leaves out, as ripgrep words it; null where there is no answer. With code 2 it searched all that it could
 * read; with any other but 0 and 1 it did not come to its end, whatever it had found until then.
 */
export function unreadIn(
  { exitCode, stderr, truncated }: Pick<ToolResult, 'exitCode' | 'stderr' | 'truncated'>,
  hasOutput: boolean,
): readonly string[] | null {
  if (exitCode === 2) return unreadOf(stderr) ?? (hasOutput || truncated ? [stderr.trim()] : null);
  return exitCode === 0 || exitCode === 1 || truncated ? [] : null;
}

/** It ended neither with an answer nor with a reason. An answer that is cut is one: then it was ended by us. */
export const isWordless = ({ exitCode, stderr, truncated }: Pick<ToolResult, 'exitCode' | 'stderr' | 'truncated'>) =>
  exitCode !== 0 && exitCode !== 1 && !truncated && stderr.trim() === '';

/** What it could not read, with the reason; null where it complains of something else too. */
export function unreadOf(stderr: string): readonly string[] | null {
  const complaints = stderr.trim().split(/\n(?=rg: )/);
  const found = complaints.map((line) => /^rg: (?:\.\/)?(.+) \(os error \d+\)$/s.exec(line)?.[1]);
  return found.every((one) => one !== undefined) ? found : null;
}

const UNREAD_MAX = 3;
const UNREAD_LENGTH_MAX = 200;

function unreadNote(unread: readonly string[]): readonly string[] {
  if (unread.length === 0) return [];
  const shown = unread.slice(0, UNREAD_MAX).map((one) => visibleText(cutText(one, UNREAD_LENGTH_MAX)));
  const more = unread.length > UNREAD_MAX ? ` and ${unread.length - UNREAD_MAX} more` : '';
  return [`(not everything could be read: ${shown.join('; ').replaceAll('\n', '\\n')}${more})`];
}

/** What ripgrep refuses, by its words, with what to send instead. */
const refusals: readonly (readonly [words: RegExp, next: string])[] = [
  [/look-around/, 'Write it without look-ahead and look-behind: search for the plain part, then read the places.'],
  [/backreferences/, 'Write it without back-references: search for one of the texts, then read the places.'],
  [/literal "?\\[nr]|multiline/, 'Set multiline to true to match over line ends.'],
  [/size limit|too big|exceeds/, 'Use smaller repetition counts, or several searches.'],
  [/unrecognized file type/, 'Leave type out and give a glob such as *.ts.'],
];

function searchFailure(stderr: string): Failure {
  const message = stderr
    .replaceAll(/^rg: /gm, '')
    .replace(/\n\s*Consider enabling[\s\S]*$/, '')
    .trim()
    .slice(0, 600);
  const known = refusals.find(([words]) => words.test(message))?.[1];
  if (/regex|parse error|unclosed|literal/i.test(message)) {
    return makeFailure(
      'schema',
      `The pattern is no valid regular expression (Rust syntax):\n${message}`,
      known ?? 'Escape what is meant literally, for example \\( \\{ \\[ \\. , and search again.',
      { signature: 'schema: search pattern' },
    );
  }
  return makeFailure('tool', message === '' ? 'The search failed.' : message, known ?? 'Check path and glob.');
}
