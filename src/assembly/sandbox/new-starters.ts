/**
 * Places of the workspace from which programs start later, where nothing is yet. What a confined command makes there is
 * put away; what the user, an editor of his or Belay's own edits make is not.
 *
 * 1. Only while something confined lives can a new place be its work. What appears while nothing does is somebody
 *    else's, and is protected from the next command on like what has always been there.
 * 2. Nothing is looked at while a confined process could swap it, but to see whether it is there.
 */
import { kindOf } from './real-paths.ts';

export interface NewStarters {
  /** Before each confined command. True where none was at work before it. */
  begin(): boolean;
  /** What came into being since, and may be the work of a command. */
  appeared(): readonly string[];
  /** Nothing confined lives any more, and what appeared is put away. */
  settle(): void;
  /** Belay itself makes something there; false where that is none of the places. */
  accept(made: string): boolean;
  /** What is there and must stay as it is. */
  frozen(): readonly string[];
  /** What was absent when the commands began that may still live; empty where none does. */
  absent(): readonly string[];
}

/** `places` are absolute. `mayLive`: commands of a run before may still be at work. */
export function watchStarters(places: readonly string[], mayLive: boolean): NewStarters {
  const absentNow = (): readonly string[] => places.filter((at) => kindOf(at) === null);
  const frozenNow = (): readonly string[] => places.filter((at) => ['file', 'folder'].includes(kindOf(at) ?? ''));
  let isOpen = mayLive;
  let absent = mayLive ? absentNow() : [];
  let frozen = frozenNow();
  return {
    begin() {
      if (isOpen) return false;
      isOpen = true;
      absent = absentNow();
      frozen = frozenNow();
      return true;
    },
    appeared: () => absent.filter((at) => kindOf(at) !== null),
    settle() {
      isOpen = false;
      absent = [];
    },
    accept(made) {
      const others = absent.filter((at) => made !== at && !made.startsWith(`${at}/`));
      const isOne = others.length < absent.length;
      absent = others;
      return isOne;
    },
    frozen: () => frozen,
    absent: () => absent,
  };
}
