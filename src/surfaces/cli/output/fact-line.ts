import type { Fact } from '#kernel';
import type { Told } from '#surfaces/view';
import type { Style } from './style.ts';

/** `   12 action.verdict      allow Edit src/slug.js, by person  ← 10` */
export function factLine(told: Told, style: Style): string {
  const causes = told.causes.length === 0 ? '' : style.dim(`  ← ${told.causes.join(', ')}`);
  return `${style.dim(String(told.seq).padStart(5))} ${style.cyan(told.type.padEnd(19))} ${told.text}${causes}`;
}

const bookkeeping: ReadonlySet<Fact['type']> = new Set(['step.start', 'step.end', 'phase.enter']);

/** Facts that tell how the work goes; `belay log` shows the others too. */
export const isChain = (fact: Fact): boolean => !bookkeeping.has(fact.type);
