/** Task runners, and those that run a package: the words after them choose what runs. */
import type { Profile } from '../analysis.ts';
import type { ShellWord } from '../shell-word.ts';
import { dangerousOptions } from './dangerous-options.ts';
import { findSpelling } from './option-spellings.ts';
import { entryOf } from './options.ts';
import { managerProfile } from './package-managers.ts';

const inPlaceOfPackages = /^(npx|pnpx|bunx)$/;
const recipes = /^(make|gmake|just|rake|gradle|gradlew|mvn|ant|ninja|task|turbo|nx|lerna|invoke|grunt|gulp)$/;

const gradleFlags =
  /^(-[svqkidSwl]|--(version|info|debug|stacktrace|full-stacktrace|quiet|warn|no-daemon|daemon|offline|(no-)?parallel|continue|rerun-tasks|(no-)?build-cache|(no-)?configuration-cache|dry-run|fail-fast|tests|(console|warning-mode)=\w+|max-workers=\d+))$/;

/** To some the letters that are harmless elsewhere name settings, or a file for what they say. */
const recipeFlags: { readonly [program: string]: RegExp } = {
  mvn: /^(-([qveUBoN]|ntp|am|pl)|--(version|batch-mode|quiet|offline|no-transfer-progress)|-D(skipTests|skipITs|maven\.test\.skip)(=(true|false))?|-Dtest=[\w.*#,+-]+)$/,
  gradle: gradleFlags,
  gradlew: gradleFlags,
  ant: /^-(q|v|k|version|quiet|verbose)$/,
  ninja: /^-([vnk]|j\d*|-version)$/,
};

/** Whether a program runs the package that its first word names. */
export const isPackageRunner = (program: string): boolean => inPlaceOfPackages.test(program);

/** Whether a program runs what the repository or a package says. */
export const isRunner = (program: string): boolean =>
  inPlaceOfPackages.test(program) || recipes.test(program) || /^(npm|pnpm|yarn)$/.test(program);

export function runnerProfile(program: string, words: readonly ShellWord[]): Profile | null {
  if (inPlaceOfPackages.test(program)) {
    const name = words[1];
    if (name?.kind !== 'literal' || name.text.startsWith('-'))
      return { hazard: `${program} runs what its options say` };
    return {};
  }
  if (recipes.test(program)) {
    const flags = entryOf(recipeFlags, program) ?? /^-(s|q|v|k|j\d*|-version|-list|l)$/;
    const isFlag = (text: string): boolean => flags.test(text) || /^--(jobs|max-load|output-sync)=/.test(text);
    const set = words.slice(1).find(({ text }) => text.includes('=') && !isFlag(text));
    if (set !== undefined) return { hazard: `${program} ${set.text} sets what the recipes run` };
    // Some put what they are told into the text of a recipe as it is.
    const open = words.slice(1).find(({ text }) => /[\s;&|<>()$`"'\\]/.test(text));
    if (open !== undefined) return { hazard: `${program} ${open.text} may become a part of a shell text` };
    if (program !== 'make' && program !== 'gmake') {
      // To gradle a colon is a part of the path of a task.
      const isGradle = /^gradlew?$/.test(program);
      const other = words.slice(1).find(({ text }) => text === 'exec' || (!isGradle && /^[^-].*:/.test(text)));
      if (other !== undefined) return { hazard: `${program} ${other.text} may start any program` };
      const place = program === 'just' ? words.slice(1).find(({ text }) => text.includes('/')) : undefined;
      if (place !== undefined) return { hazard: `just ${place.text} reads the recipes of another folder` };
      const option = words.slice(1).find(({ text }) => /^-/.test(text) && !flags.test(text));
      return option === undefined ? {} : { hazard: `${program} ${option.text} may load other files or run code` };
    }
    const option = findSpelling(words.slice(1), dangerousOptions['make'] ?? {});
    return option === null ? {} : { hazard: `make ${option} reads other recipes` };
  }
  return managerProfile(program, words);
}
