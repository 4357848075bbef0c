/**
 * A user's rule, parsed. `tool` rules match every call of a tool, or of the tools of one server; `paths` rules match
 * one path; `command` rules match the words of one simple command; `domain` rules match one host.
 */
export type Rule =
  | {
      readonly kind: 'tool';
      readonly tool: string;
      /** Tools whose names begin so are meant too: those of one server. */
      readonly below?: string;
      readonly text: string;
    }
  | {
      readonly kind: 'paths';
      readonly tools: readonly string[];
      /** Takes paths relative to the workspace, and full ones, which may begin with `~/`. */
      readonly matches: (path: string) => boolean;
      /** Whether it may match something below a folder of the workspace. */
      readonly reaches: (folder: string) => boolean;
      readonly text: string;
    }
  | {
      readonly kind: 'command';
      readonly tool: string;
      readonly words: readonly string[];
      /** True: further words may follow. */
      readonly prefix: boolean;
      /** True: the last word is only the beginning of one. */
      readonly stem: boolean;
      readonly text: string;
    }
  | {
      readonly kind: 'domain';
      readonly tool: string;
      readonly matches: (host: string) => boolean;
      readonly text: string;
    };

/** Where and for what a rule counts. */
export interface RuleSide {
  /** It denies or asks: what it could mean counts, where a rule that allows counts for no more than it says. */
  readonly narrows: boolean;
  /** The full path of the workspace; without it full paths are never inside. */
  readonly workspace?: string;
  /** The full path of the user's home folder. */
  readonly home?: string;
}
