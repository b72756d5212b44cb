import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { selectChangedColumns, selectEnd } from './edits-since.ts'
import { type KeptBecause, markKept, type ProposedDeparture, selectProposed } from './new-departures-store.ts'
import type { BatchKey } from './plan-types.ts'

/** What people put on a departure, by the reason for which it then stays. */
export const usesOfDepartures = {
  // a form that somebody fills in at the moment is about to sell there
  bookings: [
    'bookings',
    'manifest_entries',
    'proposals.from_departure_id',
    'proposals.to_departure_id',
    'rooms',
    'form_holds',
  ],
  assignments: [
    'assignments',
    'vehicle_assignments',
    'departure_services',
    'equipment_issues',
    'duty_events',
    'duty_sessions',
  ],
  changes: [
    'alert_mutes',
    'departure_notes',
    'feedback',
    'incidents',
    'messages',
    'shared_links',
    'weather_warning_targets',
  ],
} as const satisfies Readonly<Record<KeptBecause, readonly string[]>>

/** What the system itself notes about a departure, and takes along. Alerts that somebody has worked on keep it. */
export const notesOnDepartures = [
  'alerts',
  'departure_findings',
  'departure_notices',
  'departure_reach',
  'departure_stops',
  'guest_occasions',
  'untold_suppliers',
] as const

/** Columns that follow from bookings and from the clock. */
const derived = {
  departures: ['seats_confirmed', 'seats_held', 'waitlist_count', 'readiness', 'delay_seconds'],
  departure_stops: ['eta_at', 'eta_computed_at', 'delay_seconds', 'headcount_expected'],
}

/**
 * Removes the departures that an import made, once its bookings are gone. Where something else is on them, or somebody has changed them, they stay,
 * with the reason.
 */
export async function removeDepartures(tx: Tx, key: BatchKey): Promise<void> {
  const made = await selectProposed(tx, key, true)
  if (made.length === 0) return
  const kept = new Map<string, KeptBecause>()
  for (const id of await selectChanged(tx, key, made)) kept.set(id, 'changes')
  for (const because of ['changes', 'assignments', 'bookings'] as const) {
    for (const use of usesOfDepartures[because]) {
      for (const id of await selectUsed(tx, key, use, made)) kept.set(id, because)
    }
  }
  await markKept(tx, key, kept)
  const gone = made.map(({ id }) => id).filter((id) => !kept.has(id))
  await sql`delete from alerts where org_id = ${key.orgId} and departure_id = any (${gone}::uuid[])`.execute(tx)
  await sql`delete from departures where org_id = ${key.orgId} and id = any (${gone}::uuid[])`.execute(tx)
}

async function selectUsed(
  tx: Tx,
  { orgId }: BatchKey,
  use: string,
  made: readonly ProposedDeparture[],
): Promise<string[]> {
  const [table = '', column = 'departure_id'] = use.split('.')
  const { rows } = await sql<{ id: string }>`
    select distinct t.${sql.ref(column)} as id from ${sql.table(table)} t
    where t.org_id = ${orgId} and t.${sql.ref(column)} = any (${made.map(({ id }) => id)}::uuid[])`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Departures that are not as they were made any more, their stops and alerts included. */
async function selectChanged(tx: Tx, key: BatchKey, made: readonly ProposedDeparture[]): Promise<string[]> {
  const { orgId } = key
  const since = await selectEnd(tx, key)
  const ofStop = new Map(made.flatMap(({ id, stops }) => stops.map((stop) => [stop, id] as const)))
  const changed = [
    ...(await selectChangedColumns(tx, {
      orgId,
      table: 'departures',
      ids: made.map(({ id }) => id),
      since,
      except: derived.departures,
    })),
    ...(await selectChangedColumns(tx, {
      orgId,
      table: 'departure_stops',
      ids: [...ofStop.keys()],
      since,
      except: derived.departure_stops,
    })),
  ]
  const { rows } = await sql<{ id: string }>`
    select n.departure_id as id from import_departures n where n.org_id = ${orgId} and n.batch_id = ${key.batchId} and n.is_made and (
      exists (select from alerts a where a.org_id = n.org_id and a.departure_id = n.departure_id
        and coalesce(a.acknowledged_by, a.owner_user_id, a.resolved_by) is not null)
      or n.stops is distinct from coalesce((select array_agg(s.id order by s.stop_order) from departure_stops s
        where s.org_id = n.org_id and s.departure_id = n.departure_id), '{}'))`.execute(tx)
  return [...changed.map(({ id }) => ofStop.get(id) ?? id), ...rows.map(({ id }) => id)]
}
