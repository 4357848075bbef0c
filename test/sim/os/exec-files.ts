/** What the wrapper writes into the folder of an attempt. It is a shell: no call of ours counts for it. */
import { theMachine } from './machine.ts';
import { theVolume } from './the-volume.ts';

/** Creates the claim exclusively, as `set -C` does; its line comes later. Returns what writes it. */
export function claimFile(folder: string): ((line: string) => void) | null {
  theMachine().enter('claim', folder, true);
  const volume = theVolume();
  if (volume.find(folder) === null || volume.find(`${folder}/claim`) !== null) return null;
  const inode = volume.create(`${folder}/claim`, 'file', 0o600, 'open');
  return (line) => {
    theMachine().enter('append', `${folder}/claim`, true);
    volume.write(inode, Buffer.from(line), 0);
  };
}

/** Appends; without the file nothing is kept. */
export function appendFile(folder: string, name: string, text: string): void {
  theMachine().enter('append', `${folder}/${name}`, true);
  const inode = theVolume().find(`${folder}/${name}`);
  if (inode !== null) theVolume().write(inode, Buffer.from(text), inode.size);
}

/** Says in the place of the receipt that the command begins. */
export function markBegun(folder: string, line: string): void {
  theMachine().enter('append', `${folder}/rc`, true);
  writeOver(`${folder}/rc`, folder, line);
}

export function writeReceipt(folder: string, line: string): void {
  theMachine().enter('receipt', folder, true);
  writeOver(`${folder}/rc`, folder, line);
}

/** As `1<>` does: over what is there, and into a new file where somebody removed it. */
function writeOver(path: string, folder: string, line: string): void {
  const volume = theVolume();
  if (volume.find(folder) === null) return;
  volume.write(volume.find(path) ?? volume.create(path, 'file', 0o600, 'open'), Buffer.from(line), 0);
}
