import type { LanguageModelV4, SharedV4ProviderOptions } from '@ai-sdk/provider';

/** What the shared adapter must know about one provider. */
export interface Provider {
  /** `PROVIDER/MODEL`. */
  readonly id: string;
  /** The environment variable that holds the key, for messages. */
  readonly keyVariable: string;
  /** The key itself, only to keep it out of messages; null for a server that wants none. */
  readonly key: string | null;
  readonly traits: ProviderTraits;
  /** A language model whose requests go through `fetch`. Loads the provider's package at the first call. */
  connect(fetch: typeof globalThis.fetch): Promise<LanguageModelV4>;
}

export interface ProviderTraits {
  /** The wire format has a flag for failed tool results; elsewhere the text alone must do. */
  readonly errorFlag: boolean;
  /** The provider's own cache breakpoints are set by us. */
  readonly cacheBreakpoints: boolean;
  /** Results of tools may carry files; elsewhere files follow in a message of the user. */
  readonly filesInResults: boolean;
  /** A call without arguments is sent as an empty text. */
  readonly emptyArguments: boolean;
  /**
   * How reasoning goes back. `signed`: only with the provider's own signature or encrypted form.
   * `current-turn`: as plain text, and only since the last user message.
   */
  readonly reasoning: 'signed' | 'current-turn';
  /** Answer limit where the caller sets none; absent: the provider's own. */
  readonly maxOutputTokens?: number;
  readonly options?: SharedV4ProviderOptions;
  /** Event types of the stream, where the provider promises to add new ones that must be ignored. */
  readonly events?: ReadonlySet<string>;
}
