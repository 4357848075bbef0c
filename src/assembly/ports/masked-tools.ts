/** The tools with secrets masked in everything that they say: results, previews, live output, blobs. */
import { makeFailure } from '#kernel';
import type { Masker } from '#permission';
import type { MaskPort, ToolAttempt, ToolResult, ToolsPort } from '#runtime';

export const maskPort = (masker: Masker): MaskPort => ({
  tools: (tools) => maskedTools(tools, masker),
  text: masker.text,
  result(fact) {
    const masked = { ...fact, ...said(fact, masker) };
    // A key of several lines is one line in a text of JSON, so what it was written of is masked first.
    const { data } = masked;
    return data === undefined || typeof data === 'string'
      ? masked
      : { ...masked, output: masker.text(JSON.stringify(data)) };
  },
});

/** What the tools do is as before, but a call that would write a mark instead of what it stands for is refused. */
function maskedTools(tools: ToolsPort, masker: Masker): ToolsPort {
  const refusal = async (tool: string, args: Parameters<ToolsPort['profile']>[1]) => {
    const found = masker.markIn(args);
    if (found === null || (await tools.profile(tool, args)).effect === 'read') return null;
    const failure = makeFailure(
      'precondition',
      `${found} stands for a secret that is not shown; it is not what the file holds.`,
      'Choose a text beside it, or say that the user must change this place.',
      { signature: 'precondition: mark of a secret' },
    );
    return { ok: false as const, failure };
  };
  const failureOf = <T extends { readonly failure: { readonly message: string } }>(refused: T): T => ({
    ...refused,
    failure: { ...refused.failure, message: masker.text(refused.failure.message) },
  });
  return {
    profile: tools.profile,
    async inspect(tool, args, context) {
      const refused = await refusal(tool, args);
      if (refused !== null) return refused;
      const inspection = await tools.inspect(tool, args, { ...context, mask: masker.text });
      if (!inspection.ok) return failureOf(inspection);
      const { preview } = inspection;
      return preview === undefined ? inspection : { ...inspection, preview: masker.text(preview) };
    },
    async prepare(tool, args, context) {
      const refused = await refusal(tool, args);
      if (refused !== null) return refused;
      const live = masker.stream(context.onOutput);
      const prepared = await tools.prepare(tool, args, { ...context, onOutput: live.push, mask: masker.text });
      if (!prepared.ok) return failureOf(prepared);
      const { attempt } = prepared;
      return {
        ok: true,
        attempt: {
          ...attempt,
          run: async () => masked(await attempt.run().finally(live.end), masker),
        },
      };
    },
    async settle(tool, args, base, context: ToolAttempt) {
      const live = masker.stream(context.onOutput);
      const at = { ...context, onOutput: live.push, mask: masker.text };
      const settled = await tools.settle(tool, args, base, at).finally(live.end);
      return settled.state === 'settled' ? { ...settled, outcome: masked(settled.outcome, masker) } : settled;
    },
  };
}

const masked = (result: ToolResult, masker: Masker): ToolResult => ({
  ...result,
  ...said(result, masker),
  ...(result.facts === undefined ? {} : { facts: masker.json(result.facts) }),
  ...(result.full === undefined ? {} : { full: masker.bytes(result.full) }),
});

type Said = Pick<ToolResult, 'output' | 'data' | 'failure'>;

const said = (result: Said, masker: Masker): Said => ({
  output: masker.text(result.output),
  ...(result.data === undefined ? {} : { data: masker.json(result.data) }),
  ...(result.failure === undefined
    ? {}
    : {
        failure: {
          ...result.failure,
          message: masker.text(result.failure.message),
          suggestedAction: masker.text(result.failure.suggestedAction),
        },
      }),
});
