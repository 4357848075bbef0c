import { memoryLedger } from '#ledger';
import { ledgerConformance } from './conformance.ts';
import { freshStore } from './support.ts';

ledgerConformance('in memory', async (sessionId) => memoryLedger(sessionId));
ledgerConformance('in a file', (sessionId) => freshStore().create(sessionId));
// Nothing stays in memory: whatever is read comes from the file.
ledgerConformance('in a file, reading from it', (sessionId) => freshStore({ recentBytesMax: 0 }).create(sessionId));
