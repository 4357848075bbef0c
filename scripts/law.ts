/** Checks the import law of the rooms and prints every violation with the sentence why the rule exists. */
import path from 'node:path';
import { checkLaw } from './law/check-law.ts';

const root = path.resolve(import.meta.dirname, '..');
const { violations, cruised, files } = await checkLaw(root);
for (const { rule, from, to, why } of violations) {
  process.stdout.write(`${from} → ${to}\n    ${rule}: ${why}\n`);
}
if (cruised !== files) {
  process.stdout.write(`the checker read ${cruised} modules, but there are ${files} source files\n`);
}
const good = violations.length === 0 && cruised === files;
process.stdout.write(good ? `law: ${cruised} modules, no violation\n` : `law: ${violations.length} violations\n`);
process.exitCode = good ? 0 : 1;
