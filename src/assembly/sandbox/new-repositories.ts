/**
 * Repositories that no mount protects, because they came into being after the run began or have no `.git`. Commands
 * may make them and work in them; what makes git start programs there is put away when the command ends.
 *
 * 1. Only while something confined lives can a new danger be its work. What was there before, as it was, stays.
 * 2. A danger that changed counts as new.
 */
import { repositoryFinder } from './find-repositories.ts';
import { type Dangers, dangersIn } from './git-dangers.ts';

export interface NewRepositories {
  /** Before the first confined command after none was at work. `kept`: places that no command can change. */
  begin(kept: ReadonlySet<string>): void;
  /** Places that came into being or changed since, and may be the work of a command. */
  appeared(): readonly string[];
  /** Belay itself makes something there. */
  accept(made: string): void;
  /** What was there at the begin, for a next run that finds commands of this one still at work. */
  record(): RepositoryRecord;
}
export interface RepositoryRecord {
  readonly kept: readonly string[];
  readonly dangers: readonly (readonly [at: string, danger: string])[];
}

export function watchRepositories(workspace: string): NewRepositories {
  const find = repositoryFinder(workspace);
  let kept: ReadonlySet<string> = new Set();
  let before: Dangers | null = null;
  const accepted = new Set<string>();
  return {
    begin(now) {
      kept = now;
      before = dangersIn(find(), { workspace, kept });
      accepted.clear();
    },
    appeared() {
      if (before === null) return [];
      const isAccepted = (at: string) => [...accepted].some((made) => made === at || made.startsWith(`${at}/`));
      return newIn(before, dangersIn(find(), { workspace, kept })).filter((at) => !isAccepted(at));
    },
    accept: (made) => void accepted.add(made),
    record: () => ({ kept: [...kept], dangers: [...(before ?? [])] }),
  };
}

/** What a run before that was killed may have left, by its record. */
export const leftSince = (workspace: string, { kept, dangers }: RepositoryRecord): readonly string[] =>
  newIn(new Map(dangers), dangersIn(repositoryFinder(workspace)(), { workspace, kept: new Set(kept) }));

const newIn = (before: Dangers, now: Dangers): readonly string[] =>
  [...now].flatMap(([at, danger]) => (before.get(at) === danger ? [] : [at]));
