/** The figures of a matrix as text. */
import { effectNames } from './effects.ts';
import { killKinds } from './kill.ts';
import { planText, type Trial } from './trial.ts';

export interface Row {
  readonly kill: string;
  readonly effect: string;
  readonly trials: number;
  readonly inWindow: number;
  readonly duplicates: number;
  readonly losses: number;
  readonly falseReports: number;
  readonly asked: number;
  readonly hidden: number;
  /** Median milliseconds from the start of the resume to its first request, where no command still ran. */
  readonly resumeMs: number | null;
}

/** Where nobody was killed, nothing was tried: such a run stands in no row. */
export const realOf = (trials: readonly Trial[]): readonly Trial[] => trials.filter(({ killed }) => killed);

export function rowsOf(trials: readonly Trial[]): readonly Row[] {
  return killKinds.flatMap((kill) =>
    effectNames.flatMap((effect) => {
      const own = realOf(trials).filter(({ plan }) => plan.kill === kill && plan.effect === effect);
      return own.length === 0 ? [] : [{ kill, effect, ...sum(own) }];
    }),
  );
}

export function sum(all: readonly Trial[]): Omit<Row, 'kill' | 'effect'> {
  const trials = realOf(all);
  const total = (of: (trial: Trial) => number) => trials.reduce((sofar, trial) => sofar + of(trial), 0);
  const times = trials.flatMap(({ resumeMs, reattached }) => (resumeMs === null || reattached ? [] : [resumeMs]));
  return {
    trials: trials.length,
    inWindow: trials.filter(({ inWindow }) => inWindow).length,
    duplicates: total(({ duplicates }) => duplicates),
    losses: total(({ losses }) => losses),
    falseReports: total(({ falseReports }) => falseReports),
    asked: total(({ asked }) => asked),
    hidden: total(({ hidden }) => hidden),
    resumeMs: median(times),
  };
}

function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? null;
}

export function tableOf(trials: readonly Trial[]): string {
  const head = [
    'killed',
    'effect',
    'trials',
    'in window',
    'duplicates',
    'losses',
    'false reports',
    'asked / hidden',
    'resume ms',
  ];
  const cells = (row: Row) => [
    row.kill,
    row.effect,
    row.trials,
    row.inWindow,
    row.duplicates,
    row.losses,
    row.falseReports,
    `${row.asked} / ${row.hidden}`,
    row.resumeMs === null ? '' : Math.round(row.resumeMs),
  ];
  const all: Row = { kill: 'all', effect: '', ...sum(trials) };
  const own = realOf(trials).filter(({ plan }) => plan.confined);
  const confined: readonly Row[] =
    own.length === 0 ? [] : [{ kill: 'of them in the sandbox', effect: '', ...sum(own) }];
  return [head, head.map(() => '---'), ...[...rowsOf(trials), all, ...confined].map(cells)]
    .map((line) => `| ${line.join(' | ')} |`)
    .join('\n');
}

/** What stands beside the table. */
export function apartText(trials: readonly Trial[]): string {
  const again = trials.reduce((sofar, { drawnAgain }) => sofar + drawnAgain, 0);
  const never = trials.length - realOf(trials).length;
  return `${again} times nobody was killed at the instant, and another one was drawn; ${never} trials without a kill are not in the table`;
}

export const faultText = (trial: Trial): string => `${planText(trial.plan)}\n  ${trial.faults.join('\n  ')}`;
