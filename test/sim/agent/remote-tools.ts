/**
 * Tools over remote services of the three classes that need one: a service that tells nothing afterwards (`Post`), one
 * that can be asked (`Ticket`), and one that takes the same key twice (`Pay`). They are what an embedding program
 * writes; claims and settling are the product's.
 */
import type { Json } from '#kernel';
import type { Tool } from '#tools';
import type { OwnTool } from '../../../src/tools/own/contract.ts';
import { ownTool } from '../../../src/tools/own/own-tool.ts';
import { theMachine } from '../os/machine.ts';
import { KEY_LIFETIME_MS, theWorld } from '../world.ts';

const inputSchema = { type: 'object', properties: { token: { type: 'string' } }, required: ['token'] };
const tokenOf = (args: Json): string => String((args as { token?: Json }).token ?? '');

/** `begin` gives the attempt that calls. */
type MakeTool = (begin: () => string) => OwnTool;

const call =
  (begin: () => string, effect: (token: string, attemptId: string, by: { actionId: string; key: string }) => void) =>
  async (args: Json, by: { actionId: string; key: string }): Promise<string> => {
    const machine = theMachine();
    const token = tokenOf(args);
    const attemptId = begin();
    await machine.latency();
    machine.enter('remote', token, true);
    effect(token, attemptId, by);
    // Now and then an answer is long in coming, and much may happen before.
    await machine.wait(machine.random.below(machine.chance(0.3) ? 300 : 2));
    return `did ${token}`;
  };

const services: { readonly [name: string]: MakeTool } = {
  Post: (begin) => ({
    name: 'Post',
    description: 'Post',
    inputSchema,
    effect: 'opaque',
    run: call(begin, (token, attemptId) => theWorld().effect(token, attemptId)),
  }),
  Ticket: (begin) => ({
    name: 'Ticket',
    description: 'Ticket',
    inputSchema,
    effect: 'query',
    run: call(begin, (token, attemptId, { actionId }) => {
      theWorld().effect(token, attemptId);
      theWorld().tickets.set(actionId, token);
    }),
    async ask(args, { actionId }) {
      await theMachine().latency();
      theMachine().enter('remote', tokenOf(args), true);
      // A service that was silent about an action stays so, else two looks would say two things.
      const { asked, unanswered } = theWorld();
      if (!asked.has(actionId) && theMachine().chance(0.5)) unanswered.add(actionId);
      asked.add(actionId);
      if (unanswered.has(actionId)) return { state: 'unknown', evidence: 'the service does not answer' };
      if (!theWorld().tickets.has(actionId)) return { state: 'not-applied' };
      return { state: 'applied', output: `did ${tokenOf(args)}` };
    },
  }),
  Pay: (begin) => ({
    name: 'Pay',
    description: 'Pay',
    inputSchema,
    effect: 'keyed',
    keyLifetimeMs: KEY_LIFETIME_MS,
    run: call(begin, (token, attemptId, { key }) => {
      const { payments } = theWorld();
      if (payments.has(key)) return;
      payments.set(key, token);
      theWorld().effect(token, attemptId);
    }),
  }),
};

export const remoteTools = (): readonly Tool[] => Object.values(services).map(remoteTool);

function remoteTool(make: MakeTool): Tool {
  const presentBoot = async (): Promise<string> => {
    await theMachine().latency();
    return theMachine().bootId;
  };
  const toolOf = (attemptId: string): Tool =>
    ownTool(
      make(() => {
        theWorld().claimed.add(attemptId);
        theWorld().sent(attemptId);
        return attemptId;
      }),
      presentBoot,
    );
  return {
    ...toolOf(''),
    prepare: (args, context) => toolOf(context.attemptId).prepare(args, context),
  };
}
