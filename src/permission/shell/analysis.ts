/** What a shell text could do, as far as its words say so before it runs. */
import type { ShellWord } from './shell-word.ts';

export interface ShellCommand {
  /** The program first. It is always literal: a text with any other command word is not understood. */
  readonly words: readonly ShellWord[];
  /** The words of the text, where the command counts without some of them: `git -C src log` is `git log` in a folder. */
  readonly written?: readonly ShellWord[];
  /** Variables that are set for this command alone. */
  readonly sets: readonly string[];
  readonly profile: Profile;
  /** Commands that this one starts, as far as its words tell. */
  readonly inner: readonly ShellCommand[];
  /** Words of commands that it and those may start besides: a guess that counts for rules that deny or ask, and for nothing else. */
  readonly perhaps?: readonly (readonly ShellWord[])[];
}

/** What is known about one command from its words. */
export interface Profile {
  /** Why a rule for the first words is not enough: only a rule for exactly these words allows it. */
  readonly hazard?: string;
  /** What would be lost; such a command is asked whatever the rules say. */
  readonly loses?: string;
  /** What would be lost where something of the name is there; elsewhere the word means something else. */
  readonly losesIfThere?: { readonly word: ShellWord; readonly why: string };
  /** The hazard outlasts it: it changes what git runs later, so a rule for every command is not enough. */
  readonly governs?: boolean;
  /** It only starts its inner commands: those need a rule, not it. */
  readonly transparent?: boolean;
  /** Part of the shell's own flow, such as `exit`: needs no rule. */
  readonly free?: boolean;
  /** Its words never name files. */
  readonly pathless?: boolean;
  /** Positions of words that are no paths, such as the pattern of `grep`. */
  readonly notPaths?: readonly number[];
  /** Positions of words that are the values of options, and so never options themselves. */
  readonly values?: readonly number[];
  /** A rule must name at least so many words, because the last of them chooses the program that runs. */
  readonly pin?: number;
  /** Files that it overwrites. */
  readonly writes?: readonly FileWrite[];
  /** Names of other repositories, of the configuration unless something of the name is there. */
  readonly peers?: readonly ShellWord[];
  /** Words of the commands that it starts. */
  readonly starts?: readonly (readonly ShellWord[])[];
  /** Shell texts that it runs. */
  readonly scripts?: readonly string[];
}

export interface FileWrite {
  readonly word: ShellWord;
  readonly append: boolean;
  /** A rule for edits must allow it, besides the rule for the command. */
  readonly needsEdit: boolean;
  /** Where a folder stands there, what lies in it is overwritten. */
  readonly deep?: boolean;
}

export interface Analysis {
  readonly commands: readonly ShellCommand[];
  readonly writes: readonly FileWrite[];
  /** Files that redirections read. */
  readonly reads: readonly ShellWord[];
  /** Words of the text that may become words of its commands: of loops, of what `echo` prints. Empty where none takes any. */
  readonly given: readonly ShellWord[];
  /** Words of commands that a shell may read, or that a variable may name; a guess as that of a command. */
  readonly perhaps?: readonly (readonly ShellWord[])[];
  /** Folders, relative to where the text starts, in which a part of it may run; the first is `.`. */
  readonly folders: readonly string[];
  /** Why the text is not understood; empty where it is. No rule allows a text that is not understood. */
  readonly doubts: readonly string[];
}
