import { usualEmergencyNumber } from '@tour-ops/contract/duty/duty-terms'
import { Phone } from 'lucide-react'
import { type SyntheticEvent, useId, useState } from 'react'
import { useLocation } from 'wouter'
import { m } from '../../../paraglide/messages.js'
import { TextLimit } from '../../../ui/text-limit.tsx'
import { categoryLabels, type IncidentCategory, gravityLabels } from '../../../records/incident-labels.ts'
import { DutyPage } from '../components/page.tsx'
import { phone } from '../store/phone.ts'
import type { ShownDay, ShownDeparture } from '../store/shown-day.ts'
import { OfficeCall } from './run-sheet.tsx'

interface Draft {
  readonly category: IncidentCategory
  readonly severity: number
  readonly title: string
  readonly note: string
}

const empty: Draft = { category: 'medical', severity: 3, title: '', note: '' }

/** What is typed survives a call, a reload and opening the run sheet; it ends with the tab. */
function storedDraft(key: string): Draft {
  try {
    return { ...empty, ...(JSON.parse(sessionStorage.getItem(key) ?? '{}') as Partial<Draft>) }
  } catch {
    return empty
  }
}

function storeDraft(key: string, draft: Draft | null): void {
  try {
    if (draft) sessionStorage.setItem(key, JSON.stringify(draft))
    else sessionStorage.removeItem(key)
  } catch {
    // Without storage the page itself keeps it.
  }
}

/** The report of an incident: stored on the phone at once, sent to the office as soon as there is a signal. */
export function IncidentPage({ day, shown }: { day: ShownDay; shown: ShownDeparture }) {
  const id = useId()
  const key = `duty-incident-${shown.id}`
  const [, navigate] = useLocation()
  const [draft, setDraft] = useState(() => storedDraft(key))
  const [isAsked, setAsked] = useState(false)
  const isMissing = draft.title.trim() === ''
  const change = (part: Partial<Draft>) => {
    const next = { ...draft, ...part }
    setDraft(next)
    storeDraft(key, next)
  }
  const send = (event: SyntheticEvent) => {
    event.preventDefault()
    if (isMissing) return setAsked(true)
    const { category, severity, title, note } = draft
    void phone().record({
      kind: 'incident',
      departureId: shown.id,
      category,
      severity,
      title: title.trim(),
      note: note.trim() || null,
    })
    storeDraft(key, null)
    navigate(`/tours/${shown.id}`)
  }
  const office = day.organization.phone
  const emergency = day.organization.emergencyNumber ?? usualEmergencyNumber
  return (
    <DutyPage
      title={m.duty_incident()}
      context={shown.departure.tourName}
      back={`/tours/${shown.id}`}
      actions={office !== null && <OfficeCall number={office} />}
    >
      <form className="flex flex-1 flex-col" onSubmit={send} noValidate>
        <div className="grid gap-4 p-4">
          <a href={`tel:${emergency}`} className="duty-note tone-bad items-center">
            <Phone size={20} aria-hidden />
            {m.duty_incident_danger({ number: emergency })}
          </a>
          <div className="grid gap-1">
            <label htmlFor={`${id}-category`}>{m.duty_category()}</label>
            <select
              id={`${id}-category`}
              className="duty-field"
              value={draft.category}
              onChange={({ target }) => change({ category: target.value as IncidentCategory })}
            >
              {(Object.keys(categoryLabels) as IncidentCategory[]).map((category) => (
                <option key={category} value={category}>
                  {categoryLabels[category]()}
                </option>
              ))}
            </select>
          </div>
          <fieldset>
            <legend>{m.duty_severity()}</legend>
            <div className="duty-card duty-rows mt-1 overflow-hidden">
              {[1, 2, 3, 4].map((severity) => (
                <label key={severity} className="duty-choice">
                  <input
                    type="radio"
                    name={`${id}-severity`}
                    checked={draft.severity === severity}
                    onChange={() => change({ severity })}
                  />
                  {gravityLabels[severity]?.()}
                </label>
              ))}
            </div>
          </fieldset>
          <TextLimit className="grid gap-1">
            <label htmlFor={`${id}-title`}>{m.duty_incident_title()}</label>
            <input
              id={`${id}-title`}
              className="duty-field"
              maxLength={160}
              value={draft.title}
              placeholder={m.duty_incident_what()}
              aria-invalid={isAsked && isMissing}
              aria-describedby={`${id}-error`}
              onChange={({ target }) => change({ title: target.value })}
            />
            <p id={`${id}-error`} role="alert" className="duty-small text-bad">
              {isAsked && isMissing ? m.duty_missing_field() : ''}
            </p>
          </TextLimit>
          <TextLimit className="grid gap-1">
            <label htmlFor={`${id}-note`}>{m.duty_incident_text()}</label>
            <textarea
              id={`${id}-note`}
              className="duty-field"
              rows={5}
              maxLength={4000}
              value={draft.note}
              onChange={({ target }) => change({ note: target.value })}
            />
          </TextLimit>
        </div>
        <div className="duty-foot mt-auto">
          <button type="submit" className="duty-btn duty-btn-main">
            {m.duty_incident_send()}
          </button>
        </div>
      </form>
    </DutyPage>
  )
}
