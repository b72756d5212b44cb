import * as z from 'zod/mini'
import { Id } from '../fields.ts'

/** A person of the field staff, or a vehicle: whatever reports positions. */
export const TrackedRef = z.object({ kind: z.enum(['staff', 'vehicle']), id: Id, name: z.string() })
export type TrackedRef = z.output<typeof TrackedRef>
