import type { DutyEvent } from '@tour-ops/contract/duty/duty-phone'
import { m } from '../../../paraglide/messages.js'
import { formatMoment } from '../../../ui/format.ts'
import { DutyPage } from '../components/page.tsx'
import { type RefusalText, useRefusalText } from '../components/use-refusal-text.ts'
import { type RefusedMark, refusedMarks } from '../rules/refused-marks.ts'
import { phone, usePhone } from '../store/phone.ts'
import type { ShownDay } from '../store/shown-day.ts'

/** What the office did not take: both values, and why. */
export function RefusedPage({ day }: { day: ShownDay }) {
  const kept = usePhone((state) => state.kept)
  const textOf = useRefusalText()
  const marks = refusedMarks(kept, day)
  return (
    <DutyPage title={m.duty_refused_title()} context={marks.length > 0 ? m.duty_refused_text() : undefined} back="/">
      <div className="duty-cards">
        {marks.length === 0 && <p>{m.duty_refused_none()}</p>}
        {marks.map((mark) => (
          <Refused key={mark.id} mark={mark} textOf={textOf} />
        ))}
      </div>
    </DutyPage>
  )
}

function Refused({ mark, textOf }: { mark: RefusedMark; textOf: RefusalText }) {
  const { event, outcome, about, departure } = mark
  const zone = departure?.departure.timeZone
  const { office, reason, params } = outcome
  const why = reason === null ? undefined : textOf(reason, params ?? {})
  return (
    <section className="duty-card grid gap-3 p-4">
      <div>
        <h2 className="duty-title">{about ?? departure?.departure.tourName ?? whatOf(event)}</h2>
        {about !== null && departure && <p className="duty-small duty-quiet">{departure.departure.tourName}</p>}
      </div>
      <div className="grid gap-1">
        <p>{m.duty_refused_you({ what: whatOf(event), time: formatMoment(event.at, zone) })}</p>
        {office !== null && (
          <p>
            {office.at === null
              ? m.duty_refused_office({ what: officeLabel(office.status) })
              : m.duty_refused_office_at({ what: officeLabel(office.status), time: formatMoment(office.at, zone) })}
          </p>
        )}
      </div>
      <p>{why ?? m.duty_refused_why()}</p>
      <button type="button" className="duty-btn" onClick={() => void phone().dismiss(mark.id)}>
        {m.duty_understood()}
      </button>
    </section>
  )
}

const guestWhats = { missing: m.duty_what_missing, left_early: m.duty_what_left_early, on_tour: m.duty_what_on_tour }
const stopWhats = {
  arrived: m.duty_what_arrived,
  departed: m.duty_what_departed,
  skipped: m.duty_what_skipped,
  planned: m.duty_what_planned,
}
const statusWhats = {
  boarding: m.duty_what_boarding,
  in_progress: m.duty_what_in_progress,
  completed: m.duty_what_completed,
}
const dutyWhats = {
  begin: m.duty_what_begin,
  end: m.duty_what_end,
  break: m.duty_what_break,
  resume: m.duty_what_resume,
}

/** What somebody wanted to say with a mark. */
function whatOf(event: DutyEvent): string {
  switch (event.kind) {
    case 'check_in':
      return m.duty_what_check_in()
    case 'undo_check_in':
      return m.duty_what_undo()
    case 'no_show':
      return m.duty_what_no_show()
    case 'guest':
      return guestWhats[event.to]()
    case 'stop':
      return stopWhats[event.to]()
    case 'headcount':
      return m.duty_what_headcount({ count: event.counted })
    case 'status':
      return statusWhats[event.to]()
    case 'seen':
      return m.duty_what_seen()
    case 'note':
      return m.duty_what_note()
    case 'incident':
      return m.duty_what_incident()
    case 'help':
    case 'help_place':
      return m.duty_help()
    case 'help_over':
      return m.duty_help_over()
    case 'answer':
      return event.accept ? m.duty_what_accept() : m.duty_what_decline()
    case 'duty':
      return dutyWhats[event.to]()
    case 'consent':
      return event.agrees ? m.duty_what_agree() : m.duty_what_withdraw()
  }
}

/** Statuses of guests, stops, departures and assignments; their names do not collide. */
const officeLabels: Readonly<Record<string, () => string>> = {
  ...stopWhats,
  ...guestWhats,
  ...statusWhats,
  planned: m.duty_office_planned,
  expected: m.duty_office_expected,
  checked_in: m.duty_what_check_in,
  finished: m.travelers_state_finished,
  no_show: m.duty_what_no_show,
  cancelled: m.duty_office_cancelled,
  scheduled: m.duty_office_scheduled,
  guaranteed: m.duty_office_scheduled,
  aborted: m.duty_office_aborted,
  accepted: m.duty_what_accept,
  declined: m.duty_what_decline,
  offered: m.departures_assignment_offered,
  expired: m.duty_office_withdrawn,
  withdrawn: m.duty_office_withdrawn,
  released: m.duty_office_withdrawn,
  replaced: m.duty_office_withdrawn,
}
const officeLabel = (status: string): string => (officeLabels[status] ?? m.duty_office_changed)()
