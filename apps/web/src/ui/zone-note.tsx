import { useSyncExternalStore } from 'react'
import { m } from '../paraglide/messages.js'
import { foreignOffset, foreignZone, formatZone, onFormatRegion, viewerZone, type Moment } from './format.ts'

/** Next to a time in a column: how far the zone is from UTC, where the office's clock shows another time. */
export function ZoneNote({ moment, zone }: { moment: Moment; zone: string }) {
  const there = () => foreignOffset(moment, zone)
  const offset = useSyncExternalStore(onFormatRegion, there, there)
  if (offset === '') return null
  return (
    <span className="num text-2xs font-normal whitespace-nowrap text-ink-2" title={formatZone(zone)}>
      {offset}
    </span>
  )
}

/** Which zone the times of a list are in that says when something happened: the reader's own, where the office's clock shows another time. */
export function ViewerZoneNote() {
  const zone = useSyncExternalStore(onFormatRegion, () => foreignZone(Date.now(), viewerZone()))
  return zone === '' ? null : <span>{m.ui_your_times({ zone })}</span>
}
