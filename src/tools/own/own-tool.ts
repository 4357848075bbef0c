/** Makes a whole tool of one that an embedding program wrote: claim before effect, and its class's way to settle. */
import { createHash } from 'node:crypto';
import { type Json, makeFailure, type Settling } from '#kernel';
import { canonicalJson, messageOf } from '#lib';
import { prepareMark, settleClaim, takeMarkedClaim } from '#workspace';
import type { AttemptContext, Settlement, Tool, ToolOutcome } from '../contract.ts';
import { failed, readTool } from '../outcome.ts';
import { unmasked } from '../text/masked-part.ts';
import { preview } from '../text/preview.ts';
import type { OwnAnswer, OwnCall, OwnResult, OwnTool } from './contract.ts';
import { withinTime } from './within-time.ts';

const keyLifetimeMs = 24 * 60 * 60 * 1000;
/** Calls with one key before its end is left unknown. */
const triesMax = 3;
const timeoutDefaultMs = 120_000;
/** Characters of one result that the model is shown. */
const outputLengthMax = 40_000;

/** `presentBoot` tells the boot of this process; a claim of another one proves nothing. */
export function ownTool(tool: OwnTool, presentBoot: () => Promise<string>): Tool {
  const { name, description, inputSchema, deferred } = tool;
  const definition = { name, description, inputSchema, ...(deferred === true ? { deferred } : {}) };
  if (tool.effect === 'read') {
    const run = async (args: Json, context: AttemptContext) => {
      try {
        return outcomeOf(await runOnce(tool, args, callOf(args, context)), context);
      } catch (thrown) {
        return outcomeOf({ failed: messageOf(thrown) }, context);
      }
    };
    return readTool({ definition, early: true, paths: () => [], run });
  }
  return {
    definition,
    classify: () => ({ effect: tool.effect, paths: [] }),
    inspect: async () => ({ ok: true }),
    async prepare(args, context) {
      prepareMark(context.execFolder);
      const run = async () => {
        const begins = !context.signal.aborted && takeMarkedClaim(context.execFolder, await presentBoot());
        if (begins) return perform(tool, args, context);
        return mayHaveRun(context) ? unknown(earlierTry, 'key') : givenUp;
      };
      const startedMs = firstStart(context) ?? Date.now();
      return { ok: true, attempt: { base: { startedMs }, run, discard: async () => {} } };
    },
    async settle(args, base, context) {
      // Taking the claim comes first: from here on nobody can start this attempt any more.
      const claim = settleClaim(context.execFolder);
      if (claim === 'not-started' && context.bootId === (await presentBoot())) {
        return {
          state: 'not-started',
          settling: { probe: 'claim', observed: 'free, and revoked now', verdict: 'not-started' },
        };
      }
      return settle(tool, args, startedOf(base), claim === 'traces-gone' ? tracesGone : nobodySaw, context);
    },
  };
}

const nobodySaw = 'it was begun, and nobody saw it end';
const earlierTry = 'an earlier try of it was begun, and this one was given up before it began';
const tracesGone = 'the traces that would show whether it began were removed';

const givenUp: ToolOutcome = {
  status: 'cancelled',
  output: 'The call was given up before it began; nothing was changed.',
};

/** An earlier attempt of the same call was left because it can be sent again, not because it is known not to have run. */
const mayHaveRun = ({ actionId, state }: AttemptContext): boolean =>
  state().turn?.open.some((open) => open.actionId === actionId && open.mayHaveRun === true) === true;

/** When the call was first on its way, where an earlier attempt was left because it can be sent again: the key is as old. */
function firstStart({ actionId, state }: AttemptContext): number | null {
  const earlier = state().turn?.open.find((open) => open.actionId === actionId)?.firstBase;
  return earlier === undefined ? null : startedOf(earlier);
}

const callOf = (args: Json, { actionId, signal }: AttemptContext): OwnCall => ({
  actionId,
  key: createHash('sha256')
    .update(canonicalJson([actionId, args]))
    .digest('hex'),
  signal,
});

const runOnce = (tool: OwnTool, args: Json, call: OwnCall): Promise<OwnResult> =>
  withinTime((signal) => tool.run(args, { ...call, signal }), tool.timeoutMs ?? timeoutDefaultMs, call.signal);

/** Claimed. What is thrown on the way says nothing about the effect, so the class is asked at once. */
async function perform(tool: OwnTool, args: Json, context: AttemptContext): Promise<ToolOutcome> {
  const call = callOf(args, context);
  let problem = '';
  for (let tries = 0; tries < (tool.effect === 'keyed' ? triesMax : 1); tries++) {
    if (tries > 0 && call.signal.aborted) break;
    try {
      return outcomeOf(await runOnce(tool, args, call), context);
    } catch (thrown) {
      problem = messageOf(thrown);
    }
  }
  if (tool.effect !== 'query') return unknown(`${tool.name} failed on the way: ${problem}`, 'claim');
  const answer = await ask(tool, args, call);
  if (answer.state === 'not-applied') return outcomeOf({ failed: problem }, context);
  return answer.state === 'applied' ? applied(answer, context) : unknown(`${problem}; ${answer.evidence}`, 'query');
}

async function settle(
  tool: OwnTool,
  args: Json,
  startedMs: number,
  observed: string,
  context: AttemptContext,
): Promise<Settlement> {
  if (tool.effect === 'query') {
    const answer = await ask(tool, args, callOf(args, context));
    if (answer.state === 'not-applied') {
      return {
        state: 'not-started',
        settling: { probe: 'query', observed: 'nothing of this action', verdict: 'not-applied' },
      };
    }
    return {
      state: 'settled',
      outcome: answer.state === 'applied' ? applied(answer, context) : unknown(answer.evidence, 'query'),
    };
  }
  if (tool.effect === 'keyed') {
    const lifetimeMs = tool.keyLifetimeMs ?? keyLifetimeMs;
    if (Date.now() - startedMs < lifetimeMs) {
      const observed = 'the service knows the key, so the call is sent again with it';
      return { state: 'not-started', settling: { probe: 'key', observed, verdict: 'repeatable' } };
    }
    return { state: 'settled', outcome: unknown('its key is too old to be sent again', 'key') };
  }
  return { state: 'settled', outcome: unknown(observed, 'claim') };
}

async function ask(tool: Extract<OwnTool, { effect: 'query' }>, args: Json, call: OwnCall): Promise<OwnAnswer> {
  try {
    return await tool.ask(args, call);
  } catch (thrown) {
    return { state: 'unknown', evidence: `it could not be asked about: ${messageOf(thrown)}` };
  }
}

type Of = Pick<AttemptContext, 'actionId' | 'mask'>;

function outcomeOf(result: OwnResult, of: Of): ToolOutcome {
  if (typeof result === 'string') return outcomeOf({ output: result }, of);
  const data = result.data === undefined ? {} : { data: result.data };
  if ('output' in result) return { status: 'succeeded', ...shown(result.output, of), ...data };
  return { ...failed(makeFailure('tool', result.failed, 'Try another way, or say what is blocked.')), ...data };
}

/** Both ends of a long output, with the way to the rest, which is kept. */
function shown(output: string, { actionId, mask = unmasked }: Of): Pick<ToolOutcome, 'output' | 'full'> {
  const { text, omitted } = preview(mask(output), outputLengthMax);
  if (omitted === 0) return { output: text };
  const full = Buffer.from(output);
  const rest = `(any part of all ${full.length} bytes: TaskOutput with task_id call_${actionId} and an offset)`;
  return { output: `${text}\n${rest}`, full };
}

const applied = (answer: Extract<OwnAnswer, { state: 'applied' }>, of: Of): ToolOutcome => ({
  ...outcomeOf(answer, of),
  provenance: 'reconciled',
  settling: { probe: 'query', observed: 'the action is known', verdict: 'applied' },
});

const unknown = (evidence: string, probe: Settling['probe']): ToolOutcome => ({
  status: 'unknown',
  output: `It is not known whether this took effect: ${evidence}. Look at the present state; do not assume either.`,
  data: { evidence },
  settling: { probe, observed: evidence, verdict: 'unknown' },
});

function startedOf(base: Json | null): number {
  const started =
    base !== null && typeof base === 'object' && !Array.isArray(base) ? (base as { startedMs?: Json }).startedMs : 0;
  return typeof started === 'number' ? started : 0;
}
