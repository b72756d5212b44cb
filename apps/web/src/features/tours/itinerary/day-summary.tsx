import { CircleCheck, TriangleAlert } from 'lucide-react'
import { m } from '../../../paraglide/messages.js'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { formatDistance, formatDuration, formatLocalTime } from '../../../ui/format.ts'
import { Ltr } from '../../../ui/ltr.tsx'
import { clockAt } from './clock-time.ts'
import { checksOf, guideDayMin, totalsOf, type Check, type Leg, type WayOf } from './itinerary-checks.ts'
import { changeStop, type EditStop, type Itinerary } from './itinerary.ts'
import type { PlaceBook } from './use-places.ts'
import { distanceTotalLabel, travelTotalLabels } from './way-labels.ts'

export interface DaySummaryProps {
  itinerary: Itinerary
  stops: readonly EditStop[]
  legs: readonly Leg[]
  wayOf: WayOf
  /** The router of the organization was asked and did not answer. */
  isRouterSilent: boolean
  places: PlaceBook
  startTime: string
  chosen: string | undefined
  readOnly: boolean
  onChange: (itinerary: Itinerary) => void
}

/** The numbers of the day, the day as a bar, and what to look at. */
export function DaySummary(props: DaySummaryProps) {
  const { stops, legs, isRouterSilent } = props
  const totals = totalsOf(stops, legs)
  const numbers = [
    { label: distanceTotalLabel(totals), value: formatDistance(totals.meters) },
    ...totals.travel.map(({ mode, minutes }) => ({ label: travelTotalLabels[mode](), value: formatDuration(minutes) })),
    { label: m.tours_total_stay(), value: formatDuration(totals.stayMin) },
    { label: m.tours_total_slack(), value: formatDuration(totals.slackMin) },
    {
      label: m.tours_total_day({ hours: formatDuration(guideDayMin) }),
      value: formatDuration(totals.dayMin),
    },
  ]
  return (
    <div className="grid gap-3 border-t border-line p-4">
      <dl className="flex flex-wrap gap-x-6 gap-y-2">
        {numbers.map(({ label, value }) => (
          <div key={label} className="flex flex-col-reverse">
            <dt className="text-xs text-ink-2">{label}</dt>
            <dd className="num text-base font-semibold text-ink-strong">{value}</dd>
          </div>
        ))}
      </dl>
      {isRouterSilent && <p className="text-xs text-ink-2">{m.tours_router_silent()}</p>}
      {totals.dayMin > 0 && <DayBar {...props} dayMin={totals.dayMin} />}
      <Checks {...props} />
    </div>
  )
}

/** A stay this long has room for the name of its place, share of the day. */
const namedShare = 0.12

function DayBar({ stops, places, startTime, chosen, dayMin }: DaySummaryProps & { dayMin: number }) {
  const first = stops[0]?.offsetMin ?? 0
  const quarter = Math.round(dayMin / 4 / 15) * 15
  const marks = quarter > 0 ? [0, 1, 2, 3].map((at) => at * quarter).filter((at) => at < dayMin) : [0]
  return (
    <div aria-hidden>
      <div className="relative h-7 overflow-hidden rounded-md bg-surface-2">
        {stops.map((stop) => {
          const share = stop.dwellMin / dayMin
          if (share <= 0) return null
          return (
            <span
              key={stop.key}
              className={classNames(
                'absolute inset-y-0 grid place-items-center overflow-hidden rounded-sm px-1 text-2xs whitespace-nowrap',
                stop.key === chosen ? 'bg-brand-strong text-on-brand' : 'bg-[var(--map-line)] text-ink-strong',
              )}
              style={{ insetInlineStart: `${((stop.offsetMin - first) / dayMin) * 100}%`, width: `${share * 100}%` }}
            >
              {share > namedShare && <span className="max-w-full truncate">{places.nameOf(stop.placeId)}</span>}
            </span>
          )
        })}
      </div>
      <div className="num relative mt-1 h-4 text-2xs text-ink-2">
        {marks.map((at) => (
          <span key={at} className="absolute" style={{ insetInlineStart: `${(at / dayMin) * 100}%` }}>
            <Ltr>{formatLocalTime(clockAt(startTime, first + at))}</Ltr>
          </span>
        ))}
      </div>
    </div>
  )
}

function Checks(props: DaySummaryProps) {
  const { itinerary, wayOf } = props
  const checks = checksOf(itinerary, wayOf)
  return (
    <ul aria-label={m.tours_checks()} aria-live="polite">
      {checks.length === 0 ? (
        <li className="flex min-h-9 items-center gap-2 border-t border-line py-1">
          <CircleCheck size={16} className="text-ok" aria-hidden />
          {m.tours_check_fine()}
        </li>
      ) : (
        checks.map((check) => (
          <li
            key={`${check.kind} ${'stopKey' in check ? check.stopKey : ''}${'dayIndex' in check ? check.dayIndex : ''}`}
            className="flex min-h-9 flex-wrap items-center gap-2 border-t border-line py-1"
          >
            <TriangleAlert size={16} className={check.kind === 'goes_back' ? 'text-bad' : 'text-warn'} aria-hidden />
            <span className="min-w-0 flex-1">{checkText(check, props)}</span>
            <Fix check={check} {...props} />
          </li>
        ))
      )}
    </ul>
  )
}

function checkText(check: Check, { itinerary, places }: DaySummaryProps): string {
  const nameOf = (key: string) => places.nameOf(itinerary.stops.find((stop) => stop.key === key)?.placeId ?? '')
  switch (check.kind) {
    case 'no_stops':
      return m.tours_check_no_stops()
    case 'no_end':
      return m.tours_check_no_end({ place: nameOf(check.stopKey) })
    case 'goes_back':
      return m.tours_check_goes_back({ place: nameOf(check.stopKey) })
    case 'tight':
      return m.tours_check_tight({
        place: nameOf(check.stopKey),
        planned: formatDuration(check.plannedMin),
        usual: formatDuration(check.usualMin),
      })
    case 'long_day':
      return m.tours_check_long_day({
        number: check.dayIndex,
        hours: formatDuration(check.minutes),
        limit: formatDuration(guideDayMin),
      })
  }
}

/** The way out of a check where one press is enough. */
function Fix({ check, itinerary, readOnly, onChange }: DaySummaryProps & { check: Check }) {
  if (readOnly || check.kind === 'no_stops' || check.kind === 'long_day') return null
  const stop = itinerary.stops.find((each) => each.key === check.stopKey)
  if (!stop) return null
  if (check.kind === 'no_end') {
    return (
      <Button size="sm" onClick={() => onChange(changeStop(itinerary, stop.key, { kind: 'end' }))}>
        {m.tours_fix_end()}
      </Button>
    )
  }
  const day = itinerary.stops.filter((each) => each.dayIndex === stop.dayIndex)
  const before = day[day.indexOf(stop) - 1]
  if (!before) return null
  const wayMin = check.kind === 'tight' ? check.usualMin : 0
  return (
    <Button
      size="sm"
      onClick={() =>
        onChange(changeStop(itinerary, stop.key, { offsetMin: before.offsetMin + before.dwellMin + wayMin }))
      }
    >
      {check.kind === 'tight' ? m.tours_fix_use({ usual: formatDuration(wayMin) }) : m.tours_fix_after()}
    </Button>
  )
}
