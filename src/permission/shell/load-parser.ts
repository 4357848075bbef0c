import type { parse } from 'unbash';

export type Parse = typeof parse;

let loaded: Promise<Parse> | null = null;

/** The parser, loaded at the first call: most runs of the command line never read a shell text. */
export const loadParser = (): Promise<Parse> => {
  loaded ??= import('unbash').then((module) => module.parse);
  return loaded;
};
