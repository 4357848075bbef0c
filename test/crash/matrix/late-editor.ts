/** A file editor that waits for a line before it goes to its claim. Arguments: ROOT DATA PATH BASE EXEC TEXT. */
import { openWorkspace } from '#workspace';

const [root, data, path, base, execFolder, text] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
  string,
];
const [file] = (JSON.parse(base) as { files: readonly { base: string | null }[] }).files;
const workspace = await openWorkspace({ root, protectedPaths: [data], env: process.env });
process.stdout.write('ready\n');
process.stdin.once('data', async () => {
  const written = await workspace.files.write({
    path,
    bytes: Buffer.from(text),
    base: file?.base ?? null,
    execFolder,
  });
  process.stdout.write(`${written.ok ? 'written' : written.code}\n`);
  process.stdin.destroy();
});
