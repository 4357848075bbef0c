/** Adds rules one after another, as a process of its own: add-rules.ts FILE NAME COUNT. */
import { storeRules } from '../../../../src/assembly/settings/store-rules.ts';

const [file = '', name = '', count = '0'] = process.argv.slice(2);
for (let at = 0; at < Number(count); at++) {
  const stored = await storeRules(file, `/repository/${name}`, [`Bash(${name} ${at})`]);
  if (!stored.ok) throw new Error(stored.error.message);
}
