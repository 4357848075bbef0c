/**
 * Belay with a fault: whoever resumes with it takes attempts that began for new ones, as if it had never written a claim
 * or a mark. The matrix must see that effects then happen twice.
 */
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

if (process.argv[2] === 'resume') {
  const attempts = path.join(process.env['BELAY_HOME'] ?? '', 'sessions', process.argv[3] ?? '', 'exec');
  for (const name of existsSync(attempts) ? readdirSync(attempts) : []) {
    rmSync(path.join(attempts, name, 'claim'), { force: true });
    writeFileSync(path.join(attempts, name, 'rc'), ' '.repeat(160));
  }
}
await import('../../../src/assembly/entry.ts');
