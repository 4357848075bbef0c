import type { Message, ModelRequest } from '#kernel';
import type { ScriptExpectation } from './script.ts';

/** At most so much of what was shown goes into a mismatch report; its end is the newest. */
const REPORT_CHARACTERS_MAX = 2000;

/**
 * The first expectation that the request does not meet, as a sentence that says what was expected and what was shown
 * instead; null when all are met.
 */
export function unmetExpectation(expect: ScriptExpectation, request: ModelRequest): string | null {
  const shown = shownSinceLastAnswer(request.messages);
  const history = request.messages.map(textOf).join('\n');
  const offered = request.tools.map((tool) => tool.name);
  const missing = (wanted: readonly string[] | undefined, text: string) => wanted?.find((part) => !text.includes(part));

  const part = missing(expect.shown, shown);
  if (part !== undefined) return report(`to be shown ${quote(part)}`, shown);
  const source = expect.matches?.find((text) => !new RegExp(text, 'm').test(shown));
  if (source !== undefined) return report(`to be shown something that matches /${source}/`, shown);
  const banned = expect.notShown?.find((text) => shown.includes(text));
  if (banned !== undefined) return report(`not to be shown ${quote(banned)}`, shown);
  const past = missing(expect.history, history);
  if (past !== undefined) return report(`${quote(past)} somewhere in the conversation`, history);
  const rule = missing(expect.system, request.system);
  if (rule !== undefined) return report(`${quote(rule)} in the system prompt`, request.system);
  const tool = expect.tools?.find((name) => !offered.includes(name));
  if (tool !== undefined) return report(`the tool ${quote(tool)} to be offered`, offered.join(', '));
  return null;
}

/** What the model has not answered yet: the messages after its last answer, one after the other. */
function shownSinceLastAnswer(messages: readonly Message[]): string {
  const last = messages.findLastIndex((message) => message.role === 'assistant');
  return messages
    .slice(last + 1)
    .map(textOf)
    .join('\n');
}

function textOf(message: Message): string {
  switch (message.role) {
    case 'user':
      return message.text;
    case 'tool':
      return message.results.map((result) => result.text).join('\n');
    case 'assistant':
      return message.parts
        .map((part) => (part.kind === 'call' ? `${part.name} ${JSON.stringify(part.args)}` : part.text))
        .join('\n');
  }
}

function report(expected: string, shown: string): string {
  const cut = shown.length > REPORT_CHARACTERS_MAX;
  const text = cut ? `… ${shown.slice(-REPORT_CHARACTERS_MAX)}` : shown;
  return `expected ${expected}; shown was:\n${text === '' ? '(nothing)' : text}`;
}

const quote = (text: string) => JSON.stringify(text);
