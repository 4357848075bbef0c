/** `make` writes a session; `try` says what can still be done with it and with the store. */
import { LedgerError, openStore } from '#ledger';

const [, , mode, home = ''] = process.argv;
const store = openStore({ home });
const codeOf = async (call: () => Promise<unknown>): Promise<string> => {
  try {
    await call();
    return 'none';
  } catch (thrown) {
    return thrown instanceof LedgerError ? thrown.code : String(thrown);
  }
};
if (mode === 'make') {
  const ledger = await store.create('a');
  await ledger.append([{ type: 'backoff.ended', waitedMs: 1 }]);
  await ledger.close();
} else {
  const facts = (await store.openReader('a')).facts.length;
  const listed = (await store.list()).length;
  const write = await codeOf(() => store.openWriter('a'));
  const create = await codeOf(() => store.create('b'));
  const leave = await codeOf(() => store.inbox('a').leave({ kind: 'input', text: 'x' }));
  const remove = await codeOf(() => store.remove('a'));
  console.log(JSON.stringify({ facts, listed, write, create, leave, remove }));
}
