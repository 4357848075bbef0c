import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Confinement, programFinder } from '#workspace';
import { openSandbox, type SandboxRequest } from '../../src/assembly/sandbox/open-sandbox.ts';

/** The sandbox of the product for a workspace with its data beside it. Throws where none works. */
export async function confinementFor(
  place: { readonly root: string; readonly data: string },
  more: Partial<SandboxRequest> = {},
): Promise<Confinement> {
  const sessionFolder = join(place.data, 'session');
  mkdirSync(sessionFolder, { recursive: true });
  const opened = await openSandbox({
    mode: 'required',
    network: false,
    settings: { readable: [], writable: [] },
    deny: [],
    workspace: place.root,
    dataFolder: place.data,
    sessionFolder,
    memory: null,
    find: programFinder(place.root, process.env['PATH']),
    env: process.env,
    bootId: 'boot',
    ...more,
  });
  if (!opened.ok || opened.value.confinement === null) throw new Error('there is no sandbox here');
  return opened.value.confinement;
}
