import { sql } from 'kysely'
import { writeEstimates } from '../src/platform/operations/estimates.ts'
import type { TestCaller } from './world.ts'

/** What a position would say: the vehicle comes later to a stop, the start as a rule. */
export const late = (caller: TestCaller, departureId: string, minutes: number, kind: 'start' | 'pickup' = 'start') =>
  caller.transaction(async (tx) => {
    const { rows } = await sql<{ id: string; eta: Date }>`
      select s.id, s.planned_arrive_at + make_interval(mins => ${minutes}) as eta from departures d
      join departure_stops s on s.org_id = d.org_id and s.departure_id = d.id and s.kind = ${kind} where d.id = ${departureId} for no key update of d`.execute(
      tx,
    )
    const stops = rows.map(({ id, eta }) => ({ id, eta_at: eta, delay_seconds: minutes * 60 }))
    await writeEstimates(tx, caller.orgId, { stops, departures: [] })
  })
