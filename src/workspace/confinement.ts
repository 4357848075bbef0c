/** How commands are started where they can do little harm. Part of the room's contract. */
export interface Confinement {
  /** Words to put before those of the command; null: it runs as it is. Throws `WorkspaceError`. `cwd` is its folder. */
  confine(cwd: string): Promise<ConfinedStart | null>;
  isOn(): boolean;
  /**
   * After a confined command: puts away what it made and must not stay; a sentence for each. `isQuiet`: nothing that was
   * confined lives any more, and none was made ready since.
   */
  tidy(isQuiet: boolean): readonly string[];
  /** Belay itself is about to make a file there, by its absolute path: no command made it. */
  accept?(made: string): void;
  /** Whether confined commands reach the network. */
  hasNetwork(): boolean;
  /** Lets go of what it holds for commands; it is made again where it is needed again. */
  close?(): void;
}
export interface ConfinedStart {
  /** Absolute path. */
  readonly program: string;
  readonly options: readonly string[];
  /** The option that names a descriptor with more options, each ended by NUL; null where there is none. */
  readonly optionsFrom: string | null;
  /** The option that names a descriptor on which `"child-pid": N` is told, the first process of its namespace; null. */
  readonly headTo: string | null;
  /** A program for the kernel's filter of calls, and the option that names a descriptor with it; absent: none. */
  readonly filter?: { readonly option: string; readonly bytes: Uint8Array };
  /** How the command reaches a proxy outside; absent: not at all. */
  readonly wayOut?: WayOut;
}
/** A way from a sandbox without a network to a socket file; both as they lie inside. */
export interface WayOut {
  readonly node: string;
  readonly socket: string;
  /** `localhost:8080` and the like: ports of this machine that programs inside find at the same place, without a proxy. */
  readonly local?: readonly string[];
}
