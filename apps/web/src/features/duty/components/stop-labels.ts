import { m } from '../../../paraglide/messages.js'
import { countText, stopKindLabels } from '../../../records/stop-labels.ts'
import { travelModeLabels } from '../../../records/travel-modes.ts'
import { formatDuration } from '../../../ui/format.ts'
import type { ShownStop } from '../store/shown-day.ts'

/** `30 min · count before leaving`, `Lunch · 16 of 17 counted`. */
export function stopDetail(stop: ShownStop): string {
  const isBehind = stop.status === 'departed' || stop.status === 'skipped'
  return [
    stopKindLabels[stop.kind]?.(),
    !isBehind && stop.travelMode && travelModeLabels[stop.travelMode](),
    !isBehind && stop.dwellMin > 0 && formatDuration(stop.dwellMin),
    !isBehind && stop.timedEntry && m.departures_timed_entry(),
    countText(stop),
    stop.status === 'skipped' && stop.skipReason,
    stop.note,
  ]
    .filter(Boolean)
    .join(' · ')
}
