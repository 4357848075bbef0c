/** Appends until there is no room, and prints what then holds. Meant for a small disk or a file size limit. */
import { LedgerError, openStore } from '#ledger';

const store = openStore({ home: process.argv[2] ?? '' });
const codeOf = async (call: () => Promise<unknown>): Promise<string> => {
  try {
    await call();
    return 'none';
  } catch (thrown) {
    return thrown instanceof LedgerError ? thrown.code : String(thrown);
  }
};

const ledger = await store.create('full');
let appended = 0;
let code = 'none';
for (; code === 'none' && appended < 2000; ) {
  code = await codeOf(() => ledger.append([{ type: 'input.received', text: 'x'.repeat(5000) }]));
  if (code === 'none') appended++;
}
const again = await codeOf(() => ledger.append([{ type: 'input.received', text: 'y'.repeat(50_000) }]));
const blob = await codeOf(() => ledger.putBlob(Buffer.alloc(4 * 1024 * 1024, 1)));
const flush = await codeOf(() => ledger.flush());
const { facts, tornBytes, damage } = await store.openReader('full');
await ledger.close();
const reopened = await codeOf(async () => (await store.openWriter('full')).close());
console.log(JSON.stringify({ code, again, blob, flush, appended, read: facts.length, tornBytes, damage, reopened }));
