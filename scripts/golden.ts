/**
 * Records the golden ledgers of this version that are not there yet: `npm run golden`. A release adds its own folder under
 * test/golden/fixtures and never touches another one; `--again` records the present version's anew, which is right only
 * before it is released.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { openStore } from '#ledger';
import { version } from '../src/assembly/version.ts';
import { openPlace } from '../test/golden/place.ts';
import { stories } from '../test/golden/stories.ts';
import { summaryOf } from '../test/golden/summary.ts';

const { values } = parseArgs({ options: { again: { type: 'boolean', default: false } } });
const folder = path.resolve(import.meta.dirname, '../test/golden/fixtures', version);
mkdirSync(folder, { recursive: true });

for (const story of stories) {
  if (existsSync(path.join(folder, `${story.name}.log`)) && !values.again) continue;
  const place = openPlace();
  try {
    await story.play(place);
    const { report, problems } = await openStore({ home: path.join(place.folder, 'home') }).verify('s');
    if (problems.length > 0 || report.damage !== null) throw new Error(`${story.name} is damaged: ${problems.join()}`);
    writeFileSync(path.join(folder, `${story.name}.log`), readFileSync(place.log));
    const provenance = {
      belay: version,
      node: process.versions.node,
      recordedBy: 'scripts/golden.ts',
      tells: story.tells,
    };
    const told = { provenance, summary: summaryOf(report.facts) };
    writeFileSync(path.join(folder, `${story.name}.json`), `${JSON.stringify(told, null, 2)}\n`);
    process.stdout.write(`${story.name}: ${report.facts.length} facts\n`);
  } finally {
    place.close();
  }
}
