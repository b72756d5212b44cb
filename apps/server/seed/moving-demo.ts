import { setTimeout as sleep } from 'node:timers/promises'
import type { Services } from '../src/context.ts'
import { MovingDays } from './moving-days.ts'
import { MovingPhones, reportMs, type Send } from './moving-phones.ts'
import { demoPerson } from './person.ts'
import { renewDemo } from './renew-demo.ts'

/** The interval between two checks of what is due. */
const lookMs = 60_000

/**
 * Keeps the demo organization going next to a running server: departures board, leave and come back, and phones report where they are.
 *
 * @param base Where the server listens.
 * @returns Stops it.
 */
export async function startMovingDemo(services: Services, base: string): Promise<() => Promise<void>> {
  const crew = await demoPerson(services, 'dispatcher', 'Simulated crew')
  if (!crew) return async () => undefined
  const controller = new AbortController()
  const { signal } = controller
  const send: Send = (path, init) =>
    fetch(`${base}${path}`, { ...init, signal: AbortSignal.any([signal, AbortSignal.timeout(reportMs)]) })
  const running = run(services, new MovingDays(services, crew), new MovingPhones(services, crew.apart(), send), signal)
  return async () => {
    controller.abort()
    await running
  }
}

/** Until the signal is aborted. What goes wrong is logged and tried again: no work of a person depends on it. */
async function run(services: Services, days: MovingDays, phones: MovingPhones, signal: AbortSignal): Promise<void> {
  for (let lookedAt = -Infinity; !signal.aborted;) {
    const now = performance.now()
    try {
      if (now - lookedAt >= lookMs) {
        lookedAt = now
        await renewDemo(services, signal)
        await days.look(signal)
        await phones.look()
      }
      await phones.report()
    } catch (error) {
      if (!signal.aborted) services.log.debug({ err: error }, 'the demo could not move')
    }
    // only the signal ends it early, which the loop sees
    await sleep(reportMs, undefined, { signal }).catch(() => undefined)
  }
}
