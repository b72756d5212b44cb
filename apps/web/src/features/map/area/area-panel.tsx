import type { MapDeparture } from '@tour-ops/contract/map/map'
import { Copy, Download, Printer } from 'lucide-react'
import { type RefObject, useEffect, useEffectEvent, useMemo, useRef } from 'react'
import { useLateLimits } from '../../../app/late-limits.ts'
import { m } from '../../../paraglide/messages.js'
import { Button } from '../../../ui/button.tsx'
import { copyText } from '../../../ui/copy-text.ts'
import { csvText } from '../../../ui/csv-text.ts'
import { ErrorPanel } from '../../../ui/error-panel.tsx'
import { formatDayTime, formatNumber, formatPastAge, localDateOf, localTimeOf } from '../../../ui/format.ts'
import { OnPaper } from '../../../ui/on-paper.tsx'
import { saveTextFile } from '../../../ui/save-file.ts'
import { SkeletonRows } from '../../../ui/skeleton.tsx'
import type { useSeenSubjects } from '../../tracking/index.ts'
import type { MapAddition } from '../basemap/layered-map.ts'
import type { MapTarget } from '../map-canvas.tsx'
import { PanelHead } from '../panel-head.tsx'
import { useEscape } from '../use-escape.ts'
import { AreaActions } from './area-actions.tsx'
import { draftArea } from './area-draft.ts'
import { AreaFields, type PlacePress } from './area-fields.tsx'
import { areaOf, areaText } from '../../../addresses/area.ts'
import { useAreaDraft } from './use-area-draft.ts'
import { type InsideArea, insideArea } from './inside-area.ts'
import { type AreaRow, areaRows, areaTable } from './area-rows.ts'
import { AreaSheet } from './area-sheet.tsx'

export interface AreaPanelProps {
  /** What the address has of it. */
  text: string
  /** The area as the address keeps it; undefined while it is none yet. */
  onText: (text: string | undefined) => void
  /** What the map draws of it; undefined when this is left. */
  onDraw: (addition: MapAddition | undefined) => void
  /** Moves the map to the area. */
  onTarget: (target: MapTarget) => void
  /** Takes the presses on the map as long as this is shown. */
  onPress: RefObject<PlacePress | null>
  seen: ReturnType<typeof useSeenSubjects>
  /** Undefined until they are known. */
  departures: readonly MapDeparture[] | undefined
  now: number
  /** Of the office. */
  zone: string | undefined
  onClose: () => void
}

/** "Who is in there now?": an area is drawn, and everybody who was last known to be in it is listed. See docs/screens.md, "Live map". */
export function AreaPanel(props: AreaPanelProps) {
  const { text, onText, onDraw, onTarget, onPress, seen, departures, now, zone, onClose } = props
  const [draft, setDraft, area] = useAreaDraft(() => areaOf(text), { onDraw, onTarget })
  const back = useRef<HTMLButtonElement>(null)
  // The keyboard follows what was pressed beside the map.
  useEffect(() => back.current?.focus({ preventScroll: true }), [])
  const begin = useEffectEvent(() => {
    // What the address has is no area: the map opens as it does without one.
    if (!area) onText(undefined)
  })
  useEffect(() => begin(), [])
  useEscape(onClose)
  const { people, state, retry } = seen
  const inside = useMemo(
    () => (area && departures && state === 'ready' ? insideArea(area, { people, departures }, now) : undefined),
    [area, people, departures, state, now],
  )
  return (
    <>
      <div className="shrink-0 border-b border-line px-4 pb-3 lg:pt-3">
        <PanelHead
          className="-ms-2 mb-2"
          backLabel={m.map_area_close()}
          onBack={onClose}
          backRef={back}
          title={m.map_area()}
        />
        <AreaFields
          draft={draft}
          onDraft={(next) => {
            setDraft(next)
            const drawn = draftArea(next)
            onText(drawn && areaText(drawn))
          }}
          onPress={onPress}
        />
      </div>
      {/* A phone's sheet is too low for a list between two rows of buttons: there all of it scrolls. */}
      <div className="flex min-h-0 flex-1 flex-col max-lg:overflow-y-auto">
        {area && state === 'failed' ? (
          <ErrorPanel message={m.map_area_failed()} onRetry={retry} />
        ) : inside ? (
          <Inside inside={inside} now={now} zone={zone} />
        ) : (
          area && <SkeletonRows rows={6} />
        )}
        <AreaActions inside={inside} />
      </div>
    </>
  )
}

function Inside({ inside, now, zone }: { inside: InsideArea; now: number; zone: string | undefined }) {
  const rows = areaRows(inside, now, useLateLimits())
  const table = areaTable(rows, now, zone)
  const counts = [
    m.map_area_on_duty({ count: formatNumber(inside.people.length) }),
    m.map_area_departures({ count: formatNumber(inside.departures.length) }),
    m.map_area_guests_aboard({ count: formatNumber(inside.guests) }),
    m.map_area_old({ count: formatNumber(inside.old) }),
  ].join(' · ')
  const summary = `${formatDayTime(now, zone)} · ${counts}`
  const copy = () =>
    void copyText([m.map_area(), summary, ...table.map((row) => row.join('\t'))].join('\n'), m.map_area_copied())
  const save = () => {
    const moment = `${localDateOf(now, zone)}-${localTimeOf(now, zone).replace(':', '')}`
    saveTextFile(`${m.map_area_file()}-${moment}.csv`, csvText(table))
  }
  return (
    <>
      <div
        className="lg:min-h-0 lg:flex-1 lg:overflow-y-auto"
        role="region"
        aria-label={m.map_area_inside()}
        tabIndex={0}
      >
        <p className="num border-b border-line bg-surface-2 px-4 py-1.5 text-xs font-medium text-ink-2">
          {formatDayTime(now, zone)} · <span role="status">{counts}</span>
        </p>
        {rows.length === 0 && <p className="p-4 text-ink-2">{m.map_area_nobody()}</p>}
        <ul>
          {rows.map((row) => (
            <InsideRow key={row.key} row={row} now={now} />
          ))}
        </ul>
      </div>
      <div className="flex shrink-0 flex-wrap gap-2 border-t border-line p-3">
        <Button size="sm" icon={Copy} onClick={copy}>
          {m.map_area_copy()}
        </Button>
        <Button size="sm" icon={Printer} onClick={() => print()}>
          {m.map_area_print()}
        </Button>
        <Button size="sm" icon={Download} onClick={save}>
          {m.map_area_csv()}
        </Button>
      </div>
      <OnPaper>
        <AreaSheet summary={summary} table={table} />
      </OnPaper>
    </>
  )
}

const InsideRow = ({ row: { kind, name, state, guests, knownBy, at }, now }: { row: AreaRow; now: number }) => (
  <li className="border-b border-line px-4 py-2">
    <span className="flex gap-2">
      <b className="min-w-0 flex-1 font-medium text-ink-strong">{name}</b>
      <span className="shrink-0 text-ink-2">{state}</span>
    </span>
    <span className="num block text-xs text-ink-2">
      {[kind, guests, knownBy, formatPastAge(at, now)].filter(Boolean).join(' · ')}
    </span>
  </li>
)
