/**
 * Belay with a fault: whoever resumes with it forgets the folders of attempts, and with them claims and receipts. The
 * matrix must see that effects then happen twice.
 */
import { rmSync } from 'node:fs';
import path from 'node:path';

if (process.argv[2] === 'resume') {
  rmSync(path.join(process.env['BELAY_HOME'] ?? '', 'sessions', process.argv[3] ?? '', 'exec'), {
    recursive: true,
    force: true,
  });
}
await import('../../../src/assembly/entry.ts');
