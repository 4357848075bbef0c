/**
 * Reads a shell text and lists every command that it could run, every file that it redirects to or from, and every
 * doubt.
 *
 * 1. What is not listed here cannot run, or there is a doubt: unknown syntax, errors of the parser, depth and length
 *    beyond the limits, command words that get their value when they run.
 * 2. Nothing is run, expanded or looked up; the answer depends on the text alone.
 * 3. The work grows linearly with the text.
 */
import type { Analysis } from './analysis.ts';
import { type Collector, createCollector } from './collector.ts';
import { everyCommand } from './every-command.ts';
import { loadParser, type Parse } from './load-parser.ts';
import type { ShellWord } from './shell-word.ts';
import { walkScript } from './walk-script.ts';

/** UTF-16 units of a text that is read; people cannot judge longer ones either. */
const textLengthMax = 20_000;

/** Texts that are read because one of them may be run. */
const guessesMax = 20;

/** Never throws. */
export async function analyse(text: string): Promise<Analysis> {
  return analyseWith(await loadParser(), text);
}

function analyseWith(parse: Parse, text: string): Analysis {
  const guessed = new Set<string>();
  const collect = (whole: string): Analysis => {
    const collector: Collector = createCollector((script, depth) => read(collector, script, depth), guessText);
    read(collector, whole, 0);
    return collector.result();
  };
  const guessText = (script: string): readonly (readonly ShellWord[])[] => {
    if (guessed.has(script) || guessed.size >= guessesMax) return [];
    guessed.add(script);
    const { commands, perhaps = [] } = collect(script);
    const certain = everyCommand(commands).map(({ words }) => words);
    return [...certain, ...commands.flatMap((one) => one.perhaps ?? []), ...perhaps];
  };
  const read = (collector: Collector, script: string, depth: number): void => {
    const fault = unreadable(script);
    if (fault !== null) {
      collector.doubt(fault);
      return;
    }
    try {
      walkScript(parse(script), collector, depth, { source: script });
    } catch {
      collector.doubt('the command cannot be parsed');
    }
  };
  const analysis = collect(text);
  const empty = analysis.commands.length === 0 && analysis.writes.length === 0 && analysis.doubts.length === 0;
  return empty ? { ...analysis, doubts: ['there is no command'] } : analysis;
}

function unreadable(text: string): string | null {
  if (text.length > textLengthMax) return 'the command is too long to analyse';
  // Control characters and invisible ones are shown to nobody who approves, and shells disagree on some of them.
  if (/[\0-\x08\x0b-\x1f\x7f]/.test(text)) return 'the command holds control characters';
  if (/\p{Cf}|\p{Cs}/u.test(text)) return 'the command holds invisible characters';
  // Behind a process substitution a # goes on with the word; the parser takes it for a comment.
  if (/[<>]\(/.test(text) && text.includes('#')) return 'a process substitution stands beside a #';
  if (text.includes('$[')) return 'it evaluates arithmetic in an old form';
  // The parser reads on behind the line's end; some shells put the lines together first.
  if (/[$<>]\\\n|[\d}](\\\n)+[<>]|\{\w*\\\n[\w\\\n]*\}[<>]/.test(text)) return 'a line goes on in the middle of a sign';
  return null;
}
