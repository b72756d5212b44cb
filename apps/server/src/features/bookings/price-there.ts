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
 * A party that moves pays what its seats cost there: what was agreed on changes by the difference.
 *
 * @throws AppError `invalid-argument` on `atPriceThere` where a kind of its seats is not sold there, or not in its currency.
 */
export async function chargePriceThere(call: SeatCall, id: string, { revisionId }: LockedDeparture): Promise<void> {
  const sold = await selectSold(call, id)
  const { prices: there } = await selectTerms(call, revisionId)
  const totalMinor = priceThereMinor(sold, there)
  if (totalMinor === null) throw fieldError('atPriceThere', 'unit_not_sold')
  const units = sold.units.map((unit) => ({
    ...unit,
    priceMinor: there.find(({ unitType }) => unitType === unit.unitType)?.priceMinor ?? 0,
  }))
  await sql`update bookings set units = ${JSON.stringify(units)}::jsonb, amount_total_minor = ${totalMinor}
    where org_id = ${call.orgId} and id = ${id}`.execute(call.tx)
}
