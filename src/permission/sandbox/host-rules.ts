/**
 * Which hosts commands may reach: `example.com`, `*.example.com` (what lies below it), either with `:port`, `1.2.3.4`.
 * Without a port 80 and 443 are meant.
 */
export interface HostRule {
  readonly host: string;
  readonly below: boolean;
  readonly ports: readonly number[];
}

const usualPorts = [80, 443];
const form =
  /^(\*\.)?([a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*|\[[0-9a-f:]+\])(?::(\d{1,5}))?$/;

/** Null where the text is no such rule. */
export function readHostRule(text: string): HostRule | null {
  const found = form.exec(text.trim().toLowerCase());
  if (found === null) return null;
  const [, star, host = '', port] = found;
  if (port !== undefined && !(Number(port) > 0 && Number(port) < 65_536)) return null;
  return { host: bare(host), below: star !== undefined, ports: port === undefined ? usualPorts : [Number(port)] };
}

/** How far a command may go: `any` address for a host that is itself an address or `localhost`; null: not at all. */
export type Reach = 'public' | 'any' | null;

/** Whether these rules let a command reach a host. */
export function reachOf(rules: readonly HostRule[], host: string, port: number): Reach {
  // A dot at the end names the same host.
  const name = bare(host.toLowerCase()).replace(/\.$/, '');
  const rule = rules.find(
    (one) => one.ports.includes(port) && (one.below ? name.endsWith(`.${one.host}`) : name === one.host),
  );
  if (rule === undefined) return null;
  const isAddress = rule.host.includes(':') || /^\d{1,3}(\.\d{1,3}){3}$/.test(rule.host);
  return !rule.below && (isAddress || rule.host === 'localhost') ? 'any' : 'public';
}

const bare = (host: string): string => host.replace(/^\[(.*)\]$/, '$1');
