import type { BookedUnit, TourUnit } from '@tour-ops/contract/units'
import { sql } from 'kysely'
import type { SeatCall } from '../../platform/operations/seat-call.ts'
import { notFound } from '../../platform/optimistic-lock.ts'
import type { SoldUnit } from './bookings-store.ts'

/** What a party has bought. */
export interface SoldRow {
  departureId: string
  units: SoldUnit[]
  amountTotalMinor: number
  currency: string
}

/** The schema lets a unit leave out its seats and its price: then it is one person, and free. */
type StoredUnit = Pick<SoldUnit, 'unitType' | 'qty'> & Partial<SoldUnit>
type StoredRow = Omit<SoldRow, 'units'> & { units: StoredUnit[] }

/** @throws AppError `not-found`, also outside the caller’s reach. */
export async function selectSold(call: SeatCall, id: string): Promise<SoldRow> {
  const row = (await selectAllSold(call, [id])).get(id)
  if (!row) throw notFound('booking')
  return row
}

/** What parties have bought, by booking. */
export async function selectAllSold(call: SeatCall, ids: readonly string[]): Promise<ReadonlyMap<string, SoldRow>> {
  const { rows } = await sql<StoredRow & { id: string }>`
    select b.id, b.departure_id as "departureId", b.units, b.amount_total_minor as "amountTotalMinor", b.currency
    from bookings b
    where b.org_id = ${call.orgId} and b.id = any (${[...ids]}::uuid[])`.execute(call.tx)
  return new Map(
    rows.map(({ id, ...row }) => [
      id,
      { ...row, units: row.units.map((unit) => ({ paxCount: 1, priceMinor: 0, ...unit })) },
    ]),
  )
}

/**
 * Prices for a party that has bought before: what it bought costs what it cost, everything else what the tour asks. Kinds in another currency are left
 * out: the amounts of a booking are in its own.
 */
export function pricesOf(asked: readonly TourUnit[], { units, currency }: SoldRow): TourUnit[] {
  const bought = new Map(units.map((unit) => [unit.unitType, unit]))
  const known = asked.flatMap((price) => {
    const unit = bought.get(price.unitType)
    if (unit) return [{ ...price, priceMinor: unit.priceMinor, paxCount: unit.paxCount, currency }]
    return price.currency === currency ? [price] : []
  })
  // kinds that the tour no longer sells
  const gone = units.filter(({ unitType }) => !asked.some((price) => price.unitType === unitType))
  const former = gone.map(({ unitType, priceMinor, paxCount }) => ({
    unitType,
    priceMinor,
    paxCount,
    currency,
    minAge: null,
    maxAge: null,
    requiresAdult: false,
  }))
  return [...known, ...former]
}

export const quantitiesOf = (units: readonly SoldUnit[]): BookedUnit[] =>
  units.map(({ unitType, qty }) => ({ unitType, quantity: qty }))
