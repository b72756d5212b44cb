import type { Permission } from './identity/access.ts'

/**
 * Tables of plain records (`record.ts`) and the permission that reads them. Their live topics and the addresses of their screens follow
 * from this list; it is apart from the definitions because every page loads it.
 */
export const recordTables = {
  discount_codes: 'bookings:read',
  equipment: 'staff:read',
  vehicles: 'staff:read',
} as const satisfies Record<string, Permission>

export type RecordTable = keyof typeof recordTables

/** What addresses and callables call the records of a table: `room_lists` is `room-lists`. */
export const recordName = (table: string): string => table.replaceAll('_', '-')
