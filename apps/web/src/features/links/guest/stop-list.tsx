import { Circle, CircleCheck, MapPin } from 'lucide-react'
import { m } from '../../../paraglide/messages.js'
import { travelModeLabels } from '../../../records/travel-modes.ts'
import { formatDuration, formatLocalLongDay, formatTime, localDateOf } from '../../../ui/format.ts'
import { Ltr } from '../../../ui/ltr.tsx'
import { placesOf, type SharedDay } from './headline.ts'

const dayMs = 86_400_000

type Stop = SharedDay['stops'][number]

/** Whether guests think of it as one day or evening, also over midnight. */
export const isOneDay = ({ startsAt, endsAt }: SharedDay['departure']): boolean =>
  Date.parse(endsAt) - Date.parse(startsAt) < dayMs

interface StopListProps {
  page: SharedDay
  now: number
  /** Every day is open, as on paper. */
  isWhole?: boolean
}

/** The day as a list: it needs no map. */
export function StopList({ page, now, isWhole = false }: StopListProps) {
  const { stops, departure } = page
  const zone = departure.timeZone
  const places = placesOf(page)
  if (isOneDay(departure)) return <Stops stops={stops} zone={zone} places={places} />
  const days = Map.groupBy(stops, (stop) => localDateOf(stop.plannedAt, zone))
  const today = localDateOf(now, zone)
  const shown = days.has(today) ? today : days.keys().next().value
  return [...days].map(([date, ofDay]) => (
    <details key={date} className="share-day" open={isWhole || date === shown}>
      <summary>{formatLocalLongDay(date)}</summary>
      <Stops stops={ofDay} zone={zone} places={places} />
    </details>
  ))
}

interface StopsProps {
  stops: readonly Stop[]
  zone: string
  places: ReturnType<typeof placesOf>
}

const Stops = ({ stops, zone, places: { here, isBehind } }: StopsProps) => (
  <ol>
    {stops.map((stop) => {
      const progress = stop === here ? 'here' : isBehind(stop) ? 'done' : 'ahead'
      return (
        <li key={stop.id} className="share-stop" data-here={progress === 'here' || undefined}>
          <StopTime stop={stop} zone={zone} isDone={progress === 'done'} />
          <StopMark progress={progress} />
          <span className={progress === 'done' ? 'min-w-0 truncate text-ink-2' : 'min-w-0 truncate text-ink-strong'}>
            {stop.name}
          </span>
          <span className="text-end text-ink-2">{noteOf(stop, zone, progress)}</span>
        </li>
      )
    })}
  </ol>
)

function StopTime({ stop, zone, isDone }: { stop: Stop; zone: string; isDone: boolean }) {
  const time = stop.arrivedAt ?? stop.etaAt ?? stop.plannedAt
  const isForecast = stop.arrivedAt === null && stop.etaAt !== null && stop.etaAt !== stop.plannedAt
  return (
    <Ltr className={isDone ? 'text-ink-2' : 'font-semibold text-ink-strong'}>
      {isForecast && '~'}
      {formatTime(time, zone)}
    </Ltr>
  )
}

type Progress = 'done' | 'here' | 'ahead'

function StopMark({ progress }: { progress: Progress }) {
  if (progress === 'done')
    return <CircleCheck size={20} className="text-ok" role="img" aria-label={m.links_guest_done()} />
  if (progress === 'here')
    return <MapPin size={20} className="text-brand" role="img" aria-label={m.links_guest_here()} />
  return (
    <Circle size={14} strokeWidth={3} className="mx-auto text-brand" role="img" aria-label={m.links_guest_to_come()} />
  )
}

function noteOf(stop: Stop, zone: string, progress: Progress): string {
  if (stop.departedAt) return m.links_guest_left_at({ time: formatTime(stop.departedAt, zone) })
  if (progress === 'here') return m.links_guest_you_are_here()
  const way = progress === 'ahead' && stop.travelMode && travelModeLabels[stop.travelMode]()
  const stay = stop.kind === 'end' ? m.links_guest_end() : stop.stayMin > 0 && formatDuration(stop.stayMin)
  return [way, stay].filter(Boolean).join(' · ')
}
