import type { SharedManifest } from '@tour-ops/contract/links/shared-manifest'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import type { OpenLink } from '../../platform/operations/open-link.ts'
import { statuses } from '../../platform/operations/status-sets.ts'
import { departureOf, headOf, selectFacts, stateOf } from './share-facts.ts'
import { selectMeeting, selectStops } from './share-store.ts'

type Manifest = Omit<SharedManifest, 'isPreview'>

/** A service that the supplier still has to do, in SQL. */
const isStanding = sql`s.status not in ('declined', 'cancelled')`

/** Whether a supplier has a service on a departure that still stands. */
export async function servesDeparture(
  tx: Tx,
  orgId: string,
  departureId: string,
  supplierId: string,
): Promise<boolean> {
  const { rows } = await sql`
    select from departure_services s where s.org_id = ${orgId} and s.departure_id = ${departureId} and s.supplier_id = ${supplierId} and ${isStanding} limit 1`.execute(
    tx,
  )
  return rows.length > 0
}

/** What a supplier sees of the link's departure, with what the scopes allow and nothing more. */
export async function selectSupplierManifest(tx: Tx, link: OpenLink, now: Date): Promise<Manifest | undefined> {
  const facts = await selectFacts(tx, link)
  if (!facts) return undefined
  const { scopes } = link
  const services = await selectServices(tx, link)
  const isReleased =
    link.supplierId !== null && !(await servesDeparture(tx, link.orgId, link.departureId, link.supplierId))
  const state = stateOf(facts)
  const shown = {
    kind: 'supplier_manifest' as const,
    ...headOf(facts, facts.timeZone, link, now),
    departure: departureOf(facts),
    supplierName: await selectSupplierName(tx, link),
    services,
  }
  if (isReleased || state === 'cancelled') return { ...shown, ...nothing, state: isReleased ? 'released' : state }
  return {
    ...shown,
    state,
    meeting: await selectMeeting(tx, link),
    stops: scopes.stops ? await selectStops(tx, link) : [],
    guests: (await selectGuestCounts(tx, link.orgId, [link.departureId])).get(link.departureId) ?? null,
    needs: scopes.needs
      ? ((await selectNeeds(tx, link.orgId, [link.departureId])).get(link.departureId) ?? null)
      : null,
    rooms: scopes.rooms ? await selectRooms(tx, link) : [],
    names: scopes.manifestNames ? await selectNames(tx, link) : [],
  }
}

/** Who does nothing for the departure learns nothing of its guests. */
const nothing = { meeting: null, stops: [], guests: null, needs: null, rooms: [], names: [] }

async function selectSupplierName(tx: Tx, { orgId, supplierId }: OpenLink): Promise<string | null> {
  if (supplierId === null) return null
  const { rows } = await sql<{ name: string }>`
    select name from suppliers where org_id = ${orgId} and id = ${supplierId}`.execute(tx)
  return rows[0]?.name ?? null
}

async function selectServices(tx: Tx, { orgId, departureId, supplierId }: OpenLink): Promise<Manifest['services']> {
  const { rows } = await sql<Manifest['services'][number]>`
    select s.kind, s.description, s.quantity, d.local_date + s.day_index - 1 as date, s.status
    from departure_services s join departures d on d.org_id = s.org_id and d.id = s.departure_id
    where s.org_id = ${orgId} and s.departure_id = ${departureId} and s.supplier_id = ${supplierId}::uuid
    order by s.day_index, s.created_at, s.id`.execute(tx)
  return rows
}

/** Guests `e` with their profile `v` who have seats; those who did not come and those who were erased are not among them. */
const present = (orgId: string, departureId: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  manifest_entries e
    join bookings b on b.org_id = e.org_id and b.id = e.booking_id and b.status in ${statuses.sold}
    join travelers v on v.org_id = e.org_id and v.id = e.traveler_id and v.anonymised_at is null
  where e.org_id = ${orgId} and e.departure_id = ${departureId} and e.status not in ('cancelled', 'no_show')`

const presentOn = ({ orgId, departureId }: OpenLink): RawBuilder<unknown> => present(orgId, sql`${departureId}::uuid`)

export type GuestCounts = NonNullable<Manifest['guests']>

/** Seats that are sold, and who sits on them, of each departure. */
export async function selectGuestCounts(
  tx: Tx,
  orgId: string,
  departureIds: readonly string[],
): Promise<ReadonlyMap<string, GuestCounts>> {
  const { rows } = await sql<GuestCounts & { departureId: string }>`
    select d.id as "departureId", c.* from unnest(${departureIds}::uuid[]) d(id) cross join lateral (
      with sold as materialized (
        select b.id, b.pax, b.units from bookings b where b.org_id = ${orgId} and b.departure_id = d.id and b.status in ${statuses.sold}),
      named as materialized (
        select e.status, e.child_seat from manifest_entries e join sold on sold.id = e.booking_id
        where e.org_id = ${orgId} and e.departure_id = d.id and e.status <> 'cancelled')
      select coalesce((select sum(pax) from sold), 0)::int as total,
        coalesce((select jsonb_agg(jsonb_build_object('unitType', k.kind, 'n', k.n) order by k.n desc, k.kind) from (
          select u.kind ->> 'unitType' as kind, sum((u.kind ->> 'qty')::int * coalesce((u.kind ->> 'paxCount')::int, 1))::int as n
          from sold cross join jsonb_array_elements(sold.units) u(kind) group by 1) k), '[]') as units,
        greatest(0, coalesce((select sum(pax) from sold), 0) - (select count(*) from named))::int as unnamed,
        (select count(*) from named where status = 'no_show')::int as "noShow",
        (select count(*) from named where child_seat and status <> 'no_show')::int as "childSeats") c`.execute(tx)
  return new Map(rows.map(({ departureId, ...counts }) => [departureId, counts]))
}

type Needs = NonNullable<Manifest['needs']>

/** How many guests of each departure need what. */
export async function selectNeeds(
  tx: Tx,
  orgId: string,
  departureIds: readonly string[],
): Promise<ReadonlyMap<string, Needs>> {
  const { rows } = await sql<Needs & { departureId: string }>`
    select d.id as "departureId", c.* from unnest(${departureIds}::uuid[]) d(id) cross join lateral (
      with guest as materialized (
        select dietary_on_trip(v.dietary, e.trip_dietary) as dietary, coalesce(e.trip_mobility, v.mobility) as mobility from ${present(orgId, sql`d.id`)})
      select coalesce((select jsonb_agg(jsonb_build_object('need', k.need, 'n', k.n) order by k.n desc, k.need) from (
          select need, count(*) as n from guest cross join unnest(guest.dietary) need group by need) k), '[]') as dietary,
        coalesce((select jsonb_agg(jsonb_build_object('need', k.mobility, 'n', k.n) order by k.n desc, k.mobility) from (
          select mobility, count(*) as n from guest where mobility <> 'none' group by mobility) k), '[]') as mobility) c`.execute(
    tx,
  )
  return new Map(rows.map(({ departureId, ...needs }) => [departureId, needs]))
}

const fullName = sql`concat_ws(' ', nullif(v.first_name, ''), nullif(v.last_name, ''))`

async function selectRooms(tx: Tx, link: OpenLink): Promise<Manifest['rooms']> {
  const { orgId, departureId, scopes } = link
  const { rows } = await sql<Manifest['rooms'][number]>`
    with guest as materialized (select e.id, ${fullName} as name from ${presentOn(link)})
    select r.night_date as night, p.name as "placeName", r.type, count(guest.id)::int as guests,
      coalesce(jsonb_agg(guest.name order by guest.name) filter (where guest.id is not null and ${scopes.manifestNames}), '[]') as names
    from rooms r
      left join places p on p.org_id = r.org_id and p.id = r.place_id
      left join room_assignments a on a.org_id = r.org_id and a.room_id = r.id
      left join guest on guest.id = a.manifest_entry_id
    where r.org_id = ${orgId} and r.departure_id = ${departureId}
    group by r.night_date, p.name, r.type, r.id
    order by r.night_date, p.name nulls last, array_position(array['SGL', 'DBL', 'TWN', 'TRP', 'QUAD', 'DORM', 'TENT'], r.type), r.id`.execute(
    tx,
  )
  return rows
}

/** Full names, as hotels and ticket offices need them. */
async function selectNames(tx: Tx, link: OpenLink): Promise<Manifest['names']> {
  const { rows } = await sql<Manifest['names'][number]>`
    select ${fullName} as name, e.unit_type as "unitType" from ${presentOn(link)}
    order by v.last_name collate "und-x-icu", v.first_name collate "und-x-icu", e.id`.execute(tx)
  return rows
}
