/**
 * The calls of the system that commands do without: those of the kernel's keyrings. A session's keyring is inherited and
 * no namespace hides it, so a command could read what the user keeps there, such as tickets and keys of disks.
 *
 * It is a program for the kernel's filter, which each call passes: a refused one looks as if the system did not have it.
 */

/** `linux/audit.h` names a machine so; the numbers are those of add_key, request_key and keyctl there. */
interface Machine {
  readonly audit: number;
  readonly calls: readonly number[];
}

/** A machine runs programs of its smaller kind as well, under other numbers. */
const machines: { readonly [arch: string]: readonly Machine[] } = {
  x64: [
    { audit: 0xc000003e, calls: [248, 249, 250] },
    { audit: 0x40000003, calls: [286, 287, 288] },
  ],
  arm64: [
    { audit: 0xc00000b7, calls: [217, 218, 219] },
    { audit: 0x40000028, calls: [309, 310, 311] },
  ],
};

const LOAD = 0x20;
const AND = 0x54;
const JUMP_IF_EQUAL = 0x15;
const RETURN = 0x06;
const AT_NUMBER = 0;
const AT_MACHINE = 4;
const ALLOWED = 0x7fff0000;
/** ENOSYS: what a program takes for a system without keyrings. */
const REFUSED = 0x00050000 | 38;
/** Programs with long numbers and short addresses mark their calls with this bit. */
const WITHOUT_X32 = 0xbfffffff;

type Step = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

/** Eight bytes for each step; null for a machine whose numbers are not known here. `arch` is one of `process.arch`. */
export function keyringFilter(arch: string): Uint8Array | null {
  const known = machines[arch];
  if (known === undefined) return null;
  const parts = known.map(partOf);
  const bytes = new DataView(new ArrayBuffer(8 * (parts.flat().length + 2)));
  // A call of a machine that cannot be here is refused.
  [[LOAD, 0, 0, AT_MACHINE] as Step, ...parts.flat(), [RETURN, 0, 0, REFUSED] as Step].forEach(
    ([code, ifTrue, ifFalse, value], i) => {
      bytes.setUint16(8 * i, code, true);
      bytes.setUint8(8 * i + 2, ifTrue);
      bytes.setUint8(8 * i + 3, ifFalse);
      bytes.setUint32(8 * i + 4, value, true);
    },
  );
  return new Uint8Array(bytes.buffer);
}

/** Leaves the number of the machine where it was loaded, if it is another one. */
function partOf({ audit, calls }: Machine): readonly Step[] {
  const count = calls.length;
  return [
    [JUMP_IF_EQUAL, 0, count + 4, audit],
    [LOAD, 0, 0, AT_NUMBER],
    [AND, 0, 0, WITHOUT_X32],
    ...calls.map((call, i): Step => [JUMP_IF_EQUAL, count - i, 0, call]),
    [RETURN, 0, 0, ALLOWED],
    [RETURN, 0, 0, REFUSED],
  ];
}
