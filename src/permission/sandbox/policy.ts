/** What a sandbox is made of, whatever system it is made with. Everything is an absolute real path that exists. */

export interface SandboxPolicy {
  /** The one folder that commands change. */
  readonly workspace: string;
  readonly network: boolean;
  /** Whether the system lets namespaces inside be forbidden; older bubblewrap cannot. */
  readonly forbidNested: boolean;
  /** Shown as `/tmp`; null: an empty one for each command. */
  readonly scratch: string | null;
  /** The user's home as commands see it: empty but for `readable`. */
  readonly home: string | null;
  /** Folders that are shown empty. */
  readonly hidden: readonly string[];
  /** Files outside the workspace that cannot be opened. */
  readonly masked: readonly string[];
  /** What is shown although it lies in a hidden folder; not writable. */
  readonly readable: readonly string[];
  /** Besides the workspace. */
  readonly writable: readonly string[];
  /** Folders that stay where they are: what lies in them is written, they themselves are not renamed. */
  readonly fixed: readonly string[];
  /** What lies in writable folders and is not written, renamed or removed. */
  readonly frozen: readonly string[];
  /** Folders inside writable ones that are shown empty, and files that cannot be opened. */
  readonly hiddenInside: readonly string[];
  readonly maskedInside: readonly string[];
}

/** Words that start a program confined; `--` and the words of the program follow. */
export interface ConfinedWords {
  /** Absolute. */
  readonly program: string;
  readonly options: readonly string[];
  /** The option that names a descriptor with more options, each ended by NUL; null where there is none. */
  readonly optionsFrom: string | null;
  /** The option that names a descriptor on which the first process of its namespace is told; null where there is none. */
  readonly headTo: string | null;
  /** A program for the kernel's filter of calls, and the option that names a descriptor with it; absent: none. */
  readonly filter?: { readonly option: string; readonly bytes: Uint8Array };
}

/** Whether a path is a folder itself or lies below it. Both are absolute, without `.` and `..`. */
export const isBelow = (path: string, folder: string): boolean =>
  folder === '/' || path === folder || path.startsWith(`${folder}/`);

/** Whether `path` is neither of the folders nor below one. */
export const isClear = (path: string, folders: readonly string[]): boolean =>
  !folders.some((folder) => isBelow(path, folder));
