/** An agent with a helper program that lasts; it writes its id to the file that is named. */
import { runTool } from '#workspace';

const [pidFile = ''] = process.argv.slice(2);
const options = { cwd: '/', env: { PATH: '/usr/bin:/bin' }, timeoutMs: 60_000, outputBytesMax: 1_000 };
process.on('SIGTERM', () => process.exit(143));
await runTool('/bin/sh', ['-c', 'echo $$ >"$0"; exec sleep 300', pidFile], options);
