/**
 * Repositories that a text makes, uses or talks to without saying so: their settings and hooks run programs of whoever
 * wrote them. No rule for a command is leave for that.
 */
import { takingsOf } from '../guard/takings.ts';
import {
  type IsThere,
  isBareRepository,
  type Look,
  lookFor,
  partsIn,
  repositoryWith,
} from '../paths/bare-repository.ts';
import type { PathPlaces } from '../paths/judge-path.ts';
import { pathsOfCommand } from '../paths/named-paths.ts';
import { placeOf } from '../paths/place-of.ts';
import { fold } from '../paths/sensitive.ts';
import type { Analysis, ShellCommand } from '../shell/analysis.ts';
import { everyCommand } from '../shell/every-command.ts';
import { subcommandAt } from '../shell/programs/git.ts';
import { programName } from '../shell/programs/profile-of.ts';
import type { Part } from './shell-question.ts';

export async function judgeRepositories(analysis: Analysis, where: PathPlaces): Promise<readonly Part[]> {
  const look = lookFor(where.ports);
  if (look === null) return [];
  const { isThere } = look;
  const parts: Part[] = [];
  const ask = (what: string, reason: string) => void parts.push({ what, decision: 'ask', reason });
  const commands = everyCommand(analysis.commands);
  const used = commands.some(isGit) ? await usedBy(where, isThere) : null;
  if (used !== null) ask('git', `it would take ${used} for a repository, and run what is in its settings and hooks`);
  for (const { text } of commands.flatMap(({ profile }) => profile.peers ?? [])) {
    for (const folder of where.folders) {
      const place = placeOf(text, folder, where.workspace);
      // Git also finds a folder by the first part of its name.
      if (place !== null && ((await isThere(place)) || (await isThere(`${place}.git`))))
        ask('git', `${text} may be the folder ${place}, and git would run what is in the settings and hooks there`);
    }
  }
  const made = await madeBy(analysis, commands, where, look);
  if (made !== null) ask('the text', `${made} would be a repository for git, which runs what its settings name`);
  return parts;
}

const isGit = ({ words }: ShellCommand): boolean => programName(words[0]?.text ?? '') === 'git';

/** The first on the way up from where the text runs; a `.git` ends it. */
async function usedBy({ folders, workspace }: PathPlaces, isThere: IsThere): Promise<string | null> {
  for (const folder of folders) {
    for (let at = placeOf('', folder, workspace); at !== null; at = above(at)) {
      if (await isBareRepository(at, isThere)) return at;
      if (await isThere(`${at}/.git`)) break;
    }
  }
  return null;
}

function above(place: string): string | null {
  if (place === '.') return null;
  const end = place.lastIndexOf('/');
  return end === -1 ? '.' : place.slice(0, end);
}

/** What a text names besides what only shows it counts as made. */
async function madeBy(
  analysis: Analysis,
  commands: readonly ShellCommand[],
  { folders, workspace }: PathPlaces,
  look: Look,
): Promise<string | null> {
  const texts = [
    ...analysis.writes.map(({ word }) => word.text),
    ...commands.flatMap(({ profile }) => (profile.writes ?? []).map(({ word }) => word.text)),
    ...takingsOf(analysis).flatMap(({ words }) => (words ?? []).map(({ text }) => text)),
    ...commands.filter(makes).flatMap((command) => withPlaced(pathsOfCommand(command).map(({ text }) => text))),
  ].filter((text) => partsIn(text).length > 0);
  const paths = texts.flatMap((text) => folders.map((folder) => placeOf(text, folder, workspace) ?? text));
  return repositoryWith(paths, texts.flatMap(partsIn), look);
}

/** What one command names may be put into whatever else it names. */
function withPlaced(names: readonly string[]): readonly string[] {
  const placed = [...new Set(names.flatMap(partsIn).map(fold))];
  return [...names, ...placed.flatMap((part) => names.map((folder) => `${folder}/${part}`))];
}

const showing =
  /^(cat|cd|ls|grep|egrep|fgrep|rg|head|tail|wc|file|stat|du|echo|printf|basename|dirname|realpath|readlink|cmp|diff|test|\[)$/;

const makes = ({ words }: ShellCommand): boolean => {
  const program = programName(words[0]?.text ?? '');
  return program === 'git' ? words[subcommandAt(words)]?.text === 'mv' : !showing.test(program);
};
