/** Instants of a run, seen from outside: what the provider received, the ledger, the folders of attempts, the effects. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { FactType } from '#kernel';
import type { Effect } from './effects.ts';
import { execFolders, type Place, textOf } from './place.ts';

export type Point =
  /** The provider holds the nth request and has not answered it. */
  | { readonly at: 'request'; readonly n: number }
  /** The nth fact of a type has just been written. */
  | { readonly at: 'fact'; readonly type: FactType; readonly n: number }
  /** An attempt is being made ready; there is no claim yet. */
  | { readonly at: 'folder' }
  | { readonly at: 'claim' }
  /** The command has come so far. */
  | { readonly at: 'progress'; readonly n: number }
  | { readonly at: 'effect' }
  /** The receipt of a command, or the mark of a finished file change. */
  | { readonly at: 'receipt' }
  /** The process for this command of the user has been started: a barrier of its own for a visit. */
  | { readonly at: 'started'; readonly command: string };

export const pointText = (point: Point): string =>
  point.at === 'fact'
    ? `${point.type} ${point.n}`
    : point.at === 'started'
      ? `start of ${point.command}`
      : 'n' in point
        ? `${point.at} ${point.n}`
        : point.at;

export interface Now {
  readonly place: Place;
  readonly effect: Effect;
  readonly command: string;
}

export function isReached(point: Point, { place, effect, command }: Now): boolean {
  switch (point.at) {
    case 'request':
      return place.server.requests.length >= point.n;
    case 'fact':
      return factCount(place, point.type) >= point.n;
    case 'folder':
      return execFolders(place).length > 0;
    case 'claim':
      return execFolders(place).some((folder) => textOf(path.join(folder, 'claim')) !== '');
    case 'progress':
      return textOf(place.progress).length / 3 >= point.n;
    case 'effect':
      return effect.count(place) > 0;
    case 'receipt':
      return execFolders(place).some(hasReceipt);
    case 'started':
      return command === point.command;
  }
}

export const hasReceipt = (folder: string): boolean =>
  /^v1 \S+ exit \d+ \S+ end\n/.test(textOf(path.join(folder, 'rc'))) || existsSync(path.join(folder, 'applied'));

/** Facts lie in the ledger as JSON, each with its type as a word of its own. */
export const factCount = (place: Place, type: FactType): number => textOf(place.ledger).split(`"${type}"`).length - 1;
