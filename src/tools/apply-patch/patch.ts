/** A patch of several files, whatever form it was written in. Paths are as the model wrote them. */
export type FilePatch =
  | {
      readonly kind: 'add';
      readonly path: string;
      readonly lines: readonly string[];
      readonly endsOpen: boolean;
      readonly executable?: boolean;
    }
  | { readonly kind: 'delete'; readonly path: string }
  | { readonly kind: 'update'; readonly path: string; readonly to: string | null; readonly hunks: readonly Hunk[] };

export interface Hunk {
  /** Lines of the file behind which the hunk is, each behind the one before: the head of a class, then of its method. */
  readonly behind: readonly string[];
  /** Number of its first line as the patch states it: only ever used to choose between places that fit. */
  readonly line: number | null;
  readonly lines: readonly HunkLine[];
  /** How many lines at its end are empty and may only set it apart from what follows. */
  readonly blanks: number;
  /** The counts of its head were wrong; it is as long as its lines are. */
  readonly recounted?: boolean;
  /** The hunk ends with the file. */
  readonly atEnd: boolean;
  /** Whether the file ends without a line end, before and after; null where the patch does not say. */
  readonly open: { readonly before: boolean; readonly after: boolean } | null;
}
export interface HunkLine {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

export type Parsed =
  | { readonly ok: true; readonly files: readonly FilePatch[] }
  /** `line` of the patch, from 1. */
  | { readonly ok: false; readonly line: number; readonly why: string };

/** Every path that the patch names. */
export const pathsOf = (files: readonly FilePatch[]): readonly string[] =>
  files.flatMap((file) => (file.kind === 'update' && file.to !== null ? [file.path, file.to] : [file.path]));
