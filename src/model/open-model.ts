import { err, ok, type Result } from '#lib';
import type { Model, ModelConfigProblem } from './contract.ts';

export interface OpenModelOptions {
  /** Where relative script paths count from. */
  readonly baseDir: string;
  /** Reads a file as UTF-8; rejects when it cannot. */
  readText(path: string): Promise<string>;
  /** A provider that sends no byte for so long is given up (milliseconds; 120,000 unless given). */
  readonly idleTimeoutMs?: number;
  /** A provider that sends bytes but no event for so long is given up (milliseconds; 600,000 unless given). */
  readonly stallTimeoutMs?: number;
}

const IDLE_TIMEOUT_MS = 120_000;
const STALL_TIMEOUT_MS = 600_000;

/**
 * Opens the model that a user names `PROVIDER/MODEL`. Only the named provider's code is loaded, and nothing goes over
 * the wire yet. A wrong name, a missing key or an unreadable script is a problem with a sentence for the user.
 */
export async function openModel(
  id: string,
  env: { readonly [name: string]: string | undefined },
  options: OpenModelOptions,
): Promise<Result<Model, ModelConfigProblem>> {
  const slash = id.indexOf('/');
  const name = id.slice(0, Math.max(slash, 0));
  const model = id.slice(slash + 1);
  if (slash <= 0 || model === '') return unknown(id, []);
  if (name === 'scripted') return (await import('./scripted/load-script.ts')).loadScript(model, options);
  const { findProvider, providerNames } = await import('./gateway/providers.ts');
  const provider = findProvider(name, model, env);
  if (provider === null) return unknown(id, providerNames);
  if (!provider.ok) return provider;
  const { gatewayModel } = await import('./gateway/gateway-model.ts');
  return ok(
    gatewayModel(provider.value, {
      env,
      idleTimeoutMs: options.idleTimeoutMs ?? IDLE_TIMEOUT_MS,
      stallTimeoutMs: options.stallTimeoutMs ?? STALL_TIMEOUT_MS,
    }),
  );
}

function unknown(id: string, providers: readonly string[]): Result<Model, ModelConfigProblem> {
  const form = 'a model is named PROVIDER/MODEL, as in anthropic/claude-sonnet-4-5 or scripted/script.json';
  const known = providers.length === 0 ? '' : `; providers: ${[...providers, 'scripted'].join(', ')}`;
  return err({ code: 'configuration', message: `unknown model ${JSON.stringify(id)}: ${form}${known}` });
}
