import { builtinModules } from 'node:module';
import type { IForbiddenRuleType } from 'dependency-cruiser';
import { builtinOwners, packageOwners, rooms } from './rooms.ts';

const names = Object.keys(rooms);
const quoted = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
const inside = (room: string): string => `^src/${quoted(room)}/`;
const door = (room: string): string => `^src/${quoted(room)}/index\\.ts$`;
/** A Node module as the checker names it, with or without the node: prefix. */
const builtin = (modules: readonly string[]): string => `^(node:)?(${modules.map(quoted).join('|')})$`;
/** A package by its import name or its place on disk. */
const npmPackage = (name: string): string => `(^|node_modules/)${quoted(name)}(/|$)`;

type Rule = IForbiddenRuleType;

const general: readonly Rule[] = [
  {
    name: 'no-cycles',
    severity: 'error',
    comment:
      'Modules in a cycle can only be understood, loaded and changed together. Type imports count: they knot thoughts.',
    from: { path: '^src/' },
    to: { circular: true },
  },
  {
    name: 'everything-resolves',
    severity: 'error',
    comment: 'What the checker cannot resolve it cannot judge.',
    from: { path: '^src/' },
    to: { couldNotResolve: true },
  },
  {
    name: 'only-known-rooms',
    severity: 'error',
    comment: 'A file outside the rooms of the table would obey no rule.',
    from: { path: '^src/', pathNot: names.map(inside) },
    to: {},
  },
  {
    name: 'product-knows-no-workshop',
    severity: 'error',
    comment: 'Tests, scripts and benchmarks import the product, never the other way round: they are not shipped.',
    from: { path: '^src/' },
    to: { path: '^(test|scripts|bench|examples)/' },
  },
  {
    name: 'kernel-is-pure',
    severity: 'error',
    comment: 'Same facts, same state: I/O, clocks and randomness would make a replay differ from what happened.',
    from: { path: inside('kernel') },
    to: { dependencyTypes: ['core', 'npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg'] },
  },
  {
    name: 'lib-touches-no-world',
    severity: 'error',
    comment: 'The kernel stands on lib, so lib may only compute; hashing is computing.',
    from: { path: inside('lib') },
    to: { dependencyTypes: ['core'], pathNot: builtin(['crypto', 'buffer']) },
  },
];

function roomRules(room: string): Rule[] {
  const { mayImport, mayImportTypes = [] } = rooms[room] ?? { mayImport: [] };
  return [
    {
      name: `edge:${room}`,
      severity: 'error',
      comment: `${room} may import ${[...mayImport, ...mayImportTypes].join(', ') || 'no other room'}. A new edge needs a decision record.`,
      from: { path: inside(room) },
      to: { path: '^src/', pathNot: [room, ...mayImport, ...mayImportTypes].map(inside) },
    },
    {
      name: `door:${room}`,
      severity: 'error',
      comment: 'Rooms meet only at their doors, so that everything behind a door can change without asking.',
      from: { path: '^src/', pathNot: inside(room) },
      to: { path: inside(room), pathNot: door(room) },
    },
    {
      name: `spelling:${room}`,
      severity: 'error',
      comment: `The door of ${room} is written #${room}, so that an import shows at once that it leaves the room.`,
      from: { path: '^src/', pathNot: inside(room) },
      to: { path: door(room), dependencyTypesNot: ['aliased-subpath-import'] },
    },
    {
      name: `own-door:${room}`,
      severity: 'error',
      comment: 'Inside a room nobody imports the own door: that is how cycles begin.',
      from: { path: inside(room) },
      to: { path: door(room) },
    },
    ...(mayImportTypes.length === 0
      ? []
      : [
          {
            name: `types-only:${room}`,
            severity: 'error',
            comment: `${room} knows ${mayImportTypes.join(', ')} as types only; the values are handed in.`,
            from: { path: inside(room) },
            to: { path: mayImportTypes.map(door), dependencyTypesNot: ['type-only'] },
          } satisfies Rule,
        ]),
  ];
}

const builtinRules: readonly Rule[] = builtinOwners.map(({ name, modules, places, why }) => ({
  name,
  severity: 'error',
  comment: why,
  from: { path: '^src/', pathNot: places.map(inside) },
  to: { path: builtin(modules) },
}));

const packageRules: readonly Rule[] = [
  ...Object.entries(packageOwners).map(
    ([name, owner]): Rule => ({
      name: `owner:${name}`,
      severity: 'error',
      comment: `${name} belongs to ${owner}: when it changes, or is replaced, one room changes.`,
      from: { path: '^src/', pathNot: inside(owner) },
      to: { path: npmPackage(name), dependencyTypesNot: ['core', 'local', 'aliased'] },
    }),
  ),
  {
    name: 'only-owned-packages',
    severity: 'error',
    comment: 'A package without an owner in scripts/law/rooms.ts has no place where it is allowed.',
    from: { path: '^src/' },
    to: {
      dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'unknown', 'undetermined'],
      pathNot: [...Object.keys(packageOwners).map(npmPackage), `^(node:)?(${builtinModules.map(quoted).join('|')})$`],
    },
  },
];

/** Every rule of the house, made from the table in rooms.ts; each carries the sentence why. */
export const rules: readonly Rule[] = [...general, ...names.flatMap(roomRules), ...builtinRules, ...packageRules];
