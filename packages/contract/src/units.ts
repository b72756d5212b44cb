import * as z from 'zod/mini'
import { Currency, MoneyMinor, whole } from './fields.ts'

/** Kinds of seats sold. The list of OCTO, see docs/domain.md, "Entities". */
export const unitTypes = [
  'adult',
  'youth',
  'child',
  'infant',
  'family',
  'senior',
  'student',
  'military',
  'other',
] as const
export type UnitType = (typeof unitTypes)[number]

/** What one unit costs and how many people it seats (a family ticket may be four). */
export const TourUnit = z
  .object({
    unitType: z.enum(unitTypes),
    minAge: z._default(z.nullable(whole(0, 120)), null),
    maxAge: z._default(z.nullable(whole(0, 120)), null),
    paxCount: z._default(whole(1, 20), 1),
    priceMinor: MoneyMinor,
    currency: Currency,
    requiresAdult: z._default(z.boolean(), false),
  })
  .check(
    z.refine((unit) => unit.minAge === null || unit.maxAge === null || unit.minAge <= unit.maxAge, {
      path: ['maxAge'],
      error: 'ages_crossed',
    }),
  )
export type TourUnit = z.output<typeof TourUnit>

/** What an option of a tour asks for kinds of seats, in minor units of the currency of the tour; kinds that are left out cost what the tour asks. */
export const OptionPrices = z.partialRecord(z.enum(unitTypes), MoneyMinor)
export type OptionPrices = z.output<typeof OptionPrices>

/** The units of a tour at the prices of one of its options; null where it was made without one. */
export const unitsAt = (units: readonly TourUnit[], prices: OptionPrices | null): TourUnit[] =>
  units.map((unit) => ({ ...unit, priceMinor: prices?.[unit.unitType] ?? unit.priceMinor }))

export const BookedUnit = z.object({ unitType: z.enum(unitTypes), quantity: whole(1, 500) })
export type BookedUnit = z.output<typeof BookedUnit>

export const BookedUnits = z.array(BookedUnit).check(
  z.minLength(1, 'guest_missing'),
  z.maxLength(unitTypes.length),
  z.refine((units) => new Set(units.map((unit) => unit.unitType)).size === units.length, 'unit_type_repeated'),
)

const priced = (units: readonly BookedUnit[], prices: readonly TourUnit[]) =>
  units.map(({ unitType, quantity }) => ({ quantity, price: prices.find((unit) => unit.unitType === unitType) }))

/** People counted for capacity. A kind without a price list entry counts as one person each. */
export const paxOf = (units: readonly BookedUnit[], prices: readonly TourUnit[]): number =>
  priced(units, prices).reduce((sum, { quantity, price }) => sum + quantity * (price?.paxCount ?? 1), 0)

/** Price of a party in minor units; kinds that are not on the list are free. */
export const amountMinorOf = (units: readonly BookedUnit[], prices: readonly TourUnit[]): number =>
  priced(units, prices).reduce((sum, { quantity, price }) => sum + quantity * (price?.priceMinor ?? 0), 0)

/** Whether somebody who needs an adult travels without one. */
export const lacksAdult = (units: readonly BookedUnit[], prices: readonly TourUnit[]): boolean =>
  units.some(({ unitType }) => prices.find((unit) => unit.unitType === unitType)?.requiresAdult) &&
  !units.some(({ unitType }) => ['adult', 'senior', 'family', 'military', 'student'].includes(unitType))
