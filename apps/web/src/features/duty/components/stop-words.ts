import { m } from '../../../paraglide/messages.js'
import { formatDuration } from '../../../ui/format.ts'
import { isCountOpen } from '../rules/way.ts'
import type { ShownStop } from '../store/shown-day.ts'
import { stopKindLabels } from './labels.ts'

/** `30 min · count before leaving`, `Lunch · 16 of 17 counted`. */
export function stopDetail(stop: ShownStop): string {
  const isBehind = stop.status === 'departed' || stop.status === 'skipped'
  return [
    stopKindLabels[stop.kind]?.(),
    !isBehind && stop.dwellMin > 0 && formatDuration(stop.dwellMin),
    !isBehind && stop.timedEntry && m.departures_timed_entry(),
    isCountOpen(stop) ? m.departures_count_before_leaving() : countText(stop),
    stop.status === 'skipped' && stop.skipReason,
    stop.note,
  ]
    .filter(Boolean)
    .join(' · ')
}

const countText = ({ headcountActual: counted, headcountExpected: expected }: ShownStop): string | false =>
  counted !== null &&
  (expected === null ? m.departures_counted({ count: counted }) : m.departures_counted_of({ counted, expected }))
