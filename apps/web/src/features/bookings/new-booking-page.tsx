import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { Booking } from '@tour-ops/contract/bookings/bookings'
import { getTraveler, type Traveler } from '@tour-ops/contract/travelers/travelers'
import { useEffect, useEffectEvent, useState } from 'react'
import { useScreenQuery } from '../../app/screen-query.ts'
import { useUnsavedChanges } from '../../app/unsaved-changes.ts'
import { callQuery } from '../../backend/queries.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { LeaveDialog } from '../../ui/form/form.tsx'
import { formatMoney } from '../../ui/format.ts'
import { Page } from '../../ui/page.tsx'
import { bookedToast } from './booked-toast.ts'
import { BookingSection } from './booking-section.tsx'
import { BookButton, BookingSummary } from './booking-summary.tsx'
import { useBookingDraft, type BookingDraft } from './use-booking-draft.ts'

/** A new booking for somebody we know, at `/travelers/book/{id}`. See docs/screens.md, "Booking". */
export function NewBookingPage() {
  const { id } = useParams({ from: '/_dashboard/travelers/book/$id' })
  const { data } = useScreenQuery(callQuery(getTraveler, { id }))
  return data && <NewBooking key={data.id} traveler={data} />
}

function NewBooking({ traveler }: { traveler: Traveler }) {
  const navigate = useNavigate()
  const { bookOn } = useSearch({ from: '/_dashboard/travelers/book/$id' })
  const draft = useBookingDraft(bookOn ?? null)
  const [booked, setBooked] = useState<Booking | null>(null)
  const leaving = useUnsavedChanges(draft.isTouched && booked === null)
  const name = [traveler.firstName, traveler.lastName].filter(Boolean).join(' ')
  const { id, phone, email, flags, languages } = traveler
  const person = { id, name, phone, email, flags, language: languages[0] ?? null }
  const book = (options?: Parameters<BookingDraft['book']>[1]) =>
    void draft.book(person, options).then((booking) => booking && setBooked(booking))
  const leave = () => void navigate({ to: '/travelers/details/$id', params: { id: traveler.id } })
  const afterBooking = useEffectEvent((booking: Booking) => {
    bookedToast(booking)
    leave()
  })
  // After the render that says "nothing unsaved", so that no guard holds the navigation.
  useEffect(() => {
    if (booked) queueMicrotask(() => afterBooking(booked))
  }, [booked])
  const currency = draft.offer?.units[0]?.currency
  return (
    <Page
      title={m.bookings_new()}
      context={m.bookings_new_for({ name })}
      actions={<Button onClick={leave}>{m.ui_cancel()}</Button>}
      footer={
        draft.departure && (
          <footer className="form-footer lg:hidden">
            <span className="min-w-0 flex-1">
              {currency && (
                <b className="num block text-base text-ink-strong">{formatMoney(draft.party.totalMinor, currency)}</b>
              )}
              <span className="text-ink-2">{m.bookings_guests_count({ count: draft.party.pax })}</span>
            </span>
            <span className="grid justify-items-end gap-1">
              <BookButton draft={draft} onBook={() => book()} />
            </span>
          </footer>
        )
      }
    >
      <div className="grid content-start gap-4 lg:grid-cols-[minmax(0,1fr)_320px]">
        <div className="card min-w-0 divide-y divide-line self-start">
          <BookingSection draft={draft} person={person} onBook={book} />
        </div>
        <div className="flex flex-col gap-4 self-start lg:sticky lg:top-20">
          <BookingSummary draft={draft} person={person} traveler={traveler} onBook={() => book()} />
        </div>
      </div>
      <LeaveDialog open={leaving.isAsking} onStay={leaving.stay} onLeave={leaving.leave} />
    </Page>
  )
}
