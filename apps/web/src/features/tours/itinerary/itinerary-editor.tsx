import { Copy, Plus, Redo2, Trash2, Undo2 } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { m } from '../../../paraglide/messages.js'
import { Button } from '../../../ui/button.tsx'
import { ChoiceChip } from '../../../ui/chip.tsx'
import { isTyping } from '../../../ui/drawer.tsx'
import { Field, TextInput } from '../../../ui/field.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { AddPlace } from './add-place.tsx'
import { DaySummary } from './day-summary.tsx'
import { freshHistory, redone, undone, withStep, type History } from './history.ts'
import { legsOf, waysOf } from './itinerary-checks.ts'
import { addDay, addStop, changeDay, copyDay, removeDay, stopsOn, type Itinerary } from './itinerary.ts'
import { RouteSketch } from './route-sketch.tsx'
import { StopInspector } from './stop-inspector.tsx'
import { StopList } from './stop-list.tsx'
import type { KnownPlace, PlaceBook } from './use-places.ts'
import { useRoadWays } from './use-road-ways.ts'

export type ItineraryHistory = History<Itinerary>

/** The state an editor begins with. */
export const freshItinerary = (itinerary: Itinerary): ItineraryHistory => freshHistory(itinerary)

export interface ItineraryEditorProps {
  history: ItineraryHistory
  onChange: (history: ItineraryHistory) => void
  places: PlaceBook
  /** Clock time that a day begins at, `09:00`; stops keep only minutes after it. */
  startTime: string
  isWalking: boolean
  /** Zone of places that are made here. */
  timeZone: string
  readOnly?: boolean
}

/** Days and stops of a tour: list, plan with totals and checks, and the chosen stop. */
export function ItineraryEditor(props: ItineraryEditorProps) {
  const { history, onChange, places, startTime, isWalking, timeZone, readOnly = false } = props
  const itinerary = history.present
  const [wantedDay, setDay] = useState(1)
  const [chosen, setChosen] = useState<string | null>(null)
  const dayIndex = Math.min(wantedDay, itinerary.days.length)
  const stops = stopsOn(itinerary, dayIndex)
  const roads = useRoadWays(itinerary, isWalking)
  const wayOf = waysOf({ pointOf: places.pointOf, isWalking, roads })
  const legs = legsOf(stops, wayOf)
  const stop = stops.find((each) => each.key === chosen) ?? stops[0]
  const change = (next: Itinerary, tag?: string) => onChange(withStep(history, next, tag))
  useUndoKeys(readOnly ? undefined : (by) => onChange(by < 0 ? undone(history) : redone(history)))

  /** Minutes from the last stop of a day to a place, as far as known. */
  const travelTo = (placeId: string, day: number, by = wayOf): number => {
    const last = stopsOn(itinerary, day).at(-1)
    return (last && by(last.placeId, { placeId, travelMode: null })?.usualMin) ?? 0
  }
  const add = (place: KnownPlace) => {
    places.learn(place)
    const pointOf = (id: string) => (id === place.id ? place : places.pointOf(id))
    const next = addStop(
      itinerary,
      dayIndex,
      place.id,
      travelTo(place.id, dayIndex, waysOf({ pointOf, isWalking, roads })),
    )
    change(next)
    setChosen(stopsOn(next, dayIndex).at(-1)?.key ?? null)
  }
  return (
    <div className="card grid grid-cols-[minmax(0,1fr)] overflow-hidden lg:grid-cols-[320px_minmax(0,1fr)_300px]">
      <section className="flex min-w-0 flex-col border-line lg:border-e" aria-label={m.tours_stops()}>
        <div className="flex min-h-12 flex-wrap items-center gap-1.5 border-b border-line px-3 py-2">
          {itinerary.days.map((day) => (
            <ChoiceChip key={day.dayIndex} pressed={day.dayIndex === dayIndex} onClick={() => setDay(day.dayIndex)}>
              {m.tours_day_n({ number: day.dayIndex })}
            </ChoiceChip>
          ))}
          {!readOnly && (
            <DayActions
              dayIndex={dayIndex}
              count={itinerary.days.length}
              history={history}
              onUndo={() => onChange(undone(history))}
              onRedo={() => onChange(redone(history))}
              onAdd={() => {
                const number = itinerary.days.length + 1
                change(addDay(itinerary, m.tours_day_n({ number })))
                setDay(number)
              }}
              onCopy={() => {
                const number = itinerary.days.length + 1
                change(copyDay(itinerary, dayIndex, m.tours_day_n({ number })))
                setDay(number)
              }}
              onRemove={() => change(removeDay(itinerary, dayIndex))}
            />
          )}
        </div>
        {itinerary.days.length > 1 && (
          <DayTitle
            key={dayIndex}
            title={itinerary.days[dayIndex - 1]?.title ?? ''}
            readOnly={readOnly}
            onChange={(title) => change(changeDay(itinerary, dayIndex, { title }), `day-${dayIndex}`)}
          />
        )}
        <StopList
          itinerary={itinerary}
          stops={stops}
          legs={legs}
          places={places}
          startTime={startTime}
          chosen={stop?.key}
          readOnly={readOnly}
          onChoose={setChosen}
          onChange={change}
          travelTo={travelTo}
        />
        {!readOnly && <AddPlace timeZone={timeZone} onAdd={add} />}
      </section>
      <section className="flex min-w-0 flex-col max-lg:border-t max-lg:border-line" aria-label={m.tours_plan()}>
        <RouteSketch stops={stops} places={places} chosen={stop?.key} onChoose={setChosen} />
        <DaySummary
          itinerary={itinerary}
          stops={stops}
          legs={legs}
          wayOf={wayOf}
          isRouterSilent={roads.some((each) => each.router === 'silent')}
          places={places}
          startTime={startTime}
          chosen={stop?.key}
          readOnly={readOnly}
          onChange={change}
        />
      </section>
      <section className="min-w-0 border-line max-lg:border-t lg:border-s" aria-label={m.tours_chosen_stop()}>
        {stop ? (
          <StopInspector
            key={stop.key}
            itinerary={itinerary}
            stop={stop}
            number={stops.indexOf(stop) + 1}
            count={stops.length}
            places={places}
            startTime={startTime}
            isWalking={isWalking}
            readOnly={readOnly}
            onChange={change}
          />
        ) : (
          <p className="p-4 text-ink-2">{m.tours_no_stop_chosen()}</p>
        )}
      </section>
    </div>
  )
}

interface DayActsProps {
  dayIndex: number
  count: number
  history: ItineraryHistory
  onUndo: () => void
  onRedo: () => void
  onAdd: () => void
  onCopy: () => void
  onRemove: () => void
}

function DayActions({ dayIndex, count, history, onUndo, onRedo, onAdd, onCopy, onRemove }: DayActsProps) {
  return (
    <>
      <Button variant="ghost" size="sm" icon={Plus} onClick={onAdd}>
        {m.tours_add_day()}
      </Button>
      <span className="flex-1" />
      <IconButton label={m.tours_undo()} icon={Undo2} small disabled={history.past.length === 0} onClick={onUndo} />
      <IconButton label={m.tours_redo()} icon={Redo2} small disabled={history.future.length === 0} onClick={onRedo} />
      <IconButton label={m.tours_copy_day({ number: dayIndex })} icon={Copy} small onClick={onCopy} />
      <IconButton
        label={m.tours_remove_day({ number: dayIndex })}
        icon={Trash2}
        small
        disabled={count === 1}
        onClick={onRemove}
      />
    </>
  )
}

interface DayTitleProps {
  title: string
  readOnly: boolean
  onChange: (title: string) => void
}

const DayTitle = ({ title, readOnly, onChange }: DayTitleProps) => (
  <div className="border-b border-line px-3 py-2">
    <Field label={m.tours_day_title()}>
      <TextInput value={title} maxLength={120} readOnly={readOnly} onChange={(event) => onChange(event.target.value)} />
    </Field>
  </div>
)

/** Ctrl+Z and Ctrl+Shift+Z (Ctrl+Y) outside of fields, which have an undo of their own. */
function useUndoKeys(step: ((by: 1 | -1) => void) | undefined): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!step || !(event.ctrlKey || event.metaKey) || event.altKey || isTyping(event.target)) return
    const key = event.key.toLowerCase()
    if (key === 'z') step(event.shiftKey ? 1 : -1)
    else if (key === 'y') step(1)
    else return
    event.preventDefault()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}
