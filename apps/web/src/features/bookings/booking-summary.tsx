import type { Traveler } from '@tour-ops/contract/travelers/travelers'
import { CircleCheck, Info, TriangleAlert } from 'lucide-react'
import { unitCount } from './booking-labels.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { travelerFlagLabel } from '../../records/traveler-flags.tsx'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import {
  formatDay,
  formatMoment,
  formatMoney,
  formatTimeThere,
  formatZone,
  localDateOf,
  formatLocalTime,
} from '../../ui/format.ts'
import { formatTimeBeside } from '../../ui/format-span.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { ZoneNote } from '../../ui/zone-note.tsx'
import { clashingTrip, holdEnd } from './booking-choice.ts'
import { TellGuest } from './tell-guest.tsx'
import { contactOf, type BookingDraft, type Person } from './use-booking-draft.ts'

export interface BookingSummaryProps {
  draft: BookingDraft
  person: Person
  /** The traveler's trips and needs, where there is a traveler already. */
  traveler: Traveler | null
  /** Left out where the form around it has the button. */
  onBook?: (() => void) | undefined
}

/** What is about to be booked, what it costs, and what was checked: 320 wide, next to the form. */
export function BookingSummary({ draft, person, traveler, onBook }: BookingSummaryProps) {
  const { departure, offer, tour, party } = draft
  if (!departure || !offer || !tour) return null
  const zone = offer.timeZone
  const currency = offer.units[0]?.currency
  const pickup = departure.pickups.find((one) => one.stopId === draft.choices.pickupId)
  return (
    <>
      <Card>
        <div className="grid gap-1 p-4">
          <Ltr className="text-xs text-ink-2">{departure.code}</Ltr>
          <b className="text-base font-semibold text-ink-strong">
            <Ltr>{formatLocalTime(departure.startTimeLocal)}</Ltr> <ZoneNote moment={departure.startsAt} zone={zone} />{' '}
            {tour.name}
          </b>
          <span className="text-ink-2">
            {formatDay(departure.startsAt, zone)}, {m.bookings_back({ time: backTime(departure, zone) })} ·{' '}
            {formatZone(zone)}
          </span>
        </div>
        <dl className="grid gap-1.5 border-t border-line p-4">
          {party.units.map((unit) => {
            const price = offer.units.find((one) => one.unitType === unit.unitType)
            return (
              <Line key={unit.unitType} label={unitCount(unit)}>
                {price && formatMoney(price.priceMinor * unit.quantity, price.currency)}
              </Line>
            )
          })}
          {currency && (
            <div className="flex justify-between gap-3 border-t border-line pt-2 text-base font-semibold text-ink-strong">
              <dt>{m.bookings_total()}</dt>
              <dd className="num">{formatMoney(party.totalMinor, currency)}</dd>
            </div>
          )}
          {pickup && (
            <Line label={m.bookings_pickup()} quiet>
              <Ltr>{formatTimeThere(pickup.at, zone)}</Ltr> {pickup.placeName}
            </Line>
          )}
          <Line label={m.bookings_seats_after()} quiet>
            {draft.short > 0
              ? m.bookings_short({ count: draft.short })
              : m.bookings_seats_of({ left: departure.seatsLeft - party.pax, capacity: departure.capacity })}
          </Line>
        </dl>
        <TellBooker draft={draft} person={person} startsAt={departure.startsAt} />
        {onBook && (
          <div className="grid gap-2 border-t border-line p-4 max-lg:hidden">
            <BookButton draft={draft} onBook={onBook} isWide />
          </div>
        )}
      </Card>
      <Checks draft={draft} person={person} traveler={traveler} />
    </>
  )
}

/** Whether the contact is told at once, of a booking that is confirmed. */
function TellBooker({
  draft: { choices, set },
  person,
  startsAt,
}: Pick<BookingSummaryProps, 'draft' | 'person'> & { startsAt: string }) {
  const { name, email } = contactOf(person, choices.contact)
  if (choices.mode !== 'confirm' || !email) return null
  return (
    <div className="border-t border-line p-4 empty:hidden">
      <TellGuest
        event="booking_confirmed"
        startsAt={startsAt}
        label={m.bookings_tell({ name, email })}
        checked={choices.isTold}
        onChange={(isTold) => set({ isTold })}
      />
    </div>
  )
}

interface LineProps {
  label: string
  quiet?: boolean
  children: React.ReactNode
}

const Line = ({ label, quiet, children }: LineProps) => (
  <div className={quiet ? 'flex justify-between gap-3 text-ink-2' : 'flex justify-between gap-3'}>
    <dt>{label}</dt>
    <dd className="num text-end">{children}</dd>
  </div>
)

const backTime = ({ startsAt, endsAt }: { startsAt: string; endsAt: string }, zone: string): string =>
  formatTimeBeside(localDateOf(startsAt, zone), endsAt, zone)

/** `today 18:00`, or the day as well. */
export const keptUntil = (moment: string, zone: string): string => formatMoment(moment, zone)

/** The word and number of the main act: "Hold 3 seats". */
function bookLabel({ party, choices }: BookingDraft): string {
  return choices.mode === 'hold'
    ? m.bookings_hold_seats({ count: party.pax })
    : m.bookings_confirm({ count: party.pax })
}

/** The same for somebody who is made in the same step: "Create and hold 3 seats". */
export function createLabel({ party, choices }: BookingDraft): string {
  return choices.mode === 'hold'
    ? m.bookings_create_hold({ count: party.pax })
    : m.bookings_create_confirm({ count: party.pax })
}

/** Why it cannot be booked yet; undefined when it can. */
export function bookProblem({ departure, party, short, choices }: BookingDraft): string | undefined {
  if (!departure) return m.bookings_choose_departure()
  if (departure.state === 'closed') return m.bookings_sales_closed()
  if (party.pax === 0) return m.bookings_one_guest()
  if (party.lacksAdult) return m.bookings_needs_adult()
  if (short > 0) return m.bookings_seats_missing({ count: short })
  if (choices.contact && choices.contact.name.trim() === '') return m.bookings_who_pays()
  return undefined
}

interface BookButtonProps {
  draft: BookingDraft
  onBook: () => void
  isWide?: boolean
}

export function BookButton({ draft, onBook, isWide }: BookButtonProps) {
  const { departure, offer, choices, holdMinutes } = draft
  const problem = bookProblem(draft)
  return (
    <>
      {draft.error && (
        <p role="alert" className="font-medium text-bad">
          {refusalText(draft.error)}
        </p>
      )}
      <Button
        variant="primary"
        className={isWide ? 'w-full' : undefined}
        pending={draft.isPending}
        disabledReason={problem}
        reasonPlace="below"
        onClick={onBook}
      >
        {bookLabel(draft)}
      </Button>
      {isWide && !problem && departure && offer && (
        <p className="text-center text-xs text-ink-2">
          {choices.mode === 'hold'
            ? m.bookings_hold_note({
                time: keptUntil(holdEnd(draft.now, holdMinutes, departure.startsAt), offer.timeZone),
              })
            : m.bookings_confirm_note()}
        </p>
      )}
    </>
  )
}

function Checks({ draft, person, traveler }: Omit<BookingSummaryProps, 'onBook'>) {
  const { departure, party, choices } = draft
  if (!departure) return null
  const clash = traveler && clashingTrip(traveler.trips, departure)
  const allergies = [
    ...(traveler?.flags ?? []).filter((flag) => flag.endsWith('_allergy')).map((flag) => ({ name: person.name, flag })),
    ...choices.companions.flatMap((guest) =>
      (guest.flags ?? []).filter((flag) => flag.endsWith('_allergy')).map((flag) => ({ name: guest.name, flag })),
    ),
  ]
  return (
    <Card title={m.bookings_checked()} className="max-lg:hidden">
      <ul className="grid gap-2 border-t border-line p-4">
        {traveler && (
          <Check ok={!clash}>{clash ? m.bookings_clash({ code: clash.code }) : m.bookings_no_clash()}</Check>
        )}
        <Check ok={!party.lacksAdult}>{party.lacksAdult ? m.bookings_needs_adult() : m.bookings_has_adult()}</Check>
        {allergies.map(({ name, flag }) => (
          <li key={`${name} ${flag}`} className="flex items-start gap-2">
            <Info size={16} className="mt-0.5 shrink-0 text-warn" aria-hidden />
            {m.bookings_allergy_told({ name, need: travelerFlagLabel(flag) })}
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Check({ ok, children }: { ok: boolean; children: string }) {
  const Icon = ok ? CircleCheck : TriangleAlert
  return (
    <li className="flex items-start gap-2">
      <Icon size={16} className={ok ? 'mt-0.5 shrink-0 text-ok' : 'mt-0.5 shrink-0 text-warn'} aria-hidden />
      {children}
    </li>
  )
}
