import { type Plan, runTrial, type Trial } from './trial.ts';

/** Runs trials, a few at a time; they come back in the order of their numbers. */
export async function runTrials(
  plans: readonly Plan[],
  program: string,
  jobs: number,
  onTrial: (trial: Trial) => void = () => undefined,
): Promise<readonly Trial[]> {
  const left = [...plans];
  const trials: Trial[] = [];
  const worker = async () => {
    for (let plan = left.shift(); plan !== undefined; plan = left.shift()) {
      const trial = await runTrial(plan, program);
      trials.push(trial);
      onTrial(trial);
    }
  };
  await Promise.all(Array.from({ length: jobs }, worker));
  return trials.toSorted((a, b) => a.plan.number - b.plan.number);
}
