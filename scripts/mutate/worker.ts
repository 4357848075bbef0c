/**
 * Runs the quick tests of a room in this one process, against one faulty source text after another. A fault is dead
 * when a test fails. Texts that hang are ended from outside.
 */
import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Mutant } from './find-mutants.ts';
import { collected, type SmallTest } from './small-vitest.ts';

export interface Orders {
  /** Folders, with a slash at the end, whose modules are loaded anew for each fault. */
  readonly anew: readonly string[];
  readonly tests: readonly string[];
}
export type Told =
  | {
      readonly ready: true;
      readonly tests: number;
      readonly slow: readonly string[];
      readonly failed: readonly string[];
    }
  | { readonly done: number; readonly killer: string | null }
  | { readonly alive: true };

/** Tests that take more of the processor are left to the ordinary run; the clock would tell of other programs, too. */
const testCpuMsMax = 250;
/** A test that waits longer for what never comes has failed, as it would in the ordinary run. */
const waitMsMax = 10_000;

const shim = new URL('./small-vitest.ts', import.meta.url).href;
const sources = new Map<string, string>();
let planted: { readonly file: string; readonly text: string } | null = null;

function install(anew: readonly string[]): void {
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier === 'vitest' || specifier === '@fast-check/vitest') return { url: shim, shortCircuit: true };
      const found = next(specifier, context);
      const round = /[?&]round=(\d+)/.exec(context.parentURL ?? '')?.[1];
      if (round === undefined || !found.url.startsWith('file:') || !found.url.endsWith('.ts')) return found;
      const file = fileURLToPath(found.url);
      return anew.some((folder) => file.startsWith(folder)) ? { ...found, url: `${found.url}?round=${round}` } : found;
    },
    load(url, context, next) {
      if (!url.includes('?round=')) return next(url, context);
      const file = fileURLToPath(url.slice(0, url.indexOf('?')));
      return { format: 'module', source: file === planted?.file ? planted.text : sourceOf(file), shortCircuit: true };
    },
  });
}

function sourceOf(file: string): string {
  let text = sources.get(file);
  if (text === undefined) {
    text = stripTypeScriptTypes(readFileSync(file, 'utf8'));
    sources.set(file, text);
  }
  return text;
}

let round = 0;
/** The tests of one file, with the modules of this round. */
async function load(file: string): Promise<readonly SmallTest[]> {
  collected.length = 0;
  await import(`${pathToFileURL(file).href}?round=${round}`);
  return [...collected];
}

const tell = (told: Told): void => void process.send?.(told);

let beatAt = 0;
/** Whoever waits knows by it that the tests go on, also on a busy machine. */
function beat(): void {
  if (Date.now() - beatAt < 1000) return;
  beatAt = Date.now();
  tell({ alive: true });
}

async function passes(one: SmallTest): Promise<boolean> {
  beat();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), waitMsMax);
  });
  try {
    return await Promise.race([Promise.resolve(one.run()).then(() => true), late]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

const measuresTime = ({ run }: SmallTest): boolean => String(run).includes('performance.now(');

const tookMs = new Map<string, number>();
const skipped = new Set<string>();

async function start({ anew, tests }: Orders): Promise<void> {
  install(anew);
  const failed: string[] = [];
  let count = 0;
  // Twice: what is loaded lazily shall not make the first test slow.
  for (const again of [false, true]) {
    round++;
    for (const file of tests) {
      for (const one of await load(file)) {
        const before = process.cpuUsage();
        const passed = await passes(one);
        const { user, system } = process.cpuUsage(before);
        const took = (user + system) / 1000;
        tookMs.set(one.name, took);
        if (!again) continue;
        count++;
        // Tests that measure time may fail on a busy machine, and slow ones cost every planted fault.
        if (took > testCpuMsMax || measuresTime(one)) skipped.add(one.name);
        else if (!passed) failed.push(one.name);
      }
    }
  }
  tell({ ready: true, tests: count - skipped.size, slow: [...skipped], failed });
}

/** What found faults of the same source file comes first: test files, and tests within them. */
const killers = new Map<string, { readonly files: Map<string, number>; readonly names: Map<string, number> }>();
const add = (to: Map<string, number>, key: string): void => void to.set(key, (to.get(key) ?? 0) + 1);

async function findKiller(mutant: Mutant, tests: readonly string[]): Promise<string | null> {
  planted = { file: mutant.file, text: mutant.text };
  round++;
  const known = killers.get(mutant.file) ?? { files: new Map(), names: new Map() };
  killers.set(mutant.file, known);
  const often = (counts: Map<string, number>, key: string): number => counts.get(key) ?? 0;
  try {
    for (const file of [...tests].sort((a, b) => often(known.files, b) - often(known.files, a))) {
      const all = (await load(file)).filter(({ name }) => !skipped.has(name));
      const first = [...all].sort(
        (a, b) =>
          often(known.names, b.name) - often(known.names, a.name) ||
          (tookMs.get(a.name) ?? 0) - (tookMs.get(b.name) ?? 0),
      );
      for (const one of first) {
        if (await passes(one)) continue;
        add(known.files, file);
        add(known.names, one.name);
        return one.name;
      }
    }
    return null;
  } catch {
    return 'it cannot be loaded';
  } finally {
    planted = null;
  }
}

let orders: Orders | null = null;
process.on('message', async (message: Orders | { readonly number: number; readonly mutant: Mutant }) => {
  if ('anew' in message) {
    orders = message;
    await start(message);
  } else {
    tell({ done: message.number, killer: await findKiller(message.mutant, orders?.tests ?? []) });
  }
});
