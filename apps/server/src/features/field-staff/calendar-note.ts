import type { MemberCall } from '../../context.ts'
import type { SealedPlace } from '../../platform/sealed-text.ts'

/** Where the reason of leave is stored. */
export const calendarNoteOf = ({ orgId }: MemberCall, entryId: string): SealedPlace => ({
  orgId,
  column: 'staff_calendar_entries.note_sealed',
  id: entryId,
})
