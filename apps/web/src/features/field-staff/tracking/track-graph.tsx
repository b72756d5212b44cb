import type { Track } from '@tour-ops/contract/tracking/tracks'
import { useMemo, type PointerEvent } from 'react'
import { m } from '../../../paraglide/messages.js'
import { formatHeight, formatPercent, formatSpeed } from '../../../ui/format.ts'
import { Segments } from '../../../ui/tabs.tsx'
import { trackColors } from '../../map/index.ts'
import { shareOf, type Span } from '../../tracking/index.ts'
import { graphBox, type GraphMeasure, graphMeasures, lineOf, pathOf, rangeOf } from './graph-lines.ts'
import type { TrackEvent } from './track-events.ts'

/** Which measure the graph shows. */
export const MeasureChoice = ({ measure, onMeasure }: MeasureChoiceProps) => (
  <Segments
    label={m.tracking_measure()}
    value={measure}
    onChange={onMeasure}
    items={graphMeasures.map((key) => ({ key, label: measureNames[key]() }))}
  />
)

const measureNames: Record<GraphMeasure, () => string> = {
  speed: m.tracking_measure_speed,
  altitude: m.tracking_measure_altitude,
  battery: m.tracking_measure_battery,
}

export const measureText: Record<GraphMeasure, (value: number) => string> = {
  speed: formatSpeed,
  altitude: formatHeight,
  battery: (percent) => formatPercent(percent / 100),
}

interface MeasureChoiceProps {
  measure: GraphMeasure
  onMeasure: (measure: GraphMeasure) => void
}

interface TrackGraphProps {
  tracks: readonly Track[]
  events: readonly TrackEvent[]
  span: Span
  at: number
  onSeek: (at: number) => void
  measure: GraphMeasure
}

/** One measure of all tracks over time, with the moment that map and list show. A press goes to a moment; the slider below does the same for the keyboard. */
export function TrackGraph({ tracks, events, span, at, onSeek, measure }: TrackGraphProps) {
  const seek = (event: PointerEvent<HTMLDivElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    onSeek(span.from + ((event.clientX - left) / width) * (span.to - span.from))
  }
  return (
    <div
      className="relative h-20 cursor-crosshair touch-none border-y border-line"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        seek(event)
      }}
      onPointerMove={(event) => event.buttons === 1 && seek(event)}
    >
      <Lines tracks={tracks} span={span} measure={measure} />
      <Arrivals events={events} span={span} />
      <span
        aria-hidden
        className="pointer-events-none absolute inset-y-0 w-px bg-ink-strong"
        style={{ left: shareOf(at, span) }}
      />
    </div>
  )
}

function Lines({ tracks, span, measure }: Pick<TrackGraphProps, 'tracks' | 'span' | 'measure'>) {
  const drawn = useMemo(() => {
    const lines = tracks.map((track) => lineOf(track, measure))
    const range = rangeOf(lines, measure)
    return range && { range, paths: lines.map((line) => pathOf(line, span, range)) }
  }, [tracks, measure, span])
  if (!drawn) return <p className="grid h-full place-items-center text-ink-2">{m.tracking_graph_none()}</p>
  return (
    <>
      <svg
        aria-hidden
        className="size-full overflow-visible"
        viewBox={`0 0 ${graphBox.width} ${graphBox.height}`}
        preserveAspectRatio="none"
      >
        {drawn.paths.map((path, place) => (
          <path
            key={tracks[place]?.subject.id}
            d={path}
            fill="none"
            stroke={`var(--${trackColors[place]})`}
            strokeWidth={2}
            strokeLinejoin="round"
            vectorEffect="non-scaling-stroke"
          />
        ))}
      </svg>
      <Scale top={measureText[measure](drawn.range.high)} bottom={measureText[measure](drawn.range.low)} />
    </>
  )
}

const Scale = ({ top, bottom }: { top: string; bottom: string }) => (
  <span
    aria-hidden
    className="num pointer-events-none absolute inset-y-1 start-1 flex flex-col justify-between text-2xs text-ink-2"
  >
    <span className="rounded bg-surface/80 px-0.5">{top}</span>
    <span className="rounded bg-surface/80 px-0.5">{bottom}</span>
  </span>
)

/** Arrivals of the departures as ticks at the upper edge; the list of the day has them as text. */
const Arrivals = ({ events, span }: Pick<TrackGraphProps, 'events' | 'span'>) =>
  events.map(
    ({ key, kind, at }) =>
      kind === 'arrival' &&
      at >= span.from &&
      at <= span.to && (
        <span
          key={key}
          aria-hidden
          className="pointer-events-none absolute top-0 h-2.5 w-0.5 -translate-x-1/2 bg-ink-2"
          style={{ left: shareOf(at, span) }}
        />
      ),
  )
