import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Rolldown } from 'tsdown';

/** The folder of the npm package that a bundled module comes from, or undefined for our own code. */
function packageFolder(moduleId: string): string | undefined {
  const marker = `${path.sep}node_modules${path.sep}`;
  const at = moduleId.lastIndexOf(marker);
  if (at === -1) return undefined;
  const parts = moduleId.slice(at + marker.length).split(path.sep);
  const name = parts[0]?.startsWith('@') ? parts.slice(0, 2) : parts.slice(0, 1);
  return path.join(moduleId.slice(0, at + marker.length), ...name);
}

function notice(folder: string): string {
  const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Record<string, unknown>;
  const texts = readdirSync(folder)
    .filter((name) => /^(licen[cs]e|notice|copying)/i.test(name))
    .sort()
    .map((name) => readFileSync(path.join(folder, name), 'utf8').trim());
  return [`${manifest['name']} ${manifest['version']} (${manifest['license']})`, ...texts].join('\n\n');
}

/** Writes the licences of all bundled packages into the build, as those licences ask of whoever passes the code on. */
export function licenseNotices(): Rolldown.Plugin {
  return {
    name: 'license-notices',
    generateBundle(_options, bundle) {
      const folders = new Set<string>();
      for (const item of Object.values(bundle)) {
        for (const id of item.type === 'chunk' ? item.moduleIds : []) {
          const folder = packageFolder(id);
          if (folder !== undefined) folders.add(folder);
        }
      }
      const source = [...folders]
        .sort()
        .map(notice)
        .join(`\n\n${'-'.repeat(80)}\n\n`);
      this.emitFile({ type: 'asset', fileName: 'third-party-licenses.txt', source: `${source}\n` });
    },
  };
}
