import { err, type Result } from '#lib';
import type { Model, ModelConfigProblem } from './contract.ts';

export interface OpenModelOptions {
  /** Where relative script paths count from. */
  readonly baseDir: string;
  /** Reads a file as UTF-8; rejects when it cannot. */
  readText(path: string): Promise<string>;
  /** A provider that sends nothing for so long is given up (milliseconds; 120,000 unless given). */
  readonly idleTimeoutMs?: number;
}

/**
 * Opens the model that a user names `PROVIDER/MODEL`. Only the named provider's code is loaded, and nothing goes over
 * the wire yet. A wrong name, a missing key or an unreadable script is a problem with a sentence for the user.
 */
export async function openModel(
  id: string,
  _env: { readonly [name: string]: string | undefined },
  options: OpenModelOptions,
): Promise<Result<Model, ModelConfigProblem>> {
  const slash = id.indexOf('/');
  const provider = id.slice(0, slash);
  const name = id.slice(slash + 1);
  if (provider === 'scripted') return (await import('./scripted/load-script.ts')).loadScript(name, options);
  return err({ code: 'configuration', message: `unknown model ${JSON.stringify(id)}` });
}
