import { type BigIntStats, lstatSync } from 'node:fs';
import { isMissing } from '../error-code.ts';

/** What is at a path, links not followed; undefined where nothing is, or a file stands where a folder on the way was. */
export function statAt(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
