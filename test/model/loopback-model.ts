import { type Model, type OpenModelOptions, openModel } from '#model';
import { type LoopbackOptions, type LoopbackServer, startLoopback } from '../servers/loopback-server.ts';
import type { Protocol } from '../servers/protocol.ts';

const options: OpenModelOptions = {
  baseDir: '/',
  readText: () => Promise.reject(new Error('a provider reads no file')),
};

export interface LoopbackModel {
  readonly model: Model;
  readonly server: LoopbackServer;
}

/** A real gateway model that talks to a loopback provider. */
export async function openLoopback(
  protocol: Protocol,
  server: LoopbackOptions,
  extra: Partial<OpenModelOptions> & { readonly key?: string } = {},
): Promise<LoopbackModel> {
  const started = await startLoopback(protocol, server);
  const env = protocol.environment(started.origin, extra.key ?? 'test-key');
  const opened = await openModel(`${protocol.provider}/${protocol.model}`, env, { ...options, ...extra });
  if (!opened.ok) throw new Error(opened.error.message);
  return { model: opened.value, server: started };
}
