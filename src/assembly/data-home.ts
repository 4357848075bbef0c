import { homedir } from 'node:os';
import path from 'node:path';

/** Where sessions lie: `$BELAY_HOME`, else `$XDG_DATA_HOME/belay`, else `~/.local/share/belay`. Absolute. */
export function dataHome(env: { readonly [name: string]: string | undefined }, cwd: string): string {
  const own = env['BELAY_HOME'] ?? '';
  if (own !== '') return path.resolve(cwd, own);
  const xdg = env['XDG_DATA_HOME'] ?? '';
  // The XDG rules say that a relative path is to be ignored.
  if (path.isAbsolute(xdg)) return path.join(xdg, 'belay');
  return path.join(homedir(), '.local', 'share', 'belay');
}
