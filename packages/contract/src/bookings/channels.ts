import * as z from 'zod/mini'

/** How a booking was sold. */
export const channels = ['direct', 'phone', 'agent', 'ota', 'partner', 'walk_in', 'import'] as const
export const Channel = z.enum(channels)
export type Channel = z.output<typeof Channel>
