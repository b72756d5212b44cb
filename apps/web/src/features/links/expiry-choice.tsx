import { m } from '../../paraglide/messages.js'
import { RadioCards } from '../../ui/choice.tsx'
import { DateInput } from '../../ui/date-field.tsx'
import { Field } from '../../ui/field.tsx'
import { localDateOf, formatDayTimeThere, viewerZone } from '../../ui/format.ts'

/** `tour`: two hours after its end, which the server knows. */
type Preset = 'tour' | 'day' | 'week' | 'month' | 'date'
export interface Expiry {
  preset: Preset
  /** Civil date of the preset `date`. */
  date: string
}

const hourMs = 3_600_000
const hours: Partial<Record<Preset, number>> = { day: 24, week: 7 * 24, month: 30 * 24 }

/** The moment of a preset, ISO 8601; undefined for `tour`, and while no date is chosen. */
export function expiryMoment({ preset, date }: Expiry, now: number): string | undefined {
  const after = hours[preset]
  if (after !== undefined) return new Date(now + after * hourMs).toISOString()
  if (preset !== 'date' || date === '') return undefined
  // The end of that day where the person sits.
  return new Date(`${date}T23:59:59`).toISOString()
}

interface ExpiryChoiceProps {
  value: Expiry
  onChange: (value: Expiry) => void
  now: number
  /** Offers the end of the tour as well. */
  hasTour?: boolean | undefined
  /** Offers thirty days as well. */
  hasMonth?: boolean | undefined
}

/** When a link ends. */
export function ExpiryChoice({ value, onChange, now, hasTour = false, hasMonth = false }: ExpiryChoiceProps) {
  const at = (preset: Preset) => formatDayTimeThere(expiryMoment({ preset, date: '' }, now) ?? now, viewerZone())
  return (
    <div className="grid gap-2">
      <RadioCards
        label={m.links_ends()}
        value={value.preset}
        onChange={(preset) => onChange({ ...value, preset })}
        options={[
          ...(hasTour ? [{ value: 'tour' as const, label: m.links_ends_tour(), hint: m.links_ends_tour_hint() }] : []),
          { value: 'day', label: m.links_ends_day(), hint: at('day') },
          { value: 'week', label: m.links_ends_week(), hint: at('week') },
          ...(hasMonth ? [{ value: 'month' as const, label: m.links_ends_month(), hint: at('month') }] : []),
          { value: 'date', label: m.links_ends_date() },
        ]}
      />
      {value.preset === 'date' && (
        <Field label={m.links_ends_date_label()} required>
          <DateInput value={value.date} min={localDateOf(now)} onChange={(date) => onChange({ ...value, date })} />
        </Field>
      )}
    </div>
  )
}
