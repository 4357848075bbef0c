import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { type KeysOf, unknownKeys } from '../../../src/permission/settings/unknown-keys.ts';

const told = (value: unknown, whose: KeysOf = 'user') => unknownKeys('f', JSON.stringify(value), whose);
const mean = (at: string, near: string) => `f: ${at} is not known and does nothing; did you mean "${near}"?`;

describe('a key that nobody reads is told', () => {
  it.each<[unknown, readonly string[]]>([
    [{ permissions: { denny: ['Bash'] } }, [mean('permissions.denny', 'deny')]],
    [{ permissions: { Deny: [] } }, [mean('permissions.Deny', 'deny')]],
    [{ permissions: { allowedTools: [] } }, [mean('permissions.allowedTools', 'allow')]],
    [
      { Permisions: {}, hoks: {}, alow: [] },
      [mean('Permisions', 'permissions'), mean('hoks', 'hooks'), mean('alow', 'permissions.allow')],
    ],
    [{ permissions: { denied: [] } }, [mean('permissions.denied', 'deny')]],
    [{ permissions: { allows: [], asks: [] } }, [mean('permissions.allows', 'allow'), mean('permissions.asks', 'ask')]],
    [{ permission: { deny: [] } }, [mean('permission', 'permissions')]],
    [{ deny: ['Bash'] }, [mean('deny', 'permissions.deny')]],
    [
      { hook: {}, sandbx: {}, project: {} },
      [mean('hook', 'hooks'), mean('sandbx', 'sandbox'), mean('project', 'projects')],
    ],
    [
      { defaultMode: 'plan' },
      ['f: defaultMode is not known and does nothing; the mode is given with --permission-mode'],
    ],
    [
      { permissions: { defaultMode: 'plan' } },
      ['f: permissions.defaultMode is not known and does nothing; the mode is given with --permission-mode'],
    ],
    [
      { model: 'x', env: {} },
      [
        'f: model is not known and does nothing; the model is given with --model',
        'f: env is not known and does nothing; commands get variables of your environment by "environment": {"pass": ["NAME"]} in the user\'s file',
      ],
    ],
    [{ checks: [] }, [expect.stringContaining('or are given with --check') as unknown as string]],
    [{ mcpServers: {} }, [expect.stringContaining('servers stand in .mcp.json') as unknown as string]],
    [{ permissions: { dney: [] } }, [mean('permissions.dney', 'deny')]],
    // Too many slips are another word.
    [
      { permissions: { den: [], xenxy: [], mas: [], dexxxy: [] } },
      [
        mean('permissions.den', 'deny'),
        mean('permissions.xenxy', 'deny'),
        'f: permissions.mas is not known and does nothing',
        'f: permissions.dexxxy is not known and does nothing',
      ],
    ],
  ])('%j', (value, expected) => expect(told(value)).toEqual(expected));

  it.each<[KeysOf, unknown, readonly string[]]>([
    [
      'project',
      { hooks: {} },
      ['f: hooks is not known and does nothing; hooks stand in the whole file, not in a part of it'],
    ],
    ['project', { permissions: { allow: [], dent: [] } }, [mean('permissions.dent', 'deny')]],
    ['own', { sandbox: {} }, ["f: sandbox is not known and does nothing; the sandbox is set in the user's file"]],
    [
      'own',
      { environment: { pass: ['A'] } },
      ["f: environment is not known and does nothing; variables for commands are named in the user's file"],
    ],
    ['user', { enviroment: {} }, [mean('enviroment', 'environment')]],
    ['own', { projects: {} }, ["f: projects is not known and does nothing; projects stand in the user's file"]],
    ['own', { check: ['npm test'] }, [mean('check', 'checks')]],
    ['foreign', { permissions: { denny: [] } }, [mean('permissions.denny', 'deny')]],
    ['foreign', { permission: { deny: [] } }, [mean('permission', 'permissions')]],
  ])('in a file of the kind %s: %j', (whose, value, expected) => expect(told(value, whose)).toEqual(expected));
});

describe('nothing is said of', () => {
  it.each<[KeysOf, unknown]>([
    [
      'user',
      {
        permissions: { allow: [], ask: [], deny: [] },
        sandbox: {},
        hooks: {},
        projects: {},
        environment: {},
        $schema: 'x',
      },
    ],
    ['project', { permissions: {} }],
    ['own', { permissions: {}, hooks: {}, checks: [], mcpServers: {} }],
    [
      'foreign',
      { model: 'x', env: {}, hook: {}, deny: [], permissions: { defaultMode: 'plan', additionalDirectories: [] } },
    ],
    ['user', [1]],
    ['user', null],
    ['user', { permissions: ['denny'] }],
    ['user', { permissions: 'denny' }],
  ])('%s: %j', (whose, value) => expect(told(value, whose)).toEqual([]));

  it('a text that is no JSON, and a mark of its encoding', () => {
    expect(unknownKeys('f', '{', 'user')).toEqual([]);
    expect(unknownKeys('f', '\uFEFF{"x": 1}', 'user')).toHaveLength(1);
  });
});

property.prop([fc.json()])('no text makes it fail', (text) => {
  expect(Array.isArray(unknownKeys('f', text, 'user'))).toBe(true);
});
