import { describe, expect, it } from 'vitest';
import { keyringFilter } from '../../../src/permission/sandbox/call-filter.ts';

/** As the kernel runs it: a step is 16 bits of code, two distances and 32 bits of value. */
function run(program: Uint8Array, machine: number, call: number): string {
  const view = new DataView(program.buffer);
  let loaded = 0;
  for (let at = 0; at < program.length / 8; at++) {
    const value = view.getUint32(8 * at + 4, true);
    switch (view.getUint16(8 * at, true)) {
      case 0x20:
        loaded = value === 0 ? call : value === 4 ? machine : Number.NaN;
        break;
      case 0x54:
        loaded = (loaded & value) >>> 0;
        break;
      case 0x15:
        at += view.getUint8(8 * at + (loaded === value ? 2 : 3));
        break;
      case 0x06:
        return value === 0x7fff0000 ? 'allowed' : value === 0x00050026 ? 'refused' : `${value}`;
      default:
        return 'faulty';
    }
  }
  return 'no end';
}

describe('the filter of calls', () => {
  it.each<[string, number, readonly number[]]>([
    ['x64', 0xc000003e, [248, 249, 250, 0x40000000 + 248, 0x40000000 + 250]],
    ['x64', 0x40000003, [286, 287, 288]],
    ['arm64', 0xc00000b7, [217, 218, 219]],
    ['arm64', 0x40000028, [309, 310, 311]],
  ])('on %s, of programs for %i, refuses %j and nothing else', (arch, machine, calls) => {
    const program = keyringFilter(arch) ?? new Uint8Array();
    const all = [...Array.from({ length: 600 }, (_, i) => i), ...Array.from({ length: 600 }, (_, i) => 0x40000000 + i)];
    const refused = all.filter((call) => run(program, machine, call) !== 'allowed');
    expect(calls.map((call) => run(program, machine, call))).toEqual(calls.map(() => 'refused'));
    expect(new Set(refused.map((call) => call % 0x40000000))).toEqual(new Set(calls.map((call) => call % 0x40000000)));
  });

  it.each(['x64', 'arm64'])('on %s refuses calls of another machine', (arch) => {
    expect(run(keyringFilter(arch) ?? new Uint8Array(), 0x80000016, 1)).toBe('refused');
  });

  it('is not made for a machine that it does not know', () => {
    expect(keyringFilter('ppc64')).toBeNull();
  });
});
