import { waitingMarkOf } from '../rules/guest-marks.ts'
import { phone, usePhone } from '../store/phone.ts'

/** Takes a check-in back: as if it had never been while the office does not have it, else as a mark of its own. */
export async function undoCheckIn(departureId: string, entryId: string): Promise<void> {
  const waiting = waitingMarkOf(usePhone.getState().kept, entryId)
  if (waiting !== null && (await phone().takeBack([waiting]))) return
  await phone().act({ kind: 'undo_check_in', departureId, entryId })
}
