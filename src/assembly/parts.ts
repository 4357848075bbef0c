/**
 * What the entry loads once it knows that this Node can run it. From the sources it is a module like all others; the
 * bundle has `bundle/parts.ts` in place of this file.
 */
export interface Parts {
  main(): Promise<typeof import('./main.ts')>;
  /** Told when a command has run, and with which exit code. */
  ended(command: string, exitCode: number): void;
}

export const parts: Parts = { main: () => import('./main.ts'), ended: () => {} };
