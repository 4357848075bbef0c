/** One trial: a run that is killed at a cut, resumed by the real program in a new process, and looked at. */
import { readFileSync } from 'node:fs';
import { openStore } from '#ledger';
import type { Cut } from './cut.ts';
import {
  faultsOf,
  linesIn,
  makePlace,
  type PlaceOptions,
  resumeArguments,
  runArguments,
  runBelay,
  SESSION,
  startAgent,
} from './scenario.ts';

export interface Trial {
  readonly cut: Cut;
  /** Whether the cut was reached; a run that came to its end says nothing about it. */
  readonly killed: boolean;
  /** The goal was in the ledger. Before that nothing can have happened, and there is nothing to go on with. */
  readonly begun: boolean;
  readonly faults: readonly string[];
}

async function killOnce(cut: Cut, options: PlaceOptions = {}): Promise<Trial> {
  const place = makePlace(options);
  try {
    const first = await startAgent(place, runArguments(place), cut).ended;
    if (first.signal !== 'SIGKILL') {
      return {
        cut,
        killed: false,
        begun: true,
        faults: await faultsOf(place, first),
      };
    }
    const begun = await hasGoal(place.home);
    const second = await runBelay(place, resumeArguments);
    if (begun) return { cut, killed: true, begun, faults: await faultsOf(place, second) };
    const nothing = linesIn(place.testRuns) + linesIn(place.commandRuns) === 0;
    const text = readFileSync(`${place.work}/sum.mjs`, 'utf8');
    const faults = [
      ...(second.code === 42 ? [] : [`a session without a goal: exit ${second.code}: ${second.stderr}`]),
      ...(nothing && text.includes('a - b') ? [] : ['something happened before the goal was recorded']),
    ];
    return { cut, killed: true, begun, faults };
  } finally {
    place.remove();
  }
}

/** Killed in the run, killed again in the resume, and then left alone. Points beyond an end are no points. */
export async function killTwice(first: Cut, second: Cut, options: PlaceOptions = {}): Promise<readonly string[]> {
  const place = makePlace(options);
  try {
    await startAgent(place, runArguments(place), first).ended;
    if (!(await hasGoal(place.home))) return [];
    await startAgent(place, resumeArguments, second).ended;
    return (await faultsOf(place, await runBelay(place, resumeArguments))).map(
      (fault) => `${JSON.stringify([first, second])}: ${fault}`,
    );
  } finally {
    place.remove();
  }
}

async function hasGoal(home: string): Promise<boolean> {
  try {
    const { facts } = await openStore({ home }).openReader(SESSION);
    return facts.some((fact) => fact.type === 'session.start');
  } catch {
    return false;
  }
}

/** Runs trials, two at a time. */
export async function killAll(cuts: readonly Cut[], options: PlaceOptions = {}): Promise<readonly Trial[]> {
  const trials: Trial[] = [];
  const left = [...cuts];
  const worker = async () => {
    for (let cut = left.shift(); cut !== undefined; cut = left.shift()) trials.push(await killOnce(cut, options));
  };
  await Promise.all([worker(), worker()]);
  return trials;
}
