/**
 * HTTP headers, by name without regard to case. It has the methods of the global `Headers` that provider packages use,
 * and the bundle puts it in that one's place: touching the global loads the whole built-in fetch (10 MB, 30 ms).
 */
export class HeaderList {
  readonly #values = new Map<string, string>();

  constructor(init: Iterable<readonly [string, string]> | { readonly [name: string]: string } = {}) {
    const entries = Symbol.iterator in init ? (init as Iterable<readonly [string, string]>) : Object.entries(init);
    for (const [name, value] of entries) this.append(name, value);
  }

  get(name: string): string | null {
    return this.#values.get(name.toLowerCase()) ?? null;
  }

  has(name: string): boolean {
    return this.#values.has(name.toLowerCase());
  }

  set(name: string, value: string): void {
    this.#values.set(name.toLowerCase(), String(value));
  }

  append(name: string, value: string): void {
    const earlier = this.get(name);
    this.set(name, earlier === null ? value : `${earlier}, ${value}`);
  }

  delete(name: string): void {
    this.#values.delete(name.toLowerCase());
  }

  forEach(visit: (value: string, name: string) => void): void {
    for (const [name, value] of this.entries()) visit(value, name);
  }

  entries(): IterableIterator<[string, string]> {
    return [...this.#values].sort(([a], [b]) => (a < b ? -1 : 1)).values();
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries();
  }
}
