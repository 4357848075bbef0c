/**
 * A loopback provider as a program, for tests that run Belay itself as a process:
 *
 *   node test/servers/run.ts --provider anthropic --script script.json [--key KEY] [--seed N]
 *
 * The script is one of the scripted model; a field `faults` beside `turns` lists faults by request. The first line on
 * stdout is the port. `GET /__requests` gives the requests received so far. It ends when its stdin ends.
 */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { Fault } from './fault.ts';
import { startLoopback } from './loopback-server.ts';
import { protocols } from './protocols.ts';

const { values } = parseArgs({
  options: {
    provider: { type: 'string' },
    script: { type: 'string' },
    key: { type: 'string', default: 'test-key' },
    seed: { type: 'string', default: '1' },
  },
});
const protocol = protocols.find((candidate) => candidate.provider === values.provider);
if (protocol === undefined || values.script === undefined) {
  console.error(`usage: run.ts --provider ${protocols.map((known) => known.provider).join('|')} --script FILE`);
  process.exit(2);
}
const { faults, ...script } = JSON.parse(await readFile(values.script, 'utf8')) as {
  faults?: readonly (Fault | null)[];
};
const server = await startLoopback(protocol, {
  script,
  key: values.key,
  seed: Number(values.seed),
  faults: faults ?? [],
});
console.log(new URL(server.origin).port);
process.stdin.resume();
process.stdin.on('end', () => void server.close());
process.on('SIGTERM', () => void server.close());
