import { getDeparture } from '@tour-ops/contract/departures/departures'
import type { Fix } from '@tour-ops/contract/tracking/arrivals/evidence'
import { type Phone, simulateTrack, type TrueVisit } from '@tour-ops/contract/tracking/arrivals/simulated-track'
import { trackingConsentVersion } from '@tour-ops/contract/tracking/duty'
import { type DutyFixes, maxFixesOfRequest } from '@tour-ops/contract/tracking/duty-fixes'
import type { Out } from '@tour-ops/contract/callable'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { arrivalsFromPositions } from '../src/features/tracking/arrivals-from-positions.ts'
import { movableClock } from '../src/platform/clock.ts'
import { type TestServer, testServer } from './http-server.ts'
import { addDeparture, assignGuide, coreVerbOf, drawWay, estimate, officeWithTour, setStatus } from './operations.ts'
import { addDevicePaired } from './tracking.ts'
import { testDatabase, type TestWorld } from './world.ts'

export interface TrackingServer {
  readonly world: TestWorld
  /** Takes positions. */
  readonly server: TestServer
  /** Of the server that takes positions; each departure has one of its own. */
  readonly ingestClock: ReturnType<typeof movableClock>
  readonly close: () => Promise<void>
}

/** A server that takes positions of the day of `at`; a test file opens one for all of its departures. */
export async function trackingServer(): Promise<TrackingServer> {
  const world = await testDatabase()
  const ingestClock = movableClock(at('08:00'))
  const server = await testServer({ services: { ...world.services, clock: ingestClock }, env: { DEMO: 'off' } })
  await world.services.db.pool.query(`select ensure_position_days('2030-07-13', '2030-07-16')`)
  const close = async () => {
    await server.close()
    await world.close()
  }
  return { world, server, ingestClock, close }
}

interface TrackedOptions {
  /** Drawn for the day; none where it is missing. */
  readonly way?: readonly TrueVisit['place'][] | undefined
  readonly phone?: Phone
}

export const at = (time: string): Date => new Date(`2030-07-14T${time}:00Z`)
export const cityHall = { lat: 64.146, lng: -21.942 }
export const bsi = { lat: 64.1375, lng: -21.935 }
export const geysir = { lat: 64.3104, lng: -20.3014 }
export const visit = (place: TrueVisit['place'], from: string, to: string): TrueVisit => ({
  place,
  arriveAt: at(from).getTime(),
  departAt: at(to).getTime(),
})

/** Sets out 6 minutes late, comes to Geysir 10 late, leaves it 20 late and is back 18 late. */
export const day = [
  visit(cityHall, '08:20', '08:23'),
  visit(bsi, '08:35', '09:06'),
  visit(geysir, '12:25', '13:50'),
  visit(bsi, '17:18', '17:40'),
]

/** A departure on the road, whose lead guide's phone reports; `report` sends what it recorded up to a moment, except for gaps, and a minute passes. */
export async function trackedDeparture(
  { world, server, ingestClock }: TrackingServer,
  visits: readonly TrueVisit[] = day,
  { way, phone = { everyS: 20, jitterM: 8 } }: TrackedOptions = {},
) {
  const { caller, clock, tourId, pickupPlaceId, stopPlaceId } = await officeWithTour(world, at('08:00'))
  const { orgId } = caller
  if (way) {
    await drawWay(
      caller,
      tourId,
      way.map(({ lat, lng }) => [lng, lat]),
    )
  }
  const id = await addDeparture(caller, tourId)
  const staffId = await assignGuide(caller, id)
  await caller.transaction(async (tx) => {
    for (const [placeId, { lat, lng }] of [[pickupPlaceId, cityHall] as const, [stopPlaceId, geysir] as const]) {
      await sql`update places set lat = ${lat}, lng = ${lng} where org_id = ${orgId} and id = ${placeId}`.execute(tx)
    }
    await sql`update field_staff set tracking_consent_version = ${trackingConsentVersion}, tracking_consent_at = app_now()
      where org_id = ${orgId} and id = ${staffId}`.execute(tx)
  })
  const { token } = await addDevicePaired({ world, office: caller, clock }, { staffId })
  clock.set(at('08:15'))
  await setStatus(caller, id, { to: 'boarding' })

  const fixes = simulateTrack(visits, phone, 3)
  const sent = new Set<Fix>()
  const send = async (wanted: readonly Fix[]) => {
    ingestClock.set(clock.now())
    for (let from = 0; from < wanted.length; from += maxFixesOfRequest) {
      const body: DutyFixes = {
        sentAt: clock.now().toISOString(),
        fixes: wanted.slice(from, from + maxFixesOfRequest).map(({ at: moment, lat, lng, accuracyM, speedMps }) => ({
          recordedAt: new Date(moment).toISOString(),
          lat,
          lng,
          accuracyM,
          speedMps,
        })),
      }
      const headers = { 'content-type': 'application/json' }
      const answer = await server.fetch(`/track/${token}`, { method: 'POST', headers, body: JSON.stringify(body) })
      expect(await answer.json()).toMatchObject({ result: { received: body.fixes.length, dropped: {} } })
    }
  }
  let engine = arrivalsFromPositions(clock)
  const get = async () => caller.call(coreVerbOf(getDeparture), { id })
  return {
    caller,
    clock,
    id,
    staffId,
    tourId,
    get,
    /** At 09:06, with the guests who are there. */
    setOut: async () => {
      clock.set(at('09:06'))
      await setStatus(caller, id, { to: 'in_progress', reason: 'nobody to count' })
    },
    stop: async (index: number) => (await get()).stops[index] as Stop,
    /** Another process, or the same one after a restart: it remembers nothing. */
    restart: () => {
      engine = arrivalsFromPositions(clock)
    },
    report: async (until: string, gap?: readonly [from: string, to: string]) => {
      const isCut = ({ at: moment }: Fix) => gap && moment > at(gap[0]).getTime() && moment < at(gap[1]).getTime()
      const wanted = fixes.filter((fix) => fix.at <= at(until).getTime() && !sent.has(fix) && !isCut(fix))
      for (const fix of wanted) sent.add(fix)
      clock.set(at(until))
      await send(wanted)
      await caller.transaction((tx) => engine.run(tx, orgId))
      await estimate(caller, clock.now())
    },
    changes: () =>
      caller.transaction(async (tx) => {
        const { rows } = await sql<{ count: number }>`
          select count(*)::int as count from audit_entries where org_id = ${orgId} and entity_type = 'departure_stops'`.execute(
          tx,
        )
        return rows[0]?.count ?? 0
      }),
  }
}
type Stop = Out<typeof getDeparture>['stops'][number]
export type TrackedOne = Awaited<ReturnType<typeof trackedDeparture>>
