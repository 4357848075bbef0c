/**
 * The sandbox of a session: what it is, whether it works here, and how its commands are started.
 *
 * 1. It is probed before the first request; what was found is recorded. Nothing falls back in silence: a mode that needs
 *    a sandbox that does not work stops the start.
 * 2. What is protected is fixed before the first command, so that no command can prepare a path to be mistaken for one
 *    that is protected. Only the files that rules deny are looked up again before each command.
 * 3. What git would be led astray by and was not there before is put away after each command, at the end of the run, and
 *    at the next start where that end did not come, also of another session. So is what starts programs later and came
 *    into being while something confined lived, also in repositories that commands made.
 */
import { mkdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { ok, type Result } from '#lib';
import { isBelow, type SandboxMode, type SandboxSettings, startingInHome, startingPlaces } from '#permission';
import type { Problem } from '#surfaces/cli';
import type { Confinement, FindProgram } from '#workspace';
import { newId } from '../new-id.ts';
import { problem } from '../problem.ts';
import {
  type AbsentAt,
  type AbsentPlaces,
  absentBefore,
  absentOfKilled,
  forgetAbsent,
  keepAbsent,
  markAtWork,
} from './absent-places.ts';
import { type DeniedFiles, deniedFinder, type FindDenied } from './denied-files.ts';
import { type GitPlaces, nestedRepositories } from './git-places.ts';
import { type MadePolicy, makePolicy } from './make-policy.ts';
import { leftSince, watchRepositories } from './new-repositories.ts';
import { watchStarters } from './new-starters.ts';
import { type Probed, probeSandbox } from './probe.ts';
import { kindOf } from './real-paths.ts';
import { wayOutOf, withWayOut } from './way-out.ts';

export interface SandboxRequest {
  readonly mode: SandboxMode;
  readonly network: boolean;
  /** Hosts that commands reach without a network. */
  readonly hosts?: readonly string[];
  readonly settings: Pick<SandboxSettings, 'readable' | 'writable'>;
  /** Files from which something starts outside the sandbox, relative to the workspace. */
  readonly guarded?: readonly string[];
  /** Rules that deny, as texts. */
  readonly deny: readonly string[];
  readonly workspace: string;
  readonly dataFolder: string;
  readonly sessionFolder: string;
  /** Folder of what all sessions on the workspace share; null: they do not hear of each other. */
  readonly shared?: string | null;
  /** Where a successful probe is remembered. */
  readonly memory: string | null;
  readonly find: FindProgram;
  readonly env: NodeJS.ProcessEnv;
  readonly bootId: string;
}
/** As it is recorded and shown. */
export interface SandboxReport {
  readonly mode: SandboxMode;
  readonly level: 'bubblewrap' | 'sandbox-exec' | 'none';
  readonly network: boolean;
  readonly detail: string;
}
export interface Sandbox {
  readonly report: SandboxReport;
  /** Null where commands run as they are. */
  readonly confinement: Confinement | null;
  /** Whether commands see nothing of what lies at a path, and keep nothing there. */
  isShownEmpty(place: string): boolean;
  /** Whether they see nothing of what lies there, also where what they make there stays for them, as in `/tmp`. */
  hides(place: string): boolean;
  /** What commands of the run before left and had to be put away, a sentence each. */
  readonly putAway: readonly string[];
}

/** 44 where the mode demands a sandbox and there is none, and for root in mode `auto`. */
export async function openSandbox(request: SandboxRequest): Promise<Result<Sandbox, Problem>> {
  const { mode, network } = request;
  // The end of the run before did not come, or nobody was told of it: what its commands left since is put away now.
  const { sessionFolder, shared = null, bootId } = request;
  const at: AbsentAt = { sessionFolder, shared, bootId };
  const before = absentBefore(sessionFolder);
  const left = [before, ...absentOfKilled(at)];
  const wereAbsent = [...new Set(left.flatMap(({ absent }) => absent))];
  const putAway = [...before.told, ...putAwayLeft(left, request.workspace, sessionFolder)];
  const none = (detail: string): Result<Sandbox, Problem> => {
    forgetAbsent(at);
    const report: SandboxReport = { mode, level: 'none', network: true, detail };
    return ok({ report, confinement: null, isShownEmpty: never, hides: never, putAway });
  };
  if (mode === 'off') return none('switched off');
  const scratch = path.join(request.sessionFolder, 'tmp');
  mkdirSync(scratch, { recursive: true, mode: 0o700 });
  const made = makePolicy({ ...request, scratch });
  const probed = await lookAt(made, request);
  if (!probed.works) {
    if (mode === 'required') return problem(44, `the sandbox is required, and ${probed.detail}`);
    if (process.getuid?.() !== 0) return none(probed.detail);
    return {
      ok: false,
      error: {
        exitCode: 44,
        message: `commands would run as root without a sandbox: ${probed.detail}. Give --sandbox off to allow that`,
        unsandboxedRoot: true,
      },
    };
  }
  const { hosts: named = [] } = request;
  const wayOut = named.length === 0 || network ? null : wayOutOf(named, request.sessionFolder);
  const isServed = wayOut !== null && probed.level === 'bubblewrap';
  const hosts = wayOut === null ? '' : `; ${isServed ? '' : 'not served here: '}hosts ${named.join(', ')}`;
  const report = { mode, level: probed.level, network, detail: probed.detail + hosts };
  const denied = await deniedFinder(request.deny);
  const confinement = confinementOf(made, probed, denied, wereAbsent, at);
  return ok({
    report,
    confinement: isServed ? withWayOut(confinement, wayOut) : confinement,
    // Elsewhere such places are closed, which every program is told by the system.
    isShownEmpty: (place) => probed.level === 'bubblewrap' && isCovered(place, made.policy.hidden, made.policy),
    hides: (place) => isCovered(place, [...made.policy.hidden, '/tmp'], made.policy),
    putAway,
  });
}

const never = (): boolean => false;

/** A place that is shown again in a hidden folder is not covered by it. */
function isCovered(
  place: string,
  by: readonly string[],
  { workspace, readable, writable, fixed }: MadePolicy['policy'],
): boolean {
  const isIn = (folders: readonly string[]) => folders.some((folder) => isBelow(place, folder));
  return isIn(by) && !isIn([workspace, ...readable, ...writable, ...fixed]);
}

/** What killed runs left, put into a folder or, where that is null, out of its name; a sentence each. */
export function putAwayLeft(left: readonly AbsentPlaces[], workspace: string, into: string | null): readonly string[] {
  const absent = left.flatMap((one) => one.absent);
  const changed = left.flatMap(({ repositories: was }) => (was === undefined ? [] : leftSince(workspace, was)));
  return putAwayAll([...new Set([...absent, ...changed])], into);
}

async function lookAt(made: MadePolicy, request: SandboxRequest): Promise<Probed> {
  if (request.workspace === '/') return { works: false, detail: 'the workspace is the whole machine' };
  return probeSandbox({ ...request, policy: made.policy });
}

function confinementOf(
  { policy, neverNew, starting }: MadePolicy,
  { start }: Extract<Probed, { works: true }>,
  denied: FindDenied | null,
  wereAbsent: readonly string[],
  at: AbsentAt,
): Confinement {
  let nested: GitPlaces | null = null;
  const starters = watchStarters(
    starting,
    wereAbsent.some((place) => starting.includes(place)),
  );
  const before = wereAbsent.filter((place) => !starting.includes(place));
  const absent = (): readonly string[] => [...new Set([...neverNew, ...before, ...(nested?.neverNew ?? [])])];
  const repositories = watchRepositories(policy.workspace);
  let kept = '';
  const keep = (): void => {
    const places = { absent: absent(), starters: starters.absent(), repositories: repositories.record(), told: [] };
    const now = JSON.stringify(places);
    if (now !== kept) keepAbsent(at, places);
    kept = now;
  };
  const tidy = (): readonly string[] =>
    putAwayAll([...absent(), ...starters.appeared(), ...repositories.appeared()], at.sessionFolder);
  return {
    isOn: () => true,
    hasNetwork: () => policy.network,
    async confine(cwd) {
      const isFirst = nested === null;
      nested ??= nestedRepositories(policy.workspace);
      if (starters.begin() || isFirst) {
        repositories.begin(new Set([policy.fixed, policy.frozen, nested.fixed, nested.frozen].flat()));
        keep();
        markAtWork(at, true);
      }
      const { unreadable, unreadableFolders, insideFolders, unwritable } = denied?.(policy.workspace) ?? noneDenied;
      return start(cwd, {
        ...policy,
        fixed: [...policy.fixed, ...nested.fixed],
        frozen: [...new Set([...policy.frozen, ...starters.frozen()]), ...nested.frozen, ...unwritable],
        hiddenInside: [...policy.hiddenInside, ...unreadableFolders],
        maskedInside: [...new Set([...policy.maskedInside, ...unreadable, ...insideFolders])],
      });
    },
    tidy(isQuiet) {
      const told = tidy();
      if (isQuiet) {
        starters.settle();
        markAtWork(at, false);
      }
      return told;
    },
    accept(made) {
      repositories.accept(made);
      if (!starters.accept(made)) return;
      try {
        keep();
      } catch {
        // Then it is put away, and told, should this agent be killed.
      }
    },
    close() {
      const told = nested === null && wereAbsent.length === 0 ? [] : tidy();
      if (told.length > 0) keepAbsent(at, { absent: [], told });
      else forgetAbsent(at);
    },
  };
}

const noneDenied: DeniedFiles = { unreadable: [], unreadableFolders: [], insideFolders: [], unwritable: [] };

function putAwayAll(places: readonly string[], into: string | null): readonly string[] {
  const there = places.filter((at) => kindOf(at) !== null);
  return there.map((at) => putAway(at, into === null ? [] : [path.join(into, `refused-${newId()}`)]));
}

/** Out of the repository, or, where that is another disk, out of its name. */
function putAway(at: string, better: readonly string[]): string {
  const isStarter = [...startingPlaces, ...startingInHome].some((place) => at.endsWith(`/${place}`));
  const why = isStarter
    ? 'starts programs outside the sandbox later'
    : 'would make git run programs or read other settings';
  // A file that git tracks shows as deleted now, and a commit of everything would take it away.
  const next = isStarter ? ' Git may show it as deleted. To have it made, ask: by an edit, or with unsandboxed.' : '';
  for (const place of [...better, `${at}.refused-${Date.now()}`]) {
    try {
      renameSync(at, place);
      return `${at} ${why}; it was moved to ${place}.${next}`;
    } catch {
      // The next place.
    }
  }
  return `${at} ${why}, and could not be taken away; remove it.`;
}
