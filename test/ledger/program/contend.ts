/** Tries to hold a session at each line `go ID`, answers `won` or the error code, and lets go at `done`. Ends with its input. */
import { createInterface } from 'node:readline';
import { LedgerError, openStore, type WritableLedger } from '#ledger';

const store = openStore({ home: process.argv[2] ?? '' });
let ledger: WritableLedger | null = null;
console.log('ready');
for await (const line of createInterface({ input: process.stdin })) {
  const [word, id = ''] = line.split(' ');
  if (word === 'go') {
    try {
      ledger = await store.openWriter(id);
      await ledger.append([{ type: 'backoff.ended', waitedMs: process.pid }]);
      console.log('won');
    } catch (thrown) {
      console.log(thrown instanceof LedgerError ? `${thrown.code} ${thrown.message}` : String(thrown));
    }
  } else {
    await ledger?.close();
    ledger = null;
    console.log('free');
  }
}
