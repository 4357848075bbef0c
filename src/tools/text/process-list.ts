/** Processes that one line names. */
const namedMax = 10;

/** Process ids as a text; of many the first, and how many more there are. */
export function processList(pids: readonly number[]): string {
  const named = pids.slice(0, namedMax).join(', ');
  return pids.length <= namedMax ? named : `${named} and ${pids.length - namedMax} more`;
}
