import { totalThereMinor } from '@tour-ops/contract/bookings/party'
import { fieldError } from '@tour-ops/contract/field-rules'
import type { TourUnit } from '@tour-ops/contract/units'
import { sql } from 'kysely'
import type { SeatCall } from '../../platform/operations/seat-call.ts'
import type { LockedDeparture } from '../../platform/operations/seats.ts'
import { selectTerms } from './selling-terms.ts'
import { pricesOf, quantitiesOf, selectSold, type SoldRow } from './sold-party.ts'

/** What a party would pay at the prices of another tour; null where a kind of its seats is not sold there. Minor units. */
export const priceThereMinor = (sold: SoldRow, there: readonly TourUnit[]): number | null =>
  totalThereMinor({ ...sold, units: quantitiesOf(sold.units) }, pricesOf([], sold), there)

/**
 * Seats at the prices of another tour, and what they come to there.
 *
 * @throws AppError `invalid-argument` on `atPriceThere` where a kind of the seats is not sold there, or not in its currency.
 */
export function soldThere(sold: SoldRow, there: readonly TourUnit[]): Pick<SoldRow, 'units' | 'amountTotalMinor'> {
  const amountTotalMinor = priceThereMinor(sold, there)
  if (amountTotalMinor === null) throw fieldError('atPriceThere', 'unit_not_sold')
  const units = sold.units.map((unit) => ({
    ...unit,
    priceMinor: there.find(({ unitType }) => unitType === unit.unitType)?.priceMinor ?? 0,
  }))
  return { units, amountTotalMinor }
}

/** A party that moves pays what its seats cost there: what was agreed on changes by the difference. @throws as `soldThere` */
export async function chargePriceThere(call: SeatCall, id: string, departure: LockedDeparture): Promise<void> {
  const { units, amountTotalMinor } = soldThere(
    await selectSold(call, id),
    (await selectTerms(call, departure.id)).prices,
  )
  await sql`update bookings set units = ${JSON.stringify(units)}::jsonb, amount_total_minor = ${amountTotalMinor}
    where org_id = ${call.orgId} and id = ${id}`.execute(call.tx)
}
