import { afterEach, describe, expect, it } from 'vitest';
import type { Message } from '#kernel';
import type { Model } from '#model';
import { answerOf, extend, failureOf, requestOf, textOf, user } from './conversation.ts';
import { callContext, sessionOf } from './facts.ts';

export interface Subject {
  readonly name: string;
  /** Broken argument text cannot be sent where arguments are an object on the wire. */
  readonly sendsBrokenArguments: boolean;
  /** A model that plays the script. */
  open(script: unknown): Promise<{ readonly model: Model; close(): Promise<void> }>;
}

/** What every implementation of the model contract must do. */
export function modelConformance(subject: Subject): void {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    await Promise.all(closers.splice(0).map((close) => close()));
  });
  const open = async (script: unknown): Promise<Model> => {
    const { model, close } = await subject.open(script);
    closers.push(close);
    return model;
  };

  describe(`model: ${subject.name}`, () => {
    it('answers with text, and the deltas are the text', async () => {
      const text = 'Grüße aus dem Turm — 漢字 und 🎉🧗, "quoted" \\ and\nlines.';
      const model = await open({
        turns: [{ text, usage: { inputTokens: 50, outputTokens: 9, cachedInputTokens: 10 } }],
      });
      const { context, deltas } = callContext();
      const answer = answerOf(await model.generate(requestOf(), context));
      expect(textOf(answer)).toBe(text);
      expect(answer).toMatchObject({
        finish: 'stop',
        usage: { inputTokens: 50, outputTokens: 9, cachedInputTokens: 10 },
      });
      expect(deltas.map((delta) => (delta.kind === 'text' ? delta.text : '')).join('')).toBe(text);
      expect(deltas.length).toBeGreaterThan(1);
    });

    it('answers with several calls in order, arguments exact', async () => {
      const calls = [
        { tool: 'Read', args: { file_path: 'ü/🧗.ts', limit: 3, deep: { list: [1, null, true, '"'] } } },
        { tool: 'Edit', args: { file_path: 'b', old_string: 'a\n\tb', new_string: '' } },
        { tool: 'Read', args: {} },
      ];
      const model = await open({ turns: [{ text: 'Three calls.', calls }] });
      const answer = answerOf(await model.generate(requestOf(), callContext().context));
      expect(answer.finish).toBe('tool-calls');
      const made = answer.parts.flatMap((part) => (part.kind === 'call' ? [part] : []));
      expect(made.map(({ name, args, malformed }) => ({ tool: name, args, malformed }))).toEqual(calls);
      expect(new Set(made.map((call) => call.providerCallId)).size).toBe(3);
    });

    it('goes on for several rounds with our own ids', async () => {
      const model = await open({
        turns: [
          {
            reasoning: 'First look.',
            calls: [
              { tool: 'Read', args: { file_path: 'a' } },
              { tool: 'Read', args: { file_path: 'b' } },
            ],
          },
          {
            text: 'Now edit.',
            calls: [{ tool: 'Edit', args: { file_path: 'a' } }],
            expect: { shown: ['content of a', 'content of b'], tools: 'Edit', system: 'careful' },
          },
          { text: 'Done.', expect: { shown: 'edited', notShown: 'content of a', history: 'content of a' } },
          { text: 'Again.', expect: { shown: 'and then?' } },
        ],
      });
      let messages: Message[] = [user('go')];
      const results = [['content of a', 'content of b'], ['edited'], []];
      for (const [round, shown] of results.entries()) {
        const answer = answerOf(
          await model.generate(requestOf(messages), callContext(sessionOf('a'.repeat(round))).context),
        );
        messages = extend(messages, answer, shown);
      }
      messages.push(user('and then?'));
      expect(textOf(answerOf(await model.generate(requestOf(messages), callContext(sessionOf('aaa')).context)))).toBe(
        'Again.',
      );
    });

    it('fails loudly where the script expects something else', async () => {
      const model = await open({ turns: [{ text: 'ok', expect: { shown: 'a green test' } }] });
      const failure = failureOf(await model.generate(requestOf(), callContext().context));
      expect(failure).toMatchObject({ kind: 'invalid_request', retryable: false });
      expect(failure.message).toContain('expected to be shown "a green test"');
    });

    it('marks broken argument text and never repairs it', async () => {
      const model = await open({ turns: [{ calls: [{ tool: 'Edit', argsText: '{"file_path":"a","old' }] }] });
      const result = await model.generate(requestOf(), callContext().context);
      if (subject.sendsBrokenArguments) {
        const call = answerOf(result).parts[0];
        expect(call).toMatchObject({
          kind: 'call',
          name: 'Edit',
          args: {},
          malformed: expect.stringContaining('position'),
        });
      } else expect(failureOf(result)).toMatchObject({ retryable: true });
    });

    it.each(['["a"]', '"a"', '3'])('takes %s for no arguments object', async (argsText) => {
      const model = await open({ turns: [{ calls: [{ tool: 'Edit', argsText }] }] });
      const result = await model.generate(requestOf(), callContext().context);
      const called = result.ok ? result.answer.parts.filter((part) => part.kind === 'call') : [];
      for (const call of called) expect(call).toMatchObject({ args: {}, malformed: expect.stringContaining('object') });
    });

    it('reports a length limit and a content filter', async () => {
      for (const finish of ['length', 'content-filter'] as const) {
        const model = await open({ turns: [{ text: 'half an ans', finish }] });
        expect(answerOf(await model.generate(requestOf(), callContext().context)).finish).toBe(finish);
      }
    });

    it('hands over an answer that says nothing', async () => {
      const model = await open({ turns: [{ text: '' }] });
      expect(answerOf(await model.generate(requestOf(), callContext().context))).toMatchObject({
        parts: [],
        finish: 'stop',
      });
    });

    it.each([
      ['transient', true],
      ['overflow', false],
      ['auth', false],
      ['quota', false],
      ['invalid_request', false],
    ] as const)('types a failure as %s', async (kind, retryable) => {
      const model = await open({ turns: [{ text: 'never', fail: { kind, retryAfterMs: 1200 } }] });
      const failure = failureOf(await model.generate(requestOf(), callContext().context));
      expect(failure).toMatchObject({ kind, retryable, text: '' });
      if (kind === 'transient') expect(failure.retryAfterMs).toBe(1200);
    });

    it('sends nothing after an abort', async () => {
      const model = await open({ turns: [{ text: 'never' }] });
      const { context, deltas } = callContext([], AbortSignal.abort());
      expect(failureOf(await model.generate(requestOf(), context)).kind).toBe('cancelled');
      expect(deltas).toEqual([]);
    });

    it('does not fail when a listener throws', async () => {
      const model = await open({ turns: [{ text: 'all the same' }] });
      const { context } = callContext();
      const result = await model.generate(requestOf(), {
        ...context,
        onDelta: () => {
          throw new Error('listener');
        },
      });
      expect(textOf(answerOf(result))).toBe('all the same');
    });
  });
}
