import { totalThereMinor } from '@tour-ops/contract/bookings/party'
import { fieldError } from '@tour-ops/contract/field-rules'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import type { LockedDeparture } from '../../platform/operations/seats.ts'
import { selectTerms } from './bookings-create.ts'
import { pricesOf, quantitiesOf, selectSold } from './sold-party.ts'

/**
 * A party that moves pays what its seats cost there: what was agreed on changes by the difference.
 *
 * @throws AppError `invalid-argument` on `atPriceThere` where a kind of its seats is not sold there, or not in its currency.
 */
export async function chargePriceThere(call: MemberCall, id: string, { revisionId }: LockedDeparture): Promise<void> {
  const sold = await selectSold(call, id)
  const { prices: there } = await selectTerms(call, revisionId)
  const party = { ...sold, units: quantitiesOf(sold.units) }
  const totalMinor = totalThereMinor(party, pricesOf([], sold), there)
  if (totalMinor === null) throw fieldError('atPriceThere', 'unit_not_sold')
  const units = sold.units.map((unit) => ({
    ...unit,
    priceMinor: there.find(({ unitType }) => unitType === unit.unitType)?.priceMinor ?? 0,
  }))
  await sql`update bookings set units = ${JSON.stringify(units)}::jsonb, amount_total_minor = ${totalMinor}
    where org_id = ${call.orgId} and id = ${id}`.execute(call.tx)
}
