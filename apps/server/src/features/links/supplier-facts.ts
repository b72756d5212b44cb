import { hasNotArrived, type SupplierAct, type SupplierOnDeparture } from '@tour-ops/contract/links/supplier-messages'
import type { Locale } from '@tour-ops/contract/locales'
import type { StatusOf } from '@tour-ops/contract/state-machines'
import type { DietaryNeed } from '@tour-ops/contract/travelers/needs'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { emailLocale } from '../../platform/operations/guest-emails.ts'
import { type GuestCounts, selectGuestCounts, selectNeeds } from './supplier-manifest.ts'

interface ServiceOfSupplier {
  readonly kind: string
  readonly description: string
  readonly quantity: number
  readonly date: string
  readonly status: StatusOf<'departure_services'>
}

/** Where suppliers are read. */
export type OnDeparture = Pick<MemberCall, 'tx' | 'orgId'>

/** What messages to a supplier about a departure say. */
export interface SupplierFacts {
  readonly departureId: string
  readonly status: StatusOf<'departures'>
  readonly code: string
  readonly tourName: string
  readonly startsAt: Date
  readonly endsAt: Date
  readonly timeZone: string
  readonly timeFormat: '12h' | '24h'
  readonly organizationName: string
  readonly phone: string | null
  readonly locale: Locale
  readonly supplierId: string
  readonly supplierName: string
  readonly contactName: string | null
  readonly email: string | null
  /** The day it is where the tour is. */
  readonly today: string
  /** What it still has to do, and what was called off, not by itself. */
  readonly services: readonly ServiceOfSupplier[]
  readonly dropped: readonly ServiceOfSupplier[]
  readonly declined: readonly ServiceOfSupplier[]
  /** Seats that are sold, without guests who did not come. */
  readonly guests: number
  /** Of those who cook, or put guests up; nobody else is told what guests eat. */
  readonly dietary: readonly { readonly need: DietaryNeed; readonly n: number }[]
}

type Row = Omit<SupplierFacts, 'services' | 'dropped' | 'declined' | 'guests' | 'dietary' | 'locale'> & {
  readonly locale: string
  readonly all: readonly ServiceOfSupplier[]
}

const isCalledOff = ({ status }: ServiceOfSupplier): boolean => status === 'cancelled'
const isDeclined = ({ status }: ServiceOfSupplier): boolean => status === 'declined'
const feedsGuests = ({ kind }: ServiceOfSupplier): boolean => kind === 'meal' || kind === 'hotel'

/** Suppliers with services on each departure, by name; nobody is written to about a draft. */
export async function selectSupplierFacts(
  call: OnDeparture,
  departureIds: readonly string[],
): Promise<SupplierFacts[]> {
  const { tx, orgId } = call
  const { rows } = await sql<Row>`
    select d.id as "departureId", d.status, d.code, t.name as "tourName", d.starts_at as "startsAt", d.ends_at as "endsAt", d.time_zone as "timeZone", (app_now() at time zone d.time_zone)::date as today,
      s.time_format as "timeFormat", o.name as "organizationName", s.general ->> 'phone' as phone, coalesce(p.language, s.locale) as locale,
      p.id as "supplierId", p.name as "supplierName", c.one ->> 'name' as "contactName", c.one ->> 'email' as email, x.services as "all"
    from departures d join tours t on t.org_id = d.org_id and t.id = d.tour_id
      join org_settings s on s.org_id = d.org_id join organizations o on o.org_id = d.org_id
      join lateral (select v.supplier_id, jsonb_agg(jsonb_build_object('kind', v.kind, 'description', v.description, 'quantity', v.quantity, 'date', d.local_date + v.day_index - 1, 'status', v.status)
          order by v.day_index, v.created_at, v.id) as services
        from departure_services v where v.org_id = d.org_id and v.departure_id = d.id and v.supplier_id is not null group by v.supplier_id) x on true
      join suppliers p on p.org_id = d.org_id and p.id = x.supplier_id
      left join lateral (select one from jsonb_array_elements(p.contacts) with ordinality k(one, at) where one ->> 'email' is not null order by at limit 1) c on true
    where d.org_id = ${orgId} and d.id = any (${departureIds}::uuid[]) and d.status <> 'draft'
    order by p.name collate "und-x-icu", p.id`.execute(tx)
  if (rows.length === 0) return []
  const counts = await selectGuestCounts(tx, orgId, departureIds)
  const needs = await selectNeeds(tx, orgId, departureIds)
  return rows.map(({ all, locale, ...row }) => {
    const accepted = all.filter((one) => !isDeclined(one))
    const services = row.status === 'cancelled' ? [] : accepted.filter((one) => !isCalledOff(one))
    return {
      ...row,
      locale: emailLocale(locale),
      services,
      dropped: row.status === 'cancelled' ? accepted : accepted.filter(isCalledOff),
      declined: all.filter(isDeclined),
      guests: guestsOf(counts.get(row.departureId)),
      dietary: services.some(feedsGuests) ? (needs.get(row.departureId)?.dietary ?? []) : [],
    }
  })
}

const guestsOf = (counts: GuestCounts | undefined): number => (counts ? counts.total - counts.noShow : 0)

/** What a message said, to compare with what is so by now. */
export interface SaidToSupplier {
  readonly act: SupplierAct
  readonly guests: number
  readonly startsAt: string
  readonly services: readonly string[]
  readonly dietary: readonly string[]
}

/** A service, as what was said of it is compared. */
const nameOf = ({ date, quantity, description }: ServiceOfSupplier): string => `${date} ${quantity} ${description}`

export const saidOf = ({ guests, startsAt, services, dietary }: SupplierFacts, act: SupplierAct): SaidToSupplier => ({
  act,
  guests,
  startsAt: startsAt.toISOString(),
  services: services.map(nameOf).toSorted(),
  dietary: dietary.map(({ need, n }) => `${n} ${need}`).toSorted(),
})

/** A message to a supplier about a departure. */
export interface SupplierMessage extends Omit<NonNullable<SupplierOnDeparture['told']>, 'at'> {
  readonly at: Date
  readonly said: SaidToSupplier
}

/** What was written to a supplier about a departure. */
export interface ToldSupplier {
  readonly last: SupplierMessage
  /** The last one that has not failed and was not held back: what the supplier goes by. Null where nothing arrived, and after a cancellation. */
  readonly known: SupplierMessage | null
  /** That was said since it was asked. */
  readonly isConfirmed: boolean
}

/** What the log calls these messages. */
export const supplierMessage = 'supplier_message'

interface SupplierOfDeparture {
  readonly departureId: string
  readonly supplierId: string
}

export const toldKey = ({ departureId, supplierId }: SupplierOfDeparture): string => `${departureId} ${supplierId}`

/** What suppliers were told of which departure, by `toldKey`. */
export async function selectTold(
  call: OnDeparture,
  departureIds: readonly string[],
): Promise<ReadonlyMap<string, ToldSupplier>> {
  const { rows } = await sql<SupplierMessage & SupplierOfDeparture>`
    select m.departure_id as "departureId", v.supplier_id as "supplierId", m.said ->> 'act' as act, m.created_at as at, v.recipient as "to", v.status, (m.said ->> 'guests')::int as guests, m.said
    from messages m join deliveries v on v.org_id = m.org_id and v.message_id = m.id and v.supplier_id is not null
    where m.org_id = ${call.orgId} and m.departure_id = any (${departureIds}::uuid[]) and m.kind = ${supplierMessage}
    order by m.created_at desc, m.id desc`.execute(call.tx)
  return new Map([...Map.groupBy(rows, toldKey)].map(([key, written]) => [key, toldIn(written)]))
}

const isHeard = (message: SupplierMessage): boolean => !hasNotArrived(message)

/** @param written The newest first, at least one. */
function toldIn(written: readonly SupplierMessage[]): ToldSupplier {
  const [last] = written
  if (!last) throw new Error('Something was written')
  const heard = written.filter(isHeard)
  const asked = heard.findIndex(({ act }) => act === 'request' || act === 'cancel')
  const sinceAsked = asked === -1 ? heard : heard.slice(0, asked)
  const [known] = heard
  return {
    last,
    known: known && known.act !== 'cancel' ? known : null,
    isConfirmed: sinceAsked.some(({ act }) => act === 'confirm'),
  }
}

/**
 * What a supplier is to be told: that what it knows of is cancelled; what it does not know; that what it was asked for is confirmed. Somebody who knows of nothing is
 * asked first, and again where that did not arrive. What it has declined itself, and what is over, it is not told.
 */
export function dueOf(facts: SupplierFacts, told: ToldSupplier | null): SupplierAct | null {
  const { services, status, today } = facts
  const known = told?.known ?? null
  if (services.length === 0) return known !== null && droppedOf(facts, known).length > 0 ? 'cancel' : null
  if (isEnded(status) || services.every(({ date }) => date < today)) return null
  if (known === null) {
    const isUnheard = told !== null && !isHeard(told.last) && told.last.act !== 'cancel'
    return isUnheard || services.some((one) => one.status === 'to_request') ? 'request' : null
  }
  if (!isSame(known.said, facts)) return 'update'
  return !told?.isConfirmed && isAgreed(facts) ? 'confirm' : null
}

/** What can be written to a supplier now. */
export function actsOf(facts: SupplierFacts, told: ToldSupplier | null): SupplierAct[] {
  const { services, status } = facts
  if (services.length === 0) return dueOf(facts, told) === 'cancel' ? ['cancel'] : []
  if (isEnded(status)) return []
  if (!told?.known) return ['request']
  return [...(isAgreed(facts) ? (['confirm'] as const) : []), 'update', 'cancel']
}

/** What a cancellation is about: what was called off that the supplier knows of. */
export const droppedOf = ({ dropped }: SupplierFacts, known: SupplierMessage | null): readonly ServiceOfSupplier[] =>
  dropped.filter((one) => known?.said.services.includes(nameOf(one)) ?? false)

const isEnded = (status: SupplierFacts['status']): boolean => status === 'completed' || status === 'aborted'
const isAgreed = ({ services }: SupplierFacts): boolean => services.every(({ status }) => status === 'confirmed')

function isSame(said: SaidToSupplier, facts: SupplierFacts): boolean {
  const now = saidOf(facts, said.act)
  const declined = new Set(facts.declined.map(nameOf))
  const services = said.services.filter((one) => !declined.has(one))
  return (
    said.guests === now.guests &&
    said.startsAt === now.startsAt &&
    services.join('\n') === now.services.join('\n') &&
    said.dietary.join('\n') === now.dietary.join('\n')
  )
}
