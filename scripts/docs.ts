/**
 * The pages that are made from data, and the name of the code that folds facts. Without an option it only checks that they are current; `--write` renews them.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { configurationPage } from './docs/configuration.ts';
import { exitCodesPage } from './docs/exit-codes.ts';
import { foldIdModule } from './docs/fold-id.ts';
import { ledgerFormatPage } from './docs/ledger-format.ts';
import { requirementsPage } from './docs/requirements.ts';
import { architecturePage } from './docs/room-graph.ts';

const root = path.resolve(import.meta.dirname, '..');
const write = process.argv.includes('--write');

const pages: readonly { readonly file: string; readonly make: (root: string) => string }[] = [
  { file: 'docs/configuration.md', make: configurationPage },
  { file: 'docs/exit-codes.md', make: exitCodesPage },
  { file: 'docs/ledger-format.md', make: ledgerFormatPage },
  { file: 'docs/requirements.md', make: requirementsPage },
  { file: 'ARCHITECTURE.md', make: architecturePage },
  { file: 'src/assembly/fold-id.ts', make: foldIdModule },
];

function present(file: string): string {
  try {
    return readFileSync(path.join(root, file), 'utf8');
  } catch {
    return '';
  }
}

for (const { file, make } of pages) {
  try {
    const wanted = make(root);
    if (wanted === present(file)) continue;
    if (write) writeFileSync(path.join(root, file), wanted);
    else throw new Error(`${file} is not current; run npm run docs`);
  } catch (error) {
    process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
