/** Which variables of an environment hold secrets, by their names, and which values of those can be told apart. */

import { namesSecret } from '#lib';
import { writtenForms } from './written-forms.ts';

/** A longer value is no secret that anybody prints whole. */
const lengthMax = 16 * 1024;
/** A line of a longer value, such as a key of many lines, is known by itself. */
const lineMin = 16;

export interface KnownSecret {
  readonly name: string;
  readonly value: string;
}

/** Each in all forms in which it is written. Longest first, so that a secret inside another one does not hide the rest of it. */
export function secretVariables(env: { readonly [name: string]: string | undefined }): readonly KnownSecret[] {
  const known = Object.entries(env).flatMap(([name, value = '']) => {
    if (!namesSecret(name) || value.length > lengthMax) return [];
    const lines = value.split('\n').filter((line) => line.length >= lineMin);
    const telling = [value, ...lines].filter(isTelling);
    return telling.flatMap(writtenForms).map((one) => ({ name, value: one }));
  });
  return known.sort((a, b) => b.value.length - a.value.length);
}

/** A short word, a path or an address would be found everywhere, and says nothing. */
function isTelling(value: string): boolean {
  if (value.trim().length < 8) return false;
  if (/^[a-z_-]{1,19}$/i.test(value) || /^\d{1,11}$/.test(value)) return false;
  return !/^(?:[/~]|\.{1,2}\/|[a-z][a-z+.-]*:\/\/[^@]*$)/i.test(value);
}
