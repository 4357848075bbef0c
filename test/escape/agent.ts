/** An agent that starts one confined command, waits for it and prints its result. Arguments: ROOT DATA REQUEST. */
import { openWorkspace } from '#workspace';
import { confinementFor } from './confinement-for.ts';

const [root, data, request] = process.argv.slice(2) as [string, string, string];
const confinement = await confinementFor({ root, data });
const workspace = await openWorkspace({ root, protectedPaths: [data], env: process.env, confinement });
const prepared = await workspace.processes.prepare({
  ...JSON.parse(request),
  signal: new AbortController().signal,
});
const { output, ...result } = await prepared.start();
await workspace.processes.stopLeftovers();
process.stdout.write(JSON.stringify({ ...result, output: Buffer.from(output).toString() }));
