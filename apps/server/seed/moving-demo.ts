import { setTimeout as sleep } from 'node:timers/promises'
import type { Services } from '../src/context.ts'
import { demoEmail } from './data/staff.ts'
import { MovingDays } from './moving-days.ts'
import { MovingPhones, reportMs, type Send } from './moving-phones.ts'
import { person } from './person.ts'

/** Between two looks at what is due. */
const lookMs = 60_000

/**
 * Keeps the demo organization going beside a server that answers: departures board, leave and come back, and phones report where they are.
 *
 * @param base Where the server listens.
 * @returns Stops it.
 */
export async function startMovingDemo(services: Services, base: string): Promise<() => Promise<void>> {
  const email = demoEmail('dispatcher')
  const { rows } = await services.db.ownerPool.query<{ userId: string; orgId: string }>(
    `select user_id as "userId", org_id as "orgId" from members where email = $1 and status = 'active' order by joined_at limit 1`,
    [email],
  )
  const [dispatcher] = rows
  if (!dispatcher) return async () => undefined
  const controller = new AbortController()
  const { signal } = controller
  const send: Send = (path, init) =>
    fetch(`${base}${path}`, { ...init, signal: AbortSignal.any([signal, AbortSignal.timeout(reportMs)]) })
  const crew = person(services, { ...dispatcher, email, name: 'Simulated crew' })
  const running = run(services, new MovingDays(services, crew), new MovingPhones(services, crew.apart(), send), signal)
  return async () => {
    controller.abort()
    await running
  }
}

/** Until the signal is aborted. What goes wrong is logged and tried again: nobody's work depends on it. */
async function run(services: Services, days: MovingDays, phones: MovingPhones, signal: AbortSignal): Promise<void> {
  for (let lookedAt = -Infinity; !signal.aborted;) {
    const now = performance.now()
    try {
      if (now - lookedAt >= lookMs) {
        lookedAt = now
        await days.look(signal)
        await phones.look()
      }
      await phones.report()
    } catch (error) {
      if (!signal.aborted) services.log.debug({ err: error }, 'the demo could not move')
    }
    await sleep(reportMs, undefined, { signal }).catch(() => undefined)
  }
}
