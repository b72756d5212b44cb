import type { ImportField } from '@tour-ops/contract/imports/import-mapping'
import { problem, type Warning } from './import-problems.ts'
import { keptLine } from './kept-cells.ts'
import { type PartyFields, pickupOf } from './plan-booking.ts'
import type { DepartureFacts, Pickup } from './plan-store.ts'
import { nameOf, type StagedRow } from './plan-types.ts'

type HeaderOf = (field: string) => string | null

/** What only the departure can show not to fit becomes a warning as well: its text is kept in the note of the booking. */
const warningOf = (
  code: Warning['code'],
  field: ImportField,
  headerOf: HeaderOf,
  params: Warning['params'] = {},
): Warning => ({
  ...problem(code, headerOf(field), params),
  result: 'note',
})

interface WithPickup {
  readonly said: PartyFields
  readonly pickup: Pickup | null | undefined
  readonly warnings: readonly Warning[]
}

/** The pickup of a party, or its words in the note where the departure has no such stop. */
export function pickupOrNote(said: PartyFields, departure: DepartureFacts, headerOf: HeaderOf): WithPickup {
  const pickup = pickupOf(said, departure)
  if (!pickup || !('code' in pickup)) return { said, pickup, warnings: [] }
  const field = pickup.field === 'pickup_time' ? 'pickup_time' : 'pickup_place'
  const line = keptLine(headerOf(field) ?? 'Pickup', pickup.params['value'] ?? '')
  return {
    said: { ...said, kept: [...said.kept, line] },
    pickup: undefined,
    warnings: [warningOf(pickup.code, field, headerOf, pickup.params)],
  }
}

/** A day tour has no rooms: what the line says about one is kept in the note. */
export function withoutRoom(row: StagedRow, departure: DepartureFacts, headerOf: HeaderOf): StagedRow {
  const { roomKey, roomType, ...values } = row.values
  if (!roomKey || departure.nights > 0) return row
  const room = [roomKey, roomType].filter(Boolean).join(' ')
  const line = keptLine(headerOf('room_key') ?? 'Room', room, nameOf(values))
  return {
    ...row,
    values: { ...values, kept: [...(values.kept ?? []), line] },
    warnings: [...row.warnings, warningOf('room_without_nights', 'room_key', headerOf)],
  }
}
