/**
 * The commands of npm. It takes any unique beginning of a command or of one of its other names, and capitals for dashes.
 * Versions differ in what they know, so that a beginning stands for everything that it could be.
 */
const list = (text: string): readonly string[] => text.split(' ');

/** They only show something. */
const showing = list(
  'bugs issues completion diff docs home doctor explain why fund help hlep help-search find-dupes ll la ls list outdated ping prefix query repo root sbom search find s se stars view info show v whoami',
);
/** They run a script of the package that their name or the next word says. */
const running = list('run run-script rum urn test tst t start stop pack');
const hazardous = list(
  'access adduser add-user login logout approve-scripts deny-scripts audit cache ci clean-install ic install-clean isntall-clean config c set get dedupe ddp deprecate undeprecate dist-tag dist-tags edit exec x explore init create innit install add i in ins inst insta instal isnt isnta isntal isntall install-ci-test cit clean-install-test sit install-scripts install-test it link ln org ogr owner author pkg profile prune publish rebuild rb restart shrinkwrap stage star unstar team token trust uninstall unlink remove rm r un unpublish update u up upgrade udpate version verison hook birthday set-script stop-all',
);

const names = [...showing, ...running, ...hazardous];

/** What a word could mean to npm. */
function meant(word: string): readonly string[] {
  const name = word.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return names.includes(name) ? [name] : names.filter((one) => one.startsWith(name));
}

/** Whether a word could install, run or change other things than scripts of the package, or is no command. */
export function npmHazard(word: string): boolean {
  const meanings = meant(word);
  return meanings.length === 0 || meanings.some((name) => hazardous.includes(name));
}

/** Whether a word could be the one behind which a command of any program stands. */
export const npmStarts = (word: string): boolean => meant(word).some((name) => /^(exec|x|explore)$/.test(name));

/** Whether a word packs a package, which runs scripts of it. */
export const npmPacks = (word: string): boolean => meant(word).includes('pack');

/** Whether the word behind one that is no hazard chooses the script that runs. */
export const npmRuns = (word: string): boolean => /^(ru|ur)/.test(word);
