/** What an undo would do, over short histories of writes (F), commands (P), looks (K) and other people (in K). */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  changesByRound,
  type Fact,
  type FactBody,
  fold,
  hiddenRanges,
  lastChange,
  planFiles,
  roundAt,
  roundsOf,
  type Side,
  type Stretch,
} from '#kernel';

/** `F a 1 2`: a file tool turned content 1 of a into 2 · `P`: a command · `K a=2 b=- | i=1`: what a look found, ignored files behind the bar, whose changes behind the mark · `R`: a round. */
function history(text: string): { facts: Fact[]; manifests: Map<string, Map<string, Side>> } {
  const manifests = new Map<string, Map<string, Side>>();
  const bodies: FactBody[] = [{ type: 'session.created', sessionId: 's', workspace: '/w', version: '0' }];
  for (const [i, step] of text.split('\n').entries()) {
    const [kind, ...words] = step.trim().split(' ');
    const actionId = `a${i}`;
    const start = (effect: 'file' | 'process'): FactBody => ({
      type: 'attempt.start',
      attemptId: `${actionId}.1`,
      actionId,
      executorId: 'x',
      effect,
    });
    if (kind === 'R') {
      bodies.push(
        { type: 'model.request', requestId: `r${i}`, model: 'm', messages: 1, bytes: 1 },
        { type: 'model.response', requestId: `r${i}`, parts: [], finish: 'stop', usage: {} },
      );
    }
    if (kind === 'P') bodies.push(start('process'));
    if (kind === 'F') {
      const [path = '', base, result] = words;
      const hash = (word: string | undefined) => (word === '-' ? null : (word ?? null));
      bodies.push(start('file'), {
        type: 'attempt.outcome',
        actionId,
        status: 'succeeded',
        output: '',
        files: [{ path, base: hash(base), result: hash(result) }],
      });
    }
    if (kind === 'K') {
      const entriesOf = (some: readonly string[]) =>
        some
          .map((word) => word.split('='))
          .map(([path = '', to]) => [path, to === '-' ? null : `100644 ${to}`] as const);
      const mark = words.includes('!') ? words.indexOf('!') : words.length;
      const bar = words.includes('|') ? words.indexOf('|') : mark;
      manifests.set(`k${i}`, new Map(entriesOf(words.slice(0, bar))));
      manifests.set(`g${i}`, new Map(entriesOf(words.slice(bar + 1, mark))));
      const whose = words.slice(mark + 1).map((word) => word.split('='));
      manifests.set(`w${i}`, new Map(whose.map(([path = '', who = '']) => [path, who])));
      const guarded = bar < mark ? { guarded: `g${i}` } : {};
      const foreign = mark < words.length ? { foreign: `w${i}` } : {};
      bodies.push({ type: 'checkpoint.taken', revision: 'x', ref: `k${i}`, ...guarded, ...foreign });
    }
  }
  return { facts: bodies.map((body, i) => ({ ...body, seq: i + 1, ts: 0 }) as Fact), manifests };
}

const base: { readonly [path: string]: string } = { a: '100644 1', b: '100755 1' };

function stretchesOf(text: string): { facts: Fact[]; stretches: readonly Stretch[] } {
  const { facts, manifests } = history(text);
  const points = { base: (path: string) => base[path] ?? null, manifest: (ref: string) => manifests.get(ref) ?? null };
  return { facts, stretches: changesByRound(facts, [], 0, points) };
}

/** The plan as text: `a 2>1` for each change, `a !` for each path left alone, after the number of the first round undone. */
function planned(text: string, round: number | null): string {
  const { facts, stretches } = stretchesOf(text);
  const rounds = roundsOf(facts, []);
  const request = round === null ? lastChange(stretches, new Set()) : (rounds[round - 1]?.request ?? 0);
  if (request === null) return 'nothing';
  const plan = planFiles(stretches, request, new Set());
  const side = (value: Side) => value?.split(' ')[1] ?? '-';
  const number = rounds.findIndex((one) => one.request === plan.round) + 1;
  const changes = plan.changes.map(({ path, before, after }) => `${path} ${side(before)}>${side(after)}`);
  return [`r${number}`, ...changes, ...plan.refused.map(({ path }) => `${path} !`)].join(' · ');
}

describe('which files an undo brings back', () => {
  test.each<readonly [name: string, text: string, round: number, byLooks: boolean]>([
    ['a receipt is exact', 'R\nF a 1 2\nK a=2', 1, false],
    ['a command is told by looks', 'R\nP\nK a=2', 1, true],
    ['what others did is no part of it', 'R\nF a 1 2\nR\nP\nK a=2 b=7 ! b=others', 1, false],
    ['nor is a round before', 'R\nP\nK a=2\nR\nF a 2 3\nK a=3', 2, false],
  ])('whether looks tell of it: %s', (_name, text, round, byLooks) => {
    const { facts, stretches } = stretchesOf(text);
    const request = roundsOf(facts, [])[round - 1]?.request ?? 0;
    expect(planFiles(stretches, request, new Set()).isByLooks).toBe(byLooks);
  });

  test.each<readonly [name: string, text: string, round: number | null, expected: string]>([
    ['the last round that changed something', 'R\nF a 1 2\nR\nR\nP\nK a=2', null, 'r1 · a 2>1'],
    [
      'a chain of writes leads back to its beginning',
      'R\nF a 1 2\nR\nF a 2 3\nR\nF c - 1\nK a=3 c=1',
      1,
      'r1 · a 3>1 · c 1>-',
    ],
    ['what was changed and changed back is not touched', 'R\nF a 1 2\nR\nF a 2 1\nK', 1, 'r1'],
    ['a command is undone by the looks around it', 'R\nP\nK a=5 b=- c=1', 1, 'r1 · a 5>1 · b ->1 · c 1>-'],
    ['rounds whose look was dropped go together', 'R\nP\nR\nP\nK a=5', 2, 'r1 · a 5>1'],
    ['a write after a command that nobody looked at is exact', 'R\nP\nR\nF b 1 2\nK a=5 b=2', 2, 'r2 · b 2>1'],
    ['a write over what an unseen command left', 'R\nP\nR\nF a 5 6\nK a=6', 2, 'r2 · a 6>5'],
    ['both of these', 'R\nP\nR\nF a 5 6\nK a=6', 1, 'r1 · a 6>1'],
    ['what somebody else changed afterwards is left alone', 'R\nF a 1 2\nF c - 1\nK a=9 c=1', 1, 'r1 · c 1>- · a !'],
    ['what somebody else changed before is what it leads back to', 'R\nK a=7\nR\nF a 7 8\nK a=8', 2, 'r2 · a 8>7'],
    ['what somebody else changed in between is left alone', 'R\nF a 1 2\nR\nF a 7 8\nK a=8', 1, 'r1 · a !'],
    ['files of others are no business of an undo', 'R\nF a 1 2\nK a=2 d=1', 1, 'r1 · a 2>1'],
    ['ignored files that a command took away come back', 'R\nK | i=1 j=2\nP\nK | i=- j=2', 1, 'r1 · i ->1'],
    ['and those that it changed', 'R\nK a=2 | i=1\nP\nK a=3 | i=5', 1, 'r1 · a 3>2 · i 5>1'],
    ['looks at nothing but the rest do not touch them', 'R\nK | i=1\nP\nK | i=-\nR\nP\nK a=5', null, 'r2 · a 5>1'],
    [
      'two such commands, one after another',
      'R\nK | i=1 j=1\nP\nK | i=- j=1\nR\nK | i=- j=1\nP\nK | i=- j=-',
      1,
      'r1 · i ->1 · j ->1',
    ],
    [
      'a look before the second command tells what the first one did',
      'R\nK | i=1\nP\nR\nK | i=- j=3\nP\nK | i=- j=-',
      2,
      'r2 · j ->3',
    ],
    ['an ignored file that becomes visible is no change', 'R\nK | i=1\nP\nK a=2 i=1', 1, 'r1 · a 2>1'],
    ['and is brought back where it changed besides', 'R\nK | i=1\nP\nK i=2', 1, 'r1 · i 2>1'],
    ['a visible file that becomes ignored is no change', 'R\nP\nK c=1\nR\nP\nK a=2 | c=1', 2, 'r2 · a 2>1'],
    ['and is compared with what it was', 'R\nP\nK c=1\nR\nP\nK | c=2', 2, 'r2 · c 2>1'],
    ['a write to an ignored file', 'R\nF i 1 2\nK | i=2', 1, 'r1 · i 2>1'],
    ['one with a command before it that is not blamed', 'R\nP\nR\nF i 1 2\nK a=2 | i=2', 1, 'r1 · i 2>1 · a 2>1'],
    ['one that a command changed again', 'R\nF i 1 2\nK | i=2\nR\nP\nK | i=3', 2, 'r2 · i 3>2'],
    ['and both', 'R\nF i 1 2\nK | i=2\nR\nP\nK | i=3', 1, 'r1 · i 3>1'],
    ['one that somebody else changed again', 'R\nF i 1 2\nK | i=2\nK | i=9', 1, 'r1 · i !'],
    ['a new ignored file', 'R\nF i - 1\nK | i=1\nR\nP\nK a=2', 1, 'r1 · i 1>- · a 2>1'],
    ['a new file that a command removed', 'R\nF c - 1\nR\nP\nK | c=-', 2, 'r2 · c ->1'],
    ['what others left so before a command is theirs', 'R\nP\nK a=2 b=7 d=1 ! b=others d=others', 1, 'r1 · a 2>1'],
    ['also where it lies over our own', 'R\nF a 1 2\nR\nP\nK a=7 c=1 ! a=others', 1, 'r1 · c 1>- · a !'],
    ['an older file under a new name stays', 'R\nP\nK c=1 d=5 ! d=older', 1, 'r1 · c 1>- · d !'],
    [
      "what was changed when nothing ran is somebody else's",
      'R\nP\nK a=2 b=7 d=1 ! b=later d=later',
      1,
      'r1 · a 2>1 · b ! · d !',
    ],
    ['also behind a command that changed it', 'R\nP\nK a=2\nR\nP\nK a=7 ! a=later', 1, 'r1 · a !'],
    ['but not where it was known before', 'R\nP\nK d=4\nR\nP\nK d=5 ! d=older', 2, 'r2 · d 5>4'],
    ['a round that only looked', 'R\nR\nP\nK', null, 'nothing'],
  ])('%s', (_name, text, round, expected) => {
    expect(planned(text, round)).toBe(expected);
  });

  /** What the rest tells once everything from the `from`th step on is taken back; looks of the undo stand behind. */
  const afterUndo = (text: string, from: number, later: string) => {
    const steps = text.split('\n').length;
    const { facts, manifests } = history(`${text}\n${later}`);
    const seqOf = (step: number) => 2 + text.split('\n').slice(0, step).join('\n').replace(/[^RF]/g, '').length + step;
    const points = {
      base: (path: string) => base[path] ?? null,
      manifest: (ref: string) => manifests.get(ref) ?? null,
    };
    const hidden = [{ from: seqOf(from), to: seqOf(steps) - 1 }];
    return changesByRound(facts, hidden, 0, points).map(({ by, changes }) =>
      [
        by,
        ...changes.map(
          ({ path, before, after }) => `${path} ${before?.split(' ')[1] ?? '-'}>${after?.split(' ')[1] ?? '-'}`,
        ),
      ].join(' '),
    );
  };

  test.each<readonly [name: string, text: string, from: number, later: string, expected: readonly string[]]>([
    [
      'a look before the first effect of a round taken back tells what the round before did',
      'R\nK | i=1\nP\nR\nK | i=- j=3\nP\nK | i=- j=-',
      3,
      'K | i=- j=3',
      ['belay i 1>-'],
    ],
    [
      'what somebody else made since is not taken for its work',
      'R\nK | i=1\nP\nR\nK | i=- j=3\nP\nK | i=- j=-',
      3,
      'K | i=9 j=3',
      ['belay i 1>-', 'others i ->9'],
    ],
    ['a look after that effect tells nothing', 'R\nP\nR\nP\nK a=5 c=1', 2, 'K a=4', ['belay a 1>4']],
    ['nor does one after a write', 'R\nP\nR\nF c - 1\nK a=5 c=1', 2, 'K a=4', ['belay a 1>4']],
  ])('%s', (_name, text, from, later, expected) => {
    expect(afterUndo(text, from, later)).toEqual(expected);
  });

  test('whatever Belay did alone, the plan leads from the last look to the first', () => {
    const step = fc.oneof(
      fc.constant('R'),
      fc.record({ path: fc.constantFrom('a', 'b', 'c'), to: fc.constantFrom('-', '1', '2', '3') }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const now: { [path: string]: string } = { a: '1', b: '1', c: '-' };
        const lines = ['R'];
        for (const one of steps) {
          if (one === 'R' || typeof one === 'string') lines.push('R');
          else {
            lines.push(`F ${one.path} ${now[one.path]} ${one.to}`);
            now[one.path] = one.to;
          }
        }
        const text = lines.join('\n');
        const first = { a: '1', b: '1', c: '-' };
        const back = { ...now };
        for (const change of planned(text, 1).split(' · ').slice(1)) {
          const [path = '', move = ''] = change.split(' ');
          const [from, to] = move.split('>');
          expect(back[path]).toBe(from);
          back[path] = to ?? '';
        }
        expect(back).toEqual(first);
      }),
    );
  });
});

describe('what counts no more', () => {
  const undo = (undoId: string, toSeq: number, extra: Partial<FactBody> = {}): FactBody =>
    ({ type: 'undo.planned', undoId, kind: 'undo', scope: 'both', toSeq, files: [], ...extra }) as FactBody;
  const done = (undoId: string): FactBody => ({ type: 'undo.done', undoId, scope: 'both', restored: [], refused: [] });
  const rounds = history('R\nR\nR').facts.map(({ seq: _seq, ts: _ts, ...body }) => body as FactBody);
  const after = (...bodies: FactBody[]) => {
    const facts = [...rounds, ...bodies].map((body, i) => ({ ...body, seq: i + 1, ts: 0 }) as Fact);
    return { facts, state: fold(facts) };
  };

  test.each<readonly [name: string, bodies: FactBody[], left: number]>([
    ['an undo hides the rounds behind its point', [undo('u', 5), done('u')], 2],
    ['until it is done it hides nothing', [undo('u', 5)], 3],
    ['two undos go further back', [undo('u', 5), done('u'), undo('v', 3), done('v')], 1],
    [
      'a redo takes the last one back',
      [undo('u', 5), done('u'), undo('v', 3), done('v'), undo('w', 0, { kind: 'redo', reverses: 'v' }), done('w')],
      2,
    ],
    ['an undo of files leaves the conversation', [undo('u', 1, { scope: 'files' }), done('u')], 3],
  ])('%s', (_name, bodies, left) => {
    const { facts, state } = after(...bodies);
    expect(roundsOf(facts, hiddenRanges(state.undo, 'chat'))).toHaveLength(left);
  });

  test('a round is found by any fact from the words that led to it on', () => {
    const words: FactBody = { type: 'input.received', text: 'more' };
    const facts = [...rounds.slice(0, 3), words, ...rounds.slice(3)].map(
      (body, i) => ({ ...body, seq: i + 1, ts: 0 }) as Fact,
    );
    const found = roundsOf(facts, []);
    expect([1, 2, 3, 4, 5, 6, 7, 99].map((seq) => roundAt(found, seq)?.request)).toEqual([2, 2, 2, 5, 5, 5, 7, 7]);
  });
});
