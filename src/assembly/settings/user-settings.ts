/** The user's own settings file: `$XDG_CONFIG_HOME/belay/settings.json`. */
import { homedir } from 'node:os';
import path from 'node:path';

/** Absolute. */
export function userSettingsFile(env: NodeJS.ProcessEnv): string {
  const config = env['XDG_CONFIG_HOME'] ?? '';
  return path.join(path.isAbsolute(config) ? config : path.join(homedir(), '.config'), 'belay', 'settings.json');
}

/** The part of the file that holds for one workspace alone, as a text of its own; null where there is none. */
export function projectSection(text: string, root: string): string | null {
  try {
    const { projects } = JSON.parse(text.replace(/^\uFEFF/, ''));
    const section: unknown = projects !== null && typeof projects === 'object' ? projects[root] : undefined;
    return section === undefined ? null : JSON.stringify(section);
  } catch {
    // That the whole is no JSON is said by whoever reads the whole.
    return null;
  }
}
