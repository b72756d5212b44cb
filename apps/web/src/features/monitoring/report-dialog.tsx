import { useQuery } from '@tanstack/react-query'
import type { AlertRow } from '@tour-ops/contract/monitoring/alerts'
import { incidentCategories, reportIncident } from '@tour-ops/contract/monitoring/incidents'
import { monitoringList } from '@tour-ops/contract/monitoring/monitoring-list'
import { useState } from 'react'
import { alertTitle } from './alert-title.ts'
import { callQuery, useCall } from '../../backend/queries.ts'
import { m } from '../../paraglide/messages.js'
import { RadioCards } from '../../ui/choice.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Field, Select, TextArea, TextInput } from '../../ui/field.tsx'
import { formatDayTimeThere } from '../../ui/format.ts'
import { toast } from '../../ui/toast.tsx'
import { refusalText } from '../../errors/refusal-text.ts'
import { gravityLabels } from '../../records/incident-labels.ts'
import { categoryLooks } from './incident-labels.ts'
import { useOpenIncident } from '../../records/use-open-incident.ts'

interface ReportDialogProps {
  /** Where the incident comes from; its departure is then given. */
  alert?: AlertRow | undefined
  onClose: () => void
}

const gravities = ['1', '2', '3', '4'] as const
type Category = (typeof incidentCategories)[number]

/** Opens an incident and goes to its room. */
export function ReportDialog({ alert, onClose }: ReportDialogProps) {
  const open = useOpenIncident()
  const [title, setTitle] = useState(alert ? alertTitle(alert) : '')
  const [category, setCategory] = useState<Category>('other')
  const [gravity, setGravity] = useState<string>('3')
  const [departureId, setDepartureId] = useState(alert?.departure?.id ?? '')
  const [note, setNote] = useState('')
  const report = useCall(reportIncident, {
    onSuccess: ({ id, number }) => {
      toast(m.monitoring_reported_toast({ number }))
      onClose()
      open(id)
    },
  })
  const send = () =>
    report.mutate({
      title,
      category,
      severity: Number(gravity),
      departureId: departureId || null,
      note: note || null,
      alertId: alert?.id ?? null,
    })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={send}
      title={m.monitoring_report_title()}
      confirmLabel={m.monitoring_report()}
      pending={report.isPending}
      disabledReason={title.trim() === '' ? m.monitoring_title_first() : undefined}
      error={report.error ? refusalText(report.error) : undefined}
    >
      <div className="grid gap-3">
        <Field label={m.monitoring_what_happened()} required>
          <TextInput value={title} maxLength={160} onChange={(event) => setTitle(event.target.value)} />
        </Field>
        <Field label={m.monitoring_category()}>
          <Select
            value={category}
            options={incidentCategories.map((value) => ({ value, label: categoryLooks[value].label() }))}
            onChange={(event) => setCategory(event.target.value as Category)}
          />
        </Field>
        <RadioCards
          label={m.monitoring_gravity()}
          value={gravity}
          onChange={setGravity}
          options={gravities.map((value) => ({ value, label: gravityLabels[Number(value)]?.() ?? value }))}
        />
        {!alert?.departure && <DepartureChoice value={departureId} onChange={setDepartureId} />}
        <Field label={m.monitoring_note()}>
          <TextArea value={note} maxLength={4000} onChange={(event) => setNote(event.target.value)} />
        </Field>
      </div>
    </ConfirmDialog>
  )
}

/** Departures of the shift; others are reported from their own drawer. */
const maxDepartures = 100

function DepartureChoice({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const { data } = useQuery(callQuery(monitoringList, { size: maxDepartures }))
  return (
    <Field label={m.monitoring_departure()}>
      <Select
        value={value}
        placeholder={m.monitoring_no_departure()}
        options={(data?.rows ?? []).map((row) => ({
          value: row.id,
          label: `${row.tourName} · ${formatDayTimeThere(row.startsAt, row.timeZone)}`,
        }))}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  )
}
