import { scheduleDepartures } from '@tour-ops/contract/departures/departure-schedule'
import { AppError } from '@tour-ops/contract/errors'
import { sql } from 'kysely'
import type { MemberCall } from '../../src/context.ts'
import { schedule } from '../../src/features/departures/departures-schedule.ts'
import type { Tx } from '../../src/platform/db/database.ts'
import { addDays } from '../../src/platform/local-time.ts'
import { scheduleRuleOf } from '../calendar.ts'
import type { SeededTour } from '../catalogue.ts'
import type { Busy, Span } from './crews.ts'

/** Civil days, both included. */
export interface Days {
  readonly from: string
  readonly to: string
}

export interface PastStop {
  readonly id: string
  readonly dayIndex: number
  readonly arriveAt: number
  readonly departAt: number
  readonly slackMin: number
  readonly kind: string
  readonly headcount: boolean
}

/** A departure of the past before anything has happened on it; times in milliseconds since 1970. */
export interface PastDeparture {
  readonly id: string
  readonly code: string
  readonly tourId: string
  readonly localDate: string
  readonly startsAt: number
  readonly endsAt: number
  readonly capacity: number
  readonly minPax: number
  readonly stops: readonly PastStop[]
}

/** Plans what the rules of the tours say for days that are over; what is there already stays as it is. @returns ids of what was made. */
export async function schedulePast(call: MemberCall, tours: readonly SeededTour[], days: Days): Promise<string[]> {
  const made: string[] = []
  for (const tour of tours) {
    if (tour.isNew) continue
    // a departure that left later would still be under way
    const until = addDays(days.to, 1 - tour.days.length)
    const rule = { ...scheduleRuleOf(tour), from: days.from, to: until, includePast: true }
    try {
      made.push(...(await schedule.run(call, scheduleDepartures.input.parse(rule))).ids)
    } catch (error) {
      // out of season, or all of it is there
      if (!(error instanceof AppError) || error.details.reason !== 'nothing_to_create') throw error
    }
  }
  return made
}

interface DepartureRow extends Omit<PastDeparture, 'startsAt' | 'endsAt' | 'stops'> {
  startsAt: Date
  endsAt: Date
}

interface StopRow extends Omit<PastStop, 'arriveAt' | 'departAt'> {
  departureId: string
  arriveAt: Date
  departAt: Date
}

/** Departures with these ids in the order of their start. */
export async function selectPast(tx: Tx, orgId: string, ids: readonly string[]): Promise<PastDeparture[]> {
  const { rows } = await sql<DepartureRow>`
    select id, code, tour_id as "tourId", local_date as "localDate", starts_at as "startsAt", ends_at as "endsAt", capacity, min_pax as "minPax"
    from departures where org_id = ${orgId} and id = any (${[...ids]}::uuid[]) order by starts_at, id`.execute(tx)
  const stops = await sql<StopRow>`
    select departure_id as "departureId", id, day_index as "dayIndex", planned_arrive_at as "arriveAt", planned_depart_at as "departAt",
      slack_min as "slackMin", kind, headcount_required as headcount
    from departure_stops where org_id = ${orgId} and departure_id = any (${[...ids]}::uuid[]) order by stop_order`.execute(
    tx,
  )
  const byDeparture = Map.groupBy(stops.rows, ({ departureId }) => departureId)
  return rows.map(({ startsAt, endsAt, ...row }) => ({
    ...row,
    startsAt: startsAt.getTime(),
    endsAt: endsAt.getTime(),
    stops: (byDeparture.get(row.id) ?? []).map(({ arriveAt, departAt, ...stop }) => ({
      ...stop,
      arriveAt: arriveAt.getTime(),
      departAt: departAt.getTime(),
    })),
  }))
}

/** When staff and vehicles are taken already. */
export async function selectBusy(tx: Tx, orgId: string): Promise<Busy> {
  const { rows } = await sql<{ id: string; from: Date; to: Date }>`
    select staff_id as id, lower(during) as "from", upper(during) as "to" from staff_calendar_entries where org_id = ${orgId} and blocking
    union all
    select vehicle_id, lower(during), upper(during) from vehicle_calendar_entries where org_id = ${orgId} and blocking`.execute(
    tx,
  )
  const busy = new Map<string, Span[]>()
  for (const { id, from, to } of rows) {
    busy.set(id, [...(busy.get(id) ?? []), { from: from.getTime(), to: to.getTime() }])
  }
  return busy
}
