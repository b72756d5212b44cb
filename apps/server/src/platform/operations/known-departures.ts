import type { DepartureRow } from '@tour-ops/contract/departures/departures'
import type { Scope } from '@tour-ops/contract/identity/access'
import { sql, type RawBuilder } from 'kysely'
import type { Clock } from '../clock.ts'
import { type ChangesSince, changesSince, type Looker, type TopicChanges } from '../live/changes-since.ts'
import type { ReadinessColumns } from './readiness.ts'

/** Rows of an organization that are kept at most; a row is about a kilobyte. */
const maxKnownRows = 2_500
/** Organizations of which rows are kept. */
const maxOrganizations = 20
/** After this long rows are read again, whatever the change log says. */
const maxAgeMs = 60_000

/** Tables that hang on one departure: a change of one of their rows is a change of that departure's row. */
const hanging = [
  'departure_stops',
  'manifest_entries',
  'assignments',
  'departure_services',
  'messages',
  'alerts',
] as const

/** Tables of which a departure's row shows nothing. What is neither here nor above makes all rows of the organization old. */
const elsewhere: ReadonlySet<string> = new Set([
  'check_ins',
  'deliveries',
  'devices',
  'duty_sessions',
  'feedback',
  'files',
  'headcounts',
  'import_batches',
  'incident_entries',
  'incident_travelers',
  'incidents',
  'invitations',
  'members',
  'notification_preferences',
  'notification_rules',
  'own_preferences',
  'room_assignments',
  'rooms',
  'saved_views',
  'shared_link_tokens',
  'shared_links',
  'traveler_private',
  'travelers',
])

/** What is read of a departure, whoever reads it and whenever. */
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
 * Rows of departures as boards show them, kept for the next board: after a check-in one row of 450 is read again, and not all. The
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
   * @param read Reads rows in the caller's transaction, for those that are not known or not any more.
   */
  async rowsOf(
    call: Reader,
    ids: readonly string[],
    read: (missing: readonly string[]) => Promise<readonly KnownDeparture[]>,
  ): Promise<KnownDeparture[]> {
    // a caller with scope own does not see what else was written, and could not tell what is old
    if (call.scope === 'own' || ids.length > maxKnownRows) return inOrder(ids, rowsById(await read(ids)))
    const { known, at, look } = await this.#stillRight(call)
    const missing = ids.filter((id) => !known.has(id))
    const fresh = missing.length > 0 ? await read(missing) : []
    const rows = new Map([...known, ...rowsById(fresh)])
    const found = inOrder(ids, rows)
    // what a transaction reads of its own writes may be taken back
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
    const touched = look.changed && (await departuresTouched(call, look.changed))
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

/** The departures that some changes are about; null where they may be about any. */
async function departuresTouched(
  { tx, orgId }: Reader,
  changed: ReadonlyMap<string, TopicChanges>,
): Promise<ReadonlySet<string> | null> {
  const touched = new Set<string>()
  const looks: RawBuilder<unknown>[] = []
  for (const [topic, { ids, hasDeleted }] of changed) {
    if (elsewhere.has(topic)) continue
    const table = hanging.find((name) => name === topic)
    if (topic === 'departures') for (const id of ids) touched.add(id)
    else if (!table || hasDeleted) return null
    else
      looks.push(
        sql`select departure_id from ${sql.table(table)} where org_id = ${orgId} and id = any (array(select unnest(${[...ids]}::uuid[])))`,
      )
  }
  if (looks.length === 0) return touched
  const { rows } = await sql<{ departure_id: string | null }>`${sql.join(looks, sql` union all `)}`.execute(tx)
  for (const { departure_id: id } of rows) if (id !== null) touched.add(id)
  return touched
}
