import type { SharedPage } from '@tour-ops/contract/links'
import { Circle, CircleCheck, MapPin } from 'lucide-react'
import { m } from '../../paraglide/messages.js'
import { formatDuration, formatLocalLongDay, formatTime, localDateOf } from '../../ui/format.ts'
import { Ltr } from '../../ui/ltr.tsx'

const dayMs = 86_400_000

type Stop = SharedPage['stops'][number]

const isDone = (stop: Stop): boolean => stop.status === 'departed'

/** Whether guests think of it as one day or evening, also over midnight. */
export const isOneDay = ({ startsAt, endsAt }: SharedPage['departure']): boolean =>
  Date.parse(endsAt) - Date.parse(startsAt) < dayMs

/** The day as a list: it needs no map. */
export function StopList({ page: { stops, departure }, now }: { page: SharedPage; now: number }) {
  const zone = departure.timeZone
  if (isOneDay(departure)) return <Stops stops={stops} zone={zone} />
  const days = Map.groupBy(stops, (stop) => localDateOf(stop.plannedAt, zone))
  const today = localDateOf(now, zone)
  const shown = days.has(today) ? today : days.keys().next().value
  return [...days].map(([date, ofDay]) => (
    <details key={date} className="share-day" open={date === shown}>
      <summary>{formatLocalLongDay(date)}</summary>
      <Stops stops={ofDay} zone={zone} />
    </details>
  ))
}

const Stops = ({ stops, zone }: { stops: readonly Stop[]; zone: string }) => (
  <ol>
    {stops.map((stop) => (
      <li key={stop.id} className="share-stop" data-here={stop.status === 'arrived' || undefined}>
        <StopTime stop={stop} zone={zone} />
        <StopMark stop={stop} />
        <span className={isDone(stop) ? 'min-w-0 truncate text-ink-2' : 'min-w-0 truncate text-ink-strong'}>
          {stop.name}
        </span>
        <span className="text-end text-ink-2">{noteOf(stop, zone)}</span>
      </li>
    ))}
  </ol>
)

function StopTime({ stop, zone }: { stop: Stop; zone: string }) {
  const time = stop.arrivedAt ?? stop.etaAt ?? stop.plannedAt
  const isForecast = stop.arrivedAt === null && stop.etaAt !== null && stop.etaAt !== stop.plannedAt
  return (
    <Ltr className={isDone(stop) ? 'text-ink-2' : 'font-semibold text-ink-strong'}>
      {isForecast && '~'}
      {formatTime(time, zone)}
    </Ltr>
  )
}

function StopMark({ stop }: { stop: Stop }) {
  if (isDone(stop)) return <CircleCheck size={20} className="text-ok" role="img" aria-label={m.share_done()} />
  if (stop.status === 'arrived')
    return <MapPin size={20} className="text-brand" role="img" aria-label={m.share_here()} />
  return <Circle size={14} strokeWidth={3} className="mx-auto text-brand" role="img" aria-label={m.share_to_come()} />
}

function noteOf(stop: Stop, zone: string): string {
  if (stop.departedAt) return m.share_left_at({ time: formatTime(stop.departedAt, zone) })
  if (stop.status === 'arrived') return m.share_you_are_here()
  if (stop.kind === 'end') return m.share_end()
  return stop.stayMin > 0 ? formatDuration(stop.stayMin) : ''
}
