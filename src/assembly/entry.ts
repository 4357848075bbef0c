#!/usr/bin/env node
/**
 * The first file that runs. What it promises:
 *  1. It imports next to nothing before it knows that this Node can run the rest, and only what old Nodes parse and have.
 *  2. `--version` is answered here, and `sessions` by a small part, without loading the rest.
 *  3. Whatever escapes the rest becomes one line on standard error and exit code 1, if it does not name another.
 */
import path from 'node:path';
import { cacheFolder } from './cache-folder.ts';
import { version } from './version.ts';

/** The range that package.json declares as "engines"; a test compares the two. */
const supportedNodes = 'Node 22.22.2 or newer of the 22 line, 24.15 or newer of the 24 line, or 26';

function isSupportedNode(nodeVersion: string): boolean {
  const [major = 0, minor = 0, patch = 0] = nodeVersion.split('.').map(Number);
  if (major >= 26) return true;
  if (major === 24) return minor >= 15;
  return major === 22 && (minor > 22 || (minor === 22 && patch >= 2));
}

function refuse(message: string, exitCode: number): void {
  process.stderr.write(`belay: ${message}\n`);
  process.exitCode = exitCode;
}

const exitCodeOf = (error: unknown): number =>
  error instanceof Error && 'exitCode' in error && typeof error.exitCode === 'number' ? error.exitCode : 1;

/** What nobody waits for and nobody catches, such as the error of a descriptor that the system had none left for. */
function refuseUncaught(error: unknown): void {
  refuse(error instanceof Error ? error.message : String(error), 1);
  process.exit();
}

async function start(argv: readonly string[]): Promise<void> {
  try {
    // What was asked stands among the arguments: a command that kills by words must not find it in this process.
    process.title = 'belay';
    if (argv[0] === 'sessions') {
      const cache = cacheFolder();
      const { existsSync } = process.getBuiltinModule('node:fs');
      if (cache !== null && existsSync(path.dirname(cache)))
        process.getBuiltinModule('node:module').enableCompileCache(cache);
      const { listAlone } = await import('./list-sessions.ts');
      const exitCode = await listAlone(argv);
      if (exitCode !== null) {
        process.exitCode = exitCode;
        return;
      }
    }
    const { parts } = await import('./parts.ts');
    const { main } = await parts.main();
    const exitCode = await main(argv);
    process.exitCode = exitCode;
    parts.ended(argv[0] ?? '', exitCode);
  } catch (error) {
    refuse(error instanceof Error ? error.message : String(error), exitCodeOf(error));
  }
}

if (process.platform === 'win32') {
  refuse('Windows is not supported. Use WSL.', 52);
} else if (!isSupportedNode(process.versions.node)) {
  refuse(`this is Node ${process.versions.node}, but Belay needs ${supportedNodes}.`, 1);
} else if (process.argv.length === 3 && (process.argv[2] === '--version' || process.argv[2] === '-V')) {
  process.stdout.write(`${version}\n`);
} else {
  process.on('uncaughtException', refuseUncaught);
  void start(process.argv.slice(2));
}
