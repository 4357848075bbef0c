import type { ModelRequest } from '#kernel';

/** What the strictest provider refuses, as a list of faults; empty means that every provider accepts the request. */
export function requestFaults(request: ModelRequest): string[] {
  const faults: string[] = [];
  const ids = new Set<string>();
  const { messages } = request;
  if (messages[0]?.role !== 'user') faults.push('does not start with the user');
  if (messages.at(-1)?.role === 'assistant') faults.push('ends with the assistant');
  messages.forEach((message, i) => {
    const next = messages[i + 1];
    if (message.role === next?.role) faults.push(`${i}: two ${message.role} messages in a row`);
    if (message.role === 'user' && message.text.trim() === '') faults.push(`${i}: empty user message`);
    if (message.role === 'tool' && messages[i - 1]?.role !== 'assistant')
      faults.push(`${i}: results without an answer`);
    if (message.role !== 'assistant') return;
    if (message.parts.length === 0) faults.push(`${i}: empty answer`);
    if (message.parts.some((part) => part.kind === 'text' && part.text.trim() === '' && part.meta === undefined)) {
      faults.push(`${i}: a blank text part`);
    }
    const calls = message.parts.flatMap((part) => (part.kind === 'call' ? [part] : []));
    for (const call of calls) {
      if (ids.has(call.callId)) faults.push(`${i}: ${call.callId} is used twice`);
      ids.add(call.callId);
    }
    const results = next?.role === 'tool' ? next.results.map((result) => result.callId) : [];
    if (JSON.stringify(calls.map((call) => call.callId)) !== JSON.stringify(results)) {
      faults.push(`${i}: calls ${calls.map((call) => call.callId)} have results ${results}`);
    }
  });
  return faults;
}
