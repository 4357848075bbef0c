/** The part `sandbox` of a settings file. Only files of the machine and the user count. */
import { readHostRule } from './host-rules.ts';

export type SandboxMode = 'auto' | 'required' | 'off';

export interface SandboxSettings {
  readonly mode: SandboxMode | null;
  readonly network: boolean | null;
  /** Hosts that commands reach where they have no network otherwise; see `readHostRule`. */
  readonly hosts: readonly string[];
  /** Paths that commands may read although they lie in a hidden folder; `~/` is the home. */
  readonly readable: readonly string[];
  /** Paths outside the workspace that commands may write. */
  readonly writable: readonly string[];
}

export const noSandboxSettings: SandboxSettings = {
  mode: null,
  network: null,
  hosts: [],
  readable: [],
  writable: [],
};

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
  const unfit = Array.isArray(network) ? network.filter((one) => typeof one !== 'string' || !readHostRule(one)) : null;
  if (network !== null && typeof network !== 'boolean' && unfit?.length !== 0) {
    const which = unfit === null ? '' : `; none is ${unfit.map((one) => JSON.stringify(one)).join(', ')}`;
    fault(
      `network must be true, false or a list of hosts such as "example.com", "*.example.com" or "example.com:8443"${which}`,
    );
  }
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
      hosts: unfit?.length === 0 ? (network as readonly string[]) : [],
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
    hosts: machine.network === false ? [] : [...machine.hosts, ...user.hosts],
    readable: [...machine.readable, ...user.readable],
    writable: [...machine.writable, ...user.writable],
  };
}

function sectionOf(text: string): unknown {
  try {
    const whole = JSON.parse(text.replace(/^\uFEFF/, '')) as { readonly sandbox?: unknown } | null;
    return whole?.sandbox;
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
