import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'
import type { BatchKey } from './plan-types.ts'

/** A table that an import writes, and where a staged line has the plan for it. */
export interface Target {
  readonly plan: 'traveler' | 'private' | 'passport' | 'booking' | 'entry'
  readonly table: string
  readonly key: 'id' | 'traveler_id'
  readonly columns: readonly string[]
}

export const targets = {
  traveler: {
    plan: 'traveler',
    table: 'travelers',
    key: 'id',
    columns: [
      'first_name',
      'last_name',
      'gender',
      'nationality',
      'languages',
      'email',
      'phone',
      'dietary',
      'dietary_note',
      'mobility',
      'mobility_note',
      'emergency_name',
      'emergency_phone',
    ],
  },
  private: {
    plan: 'private',
    table: 'traveler_private',
    key: 'traveler_id',
    columns: ['date_of_birth', 'medical_sealed'],
  },
  passport: {
    plan: 'passport',
    table: 'traveler_documents',
    key: 'id',
    columns: ['traveler_id', 'kind', 'number_encrypted', 'number_last4', 'expires_on'],
  },
  booking: {
    plan: 'booking',
    table: 'bookings',
    key: 'id',
    columns: [
      'booking_ref',
      'departure_id',
      'status',
      'kind',
      'channel',
      'seller_name',
      'external_ref',
      'contact_name',
      'contact_email',
      'contact_phone',
      'contact_locale',
      'units',
      'pax',
      'amount_total_minor',
      'currency',
      'pickup_place_id',
      'pickup_at',
      'notes',
      'cancel_reason',
      'cancelled_at',
    ],
  },
  entry: {
    plan: 'entry',
    table: 'manifest_entries',
    key: 'id',
    columns: ['departure_id', 'booking_id', 'traveler_id', 'unit_type', 'pickup_stop_id'],
  },
} as const satisfies Readonly<Record<string, Target>>

/** Lines of a batch, both ends included; for undoing without the parties that stay. */
export interface Span extends BatchKey {
  readonly from: number
  readonly to: number
  readonly exceptParties?: readonly number[]
}

/** Lines that are carried out or undone. */
export interface Lines extends Span {
  /** What the batch plans at all, by `selectKinds`: most imports only make rows, and then no line need be asked for changes. */
  readonly kinds: ReadonlySet<string>
}

export const within = ({ orgId, batchId, from, to, exceptParties }: Span): RawBuilder<boolean> =>
  exceptParties && exceptParties.length > 0
    ? sql<boolean>`r.org_id = ${orgId} and r.batch_id = ${batchId} and r.line between ${from} and ${to}
        and r.party <> all (${[...exceptParties]}::int[])`
    : sql<boolean>`r.org_id = ${orgId} and r.batch_id = ${batchId} and r.line between ${from} and ${to}`

/** What lines write, each further guest of a line by itself. */
export const writes = sql`import_rows r cross join lateral (
  select r.after -> 'write' as write union all select jsonb_array_elements(r.after #> '{write,more}')) w`
export const at = ({ plan }: Target, ...path: readonly string[]): RawBuilder<unknown> =>
  sql.raw(`w.write #> '{${[plan, ...path].join(',')}}'`)
export const textAt = ({ plan }: Target, key: string): RawBuilder<unknown> => sql.raw(`w.write #>> '{${plan},${key}}'`)
export const isPlanned = (target: Target, isNew: boolean): RawBuilder<boolean> =>
  sql<boolean>`w.write ? ${sql.lit(target.plan)} and (${textAt(target, 'isNew')})::boolean = ${sql.lit(isNew)}`
const list = (columns: readonly string[], prefix = ''): RawBuilder<unknown> =>
  sql.raw(columns.map((column) => `${prefix}${column}`).join(', '))

const kindOf = (target: Target, isNew: boolean): string => `${target.plan} ${isNew ? 'new' : 'changed'}`

/** Which tables a batch makes rows in and changes rows of, and whether it is about rooms. */
export async function selectKinds(tx: Tx, { orgId, batchId }: BatchKey): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ kind: string }>`
    select distinct p.key || case p.value ->> 'isNew' when 'true' then ' new' when 'false' then ' changed' else '' end as kind
    from ${writes} cross join lateral jsonb_each(w.write) p
    where r.org_id = ${orgId} and r.batch_id = ${batchId} and jsonb_typeof(p.value) = 'object'`.execute(tx)
  return new Set(rows.map(({ kind }) => kind))
}

/** Makes the rows that lines plan as new. */
export async function insertPlanned(tx: Tx, target: Target, lines: Lines): Promise<void> {
  if (!lines.kinds.has(kindOf(target, true))) return
  await sql`
    insert into ${sql.table(target.table)} (org_id, ${sql.ref(target.key)}, ${list(target.columns)})
    select r.org_id, (${textAt(target, 'id')})::uuid, ${list(target.columns, 'x.')}
    from ${writes} cross join lateral jsonb_populate_record(null::${sql.table(target.table)}, ${at(target, 'set')}) x
    where ${within(lines)} and ${isPlanned(target, true)} order by r.line`.execute(tx)
}

interface PlannedWrite {
  readonly line: number
  readonly id: string
  readonly version: number
  readonly values: Readonly<Record<string, unknown>>
}

/**
 * Changes that lines plan, read before they are carried out: the rows are then found by their keys alone. Joined with the staging table, whose
 * numbers the planner does not know yet, they were looked for one by one (minutes instead of milliseconds).
 */
async function selectPlanned(tx: Tx, target: Target, lines: Lines, values: 'set' | 'was'): Promise<PlannedWrite[]> {
  if (!lines.kinds.has(kindOf(target, false))) return []
  const { rows } = await sql<PlannedWrite>`
    select r.line, ${textAt(target, 'id')} as id, (${textAt(target, 'version')})::int as version, ${at(target, values)} as values
    from ${writes} where ${within(lines)} and ${isPlanned(target, false)} order by r.line`.execute(tx)
  return rows
}

const keysOf = (rows: readonly { readonly id: string }[]): string[] => rows.map((each) => each.id)

/**
 * Changes the rows that lines plan to change, if they still are as they were seen.
 *
 * @returns lines whose row was changed or removed by somebody since.
 */
export async function updatePlanned(tx: Tx, target: Target, lines: Lines): Promise<number[]> {
  const planned = await selectPlanned(tx, target, lines, 'set')
  if (planned.length === 0) return []
  const { rows } = await sql<{ line: number }>`
    update ${sql.table(target.table)} t
    set (${list(target.columns)}) = (select ${list(target.columns, 'x.')} from jsonb_populate_record(t, p.values) x)
    from jsonb_to_recordset(${JSON.stringify(planned)}::jsonb) as p (line int, id uuid, version int, values jsonb)
    where t.org_id = ${lines.orgId} and t.${sql.ref(target.key)} = any (${keysOf(planned)}::uuid[])
      and t.${sql.ref(target.key)} = p.id and t.version = p.version
    returning p.line`.execute(tx)
  const written = new Set(rows.map((row) => row.line))
  return planned.map((each) => each.line).filter((line) => !written.has(line))
}

/** Restores the previous value, the mark of an earlier import included. */
export async function restorePlanned(tx: Tx, target: Target, lines: Lines): Promise<void> {
  const planned = await selectPlanned(tx, target, lines, 'was')
  if (planned.length === 0) return
  const columns = [...target.columns, 'import_batch_id']
  await sql`
    update ${sql.table(target.table)} t
    set (${list(columns)}) = (select ${list(columns, 'x.')} from jsonb_populate_record(t, p.values) x)
    from jsonb_to_recordset(${JSON.stringify(planned)}::jsonb) as p (id uuid, values jsonb)
    where t.org_id = ${lines.orgId} and t.${sql.ref(target.key)} = any (${keysOf(planned)}::uuid[])
      and t.${sql.ref(target.key)} = p.id`.execute(tx)
}

/** Removes what was made. `unless` names rows (as `t`) that something else needs by now. */
export async function deletePlanned(
  tx: Tx,
  target: Target,
  lines: Lines,
  unless: RawBuilder<boolean> = sql<boolean>`false`,
): Promise<void> {
  if (!lines.kinds.has(kindOf(target, true))) return
  const { rows: made } = await sql<{ id: string }>`
    select ${textAt(target, 'id')} as id from ${writes} where ${within(lines)} and ${isPlanned(target, true)}`.execute(
    tx,
  )
  if (made.length === 0) return
  await sql`delete from ${sql.table(target.table)} t where t.org_id = ${lines.orgId}
    and t.${sql.ref(target.key)} = any (${keysOf(made)}::uuid[]) and not (${unless})`.execute(tx)
}

/** Makes the bookings that lines plan as new, each with a payment of what was paid. */
export async function insertBookings(tx: Tx, lines: Lines, recordedBy: string): Promise<void> {
  const target = targets.booking
  if (!lines.kinds.has(kindOf(target, true))) return
  const columns = [...target.columns, 'amount_paid_minor']
  await sql`
    with made as (
      insert into bookings (org_id, id, ${list(columns)})
      select r.org_id, (${textAt(target, 'id')})::uuid, ${list(columns, 'x.')}
      from ${writes} cross join lateral jsonb_populate_record(null::bookings, ${at(target, 'set')}) x
      where ${within(lines)} and ${isPlanned(target, true)} order by r.line returning org_id, id, currency, amount_paid_minor
    )
    insert into payments (org_id, id, booking_id, kind, amount_minor, currency, received_at, recorded_by)
    select org_id, uuidv7(), id, 'payment', amount_paid_minor, currency, app_now(), ${recordedBy} from made where amount_paid_minor > 0`.execute(
    tx,
  )
}

/** Records what lines say was paid for bookings that were there: a payment of the difference, or a refund. */
export async function writePaid(tx: Tx, lines: Lines, recordedBy: string): Promise<void> {
  const set = await selectPlanned(tx, targets.booking, lines, 'set')
  const was = new Map((await selectPlanned(tx, targets.booking, lines, 'was')).map((each) => [each.id, each]))
  const differences = set.flatMap(({ id, values }) => {
    const difference = paidIn(values) - paidIn(was.get(id)?.values)
    return difference === 0 ? [] : [{ id: newId(), booking: id, difference }]
  })
  if (differences.length === 0) return
  await sql`
    insert into payments (org_id, id, booking_id, kind, amount_minor, currency, received_at, recorded_by)
    select b.org_id, p.id, b.id, case when p.difference > 0 then 'payment' else 'refund' end, abs(p.difference), b.currency, app_now(), ${recordedBy}
    from jsonb_to_recordset(${JSON.stringify(differences)}::jsonb) as p (id uuid, booking uuid, difference bigint)
      join bookings b on b.org_id = ${lines.orgId} and b.id = any (${differences.map(({ booking }) => booking)}::uuid[]) and b.id = p.booking`.execute(
    tx,
  )
}

const paidIn = (values?: PlannedWrite['values']): number => Number(values?.['amount_paid_minor'] ?? 0)

/** Voids what `writePaid` recorded for bookings that stay; those that are removed take theirs along. */
export async function unwritePaid(tx: Tx, lines: Lines): Promise<void> {
  const planned = await selectPlanned(tx, targets.booking, lines, 'was')
  if (planned.length === 0) return
  await sql`update payments set voided_at = app_now() where org_id = ${lines.orgId} and booking_id = any (${keysOf(planned)}::uuid[])
    and import_batch_id = ${lines.batchId} and voided_at is null`.execute(tx)
}

/** Makes rooms, changes their type, and puts people into them. */
export async function writeRooms(tx: Tx, lines: Lines): Promise<void> {
  if (!lines.kinds.has('rooms')) return
  await sql`
    insert into rooms (org_id, id, departure_id, night_date, type, room_key)
    select r.org_id, m.id, r.departure_id, m.night_date, m.type, m.room_key
    from ${writes} cross join lateral jsonb_to_recordset(w.write #> '{rooms,make}')
      as m (id uuid, night_date date, type text, room_key text)
    where ${within(lines)} and w.write ? 'rooms'`.execute(tx)
  await retypeRooms(tx, lines, 'to')
  await moveGuests(tx, lines, 'put', 'take')
}

/** Undoes what `writeRooms` did; a room stays while somebody else sleeps in it. */
export async function unwriteRooms(tx: Tx, lines: Lines): Promise<void> {
  if (!lines.kinds.has('rooms')) return
  await moveGuests(tx, lines, 'take', 'put')
  await retypeRooms(tx, lines, 'was')
  const { rows } = await sql<{ id: string }>`
    select m.id from ${writes} cross join lateral jsonb_to_recordset(w.write #> '{rooms,make}') as m (id uuid)
    where ${within(lines)} and w.write ? 'rooms'`.execute(tx)
  if (rows.length === 0) return
  await sql`
    delete from rooms t where t.org_id = ${lines.orgId} and t.id = any (${rows.map(({ id }) => id)}::uuid[])
      and not exists (select from room_assignments a where a.org_id = t.org_id and a.room_id = t.id)`.execute(tx)
}

async function retypeRooms(tx: Tx, lines: Lines, to: 'to' | 'was'): Promise<void> {
  const { rows } = await sql<{ id: string; type: string }>`
    select m.id, w.write #>> ${sql.lit(`{rooms,retype,${to}}`)} as type
    from ${writes} cross join lateral jsonb_array_elements_text(w.write #> '{rooms,retype,ids}') as m (id)
    where ${within(lines)} and jsonb_typeof(w.write #> '{rooms,retype}') = 'object'`.execute(tx)
  if (rows.length === 0) return
  await sql`
    update rooms t set type = p.type from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as p (id uuid, type text)
    where t.org_id = ${lines.orgId} and t.id = any (${rows.map(({ id }) => id)}::uuid[]) and t.id = p.id`.execute(tx)
}

interface Stay {
  readonly room: string
  readonly entry: string
}

/** Who sleeps where by the plan, read before it is carried out, for the reason that `selectPlanned` has. */
async function selectStays(tx: Tx, lines: Lines, which: 'put' | 'take'): Promise<Stay[]> {
  const { rows } = await sql<Stay>`
    select m.id as room, coalesce((w.write ->> 'entryId')::uuid, r.manifest_entry_id) as entry
    from ${writes} cross join lateral jsonb_array_elements_text(w.write #> ${sql.lit(`{rooms,${which}}`)}) as m (id)
    where ${within(lines)} and w.write ? 'rooms' and coalesce(w.write ->> 'entryId', r.manifest_entry_id::text) is not null`.execute(
    tx,
  )
  return rows
}

async function moveGuests(tx: Tx, lines: Lines, into: 'put' | 'take', outOf: 'put' | 'take'): Promise<void> {
  const leaving = await selectStays(tx, lines, outOf)
  if (leaving.length > 0) {
    await sql`
      delete from room_assignments t using ${staysAs(leaving)}
      where t.org_id = ${lines.orgId} and t.manifest_entry_id = any (${entriesOf(leaving)}::uuid[])
        and t.room_id = p.room and t.manifest_entry_id = p.entry`.execute(tx)
  }
  const coming = await selectStays(tx, lines, into)
  if (coming.length === 0) return
  const rooms = [...new Set(coming.map(({ room }) => room))]
  await sql`
    insert into room_assignments (org_id, room_id, manifest_entry_id)
    select o.org_id, p.room, p.entry from ${staysAs(coming)}
      join rooms o on o.org_id = ${lines.orgId} and o.id = any (${rooms}::uuid[]) and o.id = p.room
      join manifest_entries e on e.org_id = ${lines.orgId} and e.id = any (${entriesOf(coming)}::uuid[]) and e.id = p.entry
    on conflict do nothing`.execute(tx)
}

const staysAs = (stays: readonly Stay[]): RawBuilder<unknown> =>
  sql`jsonb_to_recordset(${JSON.stringify(stays)}::jsonb) as p (room uuid, entry uuid)`
const entriesOf = (stays: readonly Stay[]): string[] => stays.map(({ entry }) => entry)
