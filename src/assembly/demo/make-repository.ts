import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { programFinder, runTool, toolEnv } from '#workspace';

export interface DemoPlace {
  /** The temporary folder that holds everything below. */
  readonly folder: string;
  readonly repository: string;
  readonly script: string;
  /** One line for each real run of the tests. */
  readonly effects: string;
  /** Test run N waits while the file `hold-N` exists. */
  readonly hold: string;
}

/** A fresh copy of the demo's repository in a temporary folder, under git where git exists. */
export async function makeRepository(countsRuns: boolean, env: NodeJS.ProcessEnv): Promise<DemoPlace> {
  const source = demoSource();
  const folder = await mkdtemp(path.join(tmpdir(), 'belay-demo-'));
  const place: DemoPlace = {
    folder,
    repository: path.join(folder, 'repo'),
    script: path.join(source, 'script.json'),
    effects: path.join(folder, 'effects.log'),
    hold: path.join(folder, 'hold'),
  };
  await mkdir(place.repository);
  await cp(path.join(source, 'repo'), place.repository, { recursive: true });
  if (countsRuns) {
    await writeFile(
      path.join(place.repository, 'count-runs.json'),
      `${JSON.stringify({ effects: place.effects, hold: place.hold })}\n`,
    );
  }
  await initGit(place.repository, env);
  return place;
}

/** The folder with the demo, from the bundle as well as from the sources. */
function demoSource(): string {
  for (let at = import.meta.dirname; ; at = path.dirname(at)) {
    const folder = path.join(at, 'examples', 'demo');
    if (existsSync(path.join(folder, 'script.json'))) return folder;
    if (path.dirname(at) === at) throw new Error('the demo is missing from this installation (examples/demo)');
  }
}

async function initGit(cwd: string, env: NodeJS.ProcessEnv): Promise<void> {
  const git = programFinder(cwd, env['PATH'])('git');
  if (git === null) return;
  const settings = ['user.name=Demo', 'user.email=demo@localhost', 'commit.gpgsign=false', 'core.hooksPath=/dev/null'];
  const options = { cwd, env: toolEnv(env), timeoutMs: 10_000, outputBytesMax: 65_536 };
  for (const args of [
    ['init', '-q'],
    ['add', '-A'],
    ['commit', '-q', '-m', 'Titles'],
  ]) {
    await runTool(git, [...settings.flatMap((setting) => ['-c', setting]), ...args], options);
  }
}
