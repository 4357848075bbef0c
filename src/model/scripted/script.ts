/**
 * The shape of a script: what the scripted model says, turn by turn, and what it wants to be shown before it says it.
 * A script is the user's file, so every misfit is told with its place and what to do.
 */
import { err, type Infer, int, json, list, misfits, num, obj, ok, oneOf, opt, type Result, str } from '#lib';

const usage = obj({
  inputTokens: opt(int),
  outputTokens: opt(int),
  cachedInputTokens: opt(int),
  reasoningTokens: opt(int),
});

/** USD per million tokens. */
const price = obj({ input: num, output: num, cachedInput: opt(num) });

const call = obj({
  tool: str,
  args: opt(json),
  /** Raw argument text in place of `args`, to play a model that sends broken JSON. */
  argsText: opt(str),
});

const expectation = obj({
  /** Each must occur in what was shown since the previous answer. */
  shown: opt(list(str)),
  /** Each regular expression must match what was shown since the previous answer. */
  matches: opt(list(str)),
  notShown: opt(list(str)),
  /** Each must occur anywhere in the conversation. */
  history: opt(list(str)),
  system: opt(list(str)),
  /** Names of tools that must be offered. */
  tools: opt(list(str)),
});

const failing = obj({
  kind: oneOf('transient', 'incomplete', 'overflow', 'auth', 'quota', 'invalid_request'),
  message: opt(str),
  retryAfterMs: opt(int),
  /** How often the turn fails before it answers; absent: always. */
  times: opt(int),
});

const turn = obj({
  text: opt(str),
  reasoning: opt(str),
  calls: opt(list(call)),
  expect: opt(expectation),
  fail: opt(failing),
  finish: opt(oneOf('stop', 'tool-calls', 'length', 'content-filter')),
  usage: opt(usage),
  delayMs: opt(num),
  note: opt(str),
});

const script = obj({
  turns: list(turn),
  note: opt(str),
  price: opt(price),
  contextTokens: opt(int),
});

export type ScriptTurn = Infer<typeof turn>;
export type ScriptExpectation = Infer<typeof expectation>;
export type Script = Infer<typeof script>;

/** A whole script from parsed JSON; the error names every misfit with its path in the file. */
export function checkScript(value: unknown): Result<Script, string> {
  const spread =
    isObject(value) && Array.isArray(value.turns) ? { ...value, turns: value.turns.map(spreadTurn) } : value;
  return checked(script, spread, 'a script is { "turns": [ … ] }; see docs/scripted-model.md');
}

/** One turn, as a script function returned it. */
export function checkTurn(value: unknown): Result<ScriptTurn, string> {
  return checked(
    turn,
    spreadTurn(value),
    'a turn has text, calls, expect, fail, usage, delayMs; see docs/scripted-model.md',
  );
}

function checked<T>(shape: Parameters<typeof misfits>[0], value: unknown, help: string): Result<T, string> {
  const problems = [...misfits(shape, value), ...(isObject(value) ? deeper(value) : [])];
  if (problems.length === 0) return ok(value as T);
  const more = problems.length > 5 ? `\n  and ${problems.length - 5} more` : '';
  return err(
    `${problems
      .slice(0, 5)
      .map((line) => `\n  ${line}`)
      .join('')}${more}\n  (${help})`,
  );
}

/** What a shape cannot say: a call has exactly one form of arguments, expressions compile, a turn does something. */
function deeper(value: { readonly [key: string]: unknown }): string[] {
  const turns = Array.isArray(value.turns) ? value.turns.map((item, i) => ({ item, path: `/turns/${i}` })) : null;
  return (turns ?? [{ item: value, path: '' }]).flatMap(({ item, path }) => (isObject(item) ? inTurn(item, path) : []));
}

function inTurn(value: { readonly [key: string]: unknown }, path: string): string[] {
  const found: string[] = [];
  if (value.text === undefined && value.calls === undefined && value.fail === undefined && value.finish === undefined) {
    found.push(`${path === '' ? '/' : path}: says nothing; give it text, calls or fail (or an empty text)`);
  }
  if (Array.isArray(value.calls)) {
    value.calls.forEach((item, i) => {
      if (isObject(item) && item.args !== undefined && item.argsText !== undefined) {
        found.push(`${path}/calls/${i}: has both args and argsText; keep one`);
      }
    });
  }
  const expressions = isObject(value.expect) && Array.isArray(value.expect.matches) ? value.expect.matches : [];
  expressions.forEach((source, i) => {
    try {
      if (typeof source === 'string') new RegExp(source, 'm');
    } catch {
      found.push(`${path}/expect/matches/${i}: is no regular expression`);
    }
  });
  return found;
}

/** In `expect` one text stands for a list of one. */
function spreadTurn(value: unknown): unknown {
  if (!isObject(value) || !isObject(value.expect)) return value;
  const expect = Object.entries(value.expect).map(([key, v]) => [key, typeof v === 'string' ? [v] : v]);
  return { ...value, expect: Object.fromEntries(expect) };
}

function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
