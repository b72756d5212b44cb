import type { AffectedPerson } from '@tour-ops/contract/monitoring/incident-people'
import type { Out } from '@tour-ops/contract/callable'
import { type Incident, maxIncidentEntries } from '@tour-ops/contract/monitoring/incidents'
import type { toldSoFar } from '@tour-ops/contract/monitoring/told-so-far'
import { useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { runningBuildId } from '../../app/build-version.ts'
import { useAuthStore } from '../../identity/auth-store.ts'
import { m } from '../../paraglide/messages.js'
import { roleLabels } from '../../records/crew-roles.ts'
import { gravityLabels } from '../../records/incident-labels.ts'
import { dietLabel, mobilityLabel } from '../../records/traveler-flags.tsx'
import { formatBytes, formatDate, formatDayTime, formatDayTimeThere, formatTime, formatZone } from '../../ui/format.ts'
import { formatPosition } from '../../ui/format-position.ts'
import { usePageNumbers } from '../../ui/page-numbers.ts'
import '../../ui/print-sheet.css'
import { categoryLooks, entryText, statusText } from './incident-labels.ts'
import './incident-sheet.css'
import { answerLooks, sourceText } from './roll-call-section.tsx'
import { crewStateText, crewTold, subjectOf, untoldReasons } from './told-so-far.tsx'

export interface IncidentSheetProps {
  incident: Incident
  /** Null for readers who may not read travelers: they get the names. */
  people: readonly AffectedPerson[] | null
  /** Who has been told; null where it is about no departure. */
  told: Out<typeof toldSoFar> | null
  /** Zone of the organization, in which the report tells what happened. */
  timeZone: string
}

/**
 * The report of an incident on paper, for police, hospitals and insurers: no passport numbers, and medical notes stay where each look is
 * recorded. Seen only in print. See docs/visual-rules.md, "Print".
 */
export function IncidentSheet({ incident, people, told, timeZone }: IncidentSheetProps) {
  usePageNumbers('incident-sheet')
  const organization = useAuthStore((state) => state.organization?.name)
  const [printedAt] = useState(() => new Date())
  const stamp = (moment: string) => `${formatDate(moment, timeZone)} ${formatTime(moment, timeZone)}`
  return createPortal(
    <section className="print-sheet incident-sheet" aria-hidden="true">
      <p>
        {organization} · {m.monitoring_sheet_title({ number: incident.number })}
      </p>
      <h1>{incident.title}</h1>
      <p>{m.ui_times_in({ zone: formatZone(timeZone) })}</p>
      <Head incident={incident} stamp={stamp} />
      <h2>{m.monitoring_sheet_people()}</h2>
      <People incident={incident} people={people} />
      <h2>{m.monitoring_tasks()}</h2>
      <Tasks incident={incident} stamp={stamp} />
      <h2>{m.monitoring_roll_title()}</h2>
      <RollCallResult incident={incident} stamp={stamp} timeZone={timeZone} />
      <h2>{m.monitoring_told_title()}</h2>
      <Told incident={incident} told={told} stamp={stamp} />
      <h2>{m.monitoring_root_cause()}</h2>
      <p className="sheet-text">{incident.rootCause ?? m.monitoring_root_cause_none()}</p>
      <h2>{m.monitoring_files()}</h2>
      <Files incident={incident} stamp={stamp} />
      <h2>{m.monitoring_log()}</h2>
      <Entries incident={incident} stamp={stamp} />
      <footer>
        {m.monitoring_sheet_footer({
          time: formatDayTime(printedAt, timeZone),
          zone: formatZone(timeZone),
          version: incident.version,
          build: runningBuildId(),
        })}
      </footer>
    </section>,
    document.body,
  )
}

interface PartProps {
  incident: Incident
  /** A moment with its year, as a report needs it. */
  stamp: (moment: string) => string
}

function Head({ incident, stamp }: PartProps) {
  const { departure } = incident
  const facts: readonly (readonly [string, string | null | undefined])[] = [
    [m.monitoring_status(), statusText(incident)],
    [m.monitoring_merged_here(), incident.merged.map(({ number }) => number).join(', ')],
    [m.monitoring_gravity(), gravityLabels[incident.severity]?.()],
    [m.monitoring_category(), categoryLooks[incident.category].label()],
    [
      m.monitoring_departure(),
      departure &&
        `${departure.tourName}, ${departure.code}, ${formatDayTimeThere(departure.startsAt, departure.timeZone)}`,
    ],
    [m.monitoring_place(), placeText(incident)],
    [m.monitoring_reported_at(), stamp(incident.reportedAt)],
    [m.monitoring_reported_by(), incident.reportedByName],
    [m.monitoring_leads(), incident.owner?.name],
    [m.monitoring_closed_at(), incident.closedAt && stamp(incident.closedAt)],
  ]
  return (
    <dl>
      {facts.flatMap(([label, value]) =>
        value ? [<dt key={label}>{label}</dt>, <dd key={`${label} value`}>{value}</dd>] : [],
      )}
    </dl>
  )
}

function placeText({ place, lat, lng }: Incident): string {
  const position = lat !== null && lng !== null ? formatPosition({ lat, lng }) : null
  return [place?.name, position].filter(Boolean).join(' · ')
}

interface TableProps {
  heads: readonly string[]
  children: ReactNode
}

const Table = ({ heads, children }: TableProps) => (
  <table>
    <thead>
      <tr>
        {heads.map((head) => (
          <th key={head}>{head}</th>
        ))}
      </tr>
    </thead>
    <tbody>{children}</tbody>
  </table>
)

function People({ incident, people }: Pick<IncidentSheetProps, 'incident' | 'people'>) {
  if (incident.affectedTravelers.length === 0) return <p>{m.monitoring_sheet_nobody()}</p>
  if (people === null) {
    return (
      <>
        <p>{incident.affectedTravelers.map(({ name }) => name).join(', ')}</p>
        <small>{m.monitoring_sheet_names_only()}</small>
      </>
    )
  }
  return (
    <Table
      heads={[
        m.monitoring_sheet_person(),
        m.monitoring_sheet_phone(),
        m.monitoring_sheet_needs(),
        m.monitoring_sheet_emergency(),
      ]}
    >
      {people.map((person) => (
        <tr key={person.id}>
          <td>
            <b>{person.name}</b>
            {person.hasMedicalNote && <small>{m.monitoring_sheet_medical()}</small>}
          </td>
          <td>{person.phone}</td>
          <td>{needsOf(person).join(', ')}</td>
          <td>
            {person.emergencyContact && (
              <>
                {person.emergencyContact.phone}
                <small>
                  {[person.emergencyContact.name, person.emergencyContact.relation].filter(Boolean).join(', ')}
                </small>
              </>
            )}
          </td>
        </tr>
      ))}
    </Table>
  )
}

const needsOf = ({ dietary, dietaryNote, mobility, mobilityNote }: AffectedPerson): string[] =>
  [...dietary.map(dietLabel), dietaryNote, mobility === 'none' ? null : mobilityLabel(mobility), mobilityNote].filter(
    (need) => need !== null,
  )

function Tasks({ incident, stamp }: PartProps) {
  if (incident.tasks.length === 0) return <p>{m.monitoring_sheet_no_tasks()}</p>
  return (
    <Table
      heads={[
        m.monitoring_sheet_task(),
        m.monitoring_task_assignee(),
        m.monitoring_task_due(),
        m.monitoring_sheet_state(),
      ]}
    >
      {incident.tasks.map((task) => (
        <tr key={task.id}>
          <td>{task.text}</td>
          <td>{task.assignee?.name}</td>
          <td>{task.dueAt && stamp(task.dueAt)}</td>
          <td>
            {task.doneAt
              ? m.monitoring_sheet_done({ time: stamp(task.doneAt), name: task.doneByName ?? '' })
              : m.monitoring_sheet_open()}
          </td>
        </tr>
      ))}
    </Table>
  )
}

function RollCallResult({ incident: { rollCall }, stamp, timeZone }: PartProps & { timeZone: string }) {
  if (!rollCall) return <p>{m.monitoring_sheet_not_asked()}</p>
  return (
    <>
      <p>{m.monitoring_roll_asked({ time: stamp(rollCall.askedAt), name: rollCall.askedByName ?? '' })}</p>
      {rollCall.question && <p className="sheet-text">{rollCall.question}</p>}
      <Table heads={[m.monitoring_sheet_person(), m.monitoring_sheet_answer(), m.monitoring_sheet_how()]}>
        {rollCall.people.map((person) => (
          <tr key={person.id}>
            <td>{person.name}</td>
            <td>{answerLooks[person.answer].label()}</td>
            <td>{person.answeredAt && sourceText(person, timeZone)}</td>
          </tr>
        ))}
      </Table>
    </>
  )
}

/** Guests and crew who have been told since it was reported, and who had not been when it was printed. */
function Told({ incident: { departure }, told, stamp }: PartProps & Pick<IncidentSheetProps, 'told'>) {
  if (!departure || !told || told.guests + told.crew.length === 0) return <p>{m.monitoring_sheet_told_nobody()}</p>
  const more = told.untoldCount - told.untold.length
  return (
    <>
      {told.guests > 0 && <p>{m.monitoring_told_of({ told: told.told, guests: told.guests })}</p>}
      {told.messages.length > 0 && (
        <Table heads={[m.monitoring_sheet_log_when(), m.monitoring_sheet_log_what(), m.monitoring_sheet_told_guests()]}>
          {told.messages.map((message) => (
            <tr key={`${message.kind} ${message.writtenAt} ${message.subject}`}>
              <td className="sheet-time">{stamp(message.sentAt ?? message.writtenAt)}</td>
              <td>{subjectOf(message, departure.tourName)}</td>
              <td>{message.sent}</td>
            </tr>
          ))}
        </Table>
      )}
      {told.untold.length > 0 && (
        <Table heads={[m.monitoring_sheet_told_not_yet(), m.monitoring_sheet_phone(), m.monitoring_sheet_state()]}>
          {told.untold.map(({ bookingId, name, phone, pax, reason }) => (
            <tr key={bookingId}>
              <td>
                {name} ({m.monitoring_told_guests({ count: pax })})
              </td>
              <td>{phone}</td>
              <td>{untoldReasons[reason]()}</td>
            </tr>
          ))}
        </Table>
      )}
      {more > 0 && <p>{m.monitoring_told_more({ count: more })}</p>}
      {told.crew.length > 0 && (
        <>
          <p>{crewTold(told.crew)}</p>
          <Table heads={[m.monitoring_told_crew(), m.monitoring_sheet_phone(), m.monitoring_sheet_state()]}>
            {told.crew.map((one) => (
              <tr key={`${one.staffId} ${one.role}`}>
                <td>
                  {one.name}
                  <small>{roleLabels[one.role]()}</small>
                </td>
                <td>{one.phone}</td>
                <td>{crewStateText(one, stamp)}</td>
              </tr>
            ))}
          </Table>
        </>
      )}
    </>
  )
}

/** By name only: photos are sent apart from the report. */
function Files({ incident: { timeline }, stamp }: PartProps) {
  const lines = timeline.toReversed().filter(({ file }) => file !== null)
  if (lines.length === 0) return <p>{m.monitoring_sheet_no_files()}</p>
  return (
    <Table
      heads={[
        m.monitoring_sheet_file(),
        m.monitoring_sheet_file_size(),
        m.monitoring_sheet_file_added(),
        m.monitoring_sheet_log_who(),
      ]}
    >
      {lines.map(({ id, text, file, at, authorName }) => (
        <tr key={id}>
          <td>{text}</td>
          <td>{file && formatBytes(file.size)}</td>
          <td className="sheet-time">{stamp(at)}</td>
          <td>{authorName}</td>
        </tr>
      ))}
    </Table>
  )
}

/** In the order in which it happened: a report is read from the beginning. */
function Entries({ incident: { timeline }, stamp }: PartProps) {
  return (
    <>
      {timeline.length >= maxIncidentEntries && <p>{m.monitoring_sheet_log_first({ max: maxIncidentEntries })}</p>}
      <Table heads={[m.monitoring_sheet_log_when(), m.monitoring_sheet_log_what(), m.monitoring_sheet_log_who()]}>
        {timeline.toReversed().map((entry) => (
          <tr key={entry.id}>
            <td className="sheet-time">{stamp(entry.at)}</td>
            <td className="sheet-text">
              {entryText(entry)}
              {entry.incident && <small>{entry.incident.number}</small>}
            </td>
            <td>{entry.authorName}</td>
          </tr>
        ))}
      </Table>
    </>
  )
}
