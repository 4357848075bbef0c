import type { Definition } from './find-definitions.ts';

export interface FileSymbols {
  readonly path: string;
  /** Names of one family never mean definitions of another one. */
  readonly family: string;
  readonly definitions: readonly Definition[];
  readonly isFaulty: boolean;
  /** How often each word occurs that could be a name. */
  readonly words: ReadonlyMap<string, number>;
  /** Names that the file brings in; null where any may be meant. */
  readonly imported: ReadonlySet<string> | null;
}

export interface Ranked extends Definition {
  readonly path: string;
  /** How often its name is used: in its own file, and in those that could mean it. */
  readonly references: number;
}

/** What belongs to a class is found in the outline of its file: its name is too common to count. */
const inner: readonly string[] = ['method', 'property'];

/** Definitions by how often they are used, most first. A name that several files define shares its uses. */
export function rank(files: readonly FileSymbols[]): readonly Ranked[] {
  const own = files.map((file) => ({
    file,
    definitions: file.definitions.filter(({ kind }) => !inner.includes(kind)),
  }));
  const places = new Map<string, number>();
  for (const { file, definitions } of own) {
    for (const name of new Set(definitions.filter(({ isShared }) => isShared).map(nameOf))) {
      const key = `${file.family} ${name}`;
      places.set(key, (places.get(key) ?? 0) + 1);
    }
  }
  const used = usesElsewhere(files, places);
  const ranked = own.flatMap(({ file, definitions }) =>
    definitions.map((definition): Ranked => {
      const name = nameOf(definition);
      const key = `${file.family} ${name}`;
      const times = definitions.filter((one) => nameOf(one) === name).length;
      const here = Math.max(0, (file.words.get(name) ?? 0) - times);
      const mine = file.imported === null || file.imported.has(name) ? here : 0;
      const elsewhere = definition.isShared ? ((used.get(key) ?? 0) - mine) / (places.get(key) ?? 1) : 0;
      return { ...definition, path: file.path, references: here + Math.max(0, Math.floor(elsewhere)) };
    }),
  );
  return ranked.toSorted(
    (a, b) => b.references - a.references || (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line),
  );
}

/** Uses of each defined name over all files that could mean it, without the import and the definition themselves. */
function usesElsewhere(
  files: readonly FileSymbols[],
  places: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const used = new Map<string, number>();
  for (const { family, words, imported, definitions } of files) {
    const defined = new Map<string, number>();
    for (const definition of definitions) {
      defined.set(nameOf(definition), (defined.get(nameOf(definition)) ?? 0) + 1);
    }
    for (const name of imported ?? words.keys()) {
      const key = `${family} ${name}`;
      if (!places.has(key)) continue;
      const count = (words.get(name) ?? 0) - (defined.get(name) ?? 0) - (imported === null ? 0 : 1);
      used.set(key, (used.get(key) ?? 0) + Math.max(0, count));
    }
  }
  return used;
}

/** `Foo::bar` is used as `bar`. */
const nameOf = ({ name }: Definition): string => name.slice(Math.max(name.lastIndexOf(':'), name.lastIndexOf('.')) + 1);
