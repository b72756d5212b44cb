import { newId } from '../../platform/ids.ts'
import { addDays } from '../../platform/local-time.ts'
import type { PartyProblem } from './plan-booking.ts'
import type { DepartureFacts, RoomFacts } from './plan-store.ts'
import type { Change, RoomPlan } from './plan-types.ts'
import type { RowValues } from './row-values.ts'

/** A room that an earlier line of the file makes or changes. */
interface FileRoom {
  readonly ids: readonly string[]
  readonly type: string
  readonly line: number
}

/** A room without a type. */
const usualType = 'DBL'

export interface RoomsPlanned {
  readonly plan?: RoomPlan
  readonly changes: readonly Change[]
}

/**
 * Who sleeps where, by the key that a file gives its rooms: people with the same key on a departure share one, every night.
 */
export class RoomBook {
  readonly #fromFile = new Map<string, FileRoom>()
  /** Rooms of the party that is being planned: they count for its own lines, and for others once it is taken. */
  readonly #pending = new Map<string, FileRoom>()

  /** Forgets the rooms of a party that was refused. */
  begin(): void {
    this.#pending.clear()
  }

  /** The party is taken. */
  keep(): void {
    for (const [key, room] of this.#pending) this.#fromFile.set(key, room)
    this.#pending.clear()
  }

  plan(
    values: RowValues,
    line: number,
    departure: DepartureFacts,
    rooms: readonly RoomFacts[],
    entryId: string,
  ): RoomsPlanned | PartyProblem {
    const { roomKey, roomType } = values
    if (roomKey === undefined) return { changes: [] }
    const mine = rooms.filter((room) => room.entryIds.includes(entryId))
    const before = shownRoom(mine[0]?.roomKey, mine[0]?.type)
    if (roomKey === null) {
      if (mine.length === 0) return { changes: [] }
      const plan = { make: [], retype: null, put: [], take: mine.map((room) => room.id) }
      return { plan, changes: [{ field: 'room', before, after: null }] }
    }
    const key = `${departure.id} ${roomKey}`
    const known = this.#fromFile.get(key) ?? this.#pending.get(key)
    if (known && roomType && known.type !== roomType) {
      return { code: 'party_disagrees', field: 'room_type', params: { line: String(known.line) } }
    }
    const there = rooms.filter((room) => room.departureId === departure.id && room.roomKey === roomKey)
    const make = known || there.length > 0 ? [] : newRooms(departure, roomKey, roomType ?? usualType)
    const ids = known?.ids ?? (there.length > 0 ? there : make).map((room) => room.id)
    const present = there[0]?.type
    const retype =
      !known && present !== undefined && roomType && roomType !== present
        ? { ids: there.map((room) => room.id), to: roomType, was: present }
        : null
    const put = ids.filter((id) => !mine.some((room) => room.id === id))
    const take = mine.filter((room) => room.roomKey !== roomKey).map((room) => room.id)
    const type = roomType ?? known?.type ?? present ?? usualType
    if (!known) this.#pending.set(key, { ids, type, line })
    if (put.length === 0 && take.length === 0 && retype === null) return { changes: [] }
    return {
      plan: { make, retype, put, take },
      changes: [{ field: 'room', before, after: shownRoom(roomKey, type) }],
    }
  }
}

const shownRoom = (key: string | undefined, type: string | undefined): string | null =>
  key === undefined ? null : [key, type].filter(Boolean).join(' ')

function newRooms({ localDate, nights }: DepartureFacts, roomKey: string, type: string): RoomPlan['make'] {
  return Array.from({ length: nights }, (_, night) => ({
    id: newId(),
    night_date: addDays(localDate, night),
    type,
    room_key: roomKey,
  }))
}
