import { hash } from 'node:crypto';
import type { Rolldown } from 'tsdown';

/**
 * The files of the command line are loaded as scripts (`src/assembly/bundle/scripts.ts`). Each is a function, and stands in
 * its file as one, because a text that is put together while it is loaded is held twice. Its first line says which text
 * it is: of a source that code was made of, V8 compares nothing but the length.
 *
 * A script cannot `import()`: V8 asks whoever compiled it, and Node's answer to that is an experiment. So the function is
 * handed one that does it.
 */
const PARAMETERS = 'exports, require, module, __filename, __dirname, importModule';

/** What the bundler is to put in the place of what only modules have. */
export const ofModules = { 'import.meta.resolve': 'importModule.resolve' };

interface Node {
  readonly type: string;
  readonly start: number;
}

export const asScripts = (): Rolldown.Plugin => ({
  name: 'as-scripts',
  renderChunk(code) {
    const places: number[] = [];
    const waiting: object[] = [this.parse(code)];
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
      const { type, start } = one as Partial<Node>;
      if (type === 'ImportExpression' && start !== undefined) places.push(start);
      for (const part of Object.values(one)) if (part instanceof Object) waiting.push(part);
    }
    places.sort((a, b) => b - a);
    return places.reduce((text, at) => `${text.slice(0, at)}importModule${text.slice(at + 'import'.length)}`, code);
  },
  generateBundle(_options, bundle) {
    for (const item of Object.values(bundle)) {
      if (item.type !== 'chunk') continue;
      const text = `(function (${PARAMETERS}) {${item.code}\n})\n`;
      item.code = `// ${hash('sha256', text)}\n${text}`;
    }
  },
});
