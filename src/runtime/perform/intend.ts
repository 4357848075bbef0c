/** The fact that a call is intended, with what the tools say of it, or said while it streamed (`known`). */
import { hash } from 'node:crypto';
import { type AnswerPart, type BodyOf, type Json, makeFailure } from '#kernel';
import { canonicalJson } from '#lib';
import type { CallReport } from '../contract.ts';
import type { Run } from '../run.ts';

export async function intend(
  run: Run,
  part: Extract<AnswerPart, { kind: 'call' }>,
  actionId: string,
  known: CallReport | null,
): Promise<BodyOf<'action.intended'>> {
  if (part.malformed !== undefined) {
    const problem = makeFailure(
      'schema',
      `the arguments of ${part.name} are no JSON object: ${part.malformed}`,
      'send the call again with complete, valid JSON arguments',
    );
    return { ...(await call(run, actionId, part.name, part.args, 'model')), problem };
  }
  return call(run, actionId, part.name, part.args, 'model', undefined, known);
}

export async function call(
  run: Run,
  actionId: string,
  tool: string,
  args: Json,
  origin: BodyOf<'action.intended'>['origin'],
  stepId?: string,
  known: CallReport | null = null,
): Promise<BodyOf<'action.intended'>> {
  const profile = known ?? (await run.ports.tools.profile(tool, args));
  return {
    type: 'action.intended',
    actionId,
    tool,
    args,
    origin,
    effect: profile.effect,
    intent: intentOf(run, tool, args),
    ...(stepId === undefined ? {} : { stepId }),
    ...(profile.paths === null || profile.paths.length === 0 ? {} : { paths: profile.paths }),
    ...(profile.problem === null ? {} : { problem: profile.problem }),
    ...(profile.free ? { free: true } : {}),
  };
}

/** The same call on the same workspace: what goes round in circles is known by it. */
export const intentOf = (run: Run, tool: string, args: Json): string =>
  hash('sha256', canonicalJson([tool, args, run.state().world.revision]), 'hex').slice(0, 16);
