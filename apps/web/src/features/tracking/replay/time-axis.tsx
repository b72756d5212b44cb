import { formatTime, utcOffsetMinutes, viewerZone } from '../../../ui/format.ts'
import { shareOf, type Span, timeMarks } from './span.ts'

/** A time closer to the end of the axis would be cut. */
const edgeShare = 0.05

/** Times of the clock under graph and slider, in the reader's zone unless another one is given. */
export function TimeAxis({ span, zone }: { span: Span; zone?: string | undefined }) {
  const edge = (span.to - span.from) * edgeShare
  const all = timeMarks(span, utcOffsetMinutes(span.from, zone ?? viewerZone()) * 60_000)
  const marks = all.filter((at) => at >= span.from + edge && at <= span.to - edge)
  return (
    <div aria-hidden className="num relative h-4 overflow-hidden text-2xs text-ink-2">
      {marks.map((at) => (
        <span key={at} className="absolute -translate-x-1/2" style={{ left: shareOf(at, span) }}>
          {formatTime(at, zone)}
        </span>
      ))}
    </div>
  )
}
