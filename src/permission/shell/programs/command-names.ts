/** Other names of the commands of a program, so that a rule that narrows means all of them. */
import { entryOf } from './options.ts';

type Groups = readonly (readonly string[])[];
const groups = (text: string): Groups => text.split(', ').map((names) => names.split(' '));

const packages = groups(
  'install i in ins inst insta instal isnt isnta isntal isntall add a, uninstall unlink remove rm r un, run run-script rum urn, test t tst, rebuild rb, update up upgrade udpate u, exec x dlx, config c, clean-install ci ic install-clean isntall-clean, install-ci-test cit clean-install-test sit, install-test it, init create innit, link ln, version verison, owner author, dedupe ddp, login adduser add-user, dist-tag dist-tags, unstar star, view v info show, search s se find, list ls ll la, deprecate undeprecate',
);
const containers = groups('remove rm, list ls ps');

const names: { readonly [program: string]: Groups } = {
  npm: packages,
  pnpm: packages,
  yarn: packages,
  bun: packages,
  cargo: groups('build b, check c, test t, run r, doc d, remove rm'),
  docker: containers,
  podman: containers,
  nerdctl: containers,
  helm: groups('uninstall un delete del'),
  brew: groups('uninstall remove rm'),
  dnf: groups('remove erase rm, install in, upgrade update up'),
  yum: groups('remove erase, upgrade update'),
  zypper: groups('install in, remove rm, update up'),
  conda: groups('uninstall remove'),
  gem: groups('install i'),
  git: groups('add stage, push send-pack'),
  svn: groups('commit ci, delete del remove rm, update up, switch sw, checkout co, copy cp, move mv rename ren'),
  hg: groups('commit ci, update up checkout co, remove rm, rename move mv, copy cp'),
};

/** These take the beginning of a name for it. */
const shortening = /^(npm|hg|gem|composer)$/;

/** Whether two words could name the same command of a program. */
export function isSameCommand(program: string, rule: string, word: string): boolean {
  // npm takes capitals for dashes.
  const said = program === 'npm' ? word.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`) : word;
  const known = entryOf(names, program) ?? [];
  const meant = known.find((group) => group.includes(rule)) ?? [rule];
  if (meant.includes(said)) return true;
  const isWhole = known.some((group) => group.includes(said));
  return shortening.test(program) && !isWhole && said.length > 1 && meant.some((one) => one.startsWith(said));
}
