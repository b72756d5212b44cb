import {
  BedDouble,
  Bus,
  Camera,
  Car,
  Flag,
  FlagTriangleRight,
  Footprints,
  GripVertical,
  Landmark,
  Coffee,
  Move,
  Plane,
  Ship,
  TrainFront,
  Utensils,
  UsersRound,
  TriangleAlert,
  WifiOff,
  type LucideIcon,
} from 'lucide-react'
import { useState, type DragEvent, type KeyboardEvent } from 'react'
import type { TourStop } from '@tour-ops/contract/tours/tour-content'
import type { TravelMode } from '@tour-ops/contract/tours/tour-terms'
import { m } from '../../../paraglide/messages.js'
import { travelModeLabels } from '../../../records/travel-modes.ts'
import { classNames } from '../../../ui/class-names.ts'
import { formatDuration, formatLocalTime } from '../../../ui/format.ts'
import { Ltr } from '../../../ui/ltr.tsx'
import { Menu, type MenuAction } from '../../../ui/menu.tsx'
import { stopKindLabels } from '../tour-labels.ts'
import { clockAt } from './clock-time.ts'
import type { Leg } from './itinerary-checks.ts'
import { copyStop, moveStop, moveToDay, removeStop, type EditStop, type Itinerary } from './itinerary.ts'
import type { PlaceBook } from './use-places.ts'
import { distanceLabel } from './way-labels.ts'

const kindIcons: Record<TourStop['kind'], LucideIcon> = {
  start: Flag,
  pickup: Bus,
  visit: Landmark,
  meal: Utensils,
  photo: Camera,
  rest: Coffee,
  transfer: Car,
  overnight: BedDouble,
  end: FlagTriangleRight,
}

export interface StopListProps {
  itinerary: Itinerary
  stops: readonly EditStop[]
  legs: readonly Leg[]
  places: PlaceBook
  startTime: string
  chosen: string | undefined
  readOnly: boolean
  onChoose: (key: string) => void
  onChange: (itinerary: Itinerary) => void
  /** Minutes from the last stop of a day to a place. */
  travelTo: (placeId: string, day: number) => number
}

/** The stops of a day with the ways between them. Drag, Alt with an arrow, or the menu moves a stop. */
export function StopList(props: StopListProps) {
  const { itinerary, stops, legs, readOnly, onChange } = props
  const [dragged, setDragged] = useState<string | null>(null)
  const [over, setOver] = useState<number | null>(null)
  const onDrop = (event: DragEvent, at: number) => {
    event.preventDefault()
    if (dragged) onChange(moveStop(itinerary, dragged, at))
    setDragged(null)
    setOver(null)
  }
  if (stops.length === 0) {
    return <p className="flex-1 px-4 py-6 text-ink-2">{readOnly ? m.tours_no_stops() : m.tours_no_stops_yet()}</p>
  }
  return (
    <ol className="flex-1 py-2">
      {stops.map((stop, at) => (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- dragging is for the mouse; Alt with an arrow and the menu of each stop do the same by keyboard
        <li
          key={stop.key}
          draggable={!readOnly}
          onDragStart={(event) => {
            event.dataTransfer.effectAllowed = 'move'
            event.dataTransfer.setData('text/plain', stop.key)
            setDragged(stop.key)
          }}
          onDragOver={(event) => {
            if (dragged === null) return
            event.preventDefault()
            setOver(at)
          }}
          onDragEnd={() => {
            setDragged(null)
            setOver(null)
          }}
          onDrop={(event) => onDrop(event, at)}
          className={classNames(
            over === at && dragged !== null && dragged !== stop.key && 'shadow-[inset_0_2px_0_var(--brand)]',
            dragged === stop.key && 'opacity-60',
          )}
        >
          {at > 0 && <LegRow leg={legs[at - 1]} isSilent={stop.signalGap} />}
          <StopRow {...props} stop={stop} at={at} />
        </li>
      ))}
    </ol>
  )
}

const modeIcons: Record<TravelMode, LucideIcon> = {
  walk: Footprints,
  drive: Car,
  boat: Ship,
  rail: TrainFront,
  air: Plane,
}

function LegRow({ leg, isSilent }: { leg: Leg | undefined; isSilent: boolean }) {
  if (!leg) return null
  const mode = leg.way?.mode
  const Icon = mode && modeIcons[mode]
  const minutes =
    leg.plannedMin >= 0 ? formatDuration(leg.plannedMin) : m.tours_minutes_back({ count: -leg.plannedMin })
  return (
    <div className="flex min-h-6 items-center gap-2 ps-[92px] pe-3 text-xs text-ink-2">
      {Icon ? <Icon size={14} role="img" aria-label={travelModeLabels[mode]()} /> : <span className="w-3.5" />}
      <span className="num flex-1">
        {leg.way && `${distanceLabel(leg.way)} · `}
        {minutes}
      </span>
      {isSilent && <WifiOff size={14} role="img" aria-label={m.departures_signal_gap()} />}
      {(leg.isTight || leg.plannedMin < 0) && (
        <span className="inline-flex items-center gap-1 font-medium text-warn">
          <TriangleAlert size={13} aria-hidden />
          {m.tours_tight()}
        </span>
      )}
    </div>
  )
}

function StopRow(props: StopListProps & { stop: EditStop; at: number }) {
  const { itinerary, stop, at, places, startTime, chosen, readOnly, onChoose, onChange } = props
  const isChosen = stop.key === chosen
  const Icon = kindIcons[stop.kind]
  const name = places.nameOf(stop.placeId)
  const onKeyDown = (event: KeyboardEvent) => {
    if (readOnly || !event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    onChange(moveStop(itinerary, stop.key, at + (event.key === 'ArrowUp' ? -1 : 1)))
  }
  return (
    <div className={classNames('flex items-center pe-1', isChosen && 'selected shadow-[inset_3px_0_0_var(--brand)]')}>
      {readOnly ? (
        <span className="w-4" />
      ) : (
        <GripVertical size={16} className="ms-2 shrink-0 cursor-grab text-ink-2" aria-hidden />
      )}
      <button
        type="button"
        className="flex min-h-11 min-w-0 flex-1 items-center gap-2 px-2 py-1.5 outline-offset-[-2px]"
        aria-current={isChosen || undefined}
        aria-keyshortcuts={readOnly ? undefined : 'Alt+ArrowUp Alt+ArrowDown'}
        onClick={() => onChoose(stop.key)}
        onKeyDown={onKeyDown}
      >
        <Ltr className="w-[calc(40px+var(--hours))] shrink-0 font-semibold text-ink-strong">
          {formatLocalTime(clockAt(startTime, stop.offsetMin))}
        </Ltr>
        <span
          className={classNames(
            'num grid size-[22px] shrink-0 place-items-center rounded-full border-2 border-brand text-2xs font-semibold',
            isChosen ? 'bg-brand-strong text-on-brand' : 'bg-surface text-ink-strong',
          )}
        >
          {at + 1}
        </span>
        <span className="min-w-0 flex-1">
          <b className="block truncate font-medium text-ink-strong">{name}</b>
          <span className="num flex items-center gap-1.5 text-xs text-ink-2">
            {stopKindLabels[stop.kind]()}
            {stop.dwellMin > 0 && ` · ${formatDuration(stop.dwellMin)}`}
            {stop.headcountRequired && <UsersRound size={13} role="img" aria-label={m.tours_headcount()} />}
          </span>
        </span>
        <Icon size={16} className="shrink-0 text-ink-2" aria-hidden />
      </button>
      {!readOnly && <StopMenu {...props} name={name} />}
    </div>
  )
}

function StopMenu(props: StopListProps & { stop: EditStop; at: number; name: string }) {
  const { itinerary, stops, stop, at, name, onChange, travelTo } = props
  const items: MenuAction[] = [
    {
      key: 'up',
      label: m.tours_move_up(),
      disabled: at === 0,
      onSelect: () => onChange(moveStop(itinerary, stop.key, at - 1)),
    },
    {
      key: 'down',
      label: m.tours_move_down(),
      disabled: at === stops.length - 1,
      onSelect: () => onChange(moveStop(itinerary, stop.key, at + 1)),
    },
    ...itinerary.days
      .filter((day) => day.dayIndex !== stop.dayIndex)
      .map((day) => ({
        key: `day-${day.dayIndex}`,
        label: m.tours_move_to_day({ number: day.dayIndex }),
        onSelect: () => onChange(moveToDay(itinerary, stop.key, day.dayIndex, travelTo(stop.placeId, day.dayIndex))),
      })),
    {
      key: 'copy',
      label: m.tours_copy_stop(),
      separated: true,
      onSelect: () => onChange(copyStop(itinerary, stop.key)),
    },
    {
      key: 'remove',
      label: m.tours_remove_stop(),
      danger: true,
      onSelect: () => onChange(removeStop(itinerary, stop.key)),
    },
  ]
  return <Menu label={m.tours_move_stop({ name })} icon={Move} align="end" items={items} />
}
