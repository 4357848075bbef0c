/** How a run is told while it happens and when it ends, by output format. */
import type { Fact } from '#kernel';
import type { Session } from '#runtime';
import {
  callTitle,
  createNarrator,
  type Ending,
  oneLine,
  openUnknowns,
  pendingApprovals,
  plain,
  type ResultObject,
  resultObject,
  type Standing,
  sandboxText,
  standingOf,
  type UnknownOutcome,
} from '#surfaces/view';
import type { CliIo, OpenedSession } from '../contract.ts';
import type { OutputFormat } from '../options/values.ts';
import { coloured, shownDiff } from './diff-text.ts';
import { factLine, isChain } from './fact-line.ts';
import type { Printer } from './printer.ts';
import { initEvent, streamEvents } from './stream-json.ts';
import { type Style, styleFor } from './style.ts';

const evidenceLinesMax = 8;

export interface Reporter {
  /** Ends the report and returns the exit code. */
  finish(ending: Ending): number;
}

export interface ReportOptions {
  readonly format: OutputFormat;
  readonly verbose: boolean;
  readonly version: string;
  readonly io: CliIo;
  readonly printer: Printer;
}

/** Reports facts after `fromSeq`; earlier ones were reported by an earlier command. */
export function report(opened: OpenedSession, fromSeq: number, options: ReportOptions): Reporter {
  const { session, mask } = opened;
  const { printer, format } = options;
  /** What is told while it happens, with what a model put into its calls. */
  const teller: Printer = { ...printer, note: (line) => printer.note(mask.text(line)) };
  const style = styleFor(options.io, options.io.stderr);
  const stops: (() => void)[] = [];

  for (const notice of opened.notices) printer.note(`belay: ${notice}`);
  if (format === 'stream-json') {
    const events = streamEvents(session.sessionId);
    const write = (value: object) => printer.out(JSON.stringify(mask.json(value)));
    write(initEvent(opened, options.version));
    stops.push(session.subscribe(fromSeq, (fact) => events(fact).forEach(write)));
  }
  if (options.verbose) stops.push(tellFacts(opened, fromSeq, teller, style));
  else if (format === 'text' && options.io.stderr.isTTY === true) {
    stops.push(tellLive(opened, fromSeq, teller, style));
  } else stops.push(tellFailedHooks(opened, fromSeq, teller));

  return {
    finish(ending) {
      for (const stop of stops) stop();
      const standing = standingOf(session.state, ending);
      if (format === 'text') finishText(opened, standing, { ...options, printer: teller }, style);
      else {
        const result: ResultObject = resultObject(session.sessionId, session.state, session, opened.priced, ending);
        printer.out(JSON.stringify(mask.json(result)));
        if (standing.message !== '' && standing.exitCode !== 0) teller.note(`belay: ${plain(standing.message)}`);
      }
      return standing.exitCode;
    },
  };
}

/** One line per fact, with its causes. */
function tellFacts(opened: OpenedSession, fromSeq: number, printer: Printer, style: Style): () => void {
  const narrate = createNarrator();
  return opened.session.subscribe(1, (fact) => {
    const told = narrate(opened.mask.json(fact));
    if (fact.seq >= fromSeq && isChain(fact)) printer.note(factLine(told, style));
  });
}

/** What a person relies on and did not happen is told in every format, and each such sentence once. */
function tellFailedHooks(opened: OpenedSession, fromSeq: number, printer: Printer): () => void {
  const told = new Set<string>();
  return opened.session.subscribe(fromSeq, (fact) => {
    if (fact.type !== 'hook.failed' || told.has(fact.message)) return;
    told.add(fact.message);
    printer.note(`belay: a hook failed: ${plain(oneLine(opened.mask.text(fact.message), 400))}`);
  });
}

/** On a terminal: the model's words as they come, and one line per call. */
function tellLive(opened: OpenedSession, fromSeq: number, printer: Printer, style: Style): () => void {
  // Those that an earlier command left open are not told again.
  const open = opened.mask.json(opened.session.state.turn?.open ?? []);
  const titles = new Map(open.map(({ actionId, tool, args }) => [actionId, callTitle(tool, args)]));
  let midLine = false;
  const endLine = () => {
    if (midLine) printer.note('');
    midLine = false;
  };
  const line = (text: string) => {
    endLine();
    printer.note(text);
  };
  const stopDeltas = opened.session.onDelta((delta) => {
    if (delta.kind !== 'model' || delta.delta.kind !== 'text') return;
    printer.stream(plain(delta.delta.text));
    midLine = !delta.delta.text.endsWith('\n');
  });
  const stopFacts = opened.session.subscribe(fromSeq, (fact) => {
    // Before anything is cut: the beginning of a secret is not found as one.
    const shown = opened.mask.json(fact);
    if (shown.type === 'action.intended') titles.set(shown.actionId, callTitle(shown.tool, shown.args));
    const told = liveLine(shown, titles, style);
    if (told !== null) line(told);
    else if (fact.type === 'model.response') endLine();
  });
  return () => {
    endLine();
    stopDeltas();
    stopFacts();
  };
}

function liveLine(fact: Fact, titles: ReadonlyMap<string, string>, style: Style): string | null {
  switch (fact.type) {
    case 'attempt.outcome': {
      const mark = fact.status === 'succeeded' && (fact.exitCode ?? 0) === 0 ? style.green('✓') : style.red('✗');
      const exit = fact.exitCode === undefined ? '' : `exit ${fact.exitCode}`;
      const how = fact.status === 'succeeded' ? exit : `${fact.status}${exit === '' ? '' : `, ${exit}`}`;
      return `${mark} ${titles.get(fact.actionId) ?? fact.actionId}${how === '' ? '' : style.dim(`  ${how}`)}`;
    }
    case 'action.verdict':
      return fact.verdict === 'allow'
        ? null
        : `${style.red('✗')} ${titles.get(fact.actionId) ?? fact.actionId}${style.dim(`  ${fact.verdict}, by ${fact.by}`)}`;
    case 'sandbox.probed':
      return style.dim(`sandbox: ${sandboxText(fact)}`);
    case 'hook.failed':
      return style.red(`! a hook failed: ${oneLine(fact.message, 400)}`);
    case 'model.failed':
      return style.red(`! ${oneLine(fact.failure.message, 160)}`);
    case 'evidence.recorded':
      return `${fact.passed ? style.green('✓') : style.red('✗')} evidence: ${oneLine(fact.check, 80)}, exit ${fact.exitCode}`;
    case 'completion.verdict':
      return fact.accepted ? null : style.yellow(`! not accepted as done: ${fact.reason}`);
    default:
      return null;
  }
}

function finishText(
  opened: OpenedSession,
  standing: Standing,
  { printer, io, verbose }: ReportOptions,
  style: Style,
): void {
  const { session, mask } = opened;
  const wasStreamed = !verbose && io.stdout.isTTY === true && io.stderr.isTTY === true;
  if (standing.text.trim() !== '' && !wasStreamed) printer.out(plain(mask.text(standing.text)));
  const id = session.sessionId;
  if (standing.exitCode === 0) printer.note(doneLine(standing, session, style));
  else {
    printer.note(style.bold(`Stopped (${standing.exitCode}): ${plain(standing.message || standing.reason)}`));
    if (standing.next !== '') printer.note(`  ${plain(standing.next)}`);
  }
  for (const item of pendingApprovals(session.state, session.find(['approval.requested']), mask.json)) {
    printer.note(`  waits for approval: ${item.title} (${oneLine(item.reason, 100)})`);
    if (item.preview !== null) printer.note(coloured(shownDiff(item.preview), style).replace(/^/gm, '    | '));
    printer.note(`    belay approve ${id} ${item.actionId}   or   belay deny ${id} ${item.actionId}`);
  }
  for (const item of openUnknowns(session.state, session.find(['action.intended', 'attempt.outcome']), mask.json)) {
    printer.note(`  outcome unknown: ${item.title}`);
    for (const told of evidenceLines(item)) printer.note(`    | ${told}`);
    printer.note(`    belay settle ${id} ${item.actionId} applied|not-applied|unknown`);
  }
  printer.note(`session: ${id}`);
  printer.note(standing.exitCode === 0 ? `go on:   belay resume ${id} "…"` : `resume:  belay resume ${id}`);
  printer.note(`change:  belay diff ${id}`);
}

/** The end of what the world shows, which is where a reason stands; the whole is in `belay sessions show`. */
function evidenceLines({ evidence, settling }: UnknownOutcome): readonly string[] {
  const lines = evidence.trimEnd().split('\n');
  const shown = lines.slice(-evidenceLinesMax).map((text) => oneLine(text, 160));
  const before = lines.length > shown.length ? [`[${lines.length - shown.length} lines before]`] : [];
  return [...before, ...shown, ...(settling === null ? [] : [oneLine(`${settling.probe}: ${settling.observed}`, 160)])];
}

function doneLine(standing: Standing, session: Pick<Session, 'find'>, style: Style): string {
  if (standing.verified === null) return style.yellow('Ended. No check is declared, so nothing was verified.');
  const passed = [...session.find(['evidence.recorded'])].findLast((fact) => fact.passed);
  const at = passed === undefined ? '' : ` by ${oneLine(passed.check, 80)} at revision ${passed.revision.slice(0, 12)}`;
  return style.green(`Accepted: verified${at}.`);
}
