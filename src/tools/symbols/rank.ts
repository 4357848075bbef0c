import type { Definition } from './find-definitions.ts';

export interface FileSymbols {
  readonly path: string;
  readonly definitions: readonly Definition[];
  readonly words: ReadonlyMap<string, number>;
}

export interface Ranked extends Definition {
  readonly path: string;
  /** How often its name occurs elsewhere than where it is defined. */
  readonly references: number;
}

/** Definitions by how often their names occur in all the files, most first. A name that many define shares its count. */
export function rank(files: readonly FileSymbols[]): readonly Ranked[] {
  const defined = new Map<string, number>();
  for (const { definitions } of files) {
    for (const { name } of definitions) defined.set(lastPart(name), (defined.get(lastPart(name)) ?? 0) + 1);
  }
  const total = new Map<string, number>();
  for (const { words } of files) {
    for (const name of defined.keys()) {
      const count = words.get(name);
      if (count !== undefined) total.set(name, (total.get(name) ?? 0) + count);
    }
  }
  const ranked = files.flatMap(({ path, definitions }) =>
    definitions.map((definition): Ranked => {
      const name = lastPart(definition.name);
      const shared = defined.get(name) ?? 1;
      return { ...definition, path, references: Math.floor(((total.get(name) ?? 0) - shared) / shared) };
    }),
  );
  return ranked.toSorted(
    (a, b) => b.references - a.references || (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line),
  );
}

/** `Foo::bar` is used as `bar`. */
const lastPart = (name: string): string => name.slice(Math.max(name.lastIndexOf(':'), name.lastIndexOf('.')) + 1);
