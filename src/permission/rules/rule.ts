/** A user's rule, parsed. `paths` rules match one path; `command` rules match the words of one simple command. */
export type Rule =
  | { readonly kind: 'tool'; readonly tool: string; readonly text: string }
  | {
      readonly kind: 'paths';
      readonly tools: readonly string[];
      readonly matches: (path: string) => boolean;
      readonly text: string;
    }
  | {
      readonly kind: 'command';
      readonly tool: string;
      readonly words: readonly string[];
      /** True: further words may follow. */
      readonly prefix: boolean;
      readonly text: string;
    };
