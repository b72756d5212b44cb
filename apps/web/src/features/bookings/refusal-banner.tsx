import { CircleX, ListEnd } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { m } from '../../paraglide/messages.js'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { formatTimeThere } from '../../ui/format.ts'
import { fittedTo } from './booking-choice.ts'
import { isAgreed } from './price-fields.tsx'
import type { BookingDraft } from './use-booking-draft.ts'

export interface RefusalBannerProps {
  draft: BookingDraft
  onBook: (options: Parameters<BookingDraft['book']>[0]) => void
  onOtherDays: () => void
}

/** Too few seats, shown where the number was typed, with three alternatives. After a refused press its first button has the focus. */
export function RefusalBanner({ draft, onBook, onOtherDays }: RefusalBannerProps) {
  const { departure, offer, party, short, refusal, quantities, isPending } = draft
  const box = useRef<HTMLDivElement>(null)
  // The refusal may come before the new count of seats does: the focus waits for the buttons.
  const isShown = departure !== undefined && offer !== undefined && short !== 0
  useEffect(() => {
    if (refusal && isShown) box.current?.querySelector('button')?.focus()
  }, [refusal, isShown])
  if (!departure || !offer || short === 0) return null
  const left = departure.seatsLeft
  // a price that was agreed on is that of the whole party
  const fewer = left > 0 && !isAgreed(draft) ? fittedTo(left, quantities, offer.units) : null
  const soldAt = refusal?.lastSoldAt ?? null
  return (
    <div ref={box}>
      <Banner
        tone="bad"
        icon={CircleX}
        role="alert"
        framed
        title={m.bookings_seats_short({ left, asked: party.pax })}
        actions={
          <>
            <Button variant="primary" icon={ListEnd} pending={isPending} onClick={() => onBook({ mode: 'waitlist' })}>
              {m.bookings_join_waitlist({ count: party.pax })}
            </Button>
            {fewer && (
              <Button disabled={isPending} onClick={() => onBook({ mode: draft.choices.mode, quantities: fewer })}>
                {draft.choices.mode === 'hold'
                  ? m.bookings_hold_the({ count: left })
                  : m.bookings_confirm_the({ count: left })}
              </Button>
            )}
            <Button onClick={onOtherDays}>{m.bookings_other_days()}</Button>
          </>
        }
      >
        {refusal && (
          <p>
            {soldAt && m.bookings_sold_meanwhile({ time: formatTimeThere(soldAt, offer.timeZone) })}{' '}
            {m.bookings_nothing_booked()}
          </p>
        )}
        <p className="text-xs">{waitText(draft)}</p>
      </Banner>
    </div>
  )
}

function waitText({ departure, party, choices, offerMinutes }: BookingDraft): string {
  const rank = (departure?.waitlistCount ?? 0) + 1
  const { email, name } = choices.contact ?? choices.caller ?? {}
  const place = rank === 1 ? m.bookings_wait_first() : m.bookings_wait_rank({ rank })
  const offer = m.bookings_wait_offer({ count: party.pax, hours: Math.round(offerMinutes / 60) })
  return [place, offer, email && name && m.bookings_wait_mail({ name })].filter(Boolean).join(' ')
}
