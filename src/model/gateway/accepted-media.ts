/**
 * Which files a model looks at. A model that is not known to take a kind is told of the file in words: a refused
 * request would cost the whole round.
 */
const images = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
const document = 'application/pdf';

interface Taking {
  /** Names of models, at their start or behind a slash. */
  readonly models: RegExp;
  readonly media: readonly string[];
}

const taking: { readonly [provider: string]: readonly Taking[] } = {
  anthropic: [{ models: /^claude-/, media: [...images, document] }],
  openai: [{ models: /^(gpt-(4o|4\.1|[5-9])|o[1-9]|chatgpt-)/, media: [...images, document] }],
  google: [{ models: /^gemini-/, media: ['image/png', 'image/jpeg', 'image/webp', document] }],
  'openai-compatible': [
    {
      models:
        /(^|\/)(gpt-(4o|4\.1|[5-9])|o[1-9]|claude-|gemini-|gemma-[3-9]|llava|pixtral|llama-4|.*(vision|-vl|[23]vl))/i,
      media: images,
    },
  ],
};

/** `id` is `PROVIDER/MODEL`. */
export function acceptsMedia(id: string, mediaType: string): boolean {
  const slash = id.indexOf('/');
  const model = id.slice(slash + 1);
  const known = taking[id.slice(0, slash)] ?? [];
  return known.some(({ models, media }) => models.test(model) && media.includes(mediaType));
}
