/** A number with its noun: `1 fact`, `2 facts`. */
export const counted = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`;
