import { randomFillSync } from 'node:crypto';
import { makeId } from '#lib';

/** A fresh identity from the system's randomness. */
export const newId = (): string => makeId((bytes) => randomFillSync(bytes));
