/** Package managers and task runners: the words after them choose what runs. */
import type { Profile } from '../analysis.ts';
import type { ShellWord } from '../shell-word.ts';
import { dangerousOptions, optionHazard } from './dangerous-options.ts';
import { entryOf, findOption } from './options.ts';

const subcommands: { readonly [program: string]: { readonly hazard: RegExp; readonly pinned?: RegExp } } = {
  npm: {
    hazard:
      /^(exec|x|config|c|set|get|init|create|innit|edit|explore|publish|unpublish|adduser|login|logout|token|link|ln|pkg|version|rebuild|hook|owner|access|deprecate|dist-tag|org|team|profile|install-scripts|restart|uninstall|un|rm|r|remove|prune|dedupe|ddp|cache|shrinkwrap|star|unstar|update|up|upgrade|install|i|in|add|isntall|ci|clean-install|install-test|it|cit|audit|fund-fix|sbom-write|stop-all)$/,
    pinned: /^(run|run-script|rum|urn)$/,
  },
  pnpm: {
    hazard:
      /^(exec|dlx|create|config|publish|link|add|install|i|update|up|remove|rm|env|setup|store|patch|deploy|import|rebuild|prune|init|dlx|self-update)$/,
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
      /^(?!(build|b|check|c|test|t|bench|clippy|fmt|doc|d|tree|metadata|version|search|help|locate-project|pkgid|verify-project)$)/,
  },

  go: { hazard: /^(run|generate|install|get|env|tool|clean|mod|work|bug|telemetry)$/ },
  gh: {
    hazard:
      /^(api|alias|extension|ext|auth|secret|gist|codespace|cs|ssh-key|gpg-key|config|workflow|run|release|repo|variable|attestation|browse|copilot)$/,
  },
  dotnet: { hazard: /^(run|tool|new|add|remove|nuget|exec|fsi|script|watch|workload|publish)$/ },
  rustup: { hazard: /./ },
  nvm: { hazard: /./ },
  fnm: { hazard: /./ },
  volta: { hazard: /./ },
  asdf: { hazard: /./ },
  mise: { hazard: /./ },
};
const inPlaceOfPackages = /^(npx|pnpx|bunx)$/;
const recipes = /^(make|gmake|just|rake|gradle|gradlew|mvn|ant|ninja|task|turbo|nx|lerna|invoke|grunt|gulp)$/;

/** Whether a program runs what the repository or a package says. */
export const isRunner = (program: string): boolean =>
  inPlaceOfPackages.test(program) || recipes.test(program) || /^(npm|pnpm|yarn)$/.test(program);

const listings = /^(list|ls|show|freeze|check|outdated|--version|-V|-v|help|--help)$/;

export function runnerProfile(program: string, words: readonly ShellWord[]): Profile | null {
  if (inPlaceOfPackages.test(program)) {
    const name = words[1];
    if (name?.kind !== 'literal' || name.text.startsWith('-'))
      return { hazard: `${program} runs what its options say` };
    return { pin: 2, ...optionHazard(words.slice(1)) };
  }
  if (recipes.test(program)) {
    const set = words.slice(1).find(({ text }) => text.includes('=') && !/^--(jobs|max-load)=/.test(text));
    if (set !== undefined) return { hazard: `${program} ${set.text} sets what the recipes run` };
    if (program !== 'make' && program !== 'gmake') {
      const option = words
        .slice(1)
        .find(({ text }) => /^-/.test(text) && !/^-(s|q|v|k|j\d*|-version|-list|l)$/.test(text));
      return option === undefined ? {} : { hazard: `${program} ${option.text} may load other files or run code` };
    }
    const option = findOption(words.slice(1), dangerousOptions['make'] ?? {});
    return option === null ? {} : { hazard: `make ${option} reads other recipes` };
  }
  const known = entryOf(subcommands, program);
  if (known === undefined) return null;
  const end = words.findIndex(({ text }) => text === '--');
  const own = words.slice(1, end < 0 ? undefined : end);
  const option = findOption(own, entryOf(dangerousOptions, program) ?? {});
  if (option !== null) return { hazard: `${program} ${option} changes what runs` };
  const at = words.findIndex(({ text }, i) => i > 0 && !text.startsWith('-'));
  const sub = words[at]?.text ?? '';
  if (at < 0 && program === 'yarn' && !words.slice(1).some(({ text }) => listings.test(text)))
    return { hazard: 'yarn alone installs packages, and runs what they bring' };
  if (at < 0 || listings.test(sub)) return {};
  if (words[at]?.kind !== 'literal' || known.hazard.test(sub))
    return { hazard: `${program} ${sub} installs or runs other code` };
  // To these, a word that is no command of theirs is a script or a program.
  const isFree = program === 'yarn' || program === 'pnpm';
  return isFree || known.pinned?.test(sub) === true ? { pin: 2 } : {};
}
