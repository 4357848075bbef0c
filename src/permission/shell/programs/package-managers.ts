/** Package managers: the word after them says whether they install, build or run something. */
import type { Profile } from '../analysis.ts';
import { literalWord, type ShellWord } from '../shell-word.ts';
import { dangerousOptions } from './dangerous-options.ts';
import { ghLoss } from './gh.ts';
import { knownOptionsProfile } from './known-options.ts';
import { npmHazard, npmPacks, npmRuns, npmStarts } from './npm-commands.ts';
import { findSpelling } from './option-spellings.ts';
import { entryOf } from './options.ts';
import { isLoading } from './unknown-programs.ts';

type Words = readonly ShellWord[];

interface Manager {
  /** Subcommands that install something, or run what no file of the folder names. */
  readonly hazard: RegExp;
  /** Those behind which a command of any program stands, and how far behind. */
  readonly starts?: RegExp;
  readonly behind?: number;
}

const subcommands: { readonly [program: string]: Manager } = {
  pnpm: {
    hazard:
      /^(exec|dlx|create|config|publish|link|add|install|i|update|up|remove|rm|env|setup|store|patch|deploy|import|rebuild|prune|init|self-update|recursive|multi|m|ci|un|uninstall|upgrade|approve-builds|dedupe|fetch|pkg|set|cache|install-test|it|version|unpublish)$/,
    starts: /^(exec|dlx)$/,
  },
  yarn: {
    hazard:
      /^(exec|dlx|create|config|publish|link|add|install|upgrade|remove|global|set|plugin|node|patch|init|import|up|unlink|policies|rebuild|npm|version|tag|owner|login|logout|team|unplug|dedupe|autoclean|cache|constraints|workspaces|upgrade-interactive)$/,
    starts: /^(exec|dlx)$/,
  },
  pip: { hazard: /./ },
  gem: { hazard: /./, starts: /^exec$/ },
  bundle: { hazard: /./, starts: /^exec$/ },
  composer: { hazard: /./, starts: /^exec$/ },
  corepack: { hazard: /./, starts: /^(npm|npx|pnpm|pnpx|yarn)$/, behind: 0 },
  // Any other word is a program called cargo-WORD.
  cargo: {
    hazard:
      /^(?!(build|b|c|test|t|bench|clippy|fmt|doc|d|tree|metadata|version|search|locate-project|pkgid|verify-project)$)/,
  },

  go: { hazard: /^(?!(build|test|vet|version|doc|fmt)$)/ },
  // To these, too, any other word may be a program that somebody installed.
  gh: { hazard: /^(?!(pr|issue|search|status|label|version|project|org|ruleset)$)/ },
  dotnet: { hazard: /^(?!(build|test|restore|pack|clean|format|sln|msbuild|vstest)$)/ },
  rustup: { hazard: /./, starts: /^run$/, behind: 2 },
  nvm: { hazard: /./, starts: /^exec$/ },
  fnm: { hazard: /./, starts: /^exec$/ },
  volta: { hazard: /./, starts: /^run$/ },
  asdf: { hazard: /./, starts: /^exec$/ },
  mise: { hazard: /./, starts: /^(exec|x)$/ },
};
/** Whether a program installs packages or builds one, as the folder says. */
export const managesPackages = (program: string): boolean => entryOf(subcommands, program) !== undefined;

/** Options in front of a subcommand that take no value, or hold it; to npm some take one although `no-` is in front. */
const alone =
  /^(-[sqdlvr]|-ws|--(silent|quiet|verbose|json|long|parseable|if-present|workspaces|recursive|ignore-scripts|offline|locked|frozen|release|no-(color|progress|audit|fund|update-notifier|bail|optional|default-features|fail-fast)|[\w-]+=.*))$/;

const listings = /^(list|ls|show|freeze|check|outdated|--version|-V|-v|help|--help)$/;

/** Null for programs that are no package managers. */
export function managerProfile(program: string, words: Words): Profile | null {
  const known = program === 'npm' ? null : entryOf(subcommands, program);
  if (known === undefined) return null;
  const end = words.findIndex(({ text }) => text === '--');
  const own = words.slice(1, end === -1 ? undefined : end);
  const at = words.findIndex(({ text }, i) => i > 0 && !text.startsWith('-'));
  const sub = words[at]?.text ?? '';
  const loses = program === 'gh' ? ghLoss(words) : null;
  if (loses !== null) return { loses };
  if (program === 'gh' && words.slice(1).some(({ text }) => /^([\w-]+-)?delete$/.test(text)))
    return { hazard: 'gh deletes what is at the remote' };
  const isStarting = known === null ? npmStarts(sub) : known.starts?.test(sub) === true;
  const because = (hazard: string): Profile => ({
    hazard,
    ...(isStarting ? behind(words.slice(at + (known?.behind ?? 1))) : {}),
  });
  const option = findSpelling(own, entryOf(dangerousOptions, program) ?? {});
  if (option !== null) return because(`${program} ${option} changes what runs`);
  if (at === -1 && program === 'yarn' && !words.slice(1).some(({ text }) => listings.test(text)))
    return { hazard: 'yarn alone installs packages, and runs what they bring' };
  if (at === -1) return {};
  // An option that takes the next word as its value would hide the subcommand.
  const hiding = words.slice(1, at).find(({ text }) => !alone.test(text));
  if (hiding !== undefined) return because(`${program} ${hiding.text} may take the word behind it`);
  if (listings.test(sub)) return {};
  const isHazard = known === null ? npmHazard(sub) : known.hazard.test(sub);
  if (words[at]?.kind !== 'literal' || isHazard) return because(`${program} ${sub} installs or runs other code`);
  switch (program) {
    case 'npm':
      return npmProfile(words, at);
    case 'yarn':
      if (sub === 'workspace') return inWorkspace(words, at);
      return scriptProfile(program, words, sub === 'run' ? at + 1 : at, at + 1);
    case 'pnpm':
      return scriptProfile(program, words, /^run(-script)?$/.test(sub) ? at + 1 : at, at + 1);
    case 'cargo': {
      // What stands behind the dashes is for the compiler, the formatter or the tests.
      const late = end === -1 ? null : findSpelling(words.slice(end + 1), behindCargo);
      return late === null ? {} : { hazard: `cargo ${sub} -- ${late} changes what runs, or writes a file` };
    }
    default:
      return knownOptionsProfile(program, words) ?? {};
  }
}

const behindCargo = {
  long: '--logfile --config --config-path --emit --codegen --sysroot --out-dir --extern'.split(' '),
  // To the compiler: unstable options, and a file with more of them.
  short: 'CZ@',
  except: ['-Zunstable-options'],
};

/** The command behind one that starts it, as far as its words tell. */
function behind(words: Words): Pick<Profile, 'starts' | 'scripts'> {
  const end = words.findIndex(({ text }) => text === '--');
  const first = words.findIndex(({ text }) => !/^-|@|^\d/.test(text));
  const at = end === -1 ? first : end + 1;
  const started = at === -1 ? [] : words.slice(at);
  const call = words.findIndex(({ text }) => /^(-c|--call|--shell-mode)$/.test(text));
  const text = call === -1 ? undefined : words[call + 1];
  return {
    starts: started[0]?.kind === 'literal' ? [started] : [],
    scripts: text?.kind === 'literal' ? [text.text] : [],
  };
}

function npmProfile(words: Words, at: number): Profile {
  const sub = words[at]?.text ?? '';
  if (npmRuns(sub)) return scriptProfile('npm', words, at + 1, at + 1);
  const packed = npmPacks(sub) ? words.slice(at + 1).find(({ text }) => !text.startsWith('-')) : undefined;
  return packed === undefined
    ? handedOn(words.slice(at + 1))
    : { hazard: `npm pack ${packed.text} runs the scripts of another package` };
}

/** `yarn workspace a build` is `yarn build` in another folder, which a rule must name. */
function inWorkspace(words: Words, at: number): Profile {
  const skipped = at + 1;
  const profile = managerProfile('yarn', [...words.slice(0, 1), ...words.slice(skipped + 1)]) ?? {};
  return { ...profile, pin: (profile.pin ?? 1) + skipped };
}

/**
 * A script of the package, whose name stands at `from` or behind options. Where it has none called `env`, npm starts the
 * program of that name with the words behind it, and others look for one among the packages. The package is not read:
 * what it says when the command runs is not known now.
 */
function scriptProfile(program: string, words: Words, from: number, pin: number): Profile {
  const args = words.slice(from);
  const first = args.findIndex(({ text }) => !text.startsWith('-'));
  const hiding = args.slice(0, Math.max(first, 0)).find(({ text }) => text !== '--' && !alone.test(text));
  // An option in front may take a word as its value.
  const mayBeName = (i: number): boolean =>
    args.slice(0, i).every(({ text }, j) => text.startsWith('-') || args[j - 1]?.text.startsWith('-') === true);
  const at = args.findIndex(({ kind, text }, i) => (text === 'env' || kind !== 'literal') && mayBeName(i));
  const found = args[at];
  const starts = found === undefined ? {} : { starts: [environment(args.slice(at + 1))] };
  const hazard =
    hiding !== undefined
      ? { hazard: `${program} ${hiding.text} may take the word behind it` }
      : found !== undefined && found.kind !== 'literal'
        ? { hazard: `${program} runs the script that ${found.text} finds` }
        : handedOn(args);
  return { pin, ...hazard, ...starts };
}

/** Options for whatever the script runs. */
function handedOn(args: Words): Pick<Profile, 'hazard'> {
  const option = args.find(({ text }) => isLoading(text));
  return option === undefined ? {} : { hazard: `the script may take ${option.text} for what it loads or runs` };
}

function environment(words: Words): Words {
  const end = words.findIndex(({ text }) => text === '--');
  return [literalWord('env'), ...(end === -1 ? words : words.toSpliced(end, 1))];
}
