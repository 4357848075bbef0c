import type { Agent } from 'node:http';
import * as http from 'node:http';

export type Environment = { readonly [name: string]: string | undefined };

export interface Transport {
  readonly request: typeof http.request;
  readonly agent: Agent;
}

/** Agents keep their sockets alive between rounds, so they are shared by all requests with the same proxy settings. */
const agents = new Map<string, Agent>();

/**
 * How to reach a URL: `node:https` is loaded for https only, because it costs 5 MB. `HTTPS_PROXY`, `HTTP_PROXY` and
 * `NO_PROXY` are honoured, except for loopback addresses, which no proxy could reach on our behalf.
 */
export async function transportFor(url: URL, env: Environment): Promise<Transport> {
  const proxyEnv = isLoopback(url.hostname) ? {} : proxyVariables(env);
  const key = `${url.protocol} ${JSON.stringify(proxyEnv)}`;
  const module = url.protocol === 'https:' ? await import('node:https') : http;
  let agent = agents.get(key);
  if (agent === undefined) {
    agent = new module.Agent({ keepAlive: true, maxFreeSockets: 4, proxyEnv });
    agents.set(key, agent);
  }
  return { request: module.request as typeof http.request, agent };
}

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
