/** Which trials a seed makes: every kind of kill with every effect it can touch, at every barrier and in between. */
import { type Prng, seededPrng } from '#lib';
import { type EffectName, effectNames, effects, STEPS } from './effects.ts';
import { type KillKind, killKinds } from './kill.ts';
import type { Point } from './points.ts';
import type { Plan } from './trial.ts';

/** Which trials run their commands in the sandbox; it works where this does. */
export type Confined = 'all' | 'half' | 'none';
export const confinedHere: Confined = process.platform === 'linux' ? 'half' : 'none';

/** Instants that are tried after the first one, where nobody is killed at it. */
const SPARES = 4;

export function plansOf(seed: number, count: number, confined: Confined = confinedHere): readonly Plan[] {
  const random = seededPrng(seed);
  const pairs = pairsInTurn();
  return Array.from({ length: count }, (_, number) => {
    const turn = Math.floor(number / pairs.length);
    const { kill, effect } = pairs[number % pairs.length] as (typeof pairs)[number];
    return {
      number,
      kill,
      effect,
      point: pointOf(effect, kill, turn, random),
      spare: Array.from({ length: SPARES }, () => pointOf(effect, kill, turn, random)),
      again: kill !== 'wrapper' && random.below(5) === 0,
      confined: confined === 'all' || (confined === 'half' && random.below(2) === 0),
      late: isProcess(effect) && kill !== 'tree' && random.below(3) === 0,
    };
  });
}

/** One of each kind of kill, then the next of each, so that a short run reaches all of them. */
function pairsInTurn(): readonly { readonly kill: KillKind; readonly effect: EffectName }[] {
  return effectNames.flatMap((_, i) =>
    killKinds.flatMap((kill) => {
      const effect = effectsOf(kill)[i];
      return effect === undefined ? [] : [{ kill, effect }];
    }),
  );
}

const isProcess = (effect: EffectName): boolean => ['process', 'check', 'query'].includes(effects[effect].settles);

/** A file change and a read have no wrapper. */
const effectsOf = (kill: KillKind): readonly EffectName[] =>
  kill.startsWith('wrapper') ? effectNames.filter(isProcess) : effectNames;

/** Two of three trials of a pair are meant to be killed between claim and receipt; the others go through the barriers. */
function pointOf(effect: EffectName, kill: KillKind, turn: number, random: Prng): Point {
  const { settles } = effects[effect];
  const between: readonly Point[] = isProcess(effect)
    ? [{ at: 'claim' }, { at: 'effect' }, ...steps(random)]
    : settles === 'file'
      ? [{ at: 'claim' }]
      : [{ at: 'fact', type: 'attempt.start', n: 1 }];
  const touchesWrapper = kill.startsWith('wrapper');
  if (turn % 3 !== 2 || touchesWrapper) return between[random.below(between.length)] as Point;
  const all = barriers(effect);
  return all[random.below(all.length)] as Point;
}

const steps = (random: Prng): readonly Point[] =>
  Array.from({ length: 6 }, () => ({ at: 'progress', n: 1 + random.below(2 * STEPS) }));

function barriers(effect: EffectName): readonly Point[] {
  const rounds = effects[effect].turns.length - 4;
  const found: Point[] = [
    { at: 'fact', type: 'session.created', n: 1 },
    { at: 'request', n: 1 },
    { at: 'fact', type: 'model.response', n: rounds },
    { at: 'fact', type: 'attempt.start', n: rounds },
    { at: 'fact', type: 'attempt.outcome', n: rounds },
    { at: 'request', n: rounds + 1 },
    { at: 'fact', type: 'session.complete', n: 1 },
  ];
  const { settles } = effects[effect];
  if (settles !== 'read') found.push({ at: 'folder' }, { at: 'effect' }, { at: 'receipt' });
  if (effect === 'approval') {
    const more: readonly Point[] = [
      { at: 'fact', type: 'approval.requested', n: 1 },
      { at: 'started', command: 'approve' },
      { at: 'fact', type: 'approval.resolved', n: 1 },
      { at: 'started', command: 'resume' },
    ];
    found.push(...more);
  }
  return found;
}
