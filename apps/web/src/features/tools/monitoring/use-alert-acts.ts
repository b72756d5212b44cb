import {
  acknowledgeAlert,
  type AlertRow,
  getAlert,
  listAlerts,
  monitoringBoard,
  reopenAlert,
  resolveAlert,
  snoozeAlert,
} from '@tour-ops/contract/monitoring'
import { useCall } from '../../../backend/queries.ts'
import { m } from '../../../paraglide/messages.js'
import { toast } from '../../../ui/toast.tsx'
import { refusalWords } from '../refusal-words.ts'

const stale = [monitoringBoard, listAlerts, getAlert]

const say = (error: unknown) => toast(refusalWords(error))

/** What a person may do with an alert; the board is read again afterwards. */
export function useAlertActs() {
  const take = useCall(acknowledgeAlert, { invalidates: stale, onSuccess: () => toast(m.tools_taken()) })
  const reopen = useCall(reopenAlert, { invalidates: stale, onSuccess: () => toast(m.tools_brought_back()) })
  const snooze = useCall(snoozeAlert, { invalidates: stale, onSuccess: () => toast(m.tools_snoozed_toast()) })
  const resolve = useCall(resolveAlert, { invalidates: stale, onSuccess: () => toast(m.tools_resolved_toast()) })
  return {
    takingId: take.isPending ? take.variables.id : null,
    isPending: take.isPending || reopen.isPending || snooze.isPending || resolve.isPending,
    take: ({ id, version }: AlertRow) => take.mutate({ id, version }, { onError: say }),
    reopen: ({ id, version }: AlertRow) => reopen.mutate({ id, version }, { onError: say }),
    snooze: ({ id, version }: AlertRow, until: Date, onDone: () => void) =>
      snooze.mutate({ id, version, until: until.toISOString() }, { onSuccess: onDone, onError: say }),
    resolve: ({ id, version }: AlertRow, reason: string, isFalseAlarm: boolean, onDone: () => void) =>
      resolve.mutate(
        { id, version, reason, resolution: isFalseAlarm ? 'false_alarm' : 'manual' },
        { onSuccess: onDone, onError: say },
      ),
  }
}

export type AlertActs = ReturnType<typeof useAlertActs>
