/**
 * The loop for a program that embeds it: a planner, the host's own tools, and everything else as plain as it can be.
 * Control comes back as a value (a pull), and `resume` goes on from there.
 */
import type { EffectClass, FactBody, Json, Limits } from '#kernel';
import { type Ledger, memoryLedger } from '#ledger';
import { messageOf } from '#lib';
import {
  createHooks,
  createSession,
  type Hooks,
  type PermissionPort,
  type Planner,
  type Session,
  type ToolResult,
  type ToolsPort,
} from '#runtime';
import { newId } from './new-id.ts';
import { realClock } from './ports/clock.ts';
import { maskPort } from './ports/masked-tools.ts';
import { version } from './version.ts';

/** A tool that the loop runs by itself. What it returns is its result; what it throws is its error. */
export interface LocalTool {
  /** `read` changes nothing and may be run again after a crash; `opaque` (the default) is asked about instead. */
  readonly effect?: Extract<EffectClass, 'read' | 'opaque'>;
  run(args: Json, context: { readonly actionId: string; readonly signal: AbortSignal }): Promise<Json> | Json;
}

export interface LoopOptions {
  readonly planner: Planner;
  /** Every tool that is not named here is run by the host: the loop hands the call out as a pull. */
  readonly tools?: { readonly [name: string]: LocalTool };
  /** Allows everything unless given. */
  readonly permission?: PermissionPort;
  /** In memory unless given. */
  readonly ledger?: Ledger;
  readonly hooks?: Hooks;
  readonly limits?: Limits;
  readonly signal?: AbortSignal;
}

/** A loop on an empty ledger, or on one that an earlier loop has written: then it goes on from there. */
export async function createLoop(options: LoopOptions): Promise<Session> {
  const { createMasker } = await import('#permission');
  const ledger = options.ledger ?? memoryLedger(newId());
  if (ledger.lastSeq === 0) {
    const first: FactBody[] = [{ type: 'session.created', sessionId: ledger.sessionId, workspace: '', version }];
    if (options.limits !== undefined) first.push({ type: 'settings.changed', by: 'host', limits: options.limits });
    await ledger.append(first);
  }
  return createSession(
    {
      ledger,
      planner: options.planner,
      tools: localTools(options.tools ?? {}),
      mask: maskPort(createMasker(process.env)),
      permission: options.permission ?? allowAll,
      world: null,
      inbox: null,
      exec: null,
      clock: realClock,
      newId,
      bootId: newId(),
      pid: process.pid,
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    },
    options.hooks ?? createHooks(),
  );
}

const allowAll: PermissionPort = async () => ({
  decision: 'allow',
  by: 'policy',
  reason: 'the host allows every call',
});

/** The host's functions as the runtime calls them; fits `session.use({ tools })`. */
export function localTools(tools: { readonly [name: string]: LocalTool }): ToolsPort {
  const known = (name: string): LocalTool | undefined => (Object.hasOwn(tools, name) ? tools[name] : undefined);
  return {
    profile(name) {
      const tool = known(name);
      const effect = tool === undefined ? 'host' : (tool.effect ?? 'opaque');
      return { effect, paths: null, free: false, problem: null };
    },
    inspect: async () => ({ ok: true }),
    async prepare(name, args, { actionId, signal }) {
      const run = async (): Promise<ToolResult> => {
        try {
          const result = (await known(name)?.run(args, { actionId, signal })) ?? null;
          return {
            status: 'succeeded',
            output: typeof result === 'string' ? result : JSON.stringify(result),
            data: result,
          };
        } catch (thrown) {
          return { status: 'failed', output: messageOf(thrown) };
        }
      };
      return { ok: true, attempt: { run, discard: async () => {} } };
    },
    async settle() {
      const output = 'The program ended while this ran; whether it took effect is not known.';
      return { state: 'settled', outcome: { status: 'unknown', output } };
    },
  };
}
