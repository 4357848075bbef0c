/** The settings files with rules: of the machine, of the user, and of the repository, which can only narrow. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { ok, type Result } from '#lib';
import { type NarrowingRules, readSettings, type SettingsRules } from '#permission';
import type { Problem } from '#surfaces/cli';
import { problem } from './problem.ts';

export interface FileRules {
  /** Of the machine and the user. */
  readonly allow: readonly string[];
  readonly narrowing: NarrowingRules;
  readonly warnings: readonly string[];
}

/** A larger file holds no rules that anybody wrote. */
const bytesMax = 256 * 1024;

/** 52 where a file of the machine or the user has a rule that denies or asks and could never match. */
export async function permissionFiles(
  root: string,
  env: NodeJS.ProcessEnv,
  own: readonly string[] = [],
  machine = '/etc/belay/settings.json',
): Promise<Result<FileRules, Problem>> {
  const config = env['XDG_CONFIG_HOME'] ?? '';
  const user = path.join(path.isAbsolute(config) ? config : path.join(homedir(), '.config'), 'belay', 'settings.json');
  const inRepository = [
    '.belay/settings.json',
    '.belay/settings.local.json',
    '.claude/settings.json',
    '.claude/settings.local.json',
  ];
  const files = [
    { name: machine, at: machine, from: 'user' as const },
    { name: user, at: user, from: 'user' as const },
    ...inRepository.map((name) => ({ name, at: path.join(root, name), from: 'repository' as const })),
  ];
  const read: SettingsRules[] = [];
  for (const { name, at, from } of files) {
    const text = await readText(at);
    if (text !== null) read.push(await readSettings({ name, text, from }, own));
  }
  const faults = read.flatMap((one) => one.faults);
  if (faults.length > 0) return problem(52, faults.join('; '));
  return ok({
    allow: read.flatMap((one) => one.allow),
    narrowing: { deny: read.flatMap((one) => one.deny), ask: read.flatMap((one) => one.ask) },
    warnings: read.flatMap((one) => one.warnings),
  });
}

/** Null where there is no such file. What is there and cannot be read counts as a broken file: it may hold a `deny`. */
async function readText(at: string): Promise<string | null> {
  try {
    const file = await open(at, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stat = await file.stat();
      return stat.isFile() && stat.size <= bytesMax ? await file.readFile('utf8') : '';
    } finally {
      await file.close();
    }
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? thrown.code : '';
    return code === 'ENOENT' || code === 'ENOTDIR' ? null : '';
  }
}
