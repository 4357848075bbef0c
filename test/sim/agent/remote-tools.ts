/**
 * Tools over remote services of the three classes that need one: a service that tells nothing afterwards (`Post`), one
 * that can be asked (`Ticket`), and one that takes the same key twice (`Pay`).
 */
import type { Json } from '#kernel';
import type { AttemptContext, Preparation, Settlement, Tool, ToolOutcome } from '#tools';
import { readClaim, revokeClaim, takeClaim } from '../../../src/workspace/claim.ts';
import { theMachine } from '../os/machine.ts';
import { theWorld } from '../world.ts';

const schema = { type: 'object', properties: { token: { type: 'string' } }, required: ['token'] };
const tokenOf = (args: Json): string => String((args as { token?: Json }).token ?? '');

interface Service {
  readonly name: string;
  readonly effect: 'opaque' | 'query' | 'keyed';
  call(token: string, context: AttemptContext): void;
  /** Claim taken, or lost with the power; no outcome. */
  settle(token: string, context: AttemptContext): Settlement;
}

const done = (token: string): ToolOutcome => ({ status: 'succeeded', output: `did ${token}` });

const services: readonly Service[] = [
  {
    name: 'Post',
    effect: 'opaque',
    call: (token, context) => theWorld().effect(token, context.attemptId),
    settle: (token) => ({
      state: 'settled',
      outcome: {
        status: 'unknown',
        output: `It is not known whether ${token} was posted.`,
        settling: { probe: 'claim', observed: 'taken, or lost', verdict: 'unknown' },
      },
    }),
  },
  {
    name: 'Ticket',
    effect: 'query',
    call(token, context) {
      theWorld().effect(token, context.attemptId);
      theWorld().tickets.set(context.actionId, token);
    },
    settle(token, context) {
      if (theWorld().tickets.has(context.actionId)) {
        const settling = { probe: 'query', observed: 'the service has it', verdict: 'applied' } as const;
        return { state: 'settled', outcome: { ...done(token), settling } };
      }
      const settling = { probe: 'query', observed: 'the service has nothing', verdict: 'not-applied' } as const;
      const output = `The service knows nothing of ${token}; it was not applied.`;
      return { state: 'settled', outcome: { status: 'failed', output, settling } };
    },
  },
  {
    name: 'Pay',
    effect: 'keyed',
    call: pay,
    settle: () => ({
      state: 'not-started',
      settling: { probe: 'key', observed: 'the same key does nothing twice', verdict: 'repeatable' },
    }),
  },
];

function pay(token: string, context: AttemptContext): void {
  const { payments } = theWorld();
  if (payments.has(context.actionId)) return;
  payments.set(context.actionId, token);
  theWorld().effect(token, context.attemptId);
}

export const remoteTools = (): readonly Tool[] => services.map(remoteTool);

function remoteTool({ name, effect, call, settle }: Service): Tool {
  return {
    definition: { name, description: name, inputSchema: schema },
    classify: () => ({ effect, paths: [] }),
    inspect: async () => ({ ok: true }),
    async prepare(args, context): Promise<Preparation> {
      const run = async (): Promise<ToolOutcome> => {
        const machine = theMachine();
        await machine.latency();
        if (!takeClaim(context.execFolder, machine.bootId)) {
          return { status: 'cancelled', output: 'The call was given up before it began; it was not applied.' };
        }
        theWorld().claimed.add(context.attemptId);
        await machine.latency();
        machine.enter('remote', tokenOf(args), true);
        call(tokenOf(args), context);
        await machine.latency();
        return done(tokenOf(args));
      };
      return { ok: true, attempt: { base: {}, run, discard: async () => undefined } };
    },
    async settle(args, _base, context): Promise<Settlement> {
      const machine = theMachine();
      await machine.latency();
      const sameBoot = context.bootId === machine.bootId;
      // A claim of another boot may be lost, so its absence proves nothing.
      const isFree = revokeClaim(context.execFolder) || readClaim(context.execFolder).kind !== 'taken';
      if (isFree && sameBoot) {
        const settling = { probe: 'claim', observed: 'free, and revoked now', verdict: 'not-started' } as const;
        return { state: 'not-started', settling };
      }
      machine.enter('remote', tokenOf(args), true);
      return settle(tokenOf(args), context);
    },
  };
}
