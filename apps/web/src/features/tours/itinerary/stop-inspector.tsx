import { tourStopKinds, travelModes } from '@tour-ops/contract/tours/tour-terms'
import { modeOf } from '@tour-ops/contract/tracking/arrivals/travel'
import { m } from '../../../paraglide/messages.js'
import { travelModeLabels } from '../../../records/travel-modes.ts'
import { Switch } from '../../../ui/choice.tsx'
import { TimeInput } from '../../../ui/date-field.tsx'
import { Field, NumberInput, Select, TextArea } from '../../../ui/field.tsx'
import { formatNumber } from '../../../ui/format.ts'
import { Ltr } from '../../../ui/ltr.tsx'
import { stopKindLabels, travelModeChoices } from '../tour-labels.ts'
import { clockAt, offsetOf } from './clock-time.ts'
import { changeStop, type EditStop, type Itinerary } from './itinerary.ts'
import type { PlaceBook } from './use-places.ts'

export interface StopInspectorProps {
  itinerary: Itinerary
  stop: EditStop
  /** Place in the day, from 1. */
  number: number
  count: number
  places: PlaceBook
  startTime: string
  isWalking: boolean
  readOnly: boolean
  /** The tag folds typing in one field into one step of the undo. */
  onChange: (itinerary: Itinerary, tag?: string) => void
}

/** Minutes at most. Source: contract, `TourStop`. */
const maxDwellMin = 1440
const maxSlackMin = 600

/** Everything about the chosen stop. */
export function StopInspector(props: StopInspectorProps) {
  const { itinerary, stop, number, count, places, startTime, isWalking, readOnly, onChange } = props
  const hasWayHere = number > 1 || stop.dayIndex > 1
  const point = places.pointOf(stop.placeId)
  const change = (field: keyof EditStop, value: unknown) =>
    onChange(changeStop(itinerary, stop.key, { [field]: value }), `${stop.key}-${field}`)
  const minutes = (typed: string, max: number) => Math.min(max, Math.max(0, Math.round(Number(typed) || 0)))
  return (
    <fieldset disabled={readOnly} className="min-w-0">
      <legend className="sr-only">{places.nameOf(stop.placeId)}</legend>
      <div className="border-b border-line px-4 py-3">
        <p className="num text-xs text-ink-2">{m.tours_stop_n_of({ number, count })}</p>
        <h3 className="text-lg font-semibold">{places.nameOf(stop.placeId)}</h3>
        {point && (
          <Ltr className="text-xs text-ink-2">
            {formatNumber(point.lat, 4)}, {formatNumber(point.lng, 4)}
          </Ltr>
        )}
      </div>
      <div className="grid grid-cols-2 gap-3 border-b border-line px-4 py-3">
        <Field label={m.tours_stop_kind()} className="col-span-2">
          <Select
            value={stop.kind}
            onChange={(event) => change('kind', event.target.value)}
            options={tourStopKinds.map((value) => ({ value, label: stopKindLabels[value]() }))}
          />
        </Field>
        {hasWayHere && (
          <Field label={m.tours_way_here()} className="col-span-2">
            <Select
              value={stop.travelMode ?? ''}
              onChange={(event) => change('travelMode', event.target.value || null)}
              options={[
                { value: '', label: m.tours_way_as_tour({ way: travelModeLabels[modeOf(null, isWalking)]() }) },
                ...travelModes.map((value) => ({ value, label: travelModeChoices[value]() })),
              ]}
            />
          </Field>
        )}
        <Field label={m.tours_arrive()} hint={m.tours_arrive_hint()} className="col-span-2">
          <TimeInput
            value={clockAt(startTime, stop.offsetMin)}
            onChange={(time) => {
              if (time !== '') {
                change('offsetMin', offsetOf(startTime, time, stop.offsetMin))
              }
            }}
          />
        </Field>
        <Field label={m.tours_stay()}>
          <NumberInput
            unit={m.tours_min()}
            min={0}
            max={maxDwellMin}
            value={stop.dwellMin}
            onChange={(event) => change('dwellMin', minutes(event.target.value, maxDwellMin))}
          />
        </Field>
        <Field label={m.tours_slack()}>
          <NumberInput
            unit={m.tours_min()}
            min={0}
            max={maxSlackMin}
            value={stop.slackMin}
            onChange={(event) => change('slackMin', minutes(event.target.value, maxSlackMin))}
          />
        </Field>
      </div>
      <div className="divide-y divide-line border-b border-line px-4">
        <Switch
          className="min-h-10"
          label={m.tours_count_guests()}
          checked={stop.headcountRequired}
          onChange={(event) => change('headcountRequired', event.target.checked)}
        />
        <Switch
          className="min-h-10"
          label={m.tours_timed_entry()}
          checked={stop.timedEntry}
          onChange={(event) => change('timedEntry', event.target.checked)}
        />
        {hasWayHere && (
          <Switch
            className="min-h-10 py-1.5"
            label={m.tours_signal_gap()}
            hint={m.tours_signal_gap_hint()}
            checked={stop.signalGap}
            onChange={(event) => change('signalGap', event.target.checked)}
          />
        )}
        <Switch
          className="min-h-10"
          label={m.tours_guests_see()}
          checked={stop.guestVisible}
          onChange={(event) => change('guestVisible', event.target.checked)}
        />
        <Switch
          className="min-h-10"
          label={m.tours_can_be_skipped()}
          checked={stop.optional}
          onChange={(event) => change('optional', event.target.checked)}
        />
      </div>
      <div className="px-4 py-3">
        <Field label={m.tours_note_for_guide()}>
          <TextArea
            rows={3}
            maxLength={1000}
            value={stop.note ?? ''}
            onChange={(event) => change('note', event.target.value || null)}
          />
        </Field>
      </div>
    </fieldset>
  )
}
