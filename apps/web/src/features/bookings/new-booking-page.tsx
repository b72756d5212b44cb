import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { Booking } from '@tour-ops/contract/bookings/bookings'
import { getTraveler, type Traveler } from '@tour-ops/contract/travelers/travelers'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Search } from '../../addresses/open-records.ts'
import { useScreenQuery } from '../../app/screen-query.ts'
import { useUnsavedChanges } from '../../app/unsaved-changes.ts'
import { callQuery } from '../../backend/queries.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { LeaveDialog } from '../../ui/form/form.tsx'
import { formatMoney } from '../../ui/format.ts'
import { Page } from '../../ui/page.tsx'
import { bookedToast } from './booked-toast.ts'
import { EditBooking } from './edit-booking-later.tsx'
import { BookingSection } from './booking-section.tsx'
import { BookButton, BookingSummary } from './booking-summary.tsx'
import type { Person } from './booking-choice.ts'
import { useBookingDraft, type Beginning, type BookingDraft } from './use-booking-draft.ts'

/**
 * A new booking at `/travelers/book`: what and when first, then who. Links, the palette and a departure may say the tour, the day, the number of seats
 * or the departure already; with `edit` it is a booking that is changed. See docs/screens.md, "Booking".
 */
export function NewBookingPage() {
  const search = useSearch({ from: '/_dashboard/travelers/book/' })
  const { bookOn, tour, day, seats, edit } = search
  if (edit !== undefined) return <EditBooking key={edit} id={edit} />
  const beginning = { bookOn, tour, day, seats: seats === undefined ? undefined : Number(seats) }
  return <NewBooking key={beginningIn(search)} beginning={beginning} />
}

/** The same for somebody we know, at `/travelers/book/{id}`. */
export function NewBookingOfTravelerPage() {
  const { id } = useParams({ from: '/_dashboard/travelers/book/$id' })
  const search = useSearch({ from: '/_dashboard/travelers/book/$id' })
  const { data } = useScreenQuery(callQuery(getTraveler, { id }))
  if (!data) return undefined
  return (
    <NewBooking
      key={`${data.id} ${beginningIn(search)}`}
      beginning={{ bookOn: search.bookOn, caller: personOf(data) }}
    />
  )
}

/** What an address says to begin with: another one begins anew. */
const beginningIn = (search: Search): string =>
  JSON.stringify(['bookOn', 'tour', 'day', 'seats'].map((name) => search[name]))

const isOtherBeginning = (before: Search, after: Search): boolean => beginningIn(before) !== beginningIn(after)

const personOf = ({ id, firstName, lastName, phone, email, flags, languages }: Traveler): Person => ({
  id,
  name: [firstName, lastName].filter(Boolean).join(' '),
  phone,
  email,
  flags,
  language: languages[0] ?? null,
})

function NewBooking({ beginning }: { beginning: Beginning }) {
  const navigate = useNavigate()
  const draft = useBookingDraft(beginning)
  const { caller } = draft.choices
  const { data: traveler } = useQuery({
    ...callQuery(getTraveler, { id: caller?.id ?? '' }),
    enabled: typeof caller?.id === 'string',
  })
  const [booked, setBooked] = useState<Booking | null>(null)
  const leaving = useUnsavedChanges(draft.isTouched && booked === null, isOtherBeginning)
  const form = useRef<HTMLDivElement>(null)
  const isTourSaid = beginning.bookOn !== undefined || beginning.tour !== undefined
  const isReady = isTourSaid ? draft.offer !== undefined : draft.tours !== undefined
  const focusFirst = useEffectEvent(() => {
    if (caller || form.current?.contains(document.activeElement)) return
    const first = form.current?.querySelector<HTMLElement>(draft.departure ? 'input[role=combobox]' : 'select')
    first?.focus()
  })
  // What is still to be said, so that nobody has to reach for the mouse.
  useEffect(() => {
    if (isReady) focusFirst()
  }, [isReady])
  const book = (options?: Parameters<BookingDraft['book']>[0]) =>
    void draft.book(options).then((booking) => booking && setBooked(booking))
  const afterBooking = useEffectEvent((booking: Booking) => {
    bookedToast(booking)
    const id = caller?.id ?? booking.guests[0]?.travelerId
    if (id) void navigate({ to: '/travelers/details/$id', params: { id } })
    else void navigate({ to: '/travelers/list', search: { booking: booking.id } })
  })
  // After the render that says "nothing unsaved", so that no guard holds the navigation.
  useEffect(() => {
    if (booked) queueMicrotask(() => afterBooking(booked))
  }, [booked])
  const cancel = () =>
    beginning.caller?.id
      ? void navigate({ to: '/travelers/details/$id', params: { id: beginning.caller.id } })
      : void navigate({ to: '/travelers/list' })
  return (
    <Page
      title={m.bookings_new()}
      context={caller?.name ? m.bookings_new_for({ name: caller.name }) : undefined}
      actions={<Button onClick={cancel}>{m.ui_cancel()}</Button>}
      footer={
        draft.departure && (
          <footer className="form-footer lg:hidden">
            <span className="min-w-0 flex-1">
              {draft.currency && typeof draft.total === 'number' && (
                <b className="num block text-base text-ink-strong">{formatMoney(draft.total, draft.currency)}</b>
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
        <div ref={form} className="card min-w-0 divide-y divide-line self-start">
          <BookingSection draft={draft} onBook={book} />
        </div>
        <div className="flex flex-col gap-4 self-start lg:sticky lg:top-20">
          <BookingSummary draft={draft} traveler={traveler ?? null} onBook={() => book()} />
        </div>
      </div>
      <LeaveDialog open={leaving.isAsking} onStay={leaving.stay} onLeave={leaving.leave} />
    </Page>
  )
}
