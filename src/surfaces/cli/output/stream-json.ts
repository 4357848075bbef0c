/**
 * `--output-format stream-json`: one JSON object a line. Names are those that other agents use where they exist:
 * `system`/`init` first, `assistant` and `user` messages with tool calls and results, `result` last. Between them
 * stands every fact as `{"type":"fact","session_id","fact"}`, in order and each once; it is the complete record.
 */
import type { Fact, FactOf, Json } from '#kernel';
import { sandboxSeen } from '#surfaces/view';
import type { OpenedSession } from '../contract.ts';

export function initEvent(opened: OpenedSession, version: string): object {
  return {
    type: 'system',
    subtype: 'init',
    session_id: opened.session.sessionId,
    cwd: opened.workspace,
    model: opened.modelId,
    permissionMode: opened.session.state.settings.mode,
    sandbox: sandboxSeen(opened.session.find(['sandbox.probed'])),
    tools: opened.tools,
    belay_version: version,
  };
}

/** Feed facts in order; gives the lines that belong to each. */
export function streamEvents(sessionId: string): (fact: Fact) => readonly object[] {
  let response: FactOf<'model.response'> | null = null;
  let waiting = new Map<string, FactOf<'action.intended'> | null>();

  const assistant = (): object[] => {
    if (response === null) return [];
    const content = response.parts.flatMap((part): object[] => {
      if (part.kind === 'text') return [{ type: 'text', text: part.text ?? '' }];
      if (part.kind === 'reasoning') return [{ type: 'thinking', thinking: part.text ?? '' }];
      const call = waiting.get(part.actionId ?? '');
      return call ? [{ type: 'tool_use', id: `call_${call.actionId}`, name: call.tool, input: call.args }] : [];
    });
    const message = { role: 'assistant', content, usage: usageOf(response) };
    response = null;
    return [{ type: 'assistant', session_id: sessionId, message }];
  };

  return (fact) => {
    const line = { type: 'fact', session_id: sessionId, fact: fact as unknown as Json };
    switch (fact.type) {
      case 'model.response': {
        response = fact;
        waiting = new Map(fact.parts.flatMap((part) => (part.kind === 'call' ? [[part.actionId ?? '', null]] : [])));
        return waiting.size === 0 ? [line, ...assistant()] : [line];
      }
      case 'action.intended': {
        if (waiting.has(fact.actionId)) waiting.set(fact.actionId, fact);
        const complete = response !== null && [...waiting.values()].every((call) => call !== null);
        return complete ? [line, ...assistant()] : [line];
      }
      case 'attempt.outcome':
        return [line, toolResult(sessionId, fact.actionId, fact.output, fact.status !== 'succeeded')];
      case 'action.verdict':
        return fact.verdict === 'allow'
          ? [line]
          : [line, toolResult(sessionId, fact.actionId, fact.message ?? fact.reason ?? fact.verdict, true)];
      default:
        return [line];
    }
  };
}

const toolResult = (sessionId: string, actionId: string, content: string, isError: boolean) => ({
  type: 'user',
  session_id: sessionId,
  message: {
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: `call_${actionId}`, content, is_error: isError }],
  },
});

const usageOf = (fact: FactOf<'model.response'>) => ({
  input_tokens: fact.usage.inputTokens ?? null,
  output_tokens: fact.usage.outputTokens ?? null,
  cache_read_input_tokens: fact.usage.cachedInputTokens ?? null,
});
