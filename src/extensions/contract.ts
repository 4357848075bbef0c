/**
 * What users plug in without writing a program against the library.
 *
 * 1. What is plugged in only narrows: a hook can refuse, change or annotate a call, and never allows one.
 * 2. A command of a hook is an attempt of its own, with claim and receipt: recorded before it runs, settled after a
 *    crash, and not run again once its end is recorded.
 * 3. A hook that must not start now counts as failed, and where something waits for its answer that does not go on.
 * 4. Nothing here is read from a repository that the user did not trust; who asks for hooks decides that.
 */
import type { Fact, FactBody } from '#kernel';
import type { HookRecord, Hooks } from '#runtime';
import type { Processes } from '#workspace';

export const hookEvents = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'Stop',
  'Notification',
] as const;
export type HookEvent = (typeof hookEvents)[number];

export interface CommandHook {
  readonly event: HookEvent;
  /** Which tools: exact names, `A|B`, or a regular expression for the whole name; null for every one. */
  readonly matcher: string | null;
  readonly command: string;
  readonly timeoutMs: number;
  /** What follows where the hook itself fails: exit codes other than 0 and 2, a time limit. */
  readonly onFailure: 'warn' | 'block';
  /** For people: where it is written. */
  readonly name: string;
  /** Asked before each start: why it must not start now, or null. Absent: it always may. */
  readonly whyNot?: () => Promise<string | null>;
}

export interface HookFile {
  /** For people: how they name the file. */
  readonly name: string;
  readonly text: string;
}
export interface HooksRead {
  readonly hooks: readonly CommandHook[];
  /** What is in the file and does nothing, so that nobody relies on it. */
  readonly warnings: readonly string[];
}

export interface CommandHookPorts {
  readonly processes: Pick<Processes, 'prepare' | 'settle' | 'bootId'>;
  /** Where the commands run. */
  readonly root: string;
  readonly sessionId: string;
  /** `exec/<attemptId>` of the session. */
  readonly folder: (attemptId: string) => string;
  readonly newId: () => string;
  /** Takes secrets out of what a hook printed. */
  readonly mask: (text: string) => string;
  readonly signal: AbortSignal;
  /** Facts of the session so far, from the last turn's start at the latest. */
  readonly facts: Iterable<Fact>;
}

/** Hooks at work in one session. */
export interface CommandHooks {
  /** Registers the commands at their topics. */
  register(hooks: Hooks): void;
  /** Must be told every fact of the session as it is recorded. */
  see(fact: Fact): void;
}

/** The identity of one command at one firing, and where it is recorded. */
export interface HookRun {
  readonly hook: CommandHook;
  readonly invocationId: string;
  readonly actionId: string | null;
  readonly input: object;
  readonly record: HookRecord;
  /** Stops the command. */
  readonly signal: AbortSignal;
}
export type HookFact = Extract<FactBody, { readonly type: 'hook.started' | 'hook.ended' }>;
