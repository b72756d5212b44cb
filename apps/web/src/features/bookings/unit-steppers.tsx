import type { TourUnit, UnitType } from '@tour-ops/contract/units'
import { m } from '../../paraglide/messages.js'
import { Stepper } from '../../ui/choice.tsx'
import { formatMoney } from '../../ui/format.ts'
import type { Quantities } from './booking-choice.ts'
import { unitLabel } from '../../records/unit-labels.ts'

interface UnitSteppersProps {
  /** Kinds that are sold; adults where a tour has no price list. */
  prices: readonly TourUnit[]
  quantities: Quantities
  onChange: (quantities: Quantities) => void
}

/** How many of each kind of seat. */
export function UnitSteppers({ prices, quantities, onChange }: UnitSteppersProps) {
  const kinds: readonly UnitType[] = prices.length > 0 ? prices.map((price) => price.unitType) : ['adult']
  return (
    <div className="grid gap-2 sm:grid-cols-[repeat(auto-fit,minmax(150px,1fr))]">
      {kinds.map((unitType) => {
        const price = prices.find((one) => one.unitType === unitType)
        return (
          <div
            key={unitType}
            className="flex flex-wrap items-center justify-between gap-3 rounded-lg border border-line px-3 py-2.5 sm:flex-col sm:flex-nowrap sm:items-stretch sm:gap-1.5"
          >
            <span>
              <b className="block font-medium text-ink-strong">{unitLabel(unitType)}</b>
              <span className="text-xs text-ink-2">{price && unitDetail(price)}</span>
            </span>
            <span className="shrink-0">
              <Stepper
                label={unitLabel(unitType)}
                value={quantities[unitType] ?? 0}
                max={500}
                spread
                onChange={(value) => onChange({ ...quantities, [unitType]: value })}
              />
            </span>
          </div>
        )
      })}
    </div>
  )
}

/** `3 to 11`; empty for every age. */
export function agesText({ minAge, maxAge }: TourUnit): string {
  if (minAge !== null && maxAge !== null) return m.bookings_age_between({ from: minAge, to: maxAge })
  if (minAge !== null) return m.bookings_age_from({ from: minAge })
  return maxAge === null ? '' : m.bookings_age_to({ to: maxAge })
}

/** `3 to 11 · €45.00`. */
function unitDetail(unit: TourUnit): string {
  const { paxCount, priceMinor, currency } = unit
  const seats = paxCount > 1 ? m.bookings_unit_seats({ count: paxCount }) : ''
  const cost = priceMinor === 0 ? m.bookings_free() : formatMoney(priceMinor, currency)
  return [agesText(unit), seats, cost].filter(Boolean).join(' · ')
}
