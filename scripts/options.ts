/** Options of a script. What it does not understand it refuses with its usage and exit code 2, before it does anything. */
import { parseArgs } from 'node:util';

type Options = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>['options']>;

/** Ends the script with code 2 when there is an option that it does not know. */
export function readOptions<T extends Options>(options: T, usage: string) {
  try {
    return parseArgs({ options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error), usage);
  }
}

/** A whole number of at least `min`; ends the script with code 2 for anything else. */
export function wholeNumber(name: string, text: string, min: number, usage: string): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(value) && value >= min) return value;
  return refuse(`${name} takes a whole number of at least ${min}, not ${JSON.stringify(text)}`, usage);
}

export function refuse(why: string, usage: string): never {
  process.stderr.write(`${why}\nusage: ${usage}\n`);
  process.exit(2);
}
