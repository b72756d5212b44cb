import type { TourUnit } from '@tour-ops/contract/units'
import { saveTourOptions, type Tour } from '@tour-ops/contract/tours/tours'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { refusalText } from '../../../errors/refusal-text.ts'
import { useCall } from '../../../backend/queries.ts'
import { m } from '../../../paraglide/messages.js'
import { unitLabel } from '../../../records/unit-labels.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Checkbox } from '../../../ui/choice.tsx'
import { Field, TextInput } from '../../../ui/field.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import type { MinorEntry } from '../../../ui/form/minor-of.ts'
import { MoneyInput } from '../../../ui/form/money-input.tsx'
import { toast } from '../../../ui/toast.tsx'
import { amountOf } from '../units-editor.tsx'

interface EditOption {
  key: string
  id?: string
  name: string
  /** As typed: `09:00, 12:00`. */
  times: string
  language: string
  isPrivate: boolean
  prices: EditPrices
}

/** Other prices than those of the tour, by kind of seat, as they are typed. */
type EditPrices = Readonly<Partial<Record<TourUnit['unitType'], MinorEntry>>>

/** Of kinds that the tour sells. */
const amountsOf = (prices: EditPrices, units: readonly TourUnit[]) =>
  Object.fromEntries(
    units.flatMap(({ unitType }) => {
      const price = prices[unitType]
      return typeof price === 'number' ? [[unitType, price]] : []
    }),
  )

const lacksAmount = ({ prices }: EditOption) => Object.values(prices).some((price) => typeof price === 'string')

let lastKey = 0

const openOptions = (tour: Tour): EditOption[] =>
  tour.options.map(({ id, name, startTimesLocal, language, isPrivate, prices }) => ({
    key: id,
    id,
    name,
    times: startTimesLocal.join(', '),
    language: language ?? '',
    isPrivate,
    prices,
  }))

/** `9:00 12:00` → ['09:00', '12:00']. */
const timesOf = (typed: string): string[] =>
  typed
    .split(/[\s,;]+/)
    .filter(Boolean)
    .map((time) => time.padStart(5, '0'))

interface OptionsCardProps {
  tour: Tour
  readOnly: boolean
  /** The tour has this version now. */
  onSaved: (version: number) => void
}

/** Variants of a tour by start time, language or privacy; saved by themselves, since they hold at once. */
export function OptionsCard({ tour, readOnly, onSaved }: OptionsCardProps) {
  const [options, setOptions] = useState(() => openOptions(tour))
  const [isDirty, setDirty] = useState(false)
  const save = useCall(saveTourOptions, {
    onSuccess: ({ version }) => {
      onSaved(version)
      setDirty(false)
      toast(m.tours_options_saved())
    },
  })
  const change = (next: EditOption[]) => {
    setOptions(next)
    setDirty(true)
  }
  const set = (key: string, part: Partial<EditOption>) =>
    change(options.map((option) => (option.key === key ? { ...option, ...part } : option)))
  const units = (tour.revision?.content ?? tour.draft)?.units ?? []
  const send = () =>
    save.mutate({
      id: tour.id,
      version: tour.version,
      options: options.map(({ id, name, times, language, isPrivate, prices }) => ({
        ...(id && { id }),
        name,
        startTimesLocal: timesOf(times),
        language: language.trim() || null,
        isPrivate,
        prices: amountsOf(prices, units),
      })),
    })
  return (
    <Card
      title={m.tours_options()}
      context={m.tours_options_text()}
      actions={
        !readOnly && (
          <>
            <Button
              icon={Plus}
              onClick={() =>
                change([
                  ...options,
                  { key: `new-${++lastKey}`, name: '', times: '09:00', language: '', isPrivate: false, prices: {} },
                ])
              }
            >
              {m.tours_add_option()}
            </Button>
            {isDirty && (
              <Button
                pending={save.isPending}
                disabledReason={options.some(lacksAmount) ? m.bookings_no_amount() : undefined}
                onClick={send}
              >
                {m.tours_save_options()}
              </Button>
            )}
          </>
        )
      }
    >
      {options.length === 0 && <p className="border-t border-line px-4 py-3 text-ink-2">{m.tours_options_none()}</p>}
      <ul>
        {options.map((option) => (
          <li key={option.key} className="border-t border-line px-4 py-3">
            <fieldset
              disabled={readOnly}
              className="grid grid-cols-2 items-end gap-3 sm:grid-cols-[minmax(140px,1fr)_180px_110px_auto]"
            >
              <legend className="sr-only">{option.name || m.tours_add_option()}</legend>
              <Field label={m.tours_option_name()} className="max-sm:col-span-2">
                <TextInput
                  value={option.name}
                  maxLength={80}
                  onChange={(event) => set(option.key, { name: event.target.value })}
                />
              </Field>
              <Field label={m.tours_option_times()}>
                <TextInput
                  className="num"
                  value={option.times}
                  onChange={(event) => set(option.key, { times: event.target.value })}
                />
              </Field>
              <Field label={m.tours_language()}>
                <TextInput
                  value={option.language}
                  placeholder="en"
                  onChange={(event) => set(option.key, { language: event.target.value })}
                />
              </Field>
              <span className="flex items-center gap-2 pb-2 max-sm:col-span-2 max-sm:justify-between">
                <Checkbox
                  label={m.tours_option_private()}
                  checked={option.isPrivate}
                  onChange={(event) => set(option.key, { isPrivate: event.target.checked })}
                />
                {!readOnly && (
                  <IconButton
                    label={m.tours_remove_option({ name: option.name })}
                    icon={Trash2}
                    small
                    onClick={() => change(options.filter((each) => each.key !== option.key))}
                  />
                )}
              </span>
              <OtherPrices units={units} prices={option.prices} onChange={(prices) => set(option.key, { prices })} />
            </fieldset>
          </li>
        ))}
      </ul>
      {save.error && (
        <div className="p-4">
          <Banner tone="bad" role="alert">
            {refusalText(save.error)}
          </Banner>
        </div>
      )}
    </Card>
  )
}

interface OtherPricesProps {
  /** Of the tour. */
  units: readonly TourUnit[]
  prices: EditPrices
  onChange: (prices: EditPrices) => void
}

/** What an option asks for each kind of seat; where nothing is typed, what the tour asks. */
function OtherPrices({ units, prices, onChange }: OtherPricesProps) {
  if (units.length === 0) return null
  return (
    <fieldset className="col-span-full flex flex-wrap items-end gap-3">
      <legend className="lbl">{m.tours_option_prices()}</legend>
      {units.map(({ unitType, priceMinor, currency }) => (
        <Field
          key={unitType}
          label={unitLabel(unitType)}
          error={typeof prices[unitType] === 'string' ? m.bookings_no_amount() : undefined}
          className="w-[150px] max-sm:w-[calc(50%-6px)]"
        >
          <MoneyInput
            currency={currency}
            value={prices[unitType] ?? null}
            placeholder={amountOf(priceMinor, currency)}
            onChange={(entry) => onChange({ ...prices, [unitType]: entry })}
          />
        </Field>
      ))}
    </fieldset>
  )
}
