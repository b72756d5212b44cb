import { type Incident, setIncidentStatus } from '@tour-ops/contract/monitoring/incidents'
import { useState } from 'react'
import { useCall } from '../../backend/queries.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Field, TextArea } from '../../ui/field.tsx'
import { Menu } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast.tsx'
import { incidentStatusLabels } from './incident-labels.ts'

/** The status as a button with only the legal next ones. */
export function StatusMenu({ incident }: { incident: Incident }) {
  const { can } = useAccess()
  const [isResolving, setResolving] = useState(false)
  const [isReviewing, setReviewing] = useState(false)
  const set = useCall(setIncidentStatus, {
    onError: (error) => {
      // somebody has added a task since this was read
      if (error.details.reason === 'incident_tasks_open') setResolving(true)
      else toast(refusalText(error))
    },
  })
  const word = incidentStatusLabels[incident.status]()
  if (!can('incidents:manage') || incident.nextStatuses.length === 0) return <b className="font-semibold">{word}</b>
  const choose = (to: Incident['nextStatuses'][number]) => {
    // the button stays enabled, so that the focus stays on it
    if (set.isPending) return
    if (to === 'resolved' && incident.openTasks > 0) setResolving(true)
    else if (to === 'reviewed') setReviewing(true)
    else set.mutate({ id: incident.id, version: incident.version, to })
  }
  return (
    <>
      <Menu
        label={m.monitoring_status_label({ status: word })}
        chevron
        items={incident.nextStatuses.map((to) => ({
          key: to,
          label: m.monitoring_make_status({ status: incidentStatusLabels[to]() }),
          onSelect: () => choose(to),
        }))}
      >
        {word}
      </Menu>
      {isResolving && <ResolveIncidentDialog incident={incident} onClose={() => setResolving(false)} />}
      {isReviewing && <ReviewIncidentDialog incident={incident} onClose={() => setReviewing(false)} />}
    </>
  )
}

/** Shows what is still open, and takes a note about it. */
function ResolveIncidentDialog({ incident, onClose }: { incident: Incident; onClose: () => void }) {
  const [note, setNote] = useState('')
  const set = useCall(setIncidentStatus, { onSuccess: onClose })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={() => set.mutate({ id: incident.id, version: incident.version, to: 'resolved', note: note.trim() })}
      title={m.monitoring_incident_resolve_title()}
      confirmLabel={m.monitoring_resolve()}
      pending={set.isPending}
      disabledReason={note.trim() === '' ? m.monitoring_incident_note_first() : undefined}
      error={set.error ? refusalText(set.error) : undefined}
    >
      <div className="grid gap-3">
        <p>{m.monitoring_incident_resolve_text()}</p>
        <ul className="list-disc ps-5 text-ink-strong">
          {incident.tasks
            .filter(({ doneAt }) => doneAt === null)
            .map(({ id, text }) => (
              <li key={id}>{text}</li>
            ))}
        </ul>
        <Field label={m.monitoring_incident_resolve_note()} hint={m.monitoring_incident_resolve_note_hint()} required>
          <TextArea rows={2} value={note} maxLength={2000} onChange={(event) => setNote(event.target.value)} />
        </Field>
      </div>
    </ConfirmDialog>
  )
}

/** The end of an incident: what was behind it is for the report, and for whoever meets the like again. */
function ReviewIncidentDialog({ incident, onClose }: { incident: Incident; onClose: () => void }) {
  const [rootCause, setRootCause] = useState(incident.rootCause ?? '')
  const set = useCall(setIncidentStatus, { onSuccess: onClose })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={() =>
        set.mutate({ id: incident.id, version: incident.version, to: 'reviewed', rootCause: rootCause.trim() || null })
      }
      title={m.monitoring_incident_review_title()}
      confirmLabel={m.monitoring_incident_review()}
      pending={set.isPending}
      error={set.error ? refusalText(set.error) : undefined}
    >
      <Field label={m.monitoring_root_cause()} hint={m.monitoring_root_cause_hint()}>
        <TextArea rows={3} value={rootCause} maxLength={2000} onChange={(event) => setRootCause(event.target.value)} />
      </Field>
    </ConfirmDialog>
  )
}
