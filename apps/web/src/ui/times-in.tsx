import { useSyncExternalStore } from 'react'
import { m } from '../paraglide/messages.js'
import { formatZone, onFormatRegion, viewerZone, zonesDiffer } from './format.ts'

/** Whose clock the times of a log are in, for a reader whose own clock shows another time; nothing for everybody else. */
export function TimesIn({ zone }: { zone: string }) {
  const isForeign = useSyncExternalStore(onFormatRegion, () => zonesDiffer(Date.now(), zone, viewerZone()))
  return isForeign ? <span>{m.ui_times_in({ zone: formatZone(zone) })}</span> : null
}
