import type { Traveler } from '@tour-ops/contract/travelers/travelers'
import { unitCount } from './booking-labels.ts'
import { refusalText } from '../../errors/refusal-text.ts'
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
import { BookingChecks } from './booking-checks.tsx'
import { holdEnd } from './booking-choice.ts'
import { TellGuest } from './tell-guest.tsx'
import { isAgreed } from './price-fields.tsx'
import { contactOf, type BookingDraft } from './use-booking-draft.ts'

export interface BookingSummaryProps {
  draft: BookingDraft
  /** The caller's trips, where the caller is somebody we know. */
  traveler: Traveler | null
  onBook: () => void
}

/** What is about to be booked, what it costs, and what was checked: 320 wide, next to the form. */
export function BookingSummary({ draft, traveler, onBook }: BookingSummaryProps) {
  const { departure, offer, tour, party, currency, total } = draft
  if (!departure || !offer || !tour) return null
  const zone = offer.timeZone
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
          {currency && draft.discount.code !== null && (
            <Line label={m.bookings_discount({ code: draft.discount.code })}>
              {formatMoney(0 - draft.discount.amountMinor, currency)}
            </Line>
          )}
          {currency && isAgreed(draft) && (
            <Line label={m.bookings_price_list()} quiet>
              {formatMoney(draft.listMinor, currency)}
            </Line>
          )}
          {currency && (
            <div className="flex justify-between gap-3 border-t border-line pt-2 text-base font-semibold text-ink-strong">
              <dt>{m.bookings_total()}</dt>
              <dd className="num">{typeof total === 'number' ? formatMoney(total, currency) : '–'}</dd>
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
        <TellBooker draft={draft} startsAt={departure.startsAt} />
        <div className="grid gap-2 border-t border-line p-4 max-lg:hidden">
          <BookButton draft={draft} onBook={onBook} isWide />
        </div>
      </Card>
      <BookingChecks draft={draft} traveler={traveler} />
    </>
  )
}

/** Whether the contact is told at once, of a booking that is confirmed. */
function TellBooker({ draft: { choices, set }, startsAt }: Pick<BookingSummaryProps, 'draft'> & { startsAt: string }) {
  const { name, email } = choices.caller ? contactOf(choices.caller, choices) : { name: '', email: null }
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

/** A line of a sum. */
export const Line = ({ label, quiet, children }: LineProps) => (
  <div className={quiet ? 'flex justify-between gap-3 text-ink-2' : 'flex justify-between gap-3'}>
    <dt>{label}</dt>
    <dd className="num text-end">{children}</dd>
  </div>
)

const backTime = ({ startsAt, endsAt }: { startsAt: string; endsAt: string }, zone: string): string =>
  formatTimeBeside(localDateOf(startsAt, zone), endsAt, zone)

/** The word and number of the main act: "Hold 3 seats". */
function bookLabel({ party, choices }: BookingDraft): string {
  return choices.mode === 'hold'
    ? m.bookings_hold_seats({ count: party.pax })
    : m.bookings_confirm({ count: party.pax })
}

/** Why it cannot be booked yet; undefined when it can. */
function bookProblem(draft: BookingDraft): string | undefined {
  const { departure, party, short, choices } = draft
  if (!departure) return m.bookings_choose_departure()
  if (departure.state === 'closed') return m.bookings_sales_closed()
  if (party.pax === 0) return m.bookings_one_guest()
  if (party.lacksAdult) return m.bookings_needs_adult()
  if (short > 0) return m.bookings_seats_missing({ count: short })
  if (!choices.caller || choices.caller.name.trim() === '') return m.bookings_say_who()
  if (choices.contact && choices.contact.name.trim() === '') return m.bookings_who_pays()
  if (draft.named > party.pax) return m.ui_words_names_above_seats({ seats: party.pax, names: draft.named })
  if (typeof draft.total === 'string' || typeof choices.paidMinor === 'string') return m.bookings_no_amount()
  if (Number(choices.paidMinor) > 0 && choices.paidBy === '') return m.bookings_choose_method()
  if (draft.discount.error) return m.bookings_fix_discount()
  if (isAgreed(draft) && choices.priceReason.trim() === '') return m.bookings_say_why_price()
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
                time: formatMoment(holdEnd(draft.now, holdMinutes, departure.startsAt), offer.timeZone),
              })
            : m.bookings_confirm_note()}
        </p>
      )}
    </>
  )
}
