import { agesOn, statedAge } from '@tour-ops/contract/bookings/guest-ages'
import type {
  Manifest,
  ManifestEntry,
  ManifestParty,
  GuestFlag,
  TravelerFlag,
} from '@tour-ops/contract/bookings/manifest'
import { type StatusOf, aboardStatuses, hasStatus, isRunning, soldStatuses } from '@tour-ops/contract/state-machines'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { iso, isoOrNull } from '../../platform/list-query.ts'
import { notFound } from '../../platform/optimistic-lock.ts'
import { memberName, seesSensitiveOn } from '../../platform/private-fields.ts'

export interface ManifestHead {
  id: string
  code: string
  timeZone: string
  localDate: string
  status: StatusOf<'departures'>
  startsAt: Date
  noShowAfterMinutes: number
}

/** @throws AppError `not-found`, also outside the caller's reach. */
export async function selectManifestHead(call: MemberCall, departureId: string): Promise<ManifestHead> {
  const { rows } = await sql<ManifestHead>`
    select d.id, d.code, d.time_zone as "timeZone", d.local_date as "localDate", d.status, d.starts_at as "startsAt",
      s.no_show_after_minutes as "noShowAfterMinutes"
    from departures d join org_settings s on s.org_id = d.org_id
    where d.org_id = ${call.orgId} and d.id = ${departureId}`.execute(call.tx)
  if (!rows[0]) throw notFound('departure')
  return rows[0]
}

type PartyRow = Omit<ManifestParty, 'entries' | 'unnamed' | 'balanceMinor'> & {
  amountTotalMinor: number
  amountPaidMinor: number
  pickupPlaceId: string | null
  expiresAt: Date | null
}

async function selectParties(call: MemberCall, departureId: string): Promise<PartyRow[]> {
  const { rows } = await sql<PartyRow>`
    select b.id as "bookingId", b.version as "bookingVersion", b.booking_ref as "bookingRef", b.contact_name as "contactName",
      b.contact_phone as "contactPhone", b.status, b.pax, b.amount_total_minor as "amountTotalMinor", b.amount_paid_minor as "amountPaidMinor",
      b.currency, b.payment_status as "paymentStatus", b.notes, b.pickup_place_id as "pickupPlaceId", b.expires_at as "expiresAt"
    from bookings b where b.org_id = ${call.orgId} and b.departure_id = ${departureId}
      and b.status in ('confirmed', 'completed', 'on_hold', 'waitlisted')
    order by b.waitlist_rank nulls first, b.contact_name collate "und-x-icu", b.id`.execute(call.tx)
  return rows
}

type EntryRow = Omit<ManifestEntry, 'flags' | 'checkInAt' | 'age'> & {
  /** What the caller may know of the age, and nothing else. */
  saidAge: number | null
  saidAgeOn: string | null
  bornOn: string | null
  localDate: string
  checkInAt: Date | null
  dietary: string[]
  mobility: string
  childSeat: boolean
  hasMedical: boolean
  paper: 'missing' | 'expiring' | null
}

/** Dietary and mobility words that have a flag of their own name; the rest is "other". */
const flagOfDiet = (need: string): TravelerFlag => (need === 'other' ? 'other_diet' : (need as TravelerFlag))
const flagOfMobility: Record<string, TravelerFlag> = {
  cane: 'cane',
  wheelchair: 'wheelchair',
  no_stairs: 'no_stairs',
  other: 'other_mobility',
}

function flagsOf(row: EntryRow): GuestFlag[] {
  const mobility = flagOfMobility[row.mobility]
  return [
    ...row.dietary.map(flagOfDiet),
    ...(mobility ? [mobility] : []),
    ...(row.childSeat ? (['child_seat'] as const) : []),
    ...(row.hasMedical ? (['medical'] as const) : []),
    ...(row.paper === 'missing' ? (['document_missing'] as const) : []),
    ...(row.paper === 'expiring' ? (['document_expiring'] as const) : []),
  ]
}

/** Passports should hold six months beyond the tour. */
const documentWarningMonths = 6

async function selectEntries(call: MemberCall, departureId: string): Promise<ManifestEntry[]> {
  const { rows } = await sql<EntryRow>`
    select m.id, m.version, m.booking_id as "bookingId", m.traveler_id as "travelerId",
      concat_ws(' ', nullif(coalesce(p.preferred_name, p.first_name), ''), nullif(p.last_name, '')) as name, m.unit_type as "unitType",
      case when ${seesSensitiveOn(call)} then m.age end as "saidAge", case when ${seesSensitiveOn(call)} then m.age_on end as "saidAgeOn",
      case when ${seesSensitiveOn(call)} then v.date_of_birth end as "bornOn", d.local_date as "localDate", m.status,
      m.check_in_at as "checkInAt", ${memberName(call, 'by_member')} as "checkInByName", m.seat_or_group as "seatOrGroup", m.note,
      dietary_on_trip(p.dietary, m.trip_dietary) as dietary, coalesce(m.trip_mobility, p.mobility) as mobility, m.child_seat as "childSeat", v.medical_sealed is not null as "hasMedical",
      case when coalesce(t.duration_days, 1) = 1 then null when paper.id is null then 'missing'
        when paper.expires_on < (d.ends_at at time zone d.time_zone)::date + make_interval(months => ${documentWarningMonths}) then 'expiring' end as paper
    from manifest_entries m
    join departures d on d.org_id = m.org_id and d.id = m.departure_id
    join tours t on t.org_id = d.org_id and t.id = d.tour_id
    join travelers p on p.org_id = m.org_id and p.id = m.traveler_id
    left join traveler_private v on v.org_id = p.org_id and v.traveler_id = p.id
    left join members by_member on by_member.org_id = m.org_id and by_member.user_id = m.check_in_by
    left join lateral (
      select c.id, c.expires_on from traveler_documents c where c.org_id = p.org_id and c.traveler_id = p.id and c.kind in ('passport', 'id')
      order by c.expires_on desc nulls first limit 1
    ) paper on true
    where m.org_id = ${call.orgId} and m.departure_id = ${departureId} and m.status <> 'cancelled'
    order by p.last_name collate "und-x-icu", p.first_name collate "und-x-icu", m.id`.execute(call.tx)
  return rows.map((row) => {
    const {
      dietary: _diet,
      mobility: _mobility,
      childSeat: _seat,
      hasMedical: _medical,
      paper: _paper,
      checkInAt,
      saidAge,
      saidAgeOn,
      bornOn,
      localDate,
      ...entry
    } = row
    const age = agesOn(localDate, { here: statedAge(saidAge, saidAgeOn), born: bornOn })?.from ?? null
    return { ...entry, age, checkInAt: isoOrNull(checkInAt), flags: flagsOf(row) }
  })
}

interface PickupRow {
  stopId: string
  placeId: string
  placeName: string
  at: Date
}

async function selectPickups(call: MemberCall, departureId: string): Promise<PickupRow[]> {
  const { rows } = await sql<PickupRow>`
    select s.id as "stopId", s.place_id as "placeId", p.name as "placeName", s.planned_arrive_at as at
    from departure_stops s join places p on p.org_id = s.org_id and p.id = s.place_id
    where s.org_id = ${call.orgId} and s.departure_id = ${departureId} and s.kind in ('pickup', 'start') and s.day_index = 1
    order by s.planned_arrive_at, s.stop_order`.execute(call.tx)
  return rows
}

const isAboard = (entry: ManifestEntry): boolean => hasStatus(aboardStatuses, entry.status)
const isToCome = (entry: ManifestEntry): boolean => entry.status === 'expected'

/** Guests who are still expected come first. */
const byNeed = (a: ManifestParty, b: ManifestParty): number =>
  Number(b.entries.some(isToCome)) - Number(a.entries.some(isToCome))

/** Everyone expected on a departure, by pickup and party. */
export async function selectManifest(call: MemberCall, departureId: string): Promise<Manifest> {
  const head = await selectManifestHead(call, departureId)
  const rows = await selectParties(call, departureId)
  const entries = await selectEntries(call, departureId)
  const travelling = rows.filter((row) => hasStatus(soldStatuses, row.status))
  const parties = travelling.map((row) => ({ placeId: row.pickupPlaceId, party: partyOf(row, entries) }))
  const all = parties.flatMap(({ party }) => party.entries)
  return {
    departureId,
    code: head.code,
    timeZone: head.timeZone,
    localDate: head.localDate,
    counts: {
      total: all.length,
      aboard: all.filter(isAboard).length,
      toCome: all.filter(isToCome).length,
      noShow: all.filter((entry) => entry.status === 'no_show').length,
      unnamed: parties.reduce((sum, { party }) => sum + party.unnamed, 0),
    },
    groups: groupsOf(await selectPickups(call, departureId), parties, head),
    waitlist: rows
      .filter((row) => row.status === 'waitlisted')
      .map((row, index) => ({ ...partyHead(row), rank: index + 1 })),
    holds: rows.flatMap((row) =>
      row.status === 'on_hold' && row.expiresAt ? [{ ...partyHead(row), expiresAt: iso(row.expiresAt) }] : [],
    ),
    checkInOpen: isRunning(head),
  }
}

const partyHead = ({ bookingId, bookingVersion, bookingRef, contactName, pax }: PartyRow) => ({
  bookingId,
  bookingVersion,
  bookingRef,
  contactName,
  pax,
})

function partyOf(row: PartyRow, entries: readonly ManifestEntry[]): ManifestParty {
  const { amountTotalMinor, amountPaidMinor, pickupPlaceId: _place, expiresAt: _expires, ...party } = row
  const own = entries.filter((entry) => entry.bookingId === row.bookingId)
  return {
    ...party,
    unnamed: Math.max(0, row.pax - own.length),
    balanceMinor: Math.max(0, amountTotalMinor - amountPaidMinor),
    entries: own,
  }
}

/** Parties are under their pickup; those without one under the place where the tour starts. */
function groupsOf(
  pickups: readonly PickupRow[],
  parties: readonly { placeId: string | null; party: ManifestParty }[],
  head: ManifestHead,
): Manifest['groups'] {
  const start = pickups.at(-1)
  const groups = new Map<string | null, ManifestParty[]>()
  for (const { placeId, party } of parties) {
    const stop = pickups.find((pickup) => pickup.placeId === placeId) ?? start
    const key = stop?.stopId ?? null
    groups.set(key, [...(groups.get(key) ?? []), party])
  }
  return [...groups]
    .map(([stopId, members]) => {
      const stop = pickups.find((pickup) => pickup.stopId === stopId)
      const people = members.flatMap((party) => party.entries)
      return {
        stopId,
        placeName: stop?.placeName ?? head.code,
        at: iso(stop?.at ?? head.startsAt),
        total: people.length,
        aboard: people.filter(isAboard).length,
        parties: members.toSorted(byNeed),
      }
    })
    .toSorted((a, b) => a.at.localeCompare(b.at))
}
