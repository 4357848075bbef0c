/** CRC-32C (Castagnoli, reflected, polynomial 0x82F63B78), four bytes a step. */
const POLYNOMIAL = 0x82f63b78;

const tables = makeTables();
const [t0, t1, t2, t3] = tables;

/** Checksum of `bytes[start, end)`, unsigned. `seed` is the checksum of what came before. */
export function crc32c(bytes: Uint8Array, start = 0, end = bytes.length, seed = 0): number {
  let crc = ~seed;
  let i = start;
  for (const whole = end - ((end - start) & 3); i < whole; i += 4) {
    crc ^= at(bytes, i) | (at(bytes, i + 1) << 8) | (at(bytes, i + 2) << 16) | (at(bytes, i + 3) << 24);
    crc = at(t3, crc & 255) ^ at(t2, (crc >>> 8) & 255) ^ at(t1, (crc >>> 16) & 255) ^ at(t0, crc >>> 24);
  }
  for (; i < end; i++) crc = at(t0, (crc ^ at(bytes, i)) & 255) ^ (crc >>> 8);
  return ~crc >>> 0;
}

function at(numbers: Uint8Array | Int32Array, index: number): number {
  return numbers[index] as number;
}

function makeTables(): [Int32Array, Int32Array, Int32Array, Int32Array] {
  const made: [Int32Array, Int32Array, Int32Array, Int32Array] = [
    new Int32Array(256),
    new Int32Array(256),
    new Int32Array(256),
    new Int32Array(256),
  ];
  for (let n = 0; n < 256; n++) {
    let crc = n;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
    made[0][n] = crc;
  }
  for (let n = 0; n < 256; n++) {
    for (let k = 1; k < 4; k++) {
      const before = at(made[k - 1] as Int32Array, n);
      (made[k] as Int32Array)[n] = (before >>> 8) ^ at(made[0], before & 255);
    }
  }
  return made;
}
