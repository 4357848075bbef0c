/** A workspace whose commands run in the sandbox of the product, under its supervisor. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { Confinement } from '#workspace';
import type { SandboxRequest } from '../../src/assembly/sandbox/open-sandbox.ts';
import { openPlace, type Place } from '../workspace/bench-place.ts';
import { confinementFor } from './confinement-for.ts';

export interface ConfinedPlace extends Place {
  readonly confinement: Confinement;
}

export async function openConfined(more: Partial<SandboxRequest> = {}, prepare = 'true'): Promise<ConfinedPlace> {
  const late: { confinement: Confinement | null } = { confinement: null };
  const place = await openPlace({
    confinement: {
      confine: async (cwd) => late.confinement?.confine(cwd) ?? null,
      tidy: (isQuiet) => late.confinement?.tidy(isQuiet) ?? [],
      accept: (made) => late.confinement?.accept?.(made),
      hasNetwork: () => false,
      isOn: () => true,
      close: () => late.confinement?.close?.(),
    },
  });
  const script = `git init -q && git config user.email a@b && git config user.name n && echo a >a && git add a && git commit -qm x; ${prepare}`;
  const made = spawnSync('sh', ['-c', script], {
    cwd: place.root,
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' },
  });
  if (made.status !== 0) throw new Error(String(made.stderr));
  const confinement = await confinementFor(place, more);
  late.confinement = confinement;
  return { ...place, confinement };
}

/** Living processes with this among their words, wherever they run. */
export const livingWith = (mark: string): readonly string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      const isIn = /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0').includes(mark);
      return isIn && !/^\d+ \(.*\) [ZX] /s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
    } catch {
      return false;
    }
  });

let marks = 0;
/** A number of seconds that no other test sleeps. */
export const markedSleep = (): string => `${300 + marks}.${process.pid}${marks++}`;
