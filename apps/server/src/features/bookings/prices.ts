import { fieldError } from '@tour-ops/contract/field-rules'

export interface Price {
  readonly totalMinor: number
  /** Why it is another one than the seats cost; null where nobody had to say. */
  readonly reason: string | null
}

/** What somebody wants a booking to cost. */
export interface WantedPrice {
  /** Undefined: what the seats cost. */
  readonly amountTotalMinor?: number | undefined
  readonly priceReason: string | null
}

/**
 * The price of a booking: what its seats cost, what was agreed on before, or another one, for a reason.
 *
 * @param listMinor What the seats cost.
 * @param agreed What it cost so far; its reason stays where none is given.
 * @throws AppError `invalid-argument` on `priceReason` for another price without a reason.
 */
export function priceOf({ amountTotalMinor, priceReason }: WantedPrice, listMinor: number, agreed?: Price): Price {
  const totalMinor = amountTotalMinor ?? listMinor
  if (totalMinor === listMinor) return { totalMinor, reason: null }
  if (totalMinor === agreed?.totalMinor) return { totalMinor, reason: priceReason ?? agreed.reason }
  if (priceReason === null) throw fieldError('priceReason', 'price_reason_missing')
  return { totalMinor, reason: priceReason }
}
