/** Rooms of a rooming list, as tour operators and hotels write them. */
export const roomTypes = ['SGL', 'DBL', 'TWN', 'TRP', 'QUAD', 'DORM', 'TENT'] as const
export type RoomType = (typeof roomTypes)[number]
