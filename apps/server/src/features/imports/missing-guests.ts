import type { MissingParty } from '@tour-ops/contract/imports/import-missing'
import { missingFromImport } from '@tour-ops/contract/imports/imports'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { iso, pageOf } from '../../platform/list-query.ts'
import { verb } from '../../platform/verb.ts'
import { selectBatch } from './batches-store.ts'
import { nameWords } from './likely-duplicates.ts'
import type { BatchKey } from './plan-types.ts'

interface BookedParty {
  bookingId: string
  version: number
  bookingRef: string
  departureCode: string
  startsAt: Date
  channel: MissingParty['channel']
  sellerName: string | null
  contactName: string
  seats: number
  isInFile: boolean
  /** Guests who are expected; `isInFile`: a line of the file is theirs. */
  guests: { travelerId: string; name: string; isInFile: boolean }[]
}

const namedByFile = sql`
  select manifest_entry_id as id from lines where manifest_entry_id is not null
  union select (m ->> 'entryId')::uuid from lines cross join lateral jsonb_array_elements(after #> '{write,more}') m`

/** Confirmed bookings on the departures of a file. */
async function selectBooked(tx: Tx, { orgId, batchId }: BatchKey): Promise<BookedParty[]> {
  const { rows } = await sql<BookedParty>`
    with lines as materialized (select * from import_rows where org_id = ${orgId} and batch_id = ${batchId}),
      covered as materialized (select distinct departure_id as id from lines where departure_id is not null),
      found as materialized (select distinct booking_id as id from lines where booking_id is not null),
      named as materialized (${namedByFile})
    select b.id as "bookingId", b.version, b.booking_ref as "bookingRef", d.code as "departureCode", d.starts_at as "startsAt", b.channel, b.seller_name as "sellerName",
      b.contact_name as "contactName", b.pax as seats, f.id is not null as "isInFile", coalesce((
        select jsonb_agg(jsonb_build_object('travelerId', t.id, 'name', concat_ws(' ', nullif(t.first_name, ''), nullif(t.last_name, '')), 'isInFile', n.id is not null) order by e.id)
        from manifest_entries e join travelers t on t.org_id = e.org_id and t.id = e.traveler_id left join named n on n.id = e.id
        where e.org_id = b.org_id and e.booking_id = b.id and e.status = 'expected'), '[]') as guests
    from covered c join bookings b on b.org_id = ${orgId} and b.departure_id = c.id
    join departures d on d.org_id = b.org_id and d.id = b.departure_id
    left join found f on f.id = b.id
    where b.status = 'confirmed' and not exists (select from manifest_entries e where e.org_id = b.org_id and e.booking_id = b.id
      and e.status not in ('expected', 'cancelled', 'no_show'))
    order by d.starts_at, d.code, b.booking_ref`.execute(tx)
  return rows
}

/** Names in lines that are nobody's: rejected, or left out. Whoever has one of them may well be in the file. */
async function selectOpenNames(tx: Tx, { orgId, batchId }: BatchKey): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`select distinct after ->> 'name' as name from import_rows
    where org_id = ${orgId} and batch_id = ${batchId} and manifest_entry_id is null and after ->> 'name' <> ''`.execute(
    tx,
  )
  return new Set(rows.map(({ name }) => nameWords(name)))
}

const sellerKey = ({ channel, sellerName }: BookedParty): string => `${channel} ${sellerName ?? ''}`

/** Who of a party is not in the file; undefined where nobody is missing. */
function missingOf(party: BookedParty, openNames: ReadonlySet<string>): Omit<MissingParty, 'isSameSeller'> | undefined {
  const { isInFile, contactName, guests, startsAt, ...rest } = party
  const booking = { ...rest, startsAt: iso(startsAt) }
  const isOpen = (name: string): boolean => openNames.has(nameWords(name))
  const isNamed = guests.some((guest) => guest.isInFile)
  const missing = guests.filter((guest) => !guest.isInFile && !isOpen(guest.name))
  const who = { guests: missing.map(({ name }) => name), travelerIds: missing.map(({ travelerId }) => travelerId) }
  // a line that counts its guests, or cancels them, speaks for all of the booking
  if (isInFile) return isNamed && missing.length > 0 ? { ...booking, ...who, isWhole: false } : undefined
  if (isNamed || isOpen(contactName) || missing.length < guests.length) return undefined
  return { ...booking, ...who, ...(missing.length === 0 && { guests: [contactName] }), isWhole: true }
}

/** Parties on the departures of a file who are not in it, those of its sellers first. */
export const missing = verb(missingFromImport, async (call, { id, ...page }) => {
  const batch = await selectBatch(call.tx, call.orgId, id)
  // not known while rows are checked, and of no use after an undo
  if (batch.counts === null || batch.status === 'undone') return { rows: [], total: 0 }
  const key = { orgId: call.orgId, batchId: id }
  const parties = await selectBooked(call.tx, key)
  const openNames = await selectOpenNames(call.tx, key)
  const sellers = new Set(parties.filter((party) => party.isInFile).map(sellerKey))
  const all = parties.flatMap((party): MissingParty[] => {
    const found = missingOf(party, openNames)
    return found ? [{ ...found, isSameSeller: sellers.has(sellerKey(party)) }] : []
  })
  const sorted = all.toSorted((a, b) => Number(b.isSameSeller) - Number(a.isSameSeller))
  const { limit, offset } = pageOf(page)
  return { rows: sorted.slice(offset, offset + limit), total: all.length }
})
