import { useSyncExternalStore } from 'react'
import { foreignOffset, formatZone, onFormatRegion, type Moment } from './format.ts'

/** Beside a time in a column: how far the zone is from UTC, where the office's clock shows another time. */
export function ZoneNote({ moment, zone }: { moment: Moment; zone: string }) {
  const offset = useSyncExternalStore(onFormatRegion, () => foreignOffset(moment, zone))
  if (offset === '') return null
  return (
    <span className="num text-2xs font-normal whitespace-nowrap text-ink-2" title={formatZone(zone)}>
      {offset}
    </span>
  )
}
