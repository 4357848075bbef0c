import { err, ok, type Result } from '#lib';
import type { ModelConfigProblem } from '../contract.ts';
import type { Environment } from '../http/agents.ts';
import { baseUrl } from './base-url.ts';
import type { Provider, ProviderTraits } from './provider.ts';

interface Access {
  readonly model: string;
  readonly apiKey: string | null;
  readonly baseURL: string;
}

interface Definition {
  /** Variables that may hold the key, the first one is named in messages. */
  readonly keys: readonly string[];
  readonly urls: readonly string[];
  readonly defaultUrl: string;
  readonly version: string;
  /** A server of the user's own may want no key. */
  readonly keyless: boolean;
  readonly traits: ProviderTraits;
  connect(access: Access, fetch: typeof globalThis.fetch): ReturnType<Provider['connect']>;
}

const definitions: { readonly [name: string]: Definition } = {
  openai: {
    keys: ['OPENAI_API_KEY'],
    urls: ['OPENAI_BASE_URL'],
    defaultUrl: 'https://api.openai.com',
    version: 'v1',
    keyless: false,
    traits: {
      errorFlag: false,
      cacheBreakpoints: false,
      emptyArguments: false,
      filesInResults: true,
      reasoning: 'signed',
      // Nothing is kept on the provider's side: the ledger is the truth, so encrypted reasoning travels with it.
      options: { openai: { store: false } },
    },
    async connect({ model, apiKey, baseURL }, fetch) {
      const { createOpenAI } = await import('@ai-sdk/openai');
      return createOpenAI({ apiKey: apiKey ?? '', baseURL, fetch }).responses(model);
    },
  },
  'openai-compatible': {
    keys: ['OPENAI_COMPATIBLE_API_KEY', 'OPENAI_API_KEY'],
    urls: ['OPENAI_COMPATIBLE_BASE_URL', 'OPENAI_BASE_URL'],
    defaultUrl: 'https://api.openai.com',
    version: 'v1',
    keyless: true,
    // Several local servers send an empty text for a call without arguments.
    traits: {
      errorFlag: false,
      cacheBreakpoints: false,
      emptyArguments: true,
      filesInResults: false,
      reasoning: 'current-turn',
    },
    async connect({ model, apiKey, baseURL }, fetch) {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      const key = apiKey === null ? {} : { apiKey };
      return createOpenAICompatible({ name: 'openaiCompatible', ...key, baseURL, fetch, includeUsage: true }).chatModel(
        model,
      );
    },
  },
  anthropic: {
    keys: ['ANTHROPIC_API_KEY'],
    urls: ['ANTHROPIC_BASE_URL'],
    defaultUrl: 'https://api.anthropic.com',
    version: 'v1',
    keyless: false,
    traits: {
      errorFlag: true,
      cacheBreakpoints: true,
      emptyArguments: true,
      filesInResults: true,
      reasoning: 'signed',
      maxOutputTokens: 32_000,
      events: new Set([
        'message_start',
        'content_block_start',
        'content_block_delta',
        'content_block_stop',
        'message_delta',
        'message_stop',
        'ping',
        'error',
      ]),
    },
    async connect({ model, apiKey, baseURL }, fetch) {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic({ apiKey: apiKey ?? '', baseURL, fetch }).messages(model);
    },
  },
  google: {
    keys: ['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
    urls: ['GOOGLE_GENERATIVE_AI_BASE_URL'],
    defaultUrl: 'https://generativelanguage.googleapis.com',
    version: 'v1beta',
    keyless: false,
    traits: {
      errorFlag: false,
      cacheBreakpoints: false,
      emptyArguments: false,
      filesInResults: true,
      reasoning: 'signed',
    },
    async connect({ model, apiKey, baseURL }, fetch) {
      const { createGoogle } = await import('@ai-sdk/google');
      return createGoogle({ apiKey: apiKey ?? '', baseURL, fetch }).chat(model);
    },
  },
};

export const providerNames: readonly string[] = Object.keys(definitions);

/** A provider by name, with its key and address from the environment. Nothing is loaded or sent yet. */
export function findProvider(
  name: string,
  model: string,
  env: Environment,
): Result<Provider, ModelConfigProblem> | null {
  const definition = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
  if (definition === undefined) return null;
  const keyVariable = firstSet(definition.keys, env) ?? (definition.keys[0] as string);
  const apiKey = env[keyVariable]?.trim() || null;
  const urlVariable = firstSet(definition.urls, env);
  if (apiKey === null && !(definition.keyless && urlVariable !== null)) {
    const message = `the model ${name}/${model} needs a key: set ${definition.keys.join(' or ')}`;
    return err({ code: 'auth', message });
  }
  const given = urlVariable === null ? definition.defaultUrl : (env[urlVariable] as string);
  const baseURL = baseUrl(given, definition.version);
  if (baseURL === null) {
    const message = `${urlVariable} is no http or https address: ${JSON.stringify(given)}`;
    return err({ code: 'configuration', message });
  }
  return ok({
    id: `${name}/${model}`,
    keyVariable,
    key: apiKey,
    traits: definition.traits,
    connect: (fetch) => definition.connect({ model, apiKey, baseURL }, fetch),
  });
}

function firstSet(names: readonly string[], env: Environment): string | null {
  return names.find((name) => (env[name] ?? '').trim() !== '') ?? null;
}
