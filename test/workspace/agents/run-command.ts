/** An agent that starts one command and waits for it; the test kills it meanwhile. Arguments: ROOT DATA REQUEST [OPTIONS]. */
import { openWorkspace } from '#workspace';

const [root, data, request, options = '{}'] = process.argv.slice(2) as [string, string, string, string?];
const workspace = await openWorkspace({ root, protectedPaths: [data], env: process.env, ...JSON.parse(options) });
const prepared = await workspace.processes.prepare({
  ...JSON.parse(request),
  signal: new AbortController().signal,
});
process.stdout.write('prepared\n');
if (process.env['STAY_PREPARED'] === '1') setInterval(() => undefined, 1_000);
else await prepared.start();
