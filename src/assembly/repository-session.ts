/** Sessions on a real repository for a program that embeds Belay: what the command line uses, as two functions. */
import { openStore } from '#ledger';
import type { Result } from '#lib';
import type { OwnPermission } from '#permission';
import type { Hooks, SafetyClassifier } from '#runtime';
import type { OpenedSession, Problem, SettingsChange } from '#surfaces/cli';
import type { OwnTool } from '#tools';
import { dataHome } from './data-home.ts';
import { problem } from './problem.ts';
import { type EnvironmentSettings, readEnvironment } from './settings/environment-settings.ts';
import { version } from './version.ts';

export interface RepositoryOptions {
  /** The workspace. */
  readonly cwd: string;
  /**
   * Model, checks, rules, mode and limits. For a resumed session: what replaces the recorded ones. `environment` is not
   * recorded: it counts for the session as it is opened here.
   */
  readonly settings: SettingsChange & { readonly environment?: EnvironmentSettings };
  readonly sessionId?: string;
  /** The data folder; otherwise chosen as the command line does. */
  readonly home?: string;
  /** Where keys are looked up and what commands may inherit from; the environment of this process unless given. */
  readonly env?: NodeJS.ProcessEnv;
  readonly hooks?: Hooks;
  /** Tools of this program, besides Belay's own. */
  readonly tools?: readonly OwnTool[];
  /** Decides in the place of Belay's own policy, or around it (`context.policy()`). Without an answer a person is asked. */
  readonly permission?: OwnPermission;
  /** Replaces the safety classifier by rules that `raceApproval` is given; null: none. */
  readonly classify?: SafetyClassifier | null;
  /** Stops what runs; the session stays resumable. */
  readonly signal?: AbortSignal;
}

/** Starts a session. The error is a sentence with the exit code that the command line would use. */
export async function startRepositorySession(options: RepositoryOptions): Promise<Result<OpenedSession, Problem>> {
  const { createNew } = await import('./sessions/opening.ts');
  const { environment, ...settings } = options.settings;
  const { pass, faults } = readEnvironment('settings.environment', environment);
  if (faults.length > 0) return problem(52, faults.join('; '));
  return createNew(
    {
      cwd: options.cwd,
      sessionId: options.sessionId ?? null,
      settings,
      signal: options.signal ?? new AbortController().signal,
    },
    surroundings(options, pass),
  );
}

/** Opens a session that is there, in order to resume it. It is this process's alone until `close`. */
export async function openRepositorySession(
  options: RepositoryOptions & { readonly sessionId: string },
): Promise<Result<OpenedSession, Problem>> {
  const { openKnown } = await import('./sessions/opening.ts');
  const { sessionId, signal } = options;
  const { environment, ...settings } = options.settings;
  const { pass, faults } = readEnvironment('settings.environment', environment);
  if (faults.length > 0) return problem(52, faults.join('; '));
  return openKnown(
    { sessionId, settings, signal: signal ?? new AbortController().signal },
    surroundings(options, pass),
  );
}

function surroundings(
  { cwd, env = process.env, home, hooks, tools, permission, classify }: RepositoryOptions,
  pass: readonly string[],
) {
  const store = openStore({ home: home ?? dataHome(env, cwd), program: version });
  return {
    store,
    env,
    cwd,
    pass,
    ...(hooks === undefined ? {} : { hooks }),
    ...(tools === undefined ? {} : { tools }),
    ...(permission === undefined ? {} : { permission }),
    ...(classify === undefined ? {} : { classify }),
  };
}
