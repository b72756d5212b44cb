import type { SupplierAct, SupplierOnDeparture } from '@tour-ops/contract/links/supplier-messages'
import type { Locale } from '@tour-ops/contract/locales'
import type { StatusOf } from '@tour-ops/contract/state-machines'
import type { DietaryNeed } from '@tour-ops/contract/travelers/needs'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { emailLocale } from '../../platform/operations/guest-emails.ts'
import { selectGuestCounts, selectNeeds } from './supplier-manifest.ts'

interface ServiceOfSupplier {
  readonly description: string
  readonly quantity: number
  readonly date: string
  readonly status: StatusOf<'departure_services'>
}

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
  readonly supplierVersion: number
  readonly supplierName: string
  readonly contactName: string | null
  readonly email: string | null
  /** What it still has to do, and what was called off. */
  readonly services: readonly ServiceOfSupplier[]
  readonly dropped: readonly ServiceOfSupplier[]
  readonly guests: number
  readonly dietary: readonly { readonly need: DietaryNeed; readonly n: number }[]
}

type Row = Omit<SupplierFacts, 'services' | 'dropped' | 'guests' | 'dietary' | 'locale'> & {
  readonly locale: string
  readonly all: readonly ServiceOfSupplier[]
}

const isOff = ({ status }: ServiceOfSupplier): boolean => status === 'declined' || status === 'cancelled'

/** Suppliers with services on a departure, by name; nobody is written to about a draft. */
export async function selectSupplierFacts(call: MemberCall, departureId: string): Promise<SupplierFacts[]> {
  const { tx, orgId } = call
  const { rows } = await sql<Row>`
    select d.id as "departureId", d.status, d.code, t.name as "tourName", d.starts_at as "startsAt", d.ends_at as "endsAt", d.time_zone as "timeZone",
      s.time_format as "timeFormat", o.name as "organizationName", s.general ->> 'phone' as phone, s.locale,
      p.id as "supplierId", p.version as "supplierVersion", p.name as "supplierName", c.one ->> 'name' as "contactName", c.one ->> 'email' as email, x.services as "all"
    from departures d join tours t on t.org_id = d.org_id and t.id = d.tour_id
      join org_settings s on s.org_id = d.org_id join organizations o on o.org_id = d.org_id
      join lateral (select v.supplier_id, jsonb_agg(jsonb_build_object('description', v.description, 'quantity', v.quantity, 'date', d.local_date + v.day_index - 1, 'status', v.status)
          order by v.day_index, v.created_at, v.id) as services
        from departure_services v where v.org_id = d.org_id and v.departure_id = d.id and v.supplier_id is not null group by v.supplier_id) x on true
      join suppliers p on p.org_id = d.org_id and p.id = x.supplier_id
      left join lateral (select one from jsonb_array_elements(p.contacts) with ordinality k(one, at) where one ->> 'email' is not null order by at limit 1) c on true
    where d.org_id = ${orgId} and d.id = ${departureId} and d.status <> 'draft'
    order by p.name collate "und-x-icu", p.id`.execute(tx)
  if (rows.length === 0) return []
  const place = { orgId, departureId }
  const { total: guests } = await selectGuestCounts(tx, place)
  const { dietary } = await selectNeeds(tx, place)
  return rows.map(({ all, locale, ...row }) => ({
    ...row,
    locale: emailLocale(locale),
    services: row.status === 'cancelled' ? [] : all.filter((one) => !isOff(one)),
    dropped: row.status === 'cancelled' ? all : all.filter(isOff),
    guests,
    dietary,
  }))
}

/** What a message said, to compare with what is so by now. */
export interface SaidToSupplier {
  readonly act: SupplierAct
  readonly guests: number
  readonly startsAt: string
  readonly services: readonly string[]
  readonly dietary: readonly string[]
}

export const saidOf = ({ guests, startsAt, services, dietary }: SupplierFacts, act: SupplierAct): SaidToSupplier => ({
  act,
  guests,
  startsAt: startsAt.toISOString(),
  services: services.map(({ description, quantity, date }) => `${date} ${quantity} ${description}`).toSorted(),
  dietary: dietary.map(({ need, n }) => `${n} ${need}`).toSorted(),
})

/** The last message to a supplier about a departure. */
export interface ToldSupplier extends Omit<NonNullable<SupplierOnDeparture['told']>, 'at'> {
  readonly at: Date
  readonly said: SaidToSupplier
}

/** What the log calls these messages. */
export const supplierMessage = 'supplier_message'

/** By supplier; what was held back does not count. */
export async function selectTold(call: MemberCall, departureId: string): Promise<ReadonlyMap<string, ToldSupplier>> {
  const { rows } = await sql<ToldSupplier & { supplierId: string }>`
    select distinct on (v.supplier_id) v.supplier_id as "supplierId", m.said ->> 'act' as act, m.created_at as at, v.recipient as "to", v.status, (m.said ->> 'guests')::int as guests, m.said
    from messages m join deliveries v on v.org_id = m.org_id and v.message_id = m.id and v.status <> 'suppressed' and v.supplier_id is not null
    where m.org_id = ${call.orgId} and m.departure_id = ${departureId} and m.kind = ${supplierMessage}
    order by v.supplier_id, m.created_at desc, m.id desc`.execute(call.tx)
  return new Map(rows.map((row) => [row.supplierId, row]))
}

/**
 * What a supplier is to be told: what failed again; that all of it is cancelled; what it does not know; that what it was asked for is confirmed. Somebody who was told
 * of nothing is asked first.
 */
export function dueOf(facts: SupplierFacts, told: ToldSupplier | null): SupplierAct | null {
  const { services, status } = facts
  const isOver = services.length === 0
  const knowsNothing = told === null || told.act === 'cancel'
  if (isOver) return knowsNothing ? againIfFailed(told) : 'cancel'
  if (status === 'completed' || status === 'aborted') return null
  if (knowsNothing) return services.some((one) => one.status === 'to_request') ? 'request' : null
  if (!isSame(told.said, saidOf(facts, told.act))) return 'update'
  if (told.status === 'failed') return told.act
  return told.act === 'request' && services.every((one) => one.status === 'confirmed') ? 'confirm' : null
}

const againIfFailed = (told: ToldSupplier | null): SupplierAct | null => (told?.status === 'failed' ? told.act : null)

const isSame = ({ act: _before, ...one }: SaidToSupplier, { act: _now, ...other }: SaidToSupplier): boolean =>
  one.guests === other.guests &&
  one.startsAt === other.startsAt &&
  one.services.join('\n') === other.services.join('\n') &&
  one.dietary.join('\n') === other.dietary.join('\n')
