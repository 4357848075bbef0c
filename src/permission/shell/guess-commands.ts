/** Commands that a text may start besides those that it certainly could, and what they may start in turn. */
import { type Carried, carriedBy } from './programs/carried-commands.ts';
import { profileOf } from './programs/profile-of.ts';
import { type ShellWord, wordKey } from './shell-word.ts';

type Words = readonly ShellWord[];

/** Commands that are followed at once. */
const commandsMax = 30;

/** `guessText` gives the words of the commands of a text that perhaps is none. Each command is given once. */
export function guessCommands(seeds: Carried, guessText: (text: string) => readonly Words[]): readonly Words[] {
  const found = new Map<string, Words>();
  const add = ({ commands, texts }: Carried): void => {
    for (const words of [...commands, ...texts.flatMap(guessText)]) {
      if (words.length > 0 && found.size < commandsMax) found.set(words.map(wordKey).join('\n'), words);
    }
  };
  add(seeds);
  // The map grows while it is walked.
  for (const words of found.values()) {
    const profile = profileOf(words);
    add({ commands: profile.starts ?? [], texts: profile.scripts ?? [] });
    add(carriedBy(words, profile));
  }
  return [...found.values()];
}
