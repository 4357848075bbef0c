/**
 * What every tool promises, whatever it does: run it on a subject to see that a tool keeps the rules that settling
 * stands on. Another room's tools and those of a program that embeds Belay may use it as well.
 */
import { expect, test } from 'vitest';
import type { Json } from '#kernel';
import { revokeClaim, takeClaim } from '#workspace';
import type { AttemptContext, Settlement, Tool } from '../../src/tools/contract.ts';

/** One tool in a fresh world, and what can be seen of that world from outside. */
export interface Subject {
  readonly tool: Tool;
  /** Arguments of a call that works, once, in this world. */
  readonly args: Json;
  context(attemptId: string): AttemptContext;
  /** How often the effect is there. */
  effects(): number | Promise<number>;
  /** Everything that the call could have changed, as one text. */
  world(): string | Promise<string>;
}

/** Arguments that no schema of ours allows; classifying happens before they are checked. */
const nonsense: readonly Json[] = [
  null,
  7,
  'text',
  [],
  [1],
  {},
  { file_path: 3, command: [], paths: 'x', message: null },
];

export function toolKeepsItsPromises(name: string, open: () => Promise<Subject>): void {
  const settle = (subject: Subject, attemptId: string, base: Json | null, boot?: string): Promise<Settlement> => {
    const context = subject.context(attemptId);
    return subject.tool.settle(subject.args, base, boot === undefined ? context : { ...context, bootId: boot });
  };
  const prepare = async (subject: Subject, attemptId: string) => {
    const prepared = await subject.tool.prepare(subject.args, subject.context(attemptId));
    if (!prepared.ok) throw new Error(prepared.failure.message);
    return prepared.attempt;
  };
  const isRead = async (subject: Subject) => (await subject.tool.classify(subject.args)).effect === 'read';

  test(`${name}: classifying is pure and total`, async () => {
    const subject = await open();
    const before = await subject.world();
    for (const args of [subject.args, ...nonsense]) {
      expect(await subject.tool.classify(args)).toEqual(await subject.tool.classify(structuredClone(args)));
    }
    expect(await subject.world()).toBe(before);
  });

  test(`${name}: inspecting, and preparing what is then discarded, change nothing`, async () => {
    const subject = await open();
    const before = await subject.world();
    const context = subject.context('a');
    expect(await subject.tool.inspect(subject.args, context)).toEqual(
      await subject.tool.inspect(subject.args, context),
    );
    await (await prepare(subject, 'a')).discard();
    expect(await subject.world()).toBe(before);
    expect(await subject.effects()).toBe(0);
  });

  test(`${name}: one run, one effect`, async () => {
    const subject = await open();
    const outcome = await (await prepare(subject, 'a')).run();
    expect(outcome.status).toBe('succeeded');
    expect(await subject.effects()).toBe((await isRead(subject)) ? 0 : 1);
  });

  test(`${name}: an attempt that nobody claimed is proven not started, and its frozen executor does nothing later`, async () => {
    const subject = await open();
    const attempt = await prepare(subject, 'a');
    const settled = await settle(subject, 'a', attempt.base ?? null);
    expect(settled.state).toBe('not-started');
    if (await isRead(subject)) return;
    expect(settled).toMatchObject({ settling: { probe: 'claim', verdict: 'not-started' } });
    // Whoever settles it once more finds the same.
    expect(await settle(subject, 'a', attempt.base ?? null)).toEqual(settled);
    const before = await subject.world();
    expect((await attempt.run()).status).not.toBe('succeeded');
    expect(await subject.effects()).toBe(0);
    expect(await subject.world()).toBe(before);
    // And the action itself still can be done.
    expect((await (await prepare(subject, 'b')).run()).status).toBe('succeeded');
    expect(await subject.effects()).toBe(1);
  });

  test(`${name}: a claim revoked before the start keeps the effect from happening`, async () => {
    const subject = await open();
    if (await isRead(subject)) return;
    const attempt = await prepare(subject, 'a');
    revokeClaim(subject.context('a').execFolder);
    expect((await attempt.run()).status).not.toBe('succeeded');
    expect(await subject.effects()).toBe(0);
    expect(await settle(subject, 'a', attempt.base ?? null)).toMatchObject({ state: expect.any(String) });
  });

  test.each(['this boot', 'another boot'])(
    `${name}: done, and its outcome lost (%s): never done twice, never denied`,
    async (when) => {
      const subject = await open();
      if (await isRead(subject)) return;
      const attempt = await prepare(subject, 'a');
      await attempt.run();
      const boot = when === 'this boot' ? undefined : 'another';
      const settled = await settle(subject, 'a', attempt.base ?? null, boot);
      expect(settled).toEqual(await settle(subject, 'a', attempt.base ?? null, boot));
      if (settled.state === 'settled') {
        expect(['succeeded', 'unknown']).toContain(settled.outcome.status);
        expect(settled.outcome.settling).toBeDefined();
      } else {
        expect(settled.settling?.verdict).toBe('repeatable');
        await (await prepare(subject, 'b')).run();
      }
      expect(await subject.effects()).toBe(1);
    },
  );

  test.each(['this boot', 'another boot'])(
    `${name}: killed between claim and effect (%s): done once, or a question`,
    async (when) => {
      const subject = await open();
      if (await isRead(subject)) return;
      const attempt = await prepare(subject, 'a');
      const { execFolder, bootId } = subject.context('a');
      await attempt.discard();
      takeClaim(execFolder, bootId);
      const settled = await settle(subject, 'a', attempt.base ?? null, when === 'this boot' ? undefined : 'another');
      expect(await subject.effects()).toBe(0);
      if (settled.state === 'settled') {
        // Evidence is what a person decides by.
        expect(settled.outcome.status).not.toBe('succeeded');
        expect(settled.outcome.settling?.observed).toMatch(/\w/);
        return;
      }
      expect(settled.settling?.verdict).toMatch(/not-applied|repeatable/);
      expect((await (await prepare(subject, 'b')).run()).status).toBe('succeeded');
      expect(await subject.effects()).toBe(1);
    },
  );
}
