import { hashPassword, verifyPassword } from 'better-auth/crypto'

/**
 * At most this many passwords are hashed at once; the others wait. Each takes 32 MB for about 80 ms (scrypt, N = 16384,
 * r = 16) and one of the four threads that also read files, so that a crowd at the sign-in page cannot starve the rest.
 */
const maxAtOnce = 3

/** Runs at most `limit` of the given tasks at a time, in the order they came. */
export function boundedBy(limit: number): <T>(task: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (task) => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}

const bounded = boundedBy(maxAtOnce)

/** Password hashing of the identity library with bounded concurrency. */
export const passwordHashing = {
  hash: (password: string): Promise<string> => bounded(() => hashPassword(password)),
  verify: (attempt: { hash: string; password: string }): Promise<boolean> => bounded(() => verifyPassword(attempt)),
}
