import type { SharedV4ProviderMetadata } from '@ai-sdk/provider';
import type { Json } from '#kernel';

/**
 * What a provider wants back unchanged with a part: thinking signatures, encrypted reasoning, item ids. It is kept as
 * it came and given back only to the model that made it: another one would refuse the foreign signature.
 */
export function packMeta(from: string, metadata: SharedV4ProviderMetadata | undefined): { meta?: Json } {
  if (metadata === undefined) return {};
  const data: unknown = JSON.parse(JSON.stringify(metadata, dropBulk));
  const kept = Object.entries(data as { [provider: string]: Json }).filter(([, value]) => !isEmpty(value));
  return kept.length === 0 ? {} : { meta: { from, data: Object.fromEntries(kept) } };
}

/** The metadata to send back with a part, undefined where there is none from this model. */
export function unpackMeta(from: string, meta: Json | undefined): SharedV4ProviderMetadata | undefined {
  if (typeof meta !== 'object' || meta === null || Array.isArray(meta)) return undefined;
  const packed = meta as { readonly [key: string]: Json };
  return packed['from'] === from ? (packed['data'] as SharedV4ProviderMetadata) : undefined;
}

/** Later metadata of a part adds to the earlier, per provider. */
export function mergeMeta(
  earlier: SharedV4ProviderMetadata | undefined,
  later: SharedV4ProviderMetadata | undefined,
): SharedV4ProviderMetadata | undefined {
  if (earlier === undefined || later === undefined) return later ?? earlier;
  const merged = { ...earlier };
  for (const [provider, values] of Object.entries(later)) merged[provider] = { ...merged[provider], ...values };
  return merged;
}

/** Citations and log probabilities are long and never wanted back. */
function dropBulk(key: string, value: unknown): unknown {
  return key === 'annotations' || key === 'citations' || key === 'logprobs' || value === null ? undefined : value;
}

function isEmpty(value: Json): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
