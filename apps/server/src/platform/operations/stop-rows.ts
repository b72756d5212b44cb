import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { newId } from '../ids.ts'
import type { PlannedStop } from './run-sheet.ts'

/** Stops per statement; keeps the number of parameters low. */
const batchSize = 500

/** Writes the stops of new departures, in batches, as one JSON parameter each. */
export async function insertStops(
  tx: Tx,
  orgId: string,
  planned: readonly { departureId: string; stops: readonly PlannedStop[] }[],
): Promise<void> {
  const rows = planned.flatMap(({ departureId, stops }) => stops.map((stop) => rowOf(departureId, stop)))
  for (let start = 0; start < rows.length; start += batchSize) {
    const batch = JSON.stringify(rows.slice(start, start + batchSize))
    await sql`
      insert into departure_stops (org_id, id, departure_id, stop_order, day_index, place_id, kind, planned_arrive_at, planned_depart_at,
        slack_min, optional, headcount_required, timed_entry, travel_mode, signal_gap, guest_visible, note)
      select ${orgId}, id, departure_id, stop_order, day_index, place_id, kind, planned_arrive_at, planned_depart_at,
        slack_min, optional, headcount_required, timed_entry, travel_mode, signal_gap, guest_visible, note
      from jsonb_to_recordset(${batch}::jsonb) as stop (id uuid, departure_id uuid, stop_order int, day_index int, place_id uuid, kind text,
        planned_arrive_at timestamptz, planned_depart_at timestamptz, slack_min int, optional boolean, headcount_required boolean,
        timed_entry boolean, travel_mode text, signal_gap boolean, guest_visible boolean, note text)`.execute(tx)
  }
}

const rowOf = (departureId: string, { template, ...stop }: PlannedStop): object => ({
  id: stop.id ?? newId(),
  departure_id: departureId,
  stop_order: stop.order,
  day_index: stop.dayIndex,
  place_id: stop.placeId,
  kind: stop.kind,
  planned_arrive_at: stop.plannedArriveAt,
  planned_depart_at: stop.plannedDepartAt,
  slack_min: template.slackMin,
  optional: template.optional,
  headcount_required: template.headcountRequired,
  timed_entry: template.timedEntry,
  travel_mode: template.travelMode,
  signal_gap: template.signalGap,
  guest_visible: template.guestVisible,
  note: template.note,
})
