import type { DepartureRow } from '@tour-ops/contract/departures/departures'
import type { Scope } from '@tour-ops/contract/identity/access'
import { sql, type RawBuilder } from 'kysely'
import type { Clock } from '../clock.ts'
import { type ChangesSince, changesSince, type Looker, type TopicChanges } from '../live/changes-since.ts'
import { type DeparturesOf, departuresOf } from './departures-of.ts'
import type { ReadinessColumns } from './readiness.ts'

/** Rows of an organization that are cached at most; a row is about a kilobyte. */
const maxKnownRows = 2_500
/** Organizations with cached rows. */
const maxOrganizations = 20
/** After this long rows are read again, whatever the change log says. */
const maxAgeMs = 60_000

const ownDeparture =
  (table: string): DeparturesOf =>
  (orgId, records) =>
    sql`select x.departure_id from ${sql.table(table)} x where x.org_id = ${orgId} and x.id = any (array(${records}))`

const { tours, tour_options, places, field_staff, vehicles, vehicle_calendar_entries, travelers } = departuresOf

/** By topic, the departures whose row shows something of the rows with these ids. */
const shownIn: Readonly<Record<string, DeparturesOf>> = {
  departure_stops: ownDeparture('departure_stops'),
  manifest_entries: ownDeparture('manifest_entries'),
  assignments: ownDeparture('assignments'),
  departure_services: ownDeparture('departure_services'),
  messages: ownDeparture('messages'),
  alerts: ownDeparture('alerts'),
  tours,
  tour_options,
  places,
  field_staff,
  vehicles,
  vehicle_calendar_entries,
  traveler_documents: (orgId, records) =>
    travelers(
      orgId,
      sql`select x.traveler_id from traveler_documents x where x.org_id = ${orgId} and x.id = any (array(${records}))`,
    ),
}

/** Topics whose ids name the departure itself, also where the row is gone. */
const namingDeparture: Readonly<Record<string, (entityId: string) => string | undefined>> = {
  departures: (id) => id,
  vehicle_assignments: (id) => id.split(':')[1],
}

/**
 * Tables of which a departure's row shows nothing: bookings reach it as seats of the departure and as guests. A table that is in none
 * of these lists makes all rows of the organization old.
 */
const elsewhere: ReadonlySet<string> = new Set([
  'bookings',
  'calendar_feeds',
  'check_ins',
  'deliveries',
  'departure_notes',
  'devices',
  'duty_sessions',
  'equipment',
  'equipment_issues',
  'feedback',
  'feedback_follow_ups',
  'files',
  'geofences',
  'headcounts',
  'import_batches',
  'incident_entries',
  'incident_tasks',
  'incident_travelers',
  'incidents',
  'invitations',
  'members',
  'message_templates',
  'notification_preferences',
  'notification_rules',
  'own_preferences',
  'proposals',
  'push_subscriptions',
  'room_assignments',
  'rooms',
  'saved_views',
  'shared_link_tokens',
  'shared_links',
  'tour_revisions',
  'traveler_private',
  'travelers',
  'weather_sources',
  'weather_warning_targets',
  'weather_warnings',
  'webhook_endpoints',
])

/** What is read of a departure, by every reader. */
export interface KnownDeparture extends ReadinessColumns {
  id: string
  version: number
  code: string
  tourId: string
  tourCode: string
  tourName: string
  tourKind: DepartureRow['tourKind']
  tourColor: string | null
  optionName: string | null
  language: string | null
  status: DepartureRow['status']
  salesStatus: DepartureRow['salesStatus']
  startsAt: Date
  endsAt: Date
  timeZone: string
  localDate: string
  startTimeLocal: string
  dayCount: number
  capacity: number
  minPax: number
  overbookLimit: number
  seatsConfirmed: number
  seatsHeld: number
  seatsLeft: number
  waitlistCount: number
  aboard: number
  noShow: number
  decideBy: Date | null
  delaySeconds: number
  missesTimedEntry: boolean
  leadId: string | null
  leadName: string | null
  vehicleId: string | null
  vehicleLabel: string | null
  nextStopName: string | null
  nextStopNumber: number
  nextStopAt: Date | null
  isAtNextStop: boolean
  stopCount: number
  openAlerts: number
}

interface Known {
  /** Everything that this snapshot sees is in the rows. */
  readonly seen: string
  readonly at: number
  readonly rows: ReadonlyMap<string, KnownDeparture>
}

type Reader = Looker & { readonly clock: Clock; readonly scope: Scope }

/**
 * Rows of departures as boards show them, cached for the next board: after a check-in one row of 450 is read again, and not all. The
 * change log says in the reader's own transaction which departures were touched. A row here holds nothing that depends on who reads
 * it, or on the time.
 *
 * @see docs/decisions/0032-boards-are-made-once-for-each-change.md
 */
export class KnownDepartures {
  readonly #known = new Map<string, Known>()

  /**
   * The rows of some departures, in the order of `ids`; those that are not there are left out.
   *
   * @param read Reads rows in the caller's transaction, for those that are not cached, or no longer.
   */
  async rowsOf(
    call: Reader,
    ids: readonly string[],
    read: (missing: readonly string[]) => Promise<readonly KnownDeparture[]>,
  ): Promise<KnownDeparture[]> {
    // a caller with scope own does not see what else was written, and could not detect stale rows
    if (call.scope === 'own' || ids.length > maxKnownRows) return inOrder(ids, rowsById(await read(ids)))
    const { known, at, look } = await this.#stillRight(call)
    const missing = ids.filter((id) => !known.has(id))
    const fresh = missing.length > 0 ? await read(missing) : []
    const rows = new Map([...known, ...rowsById(fresh)])
    const found = inOrder(ids, rows)
    // what a transaction reads of its own writes may be rolled back
    if (!look.hasWritten)
      this.#keep(call, { seen: look.seen, at, rows: rows.size > maxKnownRows ? rowsById(found) : rows })
    return found
  }

  /** Rows that nothing was written about since they were read, and when the oldest of them may have been read. */
  async #stillRight(call: Reader): Promise<{ known: Known['rows']; at: number; look: ChangesSince }> {
    const now = call.clock.now().getTime()
    const kept = this.#known.get(call.orgId)
    const isYoung = kept !== undefined && Math.abs(now - kept.at) < maxAgeMs
    const look = await changesSince(call, isYoung ? kept.seen : null)
    const touched = kept && look.changed && (await departuresTouched(call, look.changed, [...kept.rows.keys()]))
    if (!kept || !touched) return { known: new Map(), at: now, look }
    return { known: new Map([...kept.rows].filter(([id]) => !touched.has(id))), at: kept.at, look }
  }

  #keep({ orgId }: Reader, known: Known): void {
    this.#known.delete(orgId)
    this.#known.set(orgId, known)
    const [oldest] = this.#known.keys()
    if (this.#known.size > maxOrganizations && oldest !== undefined) this.#known.delete(oldest)
  }
}

const rowsById = (rows: readonly KnownDeparture[]): Known['rows'] => new Map(rows.map((row) => [row.id, row]))

const inOrder = (ids: readonly string[], rows: Known['rows']): KnownDeparture[] =>
  ids.flatMap((id) => rows.get(id) ?? [])

/** Which of the known departures some changes are about; null where they may be about any. */
async function departuresTouched(
  { tx, orgId }: Reader,
  changed: ReadonlyMap<string, TopicChanges>,
  knownIds: readonly string[],
): Promise<ReadonlySet<string> | null> {
  const touched = new Set<string>()
  const asked: RawBuilder<unknown>[] = []
  for (const [topic, { ids, hasDeleted }] of changed) {
    if (elsewhere.has(topic)) continue
    const named = namingDeparture[topic]
    const departures = shownIn[topic]
    if (named) for (const id of ids) touched.add(named(id) ?? '')
    // a row that is gone no longer says to which departures it belonged
    else if (!departures || hasDeleted) return null
    else asked.push(departures(orgId, sql`select unnest(${[...ids]}::uuid[])`))
  }
  if (asked.length === 0) return touched
  const { rows } = await sql<{ departure_id: string | null }>`
    select of.departure_id from (${sql.join(asked, sql` union all `)}) of
    where of.departure_id = any (array(select unnest(${[...knownIds]}::uuid[])))`.execute(tx)
  for (const { departure_id: id } of rows) if (id !== null) touched.add(id)
  return touched
}
