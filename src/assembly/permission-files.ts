/** The settings files with rules: of the machine, of the user, and of the repository, which can only narrow. */
import path from 'node:path';
import { type CommandHook, readHooks } from '#extensions';
import { ok, type Result } from '#lib';
import {
  checkExamples,
  mergeSandboxSettings,
  type NarrowingRules,
  noSandboxSettings,
  readSandboxSettings,
  readSettings,
  type SandboxSettings,
  type SettingsRules,
  unknownKeys,
} from '#permission';
import type { Problem } from '#surfaces/cli';
import { problem } from './problem.ts';
import { environmentOf } from './settings/environment-settings.ts';
import { readSettingsText } from './settings/settings-file.ts';
import { projectSection, userSettingsFile } from './settings/user-settings.ts';

export interface FileRules {
  /** Of the machine and the user. */
  readonly allow: readonly string[];
  readonly narrowing: NarrowingRules;
  /** Of the machine and the user. */
  readonly sandbox: SandboxSettings;
  /** The machine's file demands a sandbox: nobody switches it off. */
  readonly sandboxDemanded: boolean;
  /** Names and patterns of variables that commands get besides, of the machine and the user. */
  readonly pass: readonly string[];
  /** Of the machine and the user. */
  readonly hooks: readonly CommandHook[];
  readonly warnings: readonly string[];
  /** Examples that rules carry, and those of the repository that do not hold. */
  readonly examples: { readonly count: number; readonly failed: readonly string[] };
}

/** 52 where a file of the machine or the user has a rule that denies or asks and could never match, or an example that does not hold. */
export async function permissionFiles(
  root: string,
  env: NodeJS.ProcessEnv,
  tools: readonly string[] = [],
  machine = '/etc/belay/settings.json',
): Promise<Result<FileRules, Problem>> {
  const user = userSettingsFile(env);
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
  const users: SettingsRules[] = [];
  const repositorys: SettingsRules[] = [];
  const sandbox = { [machine]: noSandboxSettings, [user]: noSandboxSettings };
  const faults: string[] = [];
  const pass: string[] = [];
  const hooks: CommandHook[] = [];
  const warnings: string[] = [];
  for (const { name, at, from } of files) {
    const file = await readSettingsText(at);
    if (file === null) continue;
    if ('unreadable' in file) {
      const why = `${name}: ${file.unreadable}, so none of its rules count`;
      (from === 'user' ? faults : warnings).push(why);
      continue;
    }
    const { text } = file;
    (from === 'user' ? users : repositorys).push(await readSettings({ name, text, from }, tools));
    warnings.push(
      ...unknownKeys(name, text, from === 'user' ? 'user' : name.startsWith('.belay/') ? 'own' : 'foreign'),
    );
    if (from === 'repository') continue;
    const own = at === user ? projectSection(text, root) : null;
    if (own !== null) {
      const section = `${name}, for this workspace`;
      users.push(await readSettings({ name: section, text: own, from }, tools));
      warnings.push(...unknownKeys(section, own, 'project'));
    }
    const found = readSandboxSettings(name, text);
    sandbox[at] = found.settings;
    const variables = environmentOf(name, text);
    pass.push(...variables.pass);
    faults.push(...found.faults, ...variables.faults);
    const commands = readHooks({ name, text });
    hooks.push(...commands.hooks);
    warnings.push(...commands.warnings);
  }
  const read = [...users, ...repositorys];
  faults.push(...read.flatMap((one) => one.faults));
  if (faults.length > 0) return problem(52, faults.join('; '));
  const allow = read.flatMap((one) => one.allow);
  const narrowing = narrowingOf(read);
  // What a repository narrows is no fault in the user's rules.
  const failed = await failedExamples(users, { allow, ...narrowingOf(users), workspace: root });
  if (failed.length > 0) return problem(52, failed.join('; '));
  const doubtful = await failedExamples(repositorys, { allow, ...narrowing, workspace: root });
  return ok({
    allow,
    narrowing,
    sandbox: mergeSandboxSettings(sandbox[machine] ?? noSandboxSettings, sandbox[user] ?? noSandboxSettings),
    sandboxDemanded: sandbox[machine]?.mode === 'required',
    pass,
    hooks,
    warnings: [...read.flatMap((one) => one.warnings), ...warnings, ...doubtful],
    examples: { count: read.flatMap((one) => one.examples).length, failed: doubtful },
  });
}

const narrowingOf = (read: readonly SettingsRules[]): NarrowingRules => ({
  deny: read.flatMap((one) => one.deny),
  ask: read.flatMap((one) => one.ask),
});

const failedExamples = async (read: readonly SettingsRules[], under: Parameters<typeof checkExamples>[1]) =>
  (
    await checkExamples(
      read.flatMap((one) => one.examples),
      under,
    )
  ).map(({ fault }) => fault);
