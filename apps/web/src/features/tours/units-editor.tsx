import { issueOf } from '@tour-ops/contract/field-issue'
import { TourUnit, unitTypes, type UnitType } from '@tour-ops/contract/units'
import { Plus, Trash2 } from 'lucide-react'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choice.tsx'
import { Field, NumberInput, Select, TextInput } from '../../ui/field.tsx'
import { fieldIssueText } from '../../ui/form/field-errors.ts'
import { minorOf } from '../../ui/form/minor-of.ts'
import { fractionDigitsOf } from '../../ui/format.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { unitLabels } from '../../records/unit-labels.ts'

/** A price while it is typed. */
export interface EditUnit extends Omit<TourUnit, 'priceMinor'> {
  /** As typed, `89.50`. */
  price: string
}

/** Prices of a tour while they are edited; one currency for all. */
export interface EditPrices {
  currency: string
  units: readonly EditUnit[]
}

/** An amount as it is typed, without its currency. */
export const amountOf = (minor: number, currency: string): string => {
  const digits = fractionDigitsOf(currency)
  return (minor / 10 ** digits).toFixed(digits)
}

export const openPrices = (units: readonly TourUnit[], usualCurrency: string): EditPrices => {
  const currency = units[0]?.currency ?? usualCurrency
  return {
    currency,
    units: units.map(({ priceMinor, ...unit }) => ({ ...unit, price: amountOf(priceMinor, currency) })),
  }
}

/** Prices as they are saved, or the first problem by place. */
export function closePrices({ currency, units }: EditPrices): { units: TourUnit[]; problems: Map<number, string> } {
  const problems = new Map<number, string>()
  const digits = fractionDigitsOf(currency)
  const closed = units.flatMap(({ price, ...unit }, at) => {
    const read = TourUnit.safeParse({ ...unit, currency, priceMinor: minorOf(price, digits) })
    if (read.success) return [read.data]
    problems.set(
      at,
      read.error.issues
        .slice(0, 1)
        .map((issue) => fieldIssueText(issueOf(issue)))
        .join(''),
    )
    return []
  })
  return { units: closed, problems }
}

/** Currencies that the organizations we know of sell in; its own comes first. */
const currencies = ['EUR', 'USD', 'GBP', 'CHF', 'ISK', 'NOK', 'SEK', 'DKK', 'JPY', 'NPR', 'TZS', 'AUD', 'CAD']

/** Ages that units begin with; the person changes them. Source: contract, settings, `unitAges`. */
const usualAges: Partial<Record<UnitType, [min: number | null, max: number | null]>> = {
  adult: [16, null],
  youth: [12, 15],
  child: [3, 11],
  infant: [0, 2],
}

export interface UnitsEditorProps {
  prices: EditPrices
  onChange: (prices: EditPrices) => void
  /** Problems by place, shown after an attempt to save. */
  problems: ReadonlyMap<number, string>
  readOnly?: boolean
}

/** What each kind of guest pays, and who counts as one. */
export function UnitsEditor({ prices, onChange, problems, readOnly = false }: UnitsEditorProps) {
  const { currency, units } = prices
  const free = unitTypes.filter((type) => !units.some((unit) => unit.unitType === type))
  const set = (at: number, change: Partial<EditUnit>) =>
    onChange({ ...prices, units: units.map((unit, index) => (index === at ? { ...unit, ...change } : unit)) })
  const add = () => {
    const [unitType] = free
    if (!unitType) return
    const [minAge, maxAge] = usualAges[unitType] ?? [null, null]
    const unit: EditUnit = {
      unitType,
      minAge,
      maxAge,
      paxCount: 1,
      price: '',
      currency,
      requiresAdult: unitType === 'child' || unitType === 'infant',
    }
    onChange({ ...prices, units: [...units, unit] })
  }
  return (
    <fieldset disabled={readOnly} className="min-w-0 px-4 py-3.5 lg:px-5">
      <legend className="sr-only">{m.tours_step_prices()}</legend>
      <Field label={m.tours_currency()} className="mb-3 w-40">
        <Select
          value={currency}
          onChange={(event) => onChange({ ...prices, currency: event.target.value })}
          options={[...new Set([currency, ...currencies])].map((code) => ({ value: code, label: code }))}
        />
      </Field>
      {units.length === 0 && <p className="py-2 text-ink-2">{m.tours_no_prices()}</p>}
      <ul>
        {units.map((unit, at) => (
          <li key={unit.unitType} className="border-t border-line py-3">
            <UnitRow
              unit={unit}
              currency={currency}
              free={free}
              problem={problems.get(at)}
              onChange={(change) => set(at, change)}
              onRemove={() => onChange({ ...prices, units: units.filter((_, index) => index !== at) })}
            />
          </li>
        ))}
      </ul>
      {!readOnly && (
        <Button icon={Plus} className="mt-1" disabled={free.length === 0} onClick={add}>
          {m.tours_add_price()}
        </Button>
      )}
    </fieldset>
  )
}

interface UnitRowProps {
  unit: EditUnit
  currency: string
  free: readonly UnitType[]
  problem: string | undefined
  onChange: (change: Partial<EditUnit>) => void
  onRemove: () => void
}

const ageOf = (typed: string): number | null => (typed === '' ? null : Number(typed))

function UnitRow({ unit, currency, free, problem, onChange, onRemove }: UnitRowProps) {
  const name = unitLabels[unit.unitType]()
  return (
    <div className="grid grid-cols-2 items-end gap-3 sm:grid-cols-[minmax(120px,1fr)_130px_72px_72px_88px_auto]">
      <Field label={m.tours_unit()} className="max-sm:col-span-2">
        <Select
          value={unit.unitType}
          onChange={(event) => onChange({ unitType: event.target.value as UnitType })}
          options={[unit.unitType, ...free].map((value) => ({ value, label: unitLabels[value]() }))}
        />
      </Field>
      <Field label={m.tours_price_of({ unit: name })} error={problem}>
        <TextInput
          className="num"
          inputMode="decimal"
          unit={currency}
          value={unit.price}
          onChange={(event) => onChange({ price: event.target.value })}
        />
      </Field>
      <Field label={m.tours_age_from()}>
        <NumberInput
          min={0}
          max={120}
          value={unit.minAge ?? ''}
          onChange={(event) => onChange({ minAge: ageOf(event.target.value) })}
        />
      </Field>
      <Field label={m.tours_age_to()}>
        <NumberInput
          min={0}
          max={120}
          value={unit.maxAge ?? ''}
          onChange={(event) => onChange({ maxAge: ageOf(event.target.value) })}
        />
      </Field>
      <Field label={m.tours_people()}>
        <NumberInput
          min={1}
          max={20}
          value={unit.paxCount}
          onChange={(event) => onChange({ paxCount: Number(event.target.value) })}
        />
      </Field>
      <span className="flex items-center gap-2 pb-2 max-sm:col-span-2 max-sm:justify-between">
        <Checkbox
          label={m.tours_requires_adult()}
          checked={unit.requiresAdult}
          onChange={(event) => onChange({ requiresAdult: event.target.checked })}
        />
        <IconButton label={m.tours_remove_price({ unit: name })} icon={Trash2} small onClick={onRemove} />
      </span>
    </div>
  )
}
