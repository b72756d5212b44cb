import { useQuery } from '@tanstack/react-query'
import { mergeIncident } from '@tour-ops/contract/monitoring/incident-merge'
import { type Incident, type IncidentRow, listIncidents } from '@tour-ops/contract/monitoring/incidents'
import { openIncidentStatuses } from '@tour-ops/contract/state-machines'
import { useState } from 'react'
import { callQuery, useCall } from '../../backend/queries.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { useOpenIncident } from '../../records/use-open-incident.ts'
import { Combobox, type ComboboxOption } from '../../ui/combobox.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { formatMoment } from '../../ui/format.ts'
import { toast } from '../../ui/toast.tsx'
import { nearestFirst } from './nearest-incidents.ts'

interface MergeDialogProps {
  incident: Incident
  /** Zone of the organization. */
  timeZone: string
  onClose: () => void
}

/** More are open at once nowhere; who is not among them is found by its number in the list. */
const maxOpen = 100

const optionOf = (row: IncidentRow, timeZone: string): ComboboxOption => ({
  value: row.id,
  label: `${row.number} ${row.title}`,
  detail: [row.departure?.tourName, formatMoment(row.reportedAt, timeZone)].filter(Boolean).join(' · '),
})

/** Chooses into which incident this one is merged, and says what happens, since it cannot be undone. */
export function MergeDialog({ incident, timeZone, onClose }: MergeDialogProps) {
  const open = useOpenIncident()
  const [chosen, setChosen] = useState<ComboboxOption | null>(null)
  const { data, isPending } = useQuery(
    callQuery(listIncidents, { filters: { status: [...openIncidentStatuses] }, size: maxOpen }),
  )
  const merge = useCall(mergeIncident, {
    onSuccess: (_, { intoId }) => {
      toast(m.monitoring_merged_toast({ number: incident.number }))
      onClose()
      open(intoId)
    },
  })
  const others = nearestFirst(incident, data?.rows ?? [])
  return (
    <ConfirmDialog
      open
      danger
      onClose={onClose}
      onConfirm={() => {
        if (chosen) merge.mutate({ id: incident.id, version: incident.version, intoId: chosen.value })
      }}
      title={m.monitoring_merge_title({ number: incident.number })}
      confirmLabel={m.monitoring_merge()}
      pending={merge.isPending}
      disabledReason={chosen ? undefined : m.monitoring_merge_choose_first()}
      error={merge.error ? refusalText(merge.error) : undefined}
    >
      <div className="grid gap-3">
        <Field label={m.monitoring_merge_into()} hint={m.monitoring_merge_into_hint()} required>
          <Combobox
            value={chosen}
            onChange={setChosen}
            loading={isPending}
            options={others.map((row) => optionOf(row, timeZone))}
            emptyText={m.monitoring_merge_none()}
          />
        </Field>
        <p>{m.monitoring_merge_text({ number: incident.number })}</p>
        {incident.rollCall && <p>{m.monitoring_merge_roll_call()}</p>}
        <p className="font-medium text-ink-strong">{m.monitoring_merge_final()}</p>
      </div>
    </ConfirmDialog>
  )
}
