import type { RoomType } from '@tour-ops/contract/bookings/room-types'
import { m } from '../paraglide/messages.js'

export const roomLabels: Readonly<Record<RoomType, () => string>> = {
  SGL: m.imports_room_SGL,
  DBL: m.imports_room_DBL,
  TWN: m.imports_room_TWN,
  TRP: m.imports_room_TRP,
  QUAD: m.imports_room_QUAD,
  DORM: m.imports_room_DORM,
  TENT: m.imports_room_TENT,
}
