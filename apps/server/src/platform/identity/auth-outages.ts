import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'
import { outageOf, type Outage } from '../outages.ts'

// The identity library turns a failing database into its own refusals, such as "500 Failed to get session". What the database
// reported while a request ran is remembered with the request, so that the answer can be "unavailable".

const requests = new AsyncLocalStorage<{ outage?: Outage }>()

/** Remembers an outage for the request that is running. */
export function noteOutage(error: unknown): void {
  const request = requests.getStore()
  const outage = request && outageOf(error)
  if (outage) request.outage ??= outage
}

export const isDuringOutage = (): boolean => requests.getStore()?.outage !== undefined

/** The answer of the library. @throws Outage when the database was not available and the library refused. */
export function answerOrOutage(run: () => Promise<Response>): Promise<Response> {
  return requests.run({}, async () => {
    const answer = await run()
    const outage = requests.getStore()?.outage
    if (outage && !answer.ok) throw outage
    return answer
  })
}

/** The pool, noting when it has no connection to give. */
export const watchedPool = (
  pool: pg.Pool,
): Pick<pg.Pool, 'options' | 'end'> & { connect: () => Promise<pg.PoolClient> } => ({
  options: pool.options,
  end: () => pool.end(),
  connect: async () => {
    try {
      return await pool.connect()
    } catch (error) {
      noteOutage(error)
      throw error
    }
  },
})
