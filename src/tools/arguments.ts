import type { Json } from '#kernel';

/**
 * Arguments of a call by name. A tool reads them after the registry has checked them; before that, in `classify`, a
 * value of the wrong type reads as absent, so that classifying never throws.
 */
export interface Arguments {
  text(name: string): string | undefined;
  number(name: string): number | undefined;
  flag(name: string): boolean;
  list(name: string): readonly Json[] | undefined;
}

export function readArguments(args: Json): Arguments {
  const value = (name: string): Json | undefined =>
    args !== null && typeof args === 'object' && !Array.isArray(args)
      ? (args as { readonly [key: string]: Json })[name]
      : undefined;
  return {
    text: (name) => {
      const found = value(name);
      return typeof found === 'string' ? found : undefined;
    },
    number: (name) => {
      const found = value(name);
      return typeof found === 'number' ? found : undefined;
    },
    flag: (name) => value(name) === true,
    list: (name) => {
      const found = value(name);
      return Array.isArray(found) ? found : undefined;
    },
  };
}
