import { useQuery } from '@tanstack/react-query'
import { exportPayments } from '@tour-ops/contract/bookings/payments-export'
import { getSession } from '@tour-ops/contract/identity/session'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { useToday } from '../../app/shell/today.ts'
import { callQuery, useCall } from '../../backend/queries.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { ChoiceChip } from '../../ui/chip.tsx'
import { DateInput } from '../../ui/date-field.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { addDays, formatZone, viewerZone } from '../../ui/format.ts'
import { saveTextFile } from '../../ui/save-file.ts'
import { toast } from '../../ui/toast.tsx'
import { periodProblem } from './period-problem.ts'

const firstOfMonth = (day: string): string => `${day.slice(0, 7)}-01`

/** Payments for bookkeeping, usually of the month before. */
export function PaymentsDialog({ onClose }: { onClose: () => void }) {
  const today = useToday()
  const { data: session } = useQuery({ ...callQuery(getSession, {}), staleTime: Infinity })
  const thisMonth = { from: firstOfMonth(today), to: today }
  const endOfLast = addDays(thisMonth.from, -1)
  const lastMonth = { from: firstOfMonth(endOfLast), to: endOfLast }
  const [period, setPeriod] = useState(lastMonth)
  const problem = periodProblem(period)
  const run = useCall(exportPayments, {
    onSuccess: ({ fileName, csv, rows }) => {
      saveTextFile(fileName, csv)
      toast(m.reports_payments_saved({ count: rows }))
      onClose()
    },
  })
  const months = [
    { label: m.reports_last_month(), ...lastMonth },
    { label: m.reports_this_month(), ...thisMonth },
  ]
  return (
    <Dialog
      open
      onClose={onClose}
      title={m.reports_payments_title()}
      locked={run.isPending}
      actions={
        <>
          <Button onClick={onClose} disabled={run.isPending}>
            {m.ui_cancel()}
          </Button>
          <Button
            variant="primary"
            icon={Download}
            pending={run.isPending}
            disabledReason={problem && m.reports_correct_period()}
            onClick={() => run.mutate(period)}
          >
            {m.reports_export()}
          </Button>
        </>
      }
    >
      <p className="mb-3">
        {m.reports_payments_text({ zone: formatZone(session?.settings?.timeZone ?? viewerZone()) })}
      </p>
      <div className="mb-3 flex flex-wrap gap-1.5" role="group" aria-label={m.reports_period()}>
        {months.map(({ label, from, to }) => (
          <ChoiceChip
            key={label}
            pressed={period.from === from && period.to === to}
            onClick={() => setPeriod({ from, to })}
          >
            {label}
          </ChoiceChip>
        ))}
      </div>
      <div className="grid grid-cols-2 items-start gap-3">
        <Field label={m.reports_from()}>
          <DateInput value={period.from} max={period.to} onChange={(from) => from && setPeriod({ ...period, from })} />
        </Field>
        <Field label={m.reports_to()} error={problem}>
          <DateInput value={period.to} min={period.from} onChange={(to) => to && setPeriod({ ...period, to })} />
        </Field>
      </div>
      {run.error && (
        <p role="alert" className="mt-3 font-medium text-bad">
          {refusalText(run.error)}
        </p>
      )}
    </Dialog>
  )
}
