// A tool of class `keyed`: the service does the work of equal keys once, so an interrupted call is simply sent again.

/** A tool that pays through a service that takes an `idempotency-key` and remembers it for a day. */
export const pay = (url) => ({
  name: 'Pay',
  description: 'Pay an amount in cents.',
  inputSchema: {
    type: 'object',
    properties: { to: { type: 'string' }, cents: { type: 'integer', minimum: 1 } },
    required: ['to', 'cents'],
  },
  effect: 'keyed',
  keyLifetimeMs: 24 * 60 * 60 * 1000,

  async run(payment, { key, signal }) {
    const answer = await fetch(`${url}/payments`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify(payment),
      signal,
    });
    if (answer.status === 422) return { failed: await answer.text() };
    if (!answer.ok) throw new Error(`the service said ${answer.status}`);
    const { receipt } = await answer.json();
    return { output: `Paid ${payment.cents} cents to ${payment.to}, receipt ${receipt}.`, data: { receipt } };
  },
});
