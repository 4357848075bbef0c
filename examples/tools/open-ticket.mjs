// A tool of class `query`: the service is told the id of the action, and can be asked about it afterwards.
// After a crash between the request and its answer the service is asked, and no ticket is opened twice.

/** A tool that opens tickets at a service that keeps the id of the action with each of them. */
export const openTicket = (url) => ({
  name: 'OpenTicket',
  description: 'Open a ticket with this title; the answer is its number.',
  inputSchema: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
  effect: 'query',

  async run({ title }, { actionId, signal }) {
    const answer = await fetch(`${url}/tickets`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ title, origin: actionId }),
      signal,
    });
    // A refusal is certain: nothing was opened. Whatever is thrown leaves that open, and `ask` is called.
    if (answer.status === 422) return { failed: await answer.text() };
    if (!answer.ok) throw new Error(`the service said ${answer.status}`);
    return opened(await answer.json());
  },

  async ask(_args, { actionId, signal }) {
    const answer = await fetch(`${url}/tickets?origin=${encodeURIComponent(actionId)}`, { signal });
    if (!answer.ok) return { state: 'unknown', evidence: `the service said ${answer.status}` };
    const [ticket] = await answer.json();
    return ticket === undefined ? { state: 'not-applied' } : { state: 'applied', ...opened(ticket) };
  },
});

const opened = ({ number }) => ({ output: `Opened ticket ${number}.`, data: { number } });
