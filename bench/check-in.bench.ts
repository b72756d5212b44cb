import { setTimeout as sleep } from 'node:timers/promises'
import { livePath } from '@tour-ops/contract/live/live-paths'
import { checkIn, getManifest } from '@tour-ops/contract/bookings/manifest'
import { newId } from '../apps/server/src/platform/ids.ts'
import { accountOf, boardingDeparture } from '../apps/server/testing/accounts.ts'
import { type Person, type Program, signIn } from '../apps/server/testing/programs.ts'
import { listen } from './listeners.ts'
import { atMost, percentile, type Bench, type Measure, type Scale } from './measurement.ts'
import { onServer, type Prepared } from './prepared.ts'
import { sellGuests } from './sold-guests.ts'

/** Goal for the ninety-fifth percentile, milliseconds. */
const goalMs = 1000

/**
 * One person taps, another sees it: the tap is sent, the stream of the second one reports that the manifest has changed, the
 * manifest is requested again, and the guest is listed in it as aboard. What both browsers do, without their drawing.
 */
export const checkInBench: Bench = {
  name: 'check-in',
  title: 'Check-in to second browser',
  run: (scale) => onServer('check-in', (prepared, program) => measure(prepared, program, scale)),
}

async function measure(prepared: Prepared, { base }: Program, scale: Scale): Promise<Measure[]> {
  const guests = scale === 'full' ? 200 : 10
  const admin = await signIn(base, accountOf('admin'))
  const other = await signIn(base, accountOf('dispatcher'))
  const owner = prepared.owner()
  const departureId = await boardingDeparture(admin, owner, { orgId: prepared.orgId, capacity: 1000 })
  await owner.end()
  const entryIds = await sellGuests(admin, departureId, guests)
  const screen = await openScreen(base, prepared.orgId, other, departureId)
  const taken: number[] = []
  const answered: number[] = []
  for (const entryId of entryIds) {
    const tappedAt = performance.now()
    const seen = screen.sees(entryId)
    await admin.call(checkIn, { departureId, entries: [{ entryId, clientEventId: newId() }] })
    answered.push(performance.now() - tappedAt)
    taken.push((await seen) - tappedAt)
    // taps come one by one, as people board
    await sleep(100)
  }
  screen.close()
  const p95 = percentile(taken, 0.95)
  const values = { unit: 'ms', samples: taken.length }
  return [
    { name: 'tap to the second screen, p50', value: percentile(taken, 0.5), ...values },
    { name: 'tap to the second screen, p95', value: p95, goal: atMost(p95, goalMs, 'ms'), ...values },
    { name: 'tap to its own answer, p95', value: percentile(answered, 0.95), ...values },
  ]
}

interface Screen {
  /** Resolves with the moment at which a guest is shown as aboard. */
  sees(entryId: string): Promise<number>
  close(): void
}

/** A manifest on a second screen: it listens to the topics of its list and reads it again when one of them changes. */
async function openScreen(base: string, orgId: string, person: Person, departureId: string): Promise<Screen> {
  let wanted: { entryId: string; seen: (at: number) => void } | undefined
  let isReading = false
  let isStale = false
  const read = async (): Promise<void> => {
    isStale = true
    if (isReading) return
    isReading = true
    while (isStale) {
      isStale = false
      const { groups } = await person.call(getManifest, { departureId })
      const aboard = groups.flatMap(({ parties }) => parties.flatMap(({ entries }) => entries))
      if (aboard.some(({ id, status }) => id === wanted?.entryId && status === 'checked_in'))
        wanted?.seen(performance.now())
    }
    isReading = false
  }
  const targets = (getManifest.topics ?? []).map((topic) => livePath.changes(orgId, topic))
  const headers = { authorization: `Bearer ${person.bearer}` }
  const stream = await listen(`${base}/api/live/listen`, headers, JSON.stringify({ targets }), (text) => {
    if (text.includes('event: document')) void read()
  })
  return {
    sees: (entryId) => {
      const { promise, resolve } = Promise.withResolvers<number>()
      wanted = { entryId, seen: resolve }
      return promise
    },
    close: () => stream.close(),
  }
}
