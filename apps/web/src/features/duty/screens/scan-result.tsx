import { isRunning } from '@tour-ops/contract/state-machines'
import { CircleCheck, CircleX } from 'lucide-react'
import type { ReactNode } from 'react'
import { m } from '../../../paraglide/messages.js'
import { formatDayTime, formatList } from '../../../ui/format.ts'
import { guestWith, mayCheckIn } from '../rules/guest-list.ts'
import { stopOfCheckIn } from '../rules/guest-marks.ts'
import type { Ticket } from '../rules/tickets.ts'
import { phone } from '../store/phone.ts'
import type { ShownDay, ShownDeparture, ShownParty } from '../store/shown-day.ts'

interface Props {
  day: ShownDay
  shown: ShownDeparture
  ticket: Ticket
  onNext: () => void
}

/** What a ticket says, at the thumb. */
export function ScanResult({ day, shown, ticket, onNext }: Props) {
  if (ticket.kind === 'here') {
    // The ticket was read once; who is in meanwhile is in the day.
    const party = shown.groups
      ?.flatMap(({ parties }) => parties)
      .find(({ bookingId }) => bookingId === ticket.party.bookingId)
    return party ? <RightTicket shown={shown} party={party} onNext={onNext} /> : null
  }
  return <WrongTicket day={day} shown={shown} ticket={ticket} onNext={onNext} />
}

function RightTicket({ shown, party, onNext }: { shown: ShownDeparture; party: ShownParty; onNext: () => void }) {
  const guests = party.entries.filter(({ status }) => status !== 'cancelled')
  const open = guests.filter(mayCheckIn)
  const isIn = guests.filter(({ isAboard }) => isAboard)
  if (!isRunning(shown.departure) || !shown.can.mark) {
    return <Card title={party.contactName} text={m.duty_ticket_closed()} isWrong onNext={onNext} />
  }
  const title =
    open.length === 0
      ? guests.length > 1
        ? m.duty_party_is_in()
        : m.duty_is_in({ name: party.contactName })
      : isIn.length > 0
        ? m.duty_is_in({ name: formatList(isIn.map(({ name }) => name)) })
        : formatList(guests.map(({ name }) => name))
  const names = formatList(open.map(({ name }) => name))
  const all = () => {
    const events = open.map(({ id }) => {
      const group = guestWith(shown, id)?.group ?? { stopId: null }
      const stopId = stopOfCheckIn(shown, group)
      return { kind: 'check_in', departureId: shown.id, entryId: id, stopId, method: 'scan' } as const
    })
    void phone().record(...events)
  }
  return (
    <Card title={title} text={open.length > 0 ? m.duty_party_of({ count: guests.length, names }) : null}>
      {open.length > 0 && (
        <button type="button" className="duty-btn" onClick={all}>
          {m.duty_all_in({ count: isIn.length === 0 ? open.length : guests.length })}
        </button>
      )}
    </Card>
  )
}

function WrongTicket({ day, shown, ticket, onNext }: Props & { ticket: Exclude<Ticket, { kind: 'here' }> }) {
  const { title, text } = wordsOf(ticket, shown)
  return (
    <Card title={title} text={text} isWrong onNext={onNext}>
      {day.organization.phone !== null && (
        <a href={`tel:${day.organization.phone}`} className="duty-btn flex-1">
          {m.duty_call_office()}
        </a>
      )}
    </Card>
  )
}

const becauseLabels = {
  cancelled: m.duty_ticket_cancelled,
  waitlist: m.duty_ticket_waitlist,
  hold: m.duty_ticket_hold,
} as const

function wordsOf(
  ticket: Exclude<Ticket, { kind: 'here' }>,
  { departure: here }: ShownDeparture,
): { title: string; text: string } {
  switch (ticket.kind) {
    case 'unknown':
      return { title: m.duty_ticket_unknown(), text: m.duty_ticket_unknown_text({ code: ticket.code }) }
    case 'unconfirmed':
      return { title: becauseLabels[ticket.because](), text: ticket.name }
    case 'elsewhere': {
      const { party, departure } = ticket
      const { tourName: tour, startsAt, timeZone, localDate } = departure.departure
      const time = formatDayTime(startsAt, timeZone)
      const isToday = localDate === here.localDate
      const whose = m.duty_ticket_for({ name: party.contactName, count: party.entries.length, tour, time })
      return {
        title: isToday ? m.duty_other_departure() : m.duty_not_today(),
        text: `${whose} ${m.duty_seats_left({ count: here.seatsLeft })}`,
      }
    }
  }
}

interface CardProps {
  title: string
  text: string | null
  isWrong?: boolean
  onNext?: () => void
  children?: ReactNode
}

function Card({ title, text, isWrong = false, onNext, children }: CardProps) {
  const Icon = isWrong ? CircleX : CircleCheck
  return (
    <div className="duty-result" data-is={isWrong ? 'wrong' : undefined}>
      <div className="flex gap-3">
        <Icon size={26} aria-hidden />
        <p className="min-w-0 flex-1">
          <b className="duty-title block">{title}</b>
          {text}
        </p>
      </div>
      <div className="flex flex-wrap gap-3">
        {children}
        {onNext && (
          <button type="button" className="duty-btn flex-1" onClick={onNext}>
            {m.duty_scan_next()}
          </button>
        )}
      </div>
    </div>
  )
}
