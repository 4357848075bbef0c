/** The lattice of decisions: deny above ask above allow. Combining can only narrow, never grant. */
export type Decision = 'allow' | 'ask' | 'deny';

const rank: { readonly [D in Decision]: number } = { allow: 0, ask: 1, deny: 2 };

/** The stricter of two decisions; associative, commutative, idempotent, with `allow` as its neutral element. */
export const narrow = (a: Decision, b: Decision): Decision => (rank[a] >= rank[b] ? a : b);
