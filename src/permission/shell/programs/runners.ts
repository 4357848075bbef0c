/** Package managers and task runners: the words after them choose what runs. */
import type { Profile } from '../analysis.ts';
import type { ShellWord } from '../shell-word.ts';
import { dangerousOptions } from './dangerous-options.ts';
import { npmHazard, npmRuns } from './npm-commands.ts';
import { entryOf, findOption } from './options.ts';

const subcommands: { readonly [program: string]: { readonly hazard: RegExp } } = {
  pnpm: {
    hazard:
      /^(exec|dlx|create|config|publish|link|add|install|i|update|up|remove|rm|env|setup|store|patch|deploy|import|rebuild|prune|init|self-update)$/,
  },
  yarn: {
    hazard:
      /^(exec|dlx|create|config|publish|link|add|install|upgrade|remove|global|set|plugin|node|patch|init|import|up|unlink|policies|rebuild)$/,
  },
  pip: { hazard: /./ },
  gem: { hazard: /./ },
  bundle: { hazard: /./ },
  composer: { hazard: /./ },
  corepack: { hazard: /./ },
  // Any other word is a program called cargo-WORD.
  cargo: {
    hazard:
      /^(?!(build|b|c|test|t|bench|clippy|fmt|doc|d|tree|metadata|version|search|locate-project|pkgid|verify-project)$)/,
  },

  go: { hazard: /^(?!(build|test|vet|version|doc|fmt)$)/ },
  // To these, too, any other word may be a program that somebody installed.
  gh: { hazard: /^(?!(pr|issue|search|status|label|version|project|org|ruleset)$)/ },
  dotnet: { hazard: /^(?!(build|test|restore|pack|clean|format|sln|msbuild|vstest)$)/ },
  rustup: { hazard: /./ },
  nvm: { hazard: /./ },
  fnm: { hazard: /./ },
  volta: { hazard: /./ },
  asdf: { hazard: /./ },
  mise: { hazard: /./ },
};
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

/** Whether a program installs packages or builds one, as the folder says. */
export const managesPackages = (program: string): boolean => entryOf(subcommands, program) !== undefined;

/** Options in front of a subcommand that take no value, or hold it. */
const alone =
  /^(-[sqdlvr]|-ws|--(silent|quiet|verbose|json|long|parseable|if-present|workspaces|recursive|ignore-scripts|offline|locked|frozen|release|no-[\w-]+|[\w-]+=.*))$/;

const listings = /^(list|ls|show|freeze|check|outdated|--version|-V|-v|help|--help)$/;

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
    const option = findOption(words.slice(1), dangerousOptions['make'] ?? {});
    return option === null ? {} : { hazard: `make ${option} reads other recipes` };
  }
  const known = program === 'npm' ? null : entryOf(subcommands, program);
  if (known === undefined) return null;
  const end = words.findIndex(({ text }) => text === '--');
  const own = words.slice(1, end === -1 ? undefined : end);
  const option = findOption(own, entryOf(dangerousOptions, program) ?? {});
  if (option !== null) return { hazard: `${program} ${option} changes what runs` };
  const at = words.findIndex(({ text }, i) => i > 0 && !text.startsWith('-'));
  const sub = words[at]?.text ?? '';
  if (at === -1 && program === 'yarn' && !words.slice(1).some(({ text }) => listings.test(text)))
    return { hazard: 'yarn alone installs packages, and runs what they bring' };
  if (at === -1) return {};
  // An option that takes the next word as its value would hide the subcommand.
  const hiding = words.slice(1, at).find(({ text }) => !alone.test(text));
  if (hiding !== undefined) return { hazard: `${program} ${hiding.text} may take the word behind it` };
  if (listings.test(sub)) return {};
  const isHazard = known === null ? npmHazard(sub) : known.hazard.test(sub);
  if (words[at]?.kind !== 'literal' || isHazard) return { hazard: `${program} ${sub} installs or runs other code` };
  // To these, a word that is no command of theirs is a script or a program.
  const isFree = program === 'yarn' || program === 'pnpm';
  return isFree || (known === null && npmRuns(sub)) ? { pin: at + 1 } : {};
}
