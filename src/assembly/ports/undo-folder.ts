/** Each run of an undo has a folder of its own beside those of the attempts: `exec/undo-<undoId>-<run>`. */
export const undoFolderOf = (name: string): string | null => /^undo-([0-9a-z]+)-[0-9a-z]+$/.exec(name)?.[1] ?? null;
