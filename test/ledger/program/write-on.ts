/** Appends facts for ever, in batches of one to three, and names each after it was appended. For being killed. */
import { writeSync } from 'node:fs';
import { openStore } from '#ledger';

const store = openStore({ home: process.argv[2] ?? '' });
const id = process.argv[3] ?? '';
const ledger = await store.create(id).catch(() => store.openWriter(id));
for (let n = 0; ; n++) {
  const facts = await ledger.append(
    Array.from({ length: 1 + (n % 3) }, (_, i) => ({
      type: 'input.received',
      text: `${n} ${i} ${'x'.repeat(n % 700)}`,
    })),
  );
  writeSync(1, `${facts.at(-1)?.seq}\n`);
  if (n % 10 === 0) await ledger.flush();
}
