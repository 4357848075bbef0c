/** Values of options, read strictly: what is not understood is refused with an example, never guessed. */
import type { Check, PermissionMode, Price, SandboxMode } from '#kernel';
import { isSessionId } from '#lib';
import { usageError } from '../command-error.ts';

const modes: readonly PermissionMode[] = ['default', 'plan', 'acceptEdits', 'dontAsk', 'bypassPermissions'];
const sandboxModes: readonly SandboxMode[] = ['auto', 'required', 'off'];
const formats = ['text', 'json', 'stream-json'] as const;
export type OutputFormat = (typeof formats)[number];

export function modeOf(text: string): PermissionMode {
  const mode = modes.find((known) => known === text);
  if (mode === undefined) throw usageError(`unknown permission mode ${quote(text)}; choose one of ${modes.join(', ')}`);
  return mode;
}

export function sandboxOf(text: string): SandboxMode {
  const mode = sandboxModes.find((known) => known === text);
  if (mode === undefined) throw usageError(`--sandbox is ${sandboxModes.join(', ')}, not ${quote(text)}`);
  return mode;
}

export function switchOf(option: string, text: string): boolean {
  if (text !== 'on' && text !== 'off') throw usageError(`${option} is on or off, not ${quote(text)}`);
  return text === 'on';
}

export function formatOf(text: string): OutputFormat {
  const format = formats.find((known) => known === text);
  if (format === undefined) {
    throw usageError(`unknown output format ${quote(text)}; choose one of ${formats.join(', ')}`);
  }
  return format;
}

export function classifierOf(text: string): 'rules' | 'off' {
  if (text !== 'rules' && text !== 'off') throw usageError(`--classifier is rules or off, not ${quote(text)}`);
  return text;
}

/** A whole number from 1 on. */
export function countOf(option: string, text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < 1) {
    throw usageError(`${option} needs a whole number from 1 on, not ${quote(text)}`);
  }
  return value;
}

const unitsMs: { readonly [unit: string]: number } = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** `90s`, `30m`, `1.5h` as milliseconds. */
export function durationMsOf(option: string, text: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text) ?? [];
  const ms = Math.round(Number(amount) * (unitsMs[unit ?? ''] ?? Number.NaN));
  if (!Number.isSafeInteger(ms) || ms < 1) {
    throw usageError(`${option} needs a duration such as 90s, 30m or 2h, not ${quote(text)}`);
  }
  return ms;
}

export function amountOf(option: string, text: string): number {
  const value = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || !Number.isFinite(value) || value <= 0) {
    throw usageError(`${option} needs an amount in USD such as 2.50, not ${quote(text)}`);
  }
  return value;
}

/** `IN/OUT` in USD per million tokens. */
export function priceOf(text: string): Price {
  const [, input, output] = /^(\d+(?:\.\d+)?)\/(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  if (input === undefined || output === undefined) {
    throw usageError(`--price needs IN/OUT in USD per million tokens, for example 3/15, not ${quote(text)}`);
  }
  return { input: Number(input), output: Number(output) };
}

export function checkOf(option: string, text: string, counts: boolean): Check {
  const command = text.trim();
  if (command === '') throw usageError(`${option} needs a command, for example ${option} "node --test"`);
  return { command, counts };
}

/** A model is named `PROVIDER/MODEL`; what lies behind it is found out later. */
export function modelOf(text: string): string {
  if (!/^[a-z][a-z-]*\/.+$/.test(text)) {
    throw usageError(`--model needs PROVIDER/MODEL, for example anthropic/claude-sonnet-4-5, not ${quote(text)}`);
  }
  return text;
}

export function sessionIdOf(text: string): string {
  if (!isSessionId(text)) {
    throw usageError(`${quote(text)} is no session id: use up to 64 letters, digits, dots, dashes and underscores`);
  }
  return text;
}

const quote = (text: string): string => JSON.stringify(text);
