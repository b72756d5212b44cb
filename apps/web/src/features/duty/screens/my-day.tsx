import { ChevronRight, Clock, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { m } from '../../../paraglide/messages.js'
import { roleLabels } from '../../../records/crew-roles.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { useNow } from '../../../ui/clock.ts'
import { formatDay, formatLongDay, formatMoment } from '../../../ui/format.ts'
import { formatTimesOrSpan } from '../../../ui/format-span.ts'
import { HelpLink } from '../components/help-link.tsx'
import { DutyNav } from '../components/nav.tsx'
import { DutyPage } from '../components/page.tsx'
import { ReasonSheet } from '../components/reason-sheet.tsx'
import { StatusTag, Tag } from '../components/marks.tsx'
import { currentDeparture, sortedDay } from '../rules/my-day.ts'
import { phone } from '../store/phone.ts'
import type { ShownDay, ShownDeparture } from '../store/shown-day.ts'
import { AccountSheet } from './account-sheet.tsx'
import { LeadCard } from './lead-card.tsx'
import { PrivacyLine } from './privacy-line.tsx'

/** My day: what is now, what asks for an answer, what comes. See docs/screens.md, "The guide's phone". */
export function MyDay({ day }: { day: ShownDay }) {
  const now = useNow(15_000)
  const [isAccountOpen, setAccountOpen] = useState(false)
  const { lead, changed, offers, today, later } = sortedDay(day, now)
  const { person, organization } = day
  const isEmpty = !lead && offers.length + today.length + later.length === 0
  return (
    <DutyPage
      title={formatLongDay(now, organization.timeZone)}
      context={[person.name, person.base ?? organization.name].join(' · ')}
      actions={
        <>
          <HelpLink />
          <button type="button" className="duty-icon" onClick={() => setAccountOpen(true)}>
            <Avatar name={person.name} size={40} tinted />
            <span className="sr-only">{m.duty_account({ name: person.name })}</span>
          </button>
        </>
      }
      headMore={<PrivacyLine day={day} departureId={lead?.id ?? null} />}
      foot={<DutyNav at="day" departureId={currentDeparture(day, now)?.id} />}
    >
      <div className="duty-cards">
        {lead ? <LeadCard shown={lead} now={now} /> : <NothingNow isEmpty={isEmpty} hadSome={today.length > 0} />}
        {changed.map((shown) => (
          <ChangedNote key={shown.id} shown={shown} />
        ))}
        {offers.map((shown) => (
          <Offer key={shown.id} shown={shown} now={now} />
        ))}
        {today.length > 0 && <h2 className="duty-quiet pt-2">{m.duty_later_today()}</h2>}
        {today.map((shown) => (
          <LaterCard key={shown.id} shown={shown} now={now} isToday />
        ))}
        {later.length > 0 && <h2 className="duty-quiet pt-2">{m.duty_coming()}</h2>}
        {later.map((shown) => (
          <LaterCard key={shown.id} shown={shown} now={now} />
        ))}
      </div>
      {isAccountOpen && <AccountSheet day={day} onClose={() => setAccountOpen(false)} />}
    </DutyPage>
  )
}

const NothingNow = ({ isEmpty, hadSome }: { isEmpty: boolean; hadSome: boolean }) => (
  <div className="duty-card grid gap-1 p-4">
    <p className="font-semibold text-ink-strong">{hadSome ? m.duty_nothing_more_today() : m.duty_nothing_today()}</p>
    {isEmpty && <p className="duty-quiet">{m.duty_nothing_today_text()}</p>}
  </div>
)

function ChangedNote({ shown: { id, departure, assignment } }: { shown: ShownDeparture }) {
  return (
    <div className="duty-note tone-info items-center">
      <RefreshCw size={20} aria-hidden />
      <p className="min-w-0 flex-1">
        {m.duty_changed({ name: departure.tourName })}{' '}
        <span className="duty-quiet">{m.duty_version({ number: departure.revisionNumber ?? 0 })}</span>
        {assignment?.changeNotes.map((note) => (
          <span key={note} className="block text-ink-strong">
            {note}
          </span>
        ))}
      </p>
      <button
        type="button"
        className="duty-link px-2"
        onClick={() => void phone().record({ kind: 'seen', departureId: id, revisionNumber: departure.revisionNumber })}
      >
        {m.duty_seen()}
      </button>
    </div>
  )
}

/** `Sun 22 Nov · 08:00–18:30 · Lead guide`. */
function whenLine({ departure, assignment }: ShownDeparture, isToday: boolean): string {
  const { startsAt, endsAt, timeZone } = departure
  return [
    !isToday && formatDay(startsAt, timeZone),
    formatTimesOrSpan(startsAt, endsAt, timeZone),
    assignment && roleLabels[assignment.role](),
  ]
    .filter(Boolean)
    .join(' · ')
}

function Offer({ shown, now }: { shown: ShownDeparture; now: number }) {
  const [isDeclining, setDeclining] = useState(false)
  const { assignment, departure } = shown
  if (!assignment) return null
  const answer = (accept: boolean, reason: string | null) => {
    setDeclining(false)
    void phone().record({ kind: 'answer', assignmentId: assignment.id, accept, reason })
  }
  const name = departure.tourName
  return (
    <section className="duty-card grid gap-3 p-4" aria-label={name}>
      <div>
        <p className="duty-small duty-quiet">{whenLine(shown, false)}</p>
        <div className="flex flex-wrap items-center justify-between gap-2">
          <h2 className="duty-title">{name}</h2>
          {assignment.respondBy !== null && (
            <Tag tone="info" icon={Clock}>
              {m.duty_answer_by({ time: formatMoment(assignment.respondBy, departure.timeZone, now) })}
            </Tag>
          )}
        </div>
      </div>
      <div className="flex flex-wrap gap-3">
        <button type="button" className="duty-btn flex-1" onClick={() => setDeclining(true)}>
          {m.duty_decline()}
        </button>
        <button type="button" className="duty-btn duty-btn-accent flex-1" onClick={() => answer(true, null)}>
          {m.duty_accept()}
        </button>
      </div>
      {isDeclining && (
        <ReasonSheet
          title={m.duty_decline_title({ name })}
          confirm={m.duty_decline()}
          isNeeded={false}
          onClose={() => setDeclining(false)}
          onConfirm={(reason) => answer(false, reason)}
        />
      )}
    </section>
  )
}

function LaterCard({ shown, now, isToday = false }: { shown: ShownDeparture; now: number; isToday?: boolean }) {
  const { departure, assignment } = shown
  return (
    <Link href={`/tours/${shown.id}`} className="duty-card flex items-center gap-2 p-4">
      <span className="min-w-0 flex-1">
        <span className="duty-small duty-quiet block">{whenLine(shown, isToday)}</span>
        <span className="duty-title block font-semibold text-ink-strong">{departure.tourName}</span>
        {assignment?.reportAt && (
          <span className="duty-small duty-quiet block">
            {m.duty_report_at({ time: formatMoment(assignment.reportAt, departure.timeZone, now) })}
          </span>
        )}
      </span>
      {isToday && <StatusTag shown={shown} now={now} />}
      <ChevronRight size={20} className="shrink-0 text-ink-2" aria-hidden />
    </Link>
  )
}
