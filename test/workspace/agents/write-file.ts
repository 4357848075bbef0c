/** An agent that writes one file and stops dead right before the change. Arguments: ROOT DATA PATH BASE EXEC. */
import { openWorkspace } from '#workspace';

const [root, data, path, base, execFolder] = process.argv.slice(2) as [string, string, string, string, string];
const workspace = await openWorkspace({
  root,
  protectedPaths: [data],
  lockFolder: data,
  env: process.env,
  onDisplace: () => {
    process.stdout.write('displacing\n');
    return new Promise(() => setInterval(() => undefined, 1_000));
  },
});
await workspace.files.write({ path, bytes: Buffer.from('new\n'), base: base === '-' ? null : base, execFolder });
