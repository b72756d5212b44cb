import { useQuery } from '@tanstack/react-query'
import type { Incident } from '@tour-ops/contract/monitoring/incidents'
import { fillVariables } from '@tour-ops/contract/notifications/guest-messages'
import {
  isCrewTold,
  type ToldCrewMember,
  type ToldMessage,
  toldSoFar,
  type UntoldParty,
} from '@tour-ops/contract/monitoring/told-so-far'
import { callQuery } from '../../backend/queries.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { Banner } from '../../ui/banner.tsx'
import { formatMoment } from '../../ui/format.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { BookingLink } from '../../records/booking-link.tsx'
import { roleLabels } from '../../records/crew-roles.ts'
import { kindLabel, MessageGuests } from '../notifications/index.ts'
import { isOver } from './incident-labels.ts'

interface ToldSoFarProps {
  incident: Incident
  timeZone: string
  /** Milliseconds. */
  now: number
}

/** Which guests and crew of the departure have been told since the incident was reported, and who still has to be. */
export function ToldSoFar({ incident: { id, departure, status }, timeZone, now }: ToldSoFarProps) {
  const { data, error } = useQuery({ ...callQuery(toldSoFar, { id }), enabled: departure !== null })
  if (!departure || (data && data.guests === 0 && data.crew.length === 0)) return null
  return (
    <section aria-label={m.monitoring_told_title()} className="border-b border-line pb-4">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 pt-4 pb-2 lg:px-6">
        <h3 className="font-semibold">{m.monitoring_told_title()}</h3>
        {data && (
          <span className="num me-auto text-ink-2">
            {[
              data.guests > 0 && m.monitoring_told_of({ told: data.told, guests: data.guests }),
              data.crew.length > 0 && crewTold(data.crew),
            ]
              .filter((text) => text !== false)
              .join(' · ')}
          </span>
        )}
        {!isOver(status) && <MessageGuests size="sm" guests={{ departureIds: [departure.id], bookingIds: [] }} />}
      </header>
      {error && !data && (
        <div className="px-4 lg:px-6">
          <Banner tone="bad">{refusalText(error)}</Banner>
        </div>
      )}
      {data && (
        <>
          {data.guests > 0 && (
            <>
              <Messages messages={data.messages} tourName={departure.tourName} timeZone={timeZone} now={now} />
              <Untold parties={data.untold} count={data.untoldCount} />
            </>
          )}
          <Crew crew={data.crew} timeZone={timeZone} now={now} />
        </>
      )}
    </section>
  )
}

interface MessagesProps extends Omit<ToldSoFarProps, 'incident'> {
  messages: readonly ToldMessage[]
  tourName: string
}

function Messages({ messages, tourName, timeZone, now }: MessagesProps) {
  if (messages.length === 0) return <p className="px-4 pb-3 text-ink-2 lg:px-6">{m.monitoring_told_none()}</p>
  return (
    <ul className="divide-y divide-line border-t border-line">
      {messages.map((message) => (
        <li key={`${message.kind} ${message.writtenAt} ${message.subject}`} className="px-4 py-2 lg:px-6">
          <bdi className="block font-medium break-words text-ink-strong">{subjectOf(message, tourName)}</bdi>
          <span className="num block text-xs text-ink-2">
            {formatMoment(message.sentAt ?? message.writtenAt, timeZone, now)}
            {message.writtenBy !== null && (
              <>
                {' '}
                <bdi>{m.monitoring_told_by({ name: message.writtenBy })}</bdi>
              </>
            )}
            {[
              message.sent > 0 && m.monitoring_told_guests({ count: message.sent }),
              message.waiting > 0 && m.monitoring_told_waiting({ count: message.waiting }),
              message.failed > 0 && m.monitoring_told_failed({ count: message.failed }),
            ]
              .filter((text) => text !== false)
              .map((text) => ` · ${text}`)}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** What somebody wrote, or which rule did. */
export const subjectOf = ({ subject, kind }: ToldMessage, tourName: string): string =>
  subject === null ? kindLabel(kind) : fillVariables(subject, (name) => (name === 'tour' ? tourName : '…'))

/** How many of the crew know. */
export const crewTold = (crew: readonly ToldCrewMember[]): string =>
  m.monitoring_told_crew_of({ told: crew.filter(isCrewTold).length, count: crew.length })

const crewStateLabels: Readonly<Record<ToldCrewMember['state'], (parts: { time: string }) => string>> = {
  wrote: m.monitoring_told_crew_wrote,
  seen: m.monitoring_told_crew_seen,
  sent: m.monitoring_told_crew_sent,
  waiting: () => m.monitoring_told_is_waiting(),
  failed: () => m.monitoring_told_has_failed(),
  plan_not_seen: () => m.monitoring_told_crew_not_seen(),
  not_written: () => m.monitoring_told_not_written(),
}

/** How somebody of the crew knows, or why they may not. @param stamp Of a moment. */
export const crewStateText = ({ state, at }: ToldCrewMember, stamp: (moment: string) => string): string =>
  crewStateLabels[state]({ time: at === null ? '' : stamp(at) })

/** Everybody on the crew, with the phone of who may still have to be called. */
function Crew({ crew, timeZone, now }: Omit<ToldSoFarProps, 'incident'> & { crew: readonly ToldCrewMember[] }) {
  if (crew.length === 0) return null
  return (
    <>
      <h4 className="mt-3 border-t border-line px-4 pt-3 pb-1 font-medium lg:px-6">{m.monitoring_told_crew()}</h4>
      <ul>
        {crew.map((one) => (
          <li key={`${one.staffId} ${one.role}`} className="flex min-h-11 items-center gap-3 px-4 py-1 lg:px-6">
            <span className="min-w-0 flex-1">
              <bdi className="block truncate font-medium text-ink-strong">{one.name}</bdi>
              <span className="num block text-xs text-ink-2">
                {roleLabels[one.role]()} · {crewStateText(one, (at) => formatMoment(at, timeZone, now))}
              </span>
            </span>
            {one.phone !== null && !isCrewTold(one) && (
              <a className="link num" href={`tel:${one.phone}`}>
                <Ltr>{one.phone}</Ltr>
              </a>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

/** Why a party has no news yet, in words. */
export const untoldReasons: Readonly<Record<UntoldParty['reason'], () => string>> = {
  not_written: m.monitoring_told_not_written,
  no_address: m.monitoring_told_no_address,
  opted_out: m.monitoring_told_opted_out,
  waiting: m.monitoring_told_is_waiting,
  failed: m.monitoring_told_has_failed,
}

/** Who has no news, with the phone to call. */
function Untold({ parties, count }: { parties: readonly UntoldParty[]; count: number }) {
  if (count === 0) return <p className="px-4 pt-2 text-ink-2 lg:px-6">{m.monitoring_told_all()}</p>
  const more = count - parties.length
  return (
    <>
      <h4 className="border-t border-line px-4 pt-3 pb-1 font-medium lg:px-6">{m.monitoring_told_not_yet()}</h4>
      <ul>
        {parties.map(({ bookingId, name, phone, pax, reason }) => (
          <li key={bookingId} className="flex min-h-11 items-center gap-3 px-4 py-1 lg:px-6">
            <span className="min-w-0 flex-1">
              <BookingLink id={bookingId} className="link block truncate font-medium">
                <bdi>{name}</bdi>
              </BookingLink>
              <span className="num block text-xs text-ink-2">
                {m.monitoring_told_guests({ count: pax })} · {untoldReasons[reason]()}
              </span>
            </span>
            {phone !== null && (
              <a className="link num" href={`tel:${phone}`}>
                <Ltr>{phone}</Ltr>
              </a>
            )}
          </li>
        ))}
      </ul>
      {more > 0 && <p className="px-4 text-ink-2 lg:px-6">{m.monitoring_told_more({ count: more })}</p>}
    </>
  )
}
