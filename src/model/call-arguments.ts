import type { Json } from '#kernel';
import { messageOf } from '#lib';

export interface CallArguments {
  readonly args: Json;
  /** Why the text is no argument object; then `args` is empty and must not run. */
  readonly malformed?: string;
}

/** Deeper values cannot be stored as facts, and no tool needs them. */
const DEPTH_MAX = 100;

/**
 * The arguments of a call from the provider's raw text. Parsed strictly and never repaired: a text that is no JSON
 * object gives `malformed`, a sentence with the position that the model is shown, and empty `args` that never run.
 */
export function parseCallArguments(text: string): CallArguments {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    return bad(`the arguments are not valid JSON: ${positioned(messageOf(thrown), text)}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return bad(`the arguments must be one JSON object, not ${nameOf(value)} (at position 0)`);
  }
  if (isDeeper(value, DEPTH_MAX)) return bad(`the arguments are nested deeper than ${DEPTH_MAX} levels`);
  if (hasInfinity(value)) return bad('a number of the arguments is too large to be kept (at most 1.7e308)');
  return { args: value as Json };
}

function bad(reason: string): CallArguments {
  return { args: {}, malformed: `${reason}. The call did not run; send it again with a complete JSON object.` };
}

/** The engine names the position of some errors only; the rest are found by looking for the last sound beginning. */
function positioned(message: string, text: string): string {
  if (/position \d+/.test(message)) return message;
  let sound = 0;
  let broken = text.length + 1;
  while (broken - sound > 1) {
    const middle = (sound + broken) >> 1;
    if (canBegin(text.slice(0, middle))) sound = middle;
    else broken = middle;
  }
  return `${message.replace(/, "[\s\S]*$/, '')} at position ${sound}`;
}

/** Whether some JSON text begins so: what is wrong is at most that it ends here. */
function canBegin(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (thrown) {
    const message = messageOf(thrown);
    return /end of JSON|Unterminated/.test(message) || new RegExp(`position ${text.length}\\b`).test(message);
  }
}

function nameOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}

/** The parser reads `1e400` as infinity, which is no JSON and cannot be recorded. */
function hasInfinity(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasInfinity);
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1));
}
