import { useQuery } from '@tanstack/react-query'
import { maxRadiusM } from '@tour-ops/contract/map/areas'
import { type AlertRow, severities } from '@tour-ops/contract/monitoring/alerts'
import { monitoringList } from '@tour-ops/contract/monitoring/monitoring-list'
import {
  maxWeatherTargets,
  maxWeatherText,
  maxWeatherTitle,
  stateWeatherWarning,
  weatherReaches,
  type WeatherWhere,
} from '@tour-ops/contract/monitoring/weather-warnings'
import { tourOptionsForPickers } from '@tour-ops/contract/tours/tours'
import { useState } from 'react'
import type { Town } from '../../backend/gazetteer.ts'
import { callQuery, useCall } from '../../backend/queries.ts'
import { entryProblem, refusalText } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { DateTimeInput } from '../../ui/date-field.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Field, NumberInput, Select, TextArea, TextInput } from '../../ui/field.tsx'
import { countsInMiles, formatDayTimeThere, formatZone, metersPerMile } from '../../ui/format.ts'
import { Several } from '../../ui/several.tsx'
import { TimesIn } from '../../ui/times-in.tsx'
import { toast } from '../../ui/toast.tsx'
import { momentOfWall, wallTimeOf } from '../../ui/wall-time.ts'
import { TownField } from '../places/index.ts'
import { severityLooks } from './alert-labels.ts'

type Reach = (typeof weatherReaches)[number]

const reachLabels: Record<Reach, () => string> = {
  everything: m.monitoring_weather_where_everything,
  bases: m.monitoring_weather_where_bases,
  tours: m.monitoring_weather_where_tours,
  departures: m.monitoring_weather_where_departures,
  area: m.monitoring_weather_where_area,
}

/** Hours that a warning lasts unless somebody says otherwise. */
const usualHours = 12
/** Departures of the shift that can be chosen. */
const maxDepartures = 100

const unit = () => (countsInMiles() ? { sign: 'mi', meters: metersPerMile } : { sign: 'km', meters: 1000 })

/** States a weather warning: what, how severe, from when until when, and where. */
export function WeatherForm({ timeZone, onClose }: { timeZone: string; onClose: () => void }) {
  const [title, setTitle] = useState('')
  const [text, setText] = useState('')
  const [severity, setSeverity] = useState<AlertRow['severity']>('warning')
  const [from, setFrom] = useState(() => wallTimeOf(Date.now(), timeZone))
  const [until, setUntil] = useState(() => wallTimeOf(Date.now() + usualHours * 3_600_000, timeZone))
  const [reach, setReach] = useState<Reach>('everything')
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [town, setTown] = useState<Town | null>(null)
  const [radius, setRadius] = useState('30')
  const state = useCall(stateWeatherWarning, {
    onSuccess: () => {
      toast(m.monitoring_weather_stated_toast())
      onClose()
    },
  })
  const [startsAt, endsAt] = [momentOfWall(from, timeZone), momentOfWall(until, timeZone)]
  const where = whereOf({ reach, chosen, town, radiusM: Number(radius) * unit().meters })
  const problem = (path: string) => entryProblem(state.error, path)
  const isAtField = ['title', 'text', 'startsAt', 'endsAt'].some((path) => problem(path) !== undefined)
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={() => {
        if (startsAt && endsAt && where) state.mutate({ title, text, severity, startsAt, endsAt, where })
      }}
      title={m.monitoring_weather_state()}
      confirmLabel={m.monitoring_weather_state()}
      pending={state.isPending}
      disabledReason={missing({ title, text, isTimed: startsAt !== null && endsAt !== null, isPlaced: where !== null })}
      error={state.error && !isAtField ? refusalText(state.error) : undefined}
    >
      <div className="grid gap-3">
        <Field label={m.monitoring_weather_name()} error={problem('title')} required>
          <TextInput value={title} maxLength={maxWeatherTitle} onChange={({ target }) => setTitle(target.value)} />
        </Field>
        <Field
          label={m.monitoring_weather_text()}
          hint={m.monitoring_weather_text_hint()}
          error={problem('text')}
          required
        >
          <TextArea rows={3} value={text} maxLength={maxWeatherText} onChange={({ target }) => setText(target.value)} />
        </Field>
        <Field label={m.monitoring_weather_severity()}>
          <Select
            value={severity}
            options={severities.map((value) => ({ value, label: severityLooks[value].label() }))}
            onChange={({ target }) => setSeverity(target.value as AlertRow['severity'])}
          />
        </Field>
        <Field label={m.monitoring_weather_from()} error={problem('startsAt')} required>
          <DateTimeInput value={from} onChange={setFrom} />
        </Field>
        <Field label={m.monitoring_weather_until()} error={problem('endsAt')} required>
          <DateTimeInput value={until} onChange={setUntil} />
        </Field>
        <TimesIn zone={timeZone} />
        <Field label={m.monitoring_weather_where()}>
          <Select
            value={reach}
            options={weatherReaches.map((value) => ({ value, label: reachLabels[value]() }))}
            onChange={({ target }) => {
              setReach(target.value as Reach)
              setChosen([])
            }}
          />
        </Field>
        {reach === 'bases' && <Bases chosen={chosen} onChange={setChosen} />}
        {reach === 'tours' && <Tours chosen={chosen} onChange={setChosen} />}
        {reach === 'departures' && <Departures chosen={chosen} onChange={setChosen} />}
        {reach === 'area' && (
          <>
            <TownField label={m.monitoring_weather_center()} chosen={town} onChoose={setTown} />
            <Field label={m.monitoring_weather_radius()} required>
              <NumberInput
                unit={unit().sign}
                min={1}
                max={Math.floor(maxRadiusM / unit().meters)}
                value={radius}
                onChange={({ target }) => setRadius(target.value)}
              />
            </Field>
          </>
        )}
      </div>
    </ConfirmDialog>
  )
}

interface Place {
  reach: Reach
  chosen: readonly string[]
  town: Town | null
  radiusM: number
}

/** Null while something of it is missing. */
function whereOf({ reach, chosen, town, radiusM }: Place): WeatherWhere | null {
  if (reach === 'everything') return { kind: reach }
  if (reach === 'area') {
    const isRadius = radiusM > 0 && radiusM <= maxRadiusM
    return town && isRadius ? { kind: reach, area: { kind: 'circle', center: [town.lng, town.lat], radiusM } } : null
  }
  if (chosen.length === 0) return null
  if (reach === 'bases') return { kind: reach, zones: [...chosen] }
  return reach === 'tours' ? { kind: reach, tourIds: [...chosen] } : { kind: reach, departureIds: [...chosen] }
}

interface Filled {
  title: string
  text: string
  isTimed: boolean
  isPlaced: boolean
}

function missing({ title, text, isTimed, isPlaced }: Filled): string | undefined {
  if (title.trim() === '' || text.trim() === '') return m.monitoring_weather_text_first()
  if (!isTimed) return m.monitoring_weather_times_first()
  return isPlaced ? undefined : m.monitoring_weather_where_first()
}

interface ChoiceProps {
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}

/** The same for all lists. */
const listedAs = () => ({ atMost: maxWeatherTargets, empty: m.monitoring_weather_nothing_to_choose() })

function Bases(props: ChoiceProps) {
  const { data } = useQuery(callQuery(tourOptionsForPickers, {}))
  const zones = [...new Set(data?.tours.map(({ timeZone }) => timeZone))]
  return (
    <Several
      {...props}
      {...listedAs()}
      label={m.monitoring_weather_where_bases()}
      options={zones.map((zone) => ({ value: zone, label: formatZone(zone) }))}
    />
  )
}

function Tours(props: ChoiceProps) {
  const { data } = useQuery(callQuery(tourOptionsForPickers, { status: ['published'] }))
  const options = (data?.tours ?? []).map(({ id, code, name }) => ({ value: id, label: `${code} · ${name}` }))
  return <Several {...props} {...listedAs()} label={m.monitoring_weather_where_tours()} options={options} />
}

function Departures(props: ChoiceProps) {
  const { data } = useQuery(callQuery(monitoringList, { size: maxDepartures }))
  const options = (data?.rows ?? []).map((row) => ({
    value: row.id,
    label: `${row.tourName} · ${formatDayTimeThere(row.startsAt, row.timeZone)}`,
  }))
  return <Several {...props} {...listedAs()} label={m.monitoring_weather_where_departures()} options={options} />
}
