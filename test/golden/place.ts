/** A repository and a data folder of their own, and the real program on them, for recording outside a test run. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

export interface RecordingPlace {
  readonly folder: string;
  readonly log: string;
  script(turns: readonly object[]): string;
  /** Runs to the end; throws unless it exits with this code. */
  belay(exitCode: number, ...args: string[]): Promise<string>;
  start(...args: string[]): ChildProcess;
  /** The attempt folder whose spool holds the text, once there is one. */
  spooled(text: string): Promise<string>;
  close(): void;
}

export function openPlace(): RecordingPlace {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'belay-golden-')));
  const session = path.join(folder, 'home/sessions/s');
  cpSync(path.join(root, 'examples/demo/repo'), path.join(folder, 'repo'), { recursive: true });
  const start = (...args: string[]): ChildProcess => {
    const { PATH = '', HOME = '' } = process.env;
    return spawn(process.execPath, [path.join(root, 'src/assembly/entry.ts'), ...args], {
      cwd: path.join(folder, 'repo'),
      env: { PATH, HOME, BELAY_HOME: path.join(folder, 'home'), XDG_CONFIG_HOME: path.join(folder, 'config') },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  };
  return {
    folder,
    log: path.join(session, 'ledger.log'),
    start,
    script(turns) {
      const file = path.join(folder, 'script.json');
      writeFileSync(file, JSON.stringify({ turns }));
      return `scripted/${file}`;
    },
    async belay(exitCode, ...args) {
      const child = start(...args);
      let shown = '';
      for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (shown += String(text)));
      const [code] = await once(child, 'close');
      if (code !== exitCode) throw new Error(`belay ${args.join(' ')} exited with ${code}, not ${exitCode}:\n${shown}`);
      return shown;
    },
    async spooled(text) {
      for (let tries = 0; tries < 800; tries++) {
        for (const name of attempts(session)) {
          const place = path.join(session, 'exec', name);
          if (readOr(path.join(place, 'out')).includes(text)) return place;
        }
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
      throw new Error(`no command printed ${text}`);
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function attempts(session: string): readonly string[] {
  try {
    return readdirSync(path.join(session, 'exec'));
  } catch {
    return [];
  }
}

function readOr(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
