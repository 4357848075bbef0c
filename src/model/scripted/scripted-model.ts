/**
 * A model that says what a script says.
 *
 * 1. It keeps no state: which turn comes next is the number of `model.response` facts, so another process that resumes
 *    the session goes on at the same place.
 * 2. The same facts and the same script give the same answer, deltas and usage.
 * 3. What the script expects and is not shown ends the run loudly: a failure that is not retried.
 */
import { type Failure, type ModelAnswer, type ModelRequest, type ModelResult, makeFailure, type Price } from '#kernel';
import { messageOf } from '#lib';
import { parseCallArguments } from '../call-arguments.ts';
import type { Model, ModelCallContext } from '../contract.ts';
import { tell } from '../tell.ts';
import { unmetExpectation } from './expectation.ts';
import { checkTurn, type ScriptTurn } from './script.ts';

export interface ScriptSource {
  /** The file, for messages. */
  readonly file: string;
  readonly price: Price | null;
  readonly contextTokens: number | null;
  /** The turn, unchecked; null when the script has ended. May throw: it can be the user's code. */
  turnAt(request: ModelRequest, at: ScriptPosition): unknown;
}

export interface ScriptPosition {
  /** Answers so far, from 0. */
  readonly turn: number;
  /** Failures since the last answer. */
  readonly failures: number;
}

export function scriptedModel(id: string, source: ScriptSource): Model {
  return {
    id,
    price: source.price,
    contextTokens: source.contextTokens,
    async generate(request, context) {
      const at = positionOf(context);
      const read = await readTurn(source, request, at);
      if ('failure' in read) return failed(read.failure);
      return play(read.turn, at, source.file, request, context);
    },
  };
}

function positionOf(context: ModelCallContext): ScriptPosition {
  let turn = 0;
  let failures = 0;
  for (const fact of context.facts()) {
    if (fact.type === 'model.response') {
      turn++;
      failures = 0;
    } else if (fact.type === 'model.failed') failures++;
  }
  return { turn, failures };
}

async function readTurn(
  source: ScriptSource,
  request: ModelRequest,
  at: ScriptPosition,
): Promise<{ readonly turn: ScriptTurn } | { readonly failure: Failure }> {
  let value: unknown;
  try {
    value = await source.turnAt(request, at);
  } catch (thrown) {
    const message = `${place(source.file, at.turn)} threw: ${messageOf(thrown)}`;
    return { failure: scriptFailure(message, 'Correct the script function.') };
  }
  if (value === null || value === undefined) {
    const message = `the script ${source.file} has ended: it has no turn ${at.turn} (turns count from 0)`;
    return { failure: scriptFailure(message, 'Add a turn, or let the last turn say that the work is done.') };
  }
  const checked = checkTurn(value);
  if (checked.ok) return { turn: checked.value };
  return { failure: scriptFailure(`${place(source.file, at.turn)} has a wrong shape:${checked.error}`, 'Correct it.') };
}

async function play(
  turn: ScriptTurn,
  at: ScriptPosition,
  file: string,
  request: ModelRequest,
  context: ModelCallContext,
): Promise<ModelResult> {
  const unmet = turn.expect === undefined ? null : unmetExpectation(turn.expect, request);
  if (unmet !== null) {
    const message = `${place(file, at.turn)} ${unmet}`;
    return failed(scriptFailure(message, 'Compare the script with what the run really showed.'));
  }
  if (turn.delayMs !== undefined) await pause(turn.delayMs, context.signal);
  if (context.signal.aborted) return failed(cancelled());
  const fails = turn.fail !== undefined && at.failures < (turn.fail.times ?? Number.POSITIVE_INFINITY);
  if (turn.fail !== undefined && fails) {
    const { kind, retryAfterMs } = turn.fail;
    const message = turn.fail.message ?? `the script fails this turn as ${kind}`;
    const over = retryAfterMs === undefined ? {} : { retryAfterMs };
    return failed(makeFailure(kind, message, 'This failure is part of the script.', over));
  }
  const answer = answerOf(turn, at.turn);
  stream(answer, context);
  return { ok: true, answer };
}

function answerOf(turn: ScriptTurn, index: number): ModelAnswer {
  const calls = turn.calls ?? [];
  const said = (turn.reasoning ?? '') + (turn.text ?? '') + JSON.stringify(calls);
  return {
    parts: [
      ...(turn.reasoning === undefined ? [] : [{ kind: 'reasoning', text: turn.reasoning } as const]),
      ...(turn.text === undefined || turn.text === '' ? [] : [{ kind: 'text', text: turn.text } as const]),
      ...calls.map(
        (call, i) =>
          ({
            kind: 'call',
            name: call.tool,
            providerCallId: `scripted_${index}_${i}`,
            ...parseCallArguments(call.argsText ?? JSON.stringify(call.args ?? {})),
          }) as const,
      ),
    ],
    finish: turn.finish ?? (calls.length > 0 ? 'tool-calls' : 'stop'),
    // A function of the script alone, so that two runs of one script report the same numbers.
    usage: turn.usage ?? { inputTokens: 1000 + 200 * index, outputTokens: Math.ceil(said.length / 4) },
    modelId: 'scripted',
  };
}

/** Text comes word by word, as a real stream does. */
function stream(answer: ModelAnswer, context: ModelCallContext): void {
  for (const part of answer.parts) {
    if (part.kind === 'call') {
      tell(context, { kind: 'call', name: part.name, argsText: JSON.stringify(part.args) });
    } else {
      for (const word of part.text.match(/\S*\s*/g) ?? []) {
        if (word !== '') tell(context, { kind: part.kind, text: word });
      }
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });
}

const place = (file: string, turn: number) => `turn ${turn} of the script ${file}`;
const failed = (failure: Failure): ModelResult => ({ ok: false, failure, text: '' });
const scriptFailure = (message: string, action: string) =>
  makeFailure('invalid_request', message, action, { blame: 'user', retryable: false });
const cancelled = () => makeFailure('cancelled', 'the request was cancelled', 'Resume the session to go on.');
