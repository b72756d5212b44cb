/** Begins a piece of work once the one before has ended; throws what that one threw. */
export type Begin = (work: () => Promise<void>) => Promise<void>

/**
 * Lets one piece of work go on while the next is prepared, in the order in which they are begun: what a file is read and compared with costs
 * this process as much as the database, and neither need wait for the other.
 *
 * @returns what `run` answers, once the last piece has ended; nothing goes on after an error either.
 */
export async function withOneBehind<T>(run: (begin: Begin) => Promise<T>): Promise<T> {
  let last: Promise<void> = Promise.resolve()
  const quietly = (): Promise<void> => last.catch(() => undefined)
  const begin: Begin = async (work) => {
    await last
    last = work()
    void quietly()
  }
  try {
    const result = await run(begin)
    await last
    return result
  } finally {
    await quietly()
  }
}
