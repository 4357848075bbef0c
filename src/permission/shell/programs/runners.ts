/** Task runners, and those that run a package: the words after them choose what runs. */
import type { Profile } from '../analysis.ts';
import type { ShellWord } from '../shell-word.ts';
import { dangerousOptions } from './dangerous-options.ts';
import { findSpelling } from './option-spellings.ts';
import { entryOf } from './options.ts';
import { managerProfile } from './package-managers.ts';

const inPlaceOfPackages = /^(npx|pnpx|bunx)$/;
const recipes = /^(make|gmake|just|rake|gradle|gradlew|mvn|ant|ninja|task|turbo|nx|lerna|invoke|grunt|gulp)$/;

/** To some the letters that are harmless elsewhere name settings, or a file for what they say. */
const recipeFlags: { readonly [program: string]: RegExp } = {
  mvn: /^(-[qveUBoN]|--version|--batch-mode|--quiet|--offline)$/,
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
    const set = words.slice(1).find(({ text }) => text.includes('=') && !/^--(jobs|max-load)=/.test(text));
    if (set !== undefined) return { hazard: `${program} ${set.text} sets what the recipes run` };
    if (program !== 'make' && program !== 'gmake') {
      const other = words.slice(1).find(({ text }) => /^[^-].*:|^exec$/.test(text));
      if (other !== undefined) return { hazard: `${program} ${other.text} may start any program` };
      const place = program === 'just' ? words.slice(1).find(({ text }) => text.includes('/')) : undefined;
      if (place !== undefined) return { hazard: `just ${place.text} reads the recipes of another folder` };
      const flags = entryOf(recipeFlags, program) ?? /^-(s|q|v|k|j\d*|-version|-list|l)$/;
      const option = words.slice(1).find(({ text }) => /^-/.test(text) && !flags.test(text));
      return option === undefined ? {} : { hazard: `${program} ${option.text} may load other files or run code` };
    }
    const option = findSpelling(words.slice(1), dangerousOptions['make'] ?? {});
    return option === null ? {} : { hazard: `make ${option} reads other recipes` };
  }
  return managerProfile(program, words);
}
