import { waitingMarkOf } from '../rules/guest-marks.ts'
import { phone, usePhone } from '../store/phone.ts'

/** Undoes a check-in: deletes it while the office does not have it, otherwise adds a separate event. */
export async function undoCheckIn(departureId: string, entryId: string): Promise<void> {
  const waiting = waitingMarkOf(usePhone.getState().kept, entryId)
  if (waiting !== null && (await phone().takeBack([waiting]))) return
  await phone().record({ kind: 'undo_check_in', departureId, entryId })
}
