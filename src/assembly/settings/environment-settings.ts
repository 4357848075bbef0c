/** The part `environment` of a settings file, which names variables for commands. Only files of the machine and the user count. */
import { passFault } from '#workspace';
import { readSettingsText } from './settings-file.ts';
import { userSettingsFile } from './user-settings.ts';

export interface EnvironmentSettings {
  /** Names, and patterns with one `*` at the end; see `passFault`. */
  readonly pass: readonly string[];
}

export interface EnvironmentFound {
  readonly pass: readonly string[];
  /** Sentences; what has a fault does not count. */
  readonly faults: readonly string[];
}

/** `at` names where it stands. Never throws. */
export function readEnvironment(at: string, given: unknown): EnvironmentFound {
  if (given === undefined) return { pass: [], faults: [] };
  if (!isObject(given)) return { pass: [], faults: [`${at} must be an object, such as {"pass": ["DATABASE_URL"]}`] };
  const faults = Object.keys(given).flatMap((key) => (key === 'pass' ? [] : [`${at}.${key} is not known`]));
  const list: unknown = given['pass'] ?? [];
  if (!Array.isArray(list)) {
    const shape = `${at}.pass must be a list of names, such as ["DATABASE_URL", "DOTNET_*"]`;
    return { pass: [], faults: [...faults, shape] };
  }
  const pass: string[] = [];
  for (const entry of list as readonly unknown[]) {
    const fault = passFault(entry);
    if (fault === null) pass.push(entry as string);
    else faults.push(`${at}.pass: ${JSON.stringify(entry)} ${fault}`);
  }
  return { pass, faults };
}

/** Of a settings file. Text that is no JSON is somebody else's fault to tell. */
export function environmentOf(name: string, text: string): EnvironmentFound {
  try {
    const whole = JSON.parse(text.replace(/^\uFEFF/, '')) as { readonly environment?: unknown } | null;
    return readEnvironment(`${name}: environment`, whole?.environment);
  } catch {
    return { pass: [], faults: [] };
  }
}

/** Of both files, without the rest of them. */
export async function environmentInForce(
  env: NodeJS.ProcessEnv,
  machine = '/etc/belay/settings.json',
): Promise<EnvironmentFound> {
  const read = await Promise.all(
    [machine, userSettingsFile(env)].map(async (name) => {
      const file = await readSettingsText(name);
      return environmentOf(name, file !== null && 'text' in file ? file.text : '');
    }),
  );
  return { pass: read.flatMap((one) => one.pass), faults: read.flatMap((one) => one.faults) };
}

const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
