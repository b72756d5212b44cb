import type { Callable } from '@tour-ops/contract/callable'
import {
  acknowledgeAlert,
  type AlertRow,
  muteAlert,
  type muteSpans,
  reopenAlert,
  resolveAlert,
  snoozeAlert,
} from '@tour-ops/contract/monitoring/alerts'
import { useCall } from '../../backend/queries.ts'
import { m } from '../../paraglide/messages.js'
import { toast } from '../../ui/toast.tsx'
import { refusalText } from '../../errors/refusal-text.ts'

const say = (error: unknown) => toast(refusalText(error))

const useAct = <C extends Callable>(callable: C, words: () => string) =>
  useCall(callable, { onSuccess: () => toast(words()) })

/** What a person may do with an alert; the board is read again afterwards. */
export function useAlertActions() {
  const take = useAct(acknowledgeAlert, m.monitoring_taken)
  const reopen = useAct(reopenAlert, m.monitoring_brought_back)
  const snooze = useAct(snoozeAlert, m.monitoring_snoozed_toast)
  const resolve = useAct(resolveAlert, m.monitoring_resolved_toast)
  const mute = useAct(muteAlert, m.monitoring_muted_toast)
  return {
    takingId: take.isPending ? take.variables.id : null,
    isPending: take.isPending || reopen.isPending || snooze.isPending || resolve.isPending || mute.isPending,
    take: ({ id, version }: AlertRow) => take.mutateAsync({ id, version }).catch(say),
    reopen: ({ id, version }: AlertRow) => reopen.mutateAsync({ id, version }).catch(say),
    snooze: ({ id, version }: AlertRow, until: Date, stopId: string | null, onDone: () => void) =>
      snooze.mutateAsync({ id, version, until: until.toISOString(), stopId }).then(onDone, say),
    mute: ({ id, version }: AlertRow, lasts: (typeof muteSpans)[number], reason: string, onDone: () => void) =>
      mute.mutateAsync({ id, version, lasts, reason }).then(onDone, say),
    resolve: ({ id, version }: AlertRow, reason: string, isFalseAlarm: boolean, onDone: () => void) =>
      resolve
        .mutateAsync({ id, version, reason, resolution: isFalseAlarm ? 'false_alarm' : 'manual' })
        .then(onDone, say),
  }
}

export type AlertActions = ReturnType<typeof useAlertActions>
