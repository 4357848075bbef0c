import { describe, expect, test } from 'vitest';
import {
  mergeSandboxSettings,
  noSandboxSettings,
  readSandboxSettings,
} from '../../../src/permission/sandbox/sandbox-settings.ts';

const read = (sandbox: unknown) => readSandboxSettings('f', JSON.stringify({ sandbox }));

describe('settings of the sandbox', () => {
  test('all of them', () => {
    const given = { mode: 'required', network: true, readable: ['~/x'], writable: ['/y'] };
    expect(read(given)).toEqual({ settings: { ...given, hosts: [] }, faults: [] });
  });
  test('hosts in the place of the network', () => {
    const hosts = ['example.com', '*.example.com:8443'];
    expect(read({ network: hosts })).toMatchObject({ settings: { network: null, hosts }, faults: [] });
    expect(read({ network: ['http://x'] }).faults).toHaveLength(1);
  });
  test.each([[undefined], [{}]])('none: %j', (given) =>
    expect(read(given)).toEqual({ settings: noSandboxSettings, faults: [] }),
  );
  test('a file that is no JSON is told by whoever reads its rules', () =>
    expect(readSandboxSettings('f', '{')).toEqual({ settings: noSandboxSettings, faults: [] }));
  test.each<[unknown, string]>([
    ['off', 'f: sandbox must be an object'],
    [null, 'f: sandbox must be an object'],
    [[], 'f: sandbox must be an object'],
    [{ writable: ['/'] }, 'f: sandbox.writable must be a list of paths that begin with "/" or "~/"'],
    [{ writable: ['/a', 1] }, 'f: sandbox.writable must be a list of paths that begin with "/" or "~/"'],
    [{ network: [1] }, expect.stringContaining('"example.com", "*.example.com" or "example.com:8443"')],
    [
      { network: ['a.b', 1, 'http://x'] },
      'f: sandbox.network must be true, false or a list of hosts such as "example.com", "*.example.com" or "example.com:8443"; none is 1, "http://x"',
    ],
    [
      { network: 1 },
      'f: sandbox.network must be true, false or a list of hosts such as "example.com", "*.example.com" or "example.com:8443"',
    ],
    [{ mode: 'on' }, 'f: sandbox.mode must be auto, required or off'],
    [{ network: 'off' }, expect.stringContaining('f: sandbox.network must be true, false or a list of hosts')],
    [{ writable: ['x'] }, 'f: sandbox.writable must be a list of paths that begin with "/" or "~/"'],
    [{ readable: '/x' }, 'f: sandbox.readable must be a list of paths that begin with "/" or "~/"'],
    [{ enabled: true }, 'f: sandbox.enabled is not known'],
  ])('a fault is told: %j', (given, fault) => expect(read(given).faults).toEqual([fault]));
});

test('what has a fault counts for nothing, and the rest counts', () => {
  const given = { mode: 'on', network: ['a.b', ''], readable: ['x'], writable: ['~/x', '/y'] };
  expect(read(given).settings).toEqual({ ...noSandboxSettings, writable: ['~/x', '/y'] });
  expect(read(given).faults).toHaveLength(3);
});
test.each(['auto', 'required', 'off'])('mode %s', (mode) =>
  expect(read({ mode })).toEqual({ settings: { ...noSandboxSettings, mode }, faults: [] }),
);
test.each([true, false])('network %s', (network) =>
  expect(read({ network })).toEqual({ settings: { ...noSandboxSettings, network }, faults: [] }),
);
test('a list of no hosts is no fault', () =>
  expect(read({ network: [] })).toEqual({ settings: noSandboxSettings, faults: [] }));
test.each(['[]', 'null', '1', '"x"', '[{"sandbox":1}]'])('%s has no such part', (text) =>
  expect(readSandboxSettings('f', text)).toEqual({ settings: noSandboxSettings, faults: [] }),
);
test('a mark of the byte order at the begin is no fault', () =>
  expect(readSandboxSettings('f', '\uFEFF{"sandbox":{"mode":"off"}}').settings.mode).toBe('off'));
test('nothing is said before it is said', () =>
  expect(noSandboxSettings).toEqual({ mode: null, network: null, hosts: [], readable: [], writable: [] }));

describe('the machine and the user', () => {
  const of = (more: object) => ({ ...noSandboxSettings, ...more });
  test.each([
    ['what the machine demands holds', { mode: 'required' }, { mode: 'off' }, { mode: 'required' }],
    ['else the user decides', { mode: 'auto' }, { mode: 'off' }, { mode: 'off' }],
    ['what the user leaves open the machine says', { mode: 'off' }, {}, { mode: 'off' }],
    ['no network for the machine is none for the user', { network: false }, { network: true }, { network: false }],
    ['hosts add up', { hosts: ['a'] }, { hosts: ['b'] }, { hosts: ['a', 'b'] }],
    ['no network for the machine is no host', { network: false, hosts: ['a'] }, { hosts: ['b'] }, { hosts: [] }],
    ['the machine lets the network stand open', { network: true }, { network: false }, { network: false }],
    ['the network of the machine, where the user says nothing', { network: true }, {}, { network: true }],
    ['hosts of the machine, where it has a network', { network: true, hosts: ['a'] }, {}, { hosts: ['a'] }],
    ['readable folders add up', { readable: ['/a'] }, { readable: ['/b'] }, { readable: ['/a', '/b'] }],
    ['folders add up', { writable: ['/a'] }, { writable: ['/b'] }, { writable: ['/a', '/b'] }],
  ])('%s', (_name, machine, user, both) => expect(mergeSandboxSettings(of(machine), of(user))).toMatchObject(both));
});
