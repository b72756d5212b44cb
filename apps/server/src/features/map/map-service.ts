import { mapIncidents, mapRoutes, mapToday } from '@tour-ops/contract/map/map'
import { sql } from 'kysely'
import { iso } from '../../platform/list-query.ts'
import { addMinutes, dayBounds, localDateOf } from '../../platform/local-time.ts'
import { isOut } from '../../platform/operations/departure-phase.ts'
import { daysBeforeLast, selectDepartureRows } from '../../platform/operations/departure-rows.ts'
import { type Verb, verb } from '../../platform/verb.ts'
import { noGoAreaVerbs } from './no-go-areas-service.ts'
import { selectIncidents, selectOffice, selectRoutes, selectWays } from './map-store.ts'

/** Departures at most: the peak of a large operator with room. See docs/domain.md, "Sizes". */
const maxDepartures = 500
/** What starts this soon is on the map, past midnight too. */
const startingMinutes = 120

const today = verb(mapToday, async (call) => {
  const { timeZone, ...view } = await selectOffice(call)
  const now = call.clock.now()
  const localDate = localDateOf(now, timeZone)
  const day = dayBounds(localDate, timeZone)
  const soon = addMinutes(now, startingMinutes)
  const rows = await selectDepartureRows(call, {
    where: [
      // Tours of other zones and over midnight count by the clock of the office: whatever touches its day.
      // A day more on either side, for zones ahead of the office's and for tours over midnight.
      sql`((d.local_date between ${localDate}::date - ${daysBeforeLast(call.orgId)} - 2 and ${localDate}::date + 2
        and d.starts_at < ${day.to > soon ? day.to : soon} and d.ends_at >= ${day.from}) or ${isOut})`,
      sql`d.status not in ('draft', 'cancelled')`,
    ],
    orderBy: sql`d.starts_at, d.id`,
    limit: maxDepartures,
    offset: 0,
  })
  const ways = await selectWays(
    call,
    rows.map(({ id }) => id),
  )
  return {
    now: iso(now),
    timeZone,
    localDate,
    view,
    departures: rows.map((row) => ({
      ...row,
      ...(ways.get(row.id) ?? { stops: [], startedAt: null, quietUntil: null }),
    })),
  }
})

const routes = verb(mapRoutes, async (call, { departureId }) => ({ routes: await selectRoutes(call, departureId) }))

const incidents = verb(mapIncidents, async (call) => ({ incidents: await selectIncidents(call) }))

export const mapVerbs: Verb[] = [today, routes, incidents, ...noGoAreaVerbs]
