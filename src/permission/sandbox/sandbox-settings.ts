/** The part `sandbox` of a settings file. Only files of the machine and the user count. */

export type SandboxMode = 'auto' | 'required' | 'off';

export interface SandboxSettings {
  readonly mode: SandboxMode | null;
  readonly network: boolean | null;
  /** Paths that commands may read although they lie in a hidden folder; `~/` is the home. */
  readonly readable: readonly string[];
  /** Paths outside the workspace that commands may write. */
  readonly writable: readonly string[];
}

export const noSandboxSettings: SandboxSettings = { mode: null, network: null, readable: [], writable: [] };

const modes: readonly unknown[] = ['auto', 'required', 'off'];

/** Never throws; faults are sentences. Text that is no JSON is somebody else's fault to tell. */
export function readSandboxSettings(
  name: string,
  text: string,
): { readonly settings: SandboxSettings; readonly faults: readonly string[] } {
  const faults: string[] = [];
  const given = sectionOf(text);
  if (given === undefined) return { settings: noSandboxSettings, faults };
  if (!isObject(given)) return { settings: noSandboxSettings, faults: [`${name}: sandbox must be an object`] };
  const fault = (text: string) => void faults.push(`${name}: sandbox.${text}`);
  for (const key of Object.keys(given)) {
    if (!['mode', 'network', 'readable', 'writable'].includes(key)) fault(`${key} is not known`);
  }
  const { mode = null, network = null } = given;
  if (mode !== null && !modes.includes(mode)) fault('mode must be auto, required or off');
  if (network !== null && typeof network !== 'boolean') fault('network must be true or false');
  const paths = (key: 'readable' | 'writable'): readonly string[] => {
    const list = given[key] ?? [];
    const isFit = (one: unknown): one is string => typeof one === 'string' && /^(\/|~\/)./.test(one);
    if (Array.isArray(list) && list.every(isFit)) return list;
    fault(`${key} must be a list of paths that begin with "/" or "~/"`);
    return [];
  };
  return {
    settings: {
      mode: modes.includes(mode) ? (mode as SandboxMode) : null,
      network: typeof network === 'boolean' ? network : null,
      readable: paths('readable'),
      writable: paths('writable'),
    },
    faults,
  };
}

/** What the machine's file demands holds; elsewhere the user's file counts before it. */
export function mergeSandboxSettings(machine: SandboxSettings, user: SandboxSettings): SandboxSettings {
  return {
    mode: machine.mode === 'required' ? 'required' : (user.mode ?? machine.mode),
    network: machine.network === false ? false : (user.network ?? machine.network),
    readable: [...machine.readable, ...user.readable],
    writable: [...machine.writable, ...user.writable],
  };
}

function sectionOf(text: string): unknown {
  try {
    const whole: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return isObject(whole) ? whole['sandbox'] : undefined;
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
