import { Bus, CloudSun, Phone, Siren } from 'lucide-react'
import { type SyntheticEvent, useId, useState } from 'react'
import { Link } from 'wouter'
import { m } from '../../../paraglide/messages.js'
import { TextLimit } from '../../../ui/text-limit.tsx'
import { roleLabels } from '../../../records/crew-roles.ts'
import { serviceStatusLabels } from '../../../records/service-labels.ts'
import { formatTime } from '../../../ui/format.ts'
import { Ticks } from '../components/marks.tsx'
import { Section } from '../components/page.tsx'
import { isOffered } from '../rules/my-day.ts'
import { phone } from '../store/phone.ts'
import type { ShownDeparture } from '../store/shown-day.ts'
import { bindingStatuses, hasStatus } from '@tour-ops/contract/state-machines'

/** Under the stops: crew, vehicle, equipment, services, notes, and the report of an incident. */
export function DepartureFacts({ shown }: { shown: ShownDeparture }) {
  const { departure } = shown
  const crew = departure.crew.filter(({ status }) => hasStatus(bindingStatuses, status))
  return (
    <div className="pb-6">
      {departure.weatherNote !== null && (
        <Section title={m.duty_weather()}>
          <p className="duty-row">
            <CloudSun size={20} className="shrink-0 text-ink-2" aria-hidden />
            {departure.weatherNote}
          </p>
        </Section>
      )}
      {crew.length > 0 && (
        <Section title={m.duty_crew()}>
          {crew.map((one) => (
            <div key={one.assignmentId} className="duty-row">
              <span className="min-w-0 flex-1">
                <span className="block text-ink-strong">{one.name}</span>
                <span className="duty-small duty-quiet">{roleLabels[one.role]()}</span>
              </span>
              {one.phone !== null && !one.isSelf && <CallIcon name={one.name} number={one.phone} />}
            </div>
          ))}
        </Section>
      )}
      {departure.vehicles.length > 0 && (
        <Section title={m.duty_vehicle()}>
          {departure.vehicles.map(({ assignmentId, label, plate, seats, driverName }) => (
            <p key={assignmentId} className="duty-row">
              <Bus size={20} className="shrink-0 text-ink-2" aria-hidden />
              <span>
                <span className="block text-ink-strong">{label}</span>
                <span className="duty-small duty-quiet">
                  {[plate, m.duty_seats({ count: seats }), driverName].filter(Boolean).join(' · ')}
                </span>
              </span>
            </p>
          ))}
        </Section>
      )}
      {departure.equipment.length > 0 && (
        <Section title={m.duty_equipment()}>
          {departure.equipment.map(({ equipmentId, name, sizes, quantity }) => (
            <p key={equipmentId} className="duty-row">
              <b className="num w-10 shrink-0">{quantity} ×</b>
              {[name, sizes].filter(Boolean).join(', ')}
            </p>
          ))}
        </Section>
      )}
      {departure.services.length > 0 && (
        <Section title={m.duty_services()}>
          {departure.services.map((one) => (
            <p key={one.id} className="duty-row">
              <span>
                <span className="block text-ink-strong">{one.description}</span>
                <span className="duty-small duty-quiet">
                  {[one.supplierName, serviceStatusLabels[one.status](), one.confirmationRef]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
              </span>
            </p>
          ))}
        </Section>
      )}
      <Notes shown={shown} />
      {!isOffered(shown) && (
        <div className="grid px-4 pt-5">
          <Link href={`/tours/${shown.id}/incident`} className="duty-btn">
            <Siren size={20} aria-hidden />
            {m.duty_incident()}
          </Link>
        </div>
      )}
    </div>
  )
}

export const CallIcon = ({ name, number }: { name: string; number: string }) => (
  <a href={`tel:${number}`} className="duty-icon text-brand-strong" aria-label={m.duty_call({ name })}>
    <Phone size={22} aria-hidden />
  </a>
)

interface WrittenNote {
  readonly id: string
  readonly at: string
  readonly byName: string
  readonly text: string
}

/** What was written on the way, the newest first, and one more. */
function Notes({ shown }: { shown: ShownDeparture }) {
  const id = useId()
  const [typed, setTyped] = useState('')
  const { departure } = shown
  // An answer that an earlier version has stored on the phone knows no notes.
  const written = 'notes' in departure ? (departure.notes as readonly WrittenNote[]) : []
  const write = (event: SyntheticEvent) => {
    event.preventDefault()
    const text = typed.trim()
    if (text === '') return
    setTyped('')
    void phone().record({ kind: 'note', departureId: shown.id, text })
  }
  return (
    <Section title={m.duty_notes()}>
      {departure.internalNote !== null && (
        <p className="duty-row">
          <span>
            <span className="duty-small duty-quiet block">{m.duty_internal()}</span>
            {departure.internalNote}
          </span>
        </p>
      )}
      {shown.waitingNotes.toReversed().map(({ eventId, text }) => (
        <NoteRow key={eventId} text={text} head={m.duty_note_you()} isWaiting />
      ))}
      {written.map(({ id: noteId, at, byName, text }) => (
        <NoteRow key={noteId} text={text} head={`${byName} · ${formatTime(at, departure.timeZone)}`} />
      ))}
      {!isOffered(shown) && (
        <form className="grid gap-2 p-3" onSubmit={write}>
          <label htmlFor={id} className="sr-only">
            {m.duty_note_write()}
          </label>
          <TextLimit>
            <textarea
              id={id}
              className="duty-field"
              rows={2}
              maxLength={500}
              placeholder={m.duty_note_write()}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          </TextLimit>
          {typed.trim() !== '' && (
            <button type="submit" className="duty-btn">
              {m.duty_note_save()}
            </button>
          )}
        </form>
      )}
    </Section>
  )
}

const NoteRow = ({ text, head, isWaiting = false }: { text: string; head: string; isWaiting?: boolean }) => (
  <p className="duty-row">
    <span className="min-w-0 flex-1">
      <span className="duty-small duty-quiet block">{head}</span>
      {text}
    </span>
    <Ticks mark={isWaiting ? 'phone' : 'office'} />
  </p>
)
