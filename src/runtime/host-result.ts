import { type BodyOf, makeFailure, type OpenAction } from '#kernel';
import { err, type Json, json, misfits, ok, type Result } from '#lib';

/**
 * The fact for a result that the embedding program hands in. A payload of no known form is refused when it cannot be
 * bound to a call; a result that is no JSON closes the call as an error with a field-level reason.
 */
export function resultFact(
  payload: unknown,
  waiting: readonly OpenAction[],
): Result<BodyOf<'attempt.outcome'>, string> {
  if (payload === undefined || payload === null) {
    return err('a tool result is needed: resume({actionId, result}) or resume({actionId, error})');
  }
  const given = typeof payload === 'object' ? (payload as Record<string, unknown>) : {};
  const wanted = given['actionId'];
  const action =
    wanted === undefined && waiting.length === 1 ? waiting[0] : waiting.find((open) => open.actionId === wanted);
  if (action === undefined) {
    const ids = waiting.map((open) => open.actionId).join(', ');
    return err(
      wanted === undefined
        ? `several calls wait; name one: ${ids}`
        : `no call ${String(wanted)} waits; waiting: ${ids}`,
    );
  }
  const base = { type: 'attempt.outcome' as const, actionId: action.actionId, provenance: 'host' as const };
  const failed = (message: string): BodyOf<'attempt.outcome'> => ({
    ...base,
    status: 'failed',
    output: message,
    failure: makeFailure('tool', message, 'try another way'),
  });
  if (typeof given['error'] === 'string') return ok(failed(given['error']));
  const faults =
    typeof payload !== 'object'
      ? ['/: expected an object']
      : 'result' in given
        ? misfits(json, given['result'], '/result')
        : ['/result: missing'];
  if (faults.length > 0) return ok(failed(`malformed_result: ${faults.join('; ')}`));
  const data = given['result'] as Json;
  return ok({ ...base, status: 'succeeded', output: typeof data === 'string' ? data : JSON.stringify(data), data });
}
