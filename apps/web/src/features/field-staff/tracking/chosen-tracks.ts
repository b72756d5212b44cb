import { maxTracksAtOnce } from '@tour-ops/contract/tracking/tracks'
import type { TrackedRef } from '@tour-ops/contract/tracking/tracked-ref'
import { isEntityId } from '../../../addresses/entity-id.ts'
import { addDays } from '../../../ui/format.ts'
import { momentOfWall } from '../../../ui/wall-time.ts'

/** Whose track it is, as the address and the list name it: `staff.{id}`, `vehicle.{id}`. */
export type TrackKey = `${TrackedRef['kind']}.${string}`

export const keyOf = ({ kind, id }: Pick<TrackedRef, 'kind' | 'id'>): TrackKey => `${kind}.${id}`

const isKey = (word: string): word is TrackKey => {
  const [kind, id = ''] = word.split('.', 2)
  return (kind === 'staff' || kind === 'vehicle') && isEntityId(id)
}

/** Tracks of an address, in the order in which they were chosen; what is none is left out. */
export const keysIn = (text: string | undefined): TrackKey[] =>
  [...new Set((text ?? '').split(',').filter(isKey))].slice(0, maxTracksAtOnce)

/** The same for the address; undefined for none. */
export const keysText = (keys: readonly TrackKey[]): string | undefined => keys.join(',') || undefined

const idsOf = (keys: readonly TrackKey[], kind: TrackedRef['kind']): string[] =>
  keys.flatMap((key) => (key.startsWith(`${kind}.`) ? key.slice(kind.length + 1) : []))

/** What the server is asked for these tracks on a day of the reader. @param day `2026-11-25` */
export function askedOf(keys: readonly TrackKey[], day: string, zone: string) {
  const midnight = (date: string): string => momentOfWall(`${date}T00:00`, zone) ?? `${date}T00:00:00.000Z`
  return {
    staffId: idsOf(keys, 'staff'),
    vehicleId: idsOf(keys, 'vehicle'),
    from: midnight(day),
    to: midnight(addDays(day, 1)),
  }
}
