import { Timer } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { m } from '../../../paraglide/messages.js'
import { guestStatusLabels } from '../../../records/guest-status-labels.ts'
import { TravelerNeed } from '../../../records/traveler-flags.tsx'
import { useNow } from '../../../ui/clock.ts'
import { formatDuration, formatTime } from '../../../ui/format.ts'
import { Ticks } from '../components/marks.tsx'
import { DutyPage, Section } from '../components/page.tsx'
import { ReasonSheet } from '../components/reason-sheet.tsx'
import { ConfirmSheet } from '../components/sheet.tsx'
import { undoCheckIn } from '../components/undo-check-in.ts'
import { guestWith, mayCheckIn, needsOf } from '../rules/guest-list.ts'
import { noShowFrom, tapOn, tourMarksOf, type TourMark, waitsUntil, stopOfCheckIn } from '../rules/guest-marks.ts'
import { phone } from '../store/phone.ts'
import type { ShownDay, ShownDeparture } from '../store/shown-day.ts'
import { CallIcon } from './departure-facts.tsx'

type Found = NonNullable<ReturnType<typeof guestWith>>
interface Props {
  day: ShownDay
  shown: ShownDeparture
  guest: Found
}

/** One guest: what the crew must know, who travels along, and the marks that need a second thought. */
export function GuestPage({ day, shown, guest }: Props) {
  const { entry, party, group } = guest
  const zone = shown.departure.timeZone
  const needs = needsOf(entry)
  const others = party.entries.filter(({ id, status }) => id !== entry.id && status !== 'cancelled')
  const facts: readonly (readonly [string, string | null])[] = [
    [m.duty_booking(), party.bookingRef],
    [m.duty_pickup_at({ time: formatTime(group.at, zone) }), group.placeName],
    [m.duty_seat(), entry.seatOrGroup],
    [m.duty_guest_note(), entry.note],
    [m.duty_booking_notes(), party.notes],
  ]
  return (
    <DutyPage title={entry.name} context={party.bookingRef} back={`/tours/${shown.id}/guests`}>
      <div className="pb-6">
        <Section title={m.duty_status()}>
          <p className="duty-row">
            <b className="flex-1 text-ink-strong">
              {guestStatusLabels[entry.status]()}
              {entry.isAboard && entry.checkInAt !== null && ` ${formatTime(entry.checkInAt, zone)}`}
            </b>
            <Ticks mark={entry.mark} />
          </p>
          <GuestMarks day={day} shown={shown} guest={guest} />
        </Section>
        <Section title={m.duty_needs()}>
          {needs.length === 0 ? (
            <p className="duty-row duty-quiet">{m.duty_no_needs()}</p>
          ) : (
            needs.map((flag) => (
              <p key={flag} className="duty-row">
                <TravelerNeed flag={flag} />
              </p>
            ))
          )}
        </Section>
        <Section title={m.duty_contact()}>
          <div className="duty-row">
            <span className="min-w-0 flex-1">
              <span className="block text-ink-strong">{party.contactName}</span>
              <span className="duty-small duty-quiet">{party.contactPhone}</span>
            </span>
            {party.contactPhone !== null && <CallIcon name={party.contactName} number={party.contactPhone} />}
          </div>
          {facts.map(
            ([label, value]) =>
              value !== null && (
                <p key={label} className="duty-row">
                  <span>
                    <span className="duty-small duty-quiet block">{label}</span>
                    {value}
                  </span>
                </p>
              ),
          )}
        </Section>
        {others.length > 0 && (
          <Section title={m.duty_travels_with()}>
            {others.map((one) => (
              <Link key={one.id} href={`/tours/${shown.id}/guests/${one.id}`} className="duty-row">
                <span className="flex-1 text-ink-strong">{one.name}</span>
                <span className="duty-small duty-quiet">{guestStatusLabels[one.status]()}</span>
              </Link>
            ))}
          </Section>
        )}
      </div>
    </DutyPage>
  )
}

type Asked = 'no_show' | 'undo' | TourMark

const tourLabels: Record<TourMark, () => string> = {
  missing: m.duty_mark_missing,
  left_early: m.duty_mark_left_early,
  on_tour: m.duty_mark_found,
}

function GuestMarks({ day, shown, guest: { entry, group } }: Props) {
  const now = useNow(1000)
  const [asked, setAsked] = useState<Asked | null>(null)
  const { id: entryId, name } = entry
  const departureId = shown.id
  const close = () => setAsked(null)
  const tap = tapOn(shown, entry, now)
  const from = noShowFrom(group, day.organization.noShowFromMin)
  const mark = (to: TourMark) => {
    close()
    void phone().record({ kind: 'guest', departureId, entryId, to })
  }
  const checkIn = () =>
    void phone().record({
      kind: 'check_in',
      departureId,
      entryId,
      stopId: stopOfCheckIn(shown, group),
      method: 'tap',
    })
  return (
    <>
      {tap === 'check-in' && (
        <div className="grid gap-2 p-3">
          <button type="button" className="duty-btn duty-btn-main" onClick={checkIn}>
            {m.duty_check_in_one({ name })}
          </button>
          {entry.status === 'expected' && (
            <>
              <WaitingTime shown={shown} group={group} now={now} />
              {now >= from ? (
                <button type="button" className="duty-btn" onClick={() => setAsked('no_show')}>
                  {m.duty_no_show()}
                </button>
              ) : (
                <p className="duty-small duty-quiet">
                  {m.duty_no_show()}: {m.duty_no_show_from({ time: formatTime(from, shown.departure.timeZone) })}
                </p>
              )}
            </>
          )}
        </div>
      )}
      {(tap === 'undo' || tap === 'ask-undo') && shown.departure.status === 'boarding' && (
        <div className="grid p-3">
          <button type="button" className="duty-btn" onClick={() => setAsked('undo')}>
            {m.duty_undo_one({ name })}
          </button>
        </div>
      )}
      {tourMarksOf(shown, entry).length > 0 && (
        <div className="grid gap-2 p-3">
          {tourMarksOf(shown, entry).map((to) => (
            <button
              key={to}
              type="button"
              className="duty-btn"
              onClick={() => (to === 'on_tour' ? mark(to) : setAsked(to))}
            >
              {to === 'on_tour' && entry.status === 'left_early' ? m.duty_mark_not_left() : tourLabels[to]()}
            </button>
          ))}
        </div>
      )}
      {asked === 'no_show' && mayCheckIn(entry) && (
        <ReasonSheet
          title={m.duty_no_show_title({ name })}
          label={m.duty_no_show_note()}
          confirm={m.duty_no_show()}
          isNeeded={false}
          onClose={close}
          onConfirm={(note) => {
            close()
            void phone().record({ kind: 'no_show', departureId, entryId, note })
          }}
        />
      )}
      {asked === 'undo' && (
        <ConfirmSheet
          title={m.duty_undo_title({ name })}
          confirm={m.duty_undo()}
          onClose={close}
          onConfirm={() => {
            close()
            void undoCheckIn(departureId, entryId)
          }}
        />
      )}
      {(asked === 'missing' || asked === 'left_early') && (
        <ConfirmSheet
          title={asked === 'missing' ? m.duty_missing_title({ name }) : m.duty_left_title({ name })}
          text={asked === 'missing' ? m.duty_missing_text() : m.duty_left_text()}
          confirm={tourLabels[asked]()}
          onClose={close}
          onConfirm={() => mark(asked)}
        />
      )}
    </>
  )
}

/** How long the crew waits at this pickup. */
function WaitingTime({ shown, group, now }: { shown: ShownDeparture; group: Found['group']; now: number }) {
  const until = waitsUntil(shown, group)
  if (until === null) return null
  const time = formatTime(until, shown.departure.timeZone)
  const left = Math.max(0, until - now)
  return (
    <p className="duty-note tone-warn">
      <Timer size={20} aria-hidden />
      {left === 0 ? m.duty_waited({ time }) : m.duty_wait({ time, left: formatDuration(Math.ceil(left / 60_000)) })}
    </p>
  )
}
