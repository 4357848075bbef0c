import type { Check, Json } from '#kernel';
import { sameCommand, trimBlanks } from './shell/same-command.ts';

/** The command text of a Bash or Test call; null when it carries none. */
export function commandOf(args: Json): string | null {
  if (args === null || typeof args !== 'object' || Array.isArray(args)) return null;
  const { command, check } = args as { readonly [key: string]: Json };
  if (typeof command === 'string') return command;
  return typeof check === 'string' ? check : null;
}

/**
 * The declared check that a command text runs, or null. The comparison is by bytes after trimming, or by words for
 * simple commands, so a check may use any shell syntax and still be recognised only as itself.
 */
export async function findDeclaredCheck(command: string, checks: readonly Check[]): Promise<Check | null> {
  for (const check of checks) if (trimBlanks(check.command) === trimBlanks(command)) return check;
  for (const check of checks) if (await sameCommand(check.command, command)) return check;
  return null;
}

/**
 * The declared checks that a `Test` call names: all without `check`, one by its number (from 1) or its text; null when
 * it names none of them.
 */
export async function checksOfTest(args: Json, checks: readonly Check[]): Promise<readonly Check[] | null> {
  const named =
    args !== null && typeof args === 'object' && !Array.isArray(args) ? (args as { check?: Json }).check : undefined;
  if (named === undefined) return checks;
  if (typeof named === 'string') {
    const found = await findDeclaredCheck(named, checks);
    if (found !== null) return [found];
  }
  const number =
    typeof named === 'number' ? named : typeof named === 'string' && /^\d+$/.test(named) ? Number(named) : 0;
  const chosen = checks[number - 1];
  return chosen === undefined ? null : [chosen];
}
