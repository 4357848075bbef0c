/** What the wrapper writes into the folder of an attempt. It is a shell: no call of ours counts for it. */
import { theMachine } from './machine.ts';
import { theVolume } from './the-volume.ts';

/** Creates the claim exclusively, as `set -C` does. */
export function claimFile(folder: string, line: string): boolean {
  theMachine().enter('claim', folder, true);
  const volume = theVolume();
  if (volume.find(folder) === null || volume.find(`${folder}/claim`) !== null) return false;
  volume.write(volume.create(`${folder}/claim`, 'file', 0o600, 'open'), Buffer.from(line), 0);
  return true;
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
  const inode = theVolume().find(`${folder}/rc`);
  if (inode !== null) theVolume().write(inode, Buffer.from(line), 0);
}

export function writeReceipt(folder: string, line: string): void {
  theMachine().enter('receipt', folder, true);
  const inode = theVolume().find(`${folder}/rc`);
  if (inode !== null) theVolume().write(inode, Buffer.from(line), 0);
}
