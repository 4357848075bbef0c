/**
 * Adapters are costly to make and carry no state between requests, so they are kept. An adapter in use is never lent
 * twice: its requests go through the `fetch` of whoever borrowed it.
 */
import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { Provider } from './provider.ts';

type Fetch = typeof globalThis.fetch;

interface Connection {
  readonly model: LanguageModelV4;
  fetch: Fetch;
}

export interface Connections {
  /** Calls `use` with an adapter whose requests go through `fetch`, and takes it back at the end. */
  withModel<T>(fetch: Fetch, use: (model: LanguageModelV4) => Promise<T>): Promise<T>;
  /** Makes an adapter for the first request. A fault is left to that request. */
  warm(): Promise<void>;
}

/** Unused adapters kept: more requests than this at once are rare. */
const KEPT_MAX = 2;

export function connections(provider: Provider): Connections {
  const kept: Connection[] = [];
  const refused: Fetch = () => Promise.reject(new Error('a request outside a call'));
  const keep = (connection: Connection) => {
    connection.fetch = refused;
    if (kept.length < KEPT_MAX) kept.push(connection);
  };
  return {
    async withModel(fetch, use) {
      const connection = kept.pop() ?? (await connect(provider, fetch));
      connection.fetch = fetch;
      try {
        return await use(connection.model);
      } finally {
        keep(connection);
      }
    },
    async warm() {
      try {
        keep(await connect(provider, refused));
      } catch {
        // The request meets it again, and tells it.
      }
    },
  };
}

async function connect(provider: Provider, first: Fetch): Promise<Connection> {
  const current: { fetch: Fetch } = { fetch: first };
  const model = await provider.connect((input, init) => current.fetch(input, init));
  return Object.assign(current, { model });
}
