import { type TourUnit, type UnitType, unitTypes } from '@tour-ops/contract/units'
import type { PartyCounts } from './party-text.ts'

/** A unit as it was sold: price and seats are stored with the booking. */
export interface SoldUnitRow {
  readonly unitType: UnitType
  readonly qty: number
  readonly paxCount?: number
  readonly priceMinor?: number
}

const seatsPer = (unitType: string, prices: readonly TourUnit[]): number =>
  prices.find((price) => price.unitType === unitType)?.paxCount ?? 1

export const paxOfUnits = (units: readonly SoldUnitRow[]): number =>
  units.reduce((sum, unit) => sum + unit.qty * (unit.paxCount ?? 1), 0)

export const amountOfUnits = (units: readonly SoldUnitRow[]): number =>
  units.reduce((sum, unit) => sum + unit.qty * (unit.priceMinor ?? 0), 0)

/** Units as a file counts them, with price and seats of those that are sold already, else of the price list. */
export function unitsAsCounted(
  counts: PartyCounts,
  sold: readonly SoldUnitRow[],
  prices: readonly TourUnit[],
): SoldUnitRow[] {
  const kept = sold.flatMap((unit) => {
    const qty = counts[unit.unitType] ?? 0
    return qty > 0 ? [{ ...unit, qty }] : []
  })
  const others = kindsIn(counts).filter((type) => !sold.some((unit) => unit.unitType === type))
  return [
    ...kept,
    ...others.map((unitType) => ({
      unitType,
      qty: counts[unitType] ?? 0,
      paxCount: seatsPer(unitType, prices),
      priceMinor: prices.find((unit) => unit.unitType === unitType)?.priceMinor ?? 0,
    })),
  ]
}

const kindsIn = (counts: PartyCounts): UnitType[] => unitTypes.filter((type) => (counts[type] ?? 0) > 0)

/**
 * The units of a party after a file has named its people. Sold units stay sold; further named guests are added, and a name
 * takes a seat that was sold without one before a new seat is counted.
 *
 * @param named Unit types of everybody on the booking, as they will be.
 */
export function unitsFor(
  sold: readonly SoldUnitRow[],
  named: readonly UnitType[],
  prices: readonly TourUnit[],
): SoldUnitRow[] {
  const people = new Map<UnitType, number>()
  for (const type of named) people.set(type, (people.get(type) ?? 0) + 1)
  const before = paxOfUnits(sold)
  const units = new Map(sold.map((unit) => [unit.unitType, { ...unit }]))
  for (const [type, count] of people) {
    const each = units.get(type)?.paxCount ?? seatsPer(type, prices)
    const qty = Math.ceil(count / Math.max(1, each))
    const price = prices.find((unit) => unit.unitType === type)
    const has = units.get(type)
    if (!has) units.set(type, { unitType: type, qty, paxCount: each, priceMinor: price?.priceMinor ?? 0 })
    else if (has.qty < qty) units.set(type, { ...has, qty })
  }
  // seats sold without a name, of another kind: the name takes them
  let spare = paxOfUnits([...units.values()]) - Math.max(before, named.length)
  for (const [type, unit] of units) {
    const each = Math.max(1, unit.paxCount ?? 1)
    const unused = unit.qty - Math.ceil((people.get(type) ?? 0) / each)
    const given = Math.max(0, Math.min(unused, Math.floor(spare / each)))
    units.set(type, { ...unit, qty: unit.qty - given })
    spare -= given * each
  }
  return [...units.values()].filter((unit) => unit.qty > 0)
}
