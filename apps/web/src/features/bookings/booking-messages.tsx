import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { listBookingMessages } from '@tour-ops/contract/notifications/guest-rules'
import { useId } from 'react'
import { callQuery } from '../../backend/queries.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { formatDayTime, formatTime } from '../../ui/format.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { BookingOptOut } from './booking-opt-out.tsx'
import { channelLabel, DeliveryStatus, kindLabel, MessageGuests, suppressedLabel } from '../notifications/index.ts'

interface BookingMessagesProps {
  /** Of the booking. */
  id: string
  /** Which booking it is, where that is not said around it. */
  title?: string
}

/** What was written to the contact of a booking, and whether it left. Nothing while nobody could be written to. */
export function BookingMessages({ id, title = m.bookings_messages() }: BookingMessagesProps) {
  const { can } = useAccess()
  const titleId = useId()
  const { data } = useQuery(callQuery(listBookingMessages, { id }))
  if (!data || (data.reachedBy === null && data.messages.length === 0)) return null
  return (
    <section aria-labelledby={titleId} className="border-t border-line pb-3">
      <div className="flex items-center gap-2 px-4 pt-4 pb-1 lg:px-6">
        <h3 id={titleId} className="me-auto text-base font-semibold">
          {title}
        </h3>
        {data.reachedBy !== null && <MessageGuests size="sm" guests={{ departureIds: [], bookingIds: [id] }} />}
      </div>
      {data.messages.length === 0 && <p className="px-4 text-ink-2 lg:px-6">{m.bookings_messages_none()}</p>}
      <ul>
        {data.messages.map(({ id: deliveryId, kind, to, channel, createdAt, sentAt, suppressedReason, ...row }) => (
          <li key={deliveryId} className="flex min-h-11 flex-wrap items-center gap-x-3 px-4 py-1 lg:px-6">
            <span className="min-w-0 flex-1">
              {can('notifications:read') ? (
                <Link
                  to="/tools/notifications"
                  search={{ q: to, email: deliveryId }}
                  className="font-medium text-ink-strong hover:underline"
                >
                  {kindLabel(kind)}
                </Link>
              ) : (
                <b className="font-medium text-ink-strong">{kindLabel(kind)}</b>
              )}
              <span className="block truncate text-ink-2">
                {channel !== 'email' && <>{channelLabel(channel)} · </>}
                <Ltr>{to}</Ltr>
              </span>
              {suppressedReason !== null && (
                <span className="block text-ink-2">{suppressedLabel(suppressedReason)}</span>
              )}
            </span>
            <span className="text-ink-2">
              {row.dueAt !== null && row.quietZone === null && Date.parse(row.dueAt) > Date.parse(createdAt)
                ? m.bookings_message_due({ time: formatTime(row.dueAt) })
                : formatDayTime(sentAt ?? createdAt)}
            </span>
            <DeliveryStatus row={row} />
          </li>
        ))}
      </ul>
      {data.reachedBy !== null && (
        <BookingOptOut
          id={id}
          isOptedOut={data.isOptedOut}
          isByPhone={data.reachedBy !== 'email'}
          isByText={data.isByText}
        />
      )}
    </section>
  )
}
