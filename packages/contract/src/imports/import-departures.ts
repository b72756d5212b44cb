import * as z from 'zod/mini'
import { Count, Id, LocalDate, LocalTime } from '../fields.ts'

/** A departure that lines of a file name and that was not there: to be made, made, or left by an undo. */
export const NewDeparture = z.object({
  departureId: Id,
  code: z.string(),
  tourName: z.string(),
  localDate: LocalDate,
  startTimeLocal: LocalTime,
  capacity: Count,
  /** Lines that name it. */
  lines: Count,
  /** Seats that the file takes; 0 while it is not to be made. */
  seats: Count,
  isMade: z.boolean(),
  /** Why an undo left it. */
  keptBecause: z.nullable(z.enum(['bookings', 'assignments', 'changes'])),
})
export type NewDeparture = z.output<typeof NewDeparture>
