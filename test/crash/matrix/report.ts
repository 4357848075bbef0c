/** The figures of a matrix as text. */
import { effectNames } from './effects.ts';
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

export function rowsOf(trials: readonly Trial[]): readonly Row[] {
  const kinds = [...new Set(trials.map(({ plan }) => plan.kill))];
  return kinds.flatMap((kill) =>
    effectNames.flatMap((effect) => {
      const own = trials.filter(({ plan }) => plan.kill === kill && plan.effect === effect);
      return own.length === 0 ? [] : [{ kill, effect, ...sum(own) }];
    }),
  );
}

export function sum(trials: readonly Trial[]): Omit<Row, 'kill' | 'effect'> {
  const total = (of: (trial: Trial) => number) => trials.reduce((all, trial) => all + of(trial), 0);
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
  const own = trials.filter(({ plan }) => plan.confined);
  const confined: readonly Row[] =
    own.length === 0 ? [] : [{ kill: 'of them in the sandbox', effect: '', ...sum(own) }];
  return [head, head.map(() => '---'), ...[...rowsOf(trials), all, ...confined].map(cells)]
    .map((line) => `| ${line.join(' | ')} |`)
    .join('\n');
}

export const faultText = (trial: Trial): string => `${planText(trial.plan)}\n  ${trial.faults.join('\n  ')}`;
