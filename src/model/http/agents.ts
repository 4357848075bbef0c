import type * as Http from 'node:http';

export type Environment = { readonly [name: string]: string | undefined };

export interface Transport {
  readonly request: typeof Http.request;
  readonly agent: Http.Agent;
}

/** Agents keep their sockets alive between rounds, so they are shared by all requests with the same proxy settings. */
const agents = new Map<string, Http.Agent>();

/**
 * How to reach a URL. `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` are honoured, except for loopback addresses, which no
 * proxy could reach on our behalf.
 */
export function transportFor(url: URL, env: Environment): Transport {
  const proxyEnv = isLoopback(url.hostname) ? {} : proxyVariables(env);
  const key = `${url.protocol} ${JSON.stringify(proxyEnv)}`;
  const module = loadModule(url.protocol === 'https:');
  let agent = agents.get(key);
  if (agent === undefined) {
    agent = new module.Agent({ keepAlive: true, maxFreeSockets: 4, proxyEnv });
    agents.set(key, agent);
  }
  return { request: module.request, agent };
}

/**
 * An `import` of `node:http` reads all its exports, `WebSocket` among them, and that loads the whole built-in fetch:
 * 16 MB and 30 ms. Taking the module itself does not. `node:https` adds 5 MB and is taken only where needed.
 */
function loadModule(secure: boolean): Pick<typeof Http, 'Agent' | 'request'> {
  return secure
    ? (process.getBuiltinModule('node:https') as unknown as typeof Http)
    : process.getBuiltinModule('node:http');
}

/** Loads what every request needs, `https` ones too. */
export const warmTransport = (): void => void loadModule(false);

const PROXY_VARIABLES = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'];

function proxyVariables(env: Environment): { [name: string]: string } {
  const found: { [name: string]: string } = {};
  for (const name of PROXY_VARIABLES) {
    const value = env[name];
    if (value !== undefined && value !== '') found[name] = value;
  }
  return found;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d+){3}$/.test(host);
}
