/** Which sandbox a session gets, from its options, what it recorded, the environment and the settings files. */
import { homedir } from 'node:os';
import type { BodyOf, Fact, FactBody, FactType } from '#kernel';
import { ok, type Result } from '#lib';
import type { SandboxMode } from '#permission';
import type { Problem, SettingsChange } from '#surfaces/cli';
import { problem } from '../problem.ts';
import type { Place } from '../sessions/open-workspace-at.ts';
import { userSettingsFile } from '../settings/user-settings.ts';
import type { RulesInForce } from '../trust/rules-in-force.ts';
import { borrowedObjects } from './borrowed-objects.ts';
import { hiddenLinks } from './hidden-links.ts';
import { expanded } from './make-policy.ts';
import { openSandbox, type SandboxReport } from './open-sandbox.ts';
import { realOf } from './real-paths.ts';

export interface SessionSandbox {
  readonly report: SandboxReport;
  /** To be recorded; empty where the record says the same already. */
  readonly facts: readonly FactBody[];
  readonly notices: readonly string[];
}

export interface SessionSandboxRequest {
  readonly place: Place;
  readonly rules: Pick<RulesInForce, 'narrowing' | 'sandbox' | 'sandboxDemanded' | 'guarded'>;
  /** Options of this command. */
  readonly settings: SettingsChange;
  /** What the session recorded so far. */
  readonly facts: Iterable<Fact>;
  readonly sessionFolder: string;
  readonly dataFolder: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Commands of the workspace are confined from here on. 42, 44 and 52 are told as problems. */
export async function sandboxOf(request: SessionSandboxRequest): Promise<Result<SessionSandbox, Problem>> {
  const { place, rules, settings, env } = request;
  const recorded = recordedOf(request.facts);
  const named = env['BELAY_SANDBOX'] ?? '';
  if (named !== '' && !isMode(named))
    return problem(52, `BELAY_SANDBOX is "${named}"; it can be auto, required or off`);
  const wished = settings.sandbox ?? recorded.sandbox ?? (isMode(named) ? named : (rules.sandbox.mode ?? 'auto'));
  const network = settings.sandboxNetwork ?? recorded.sandboxNetwork ?? rules.sandbox.network ?? false;
  if (rules.sandboxDemanded && wished === 'off') {
    return problem(44, "the machine's settings demand a sandbox, so it cannot be switched off");
  }
  if (rules.sandbox.network === false && settings.sandboxNetwork === true && rules.sandboxDemanded) {
    return problem(44, "the machine's settings keep commands from the network");
  }
  const { workspace } = place;
  const opened = await openSandbox({
    mode: rules.sandboxDemanded ? 'required' : wished,
    network,
    hosts: rules.sandbox.hosts,
    settings: rules.sandbox,
    deny: rules.narrowing.deny,
    guarded: rules.guarded,
    workspace: workspace.root,
    dataFolder: request.dataFolder,
    sessionFolder: request.sessionFolder,
    shared: place.shared,
    memory: `${place.shared}/sandbox`,
    find: (name) => workspace.processes.program(name),
    env,
    bootId: await workspace.processes.bootId(),
  });
  if (!opened.ok) return opened;
  const { report, confinement, isShownEmpty, hides, putAway } = opened.value;
  const links = report.level === 'bubblewrap' ? hiddenLinks(workspace.root, hides) : [];
  place.confineWith(confinement, { isShownEmpty, links });
  const fact: BodyOf<'sandbox.probed'> = { type: 'sandbox.probed', ...report };
  const isNew = JSON.stringify(recorded.probed) !== JSON.stringify(report);
  const isBare = report.level === 'none' && report.mode === 'auto';
  const hint = `, which is hidden there; name it in sandbox.readable of ${userSettingsFile(env)}`;
  const borrowed = borrowedObjects(workspace.root).filter(hides);
  const { readable, writable } = rules.sandbox;
  const missed =
    report.level === 'none'
      ? []
      : [...missedOf('readable', readable, env, hides), ...missedOf('writable', writable, env, hides)];
  return ok({
    report,
    facts: isNew ? [fact] : [],
    notices: [
      ...putAway,
      ...missed,
      ...borrowed.map((at) => `git fails in the sandbox, because this repository borrows objects from ${at}${hint}`),
      ...links.map(
        ({ name, target }) => `in the sandbox ${name} is a broken link, because it leads to ${target}${hint}`,
      ),
      ...(isBare ? [`commands run without a sandbox: ${report.detail}`] : []),
    ],
  });
}

/** Places that the user's settings show and that are not shown all the same, a sentence each. */
const missedOf = (
  key: 'readable' | 'writable',
  texts: readonly string[],
  env: NodeJS.ProcessEnv,
  hides: (place: string) => boolean,
): readonly string[] =>
  texts.flatMap((text) => {
    const at = realOf(expanded(text, env['HOME'] ?? homedir()));
    if (at === null) return [`sandbox.${key}: ${text} is not there`];
    return hides(at) ? [`sandbox.${key}: ${text} is not shown as a whole; name folders in it`] : [];
  });

interface Recorded {
  readonly sandbox: SandboxMode | undefined;
  readonly sandboxNetwork: boolean | undefined;
  readonly probed: SandboxReport | null;
}

/** Facts that tell what was recorded of the sandbox before. */
export const recordedTypes = ['settings.changed', 'sandbox.probed'] as const satisfies readonly FactType[];

function recordedOf(facts: Iterable<Fact>): Recorded {
  let sandbox: SandboxMode | undefined;
  let sandboxNetwork: boolean | undefined;
  let probed: SandboxReport | null = null;
  for (const fact of facts) {
    if (fact.type === 'settings.changed') {
      sandbox = fact.sandbox ?? sandbox;
      sandboxNetwork = fact.sandboxNetwork ?? sandboxNetwork;
    }
    if (fact.type === 'sandbox.probed') {
      probed = { mode: fact.mode, level: fact.level, network: fact.network, detail: fact.detail };
    }
  }
  return { sandbox, sandboxNetwork, probed };
}

const isMode = (text: string): text is SandboxMode => ['auto', 'required', 'off'].includes(text);
