import { randomFillSync } from 'node:crypto'

// A pool of random bytes: one system call for 64 identifiers instead of one each.
const bytesPerId = 8
const pool = new Uint8Array(bytesPerId * 64)
let poolOffset = pool.length

/** Largest value of the 12-bit counter that follows the time in an identifier. */
const maxCounter = 0xfff
/** The counter starts in its lower half, so that at least 2,048 identifiers fit into a millisecond. */
const counterSeedMask = 0x7ff

let lastMs = 0
let counter = 0

/**
 * A new UUIDv7: 48 bits of Unix time in milliseconds, a 12-bit counter, 62 random bits. Identifiers made by one process
 * always grow, also within a millisecond and when the computer's clock is set back, so that they sort by creation.
 *
 * @see RFC 9562, sections 5.7 and 6.2 (method 1).
 */
export function newId(nowMs: number = Date.now()): string {
  if (poolOffset >= pool.length) {
    randomFillSync(pool)
    poolOffset = 0
  }
  const random = pool.subarray(poolOffset, (poolOffset += bytesPerId))
  advance(Math.trunc(nowMs), random)
  const time = lastMs.toString(16).padStart(12, '0')
  const count = counter.toString(16).padStart(3, '0')
  // The two highest bits of this byte are the variant (binary 10).
  random[0] = ((random[0] ?? 0) & 0x3f) | 0x80
  const tail = Buffer.from(random.buffer, random.byteOffset, bytesPerId).toString('hex')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count}-${tail.slice(0, 4)}-${tail.slice(4)}`
}

function advance(nowMs: number, random: Uint8Array): void {
  if (nowMs > lastMs) {
    lastMs = nowMs
    counter = (((random[0] ?? 0) << 8) | (random[1] ?? 0)) & counterSeedMask
  } else if (counter < maxCounter) {
    counter += 1
  } else {
    lastMs += 1
    counter = 0
  }
}
