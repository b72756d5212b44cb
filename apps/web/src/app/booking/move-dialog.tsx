import { useQuery, keepPreviousData } from '@tanstack/react-query'
import { type Booking, getAvailability, moveBooking } from '@tour-ops/contract/bookings'
import { getDeparture } from '@tour-ops/contract/departures'
import { useState } from 'react'
import { useLiveTopics } from '../../backend/live.ts'
import { callQuery } from '../../backend/queries.ts'
import { m } from '../../paraglide/messages.js'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { formatTime, localDateOf } from '../../ui/format.ts'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { useNow } from '../shell/clock.ts'
import { DayStrip, type OfferedDeparture, shownDays, StartList } from './availability.tsx'
import { bookingRefusal, useBookingWrite } from './use-booking-write.ts'

/** Moves a party to another departure of the same tour, with the seats there kept up to date. */
export function MoveDialog({ booking, onClose }: { booking: Booking; onClose: () => void }) {
  useLiveTopics(['departures', 'assignments'])
  const { data: departure } = useQuery(callQuery(getDeparture, { id: booking.departureId }))
  const zone = booking.timeZone
  const today = localDateOf(useNow(60_000), zone)
  const [from, setFrom] = useState(booking.localDate < today ? today : booking.localDate)
  const [day, setDay] = useState<string | null>(null)
  const [targetId, setTargetId] = useState<string | null>(null)
  const [pickupId, setPickupId] = useState('')
  const { data, error, refetch } = useQuery({
    ...callQuery(getAvailability, { tourId: departure?.tourId ?? '', from, days: shownDays }),
    enabled: departure !== undefined,
    placeholderData: keepPreviousData,
  })
  const move = useBookingWrite(moveBooking, ({ booking: moved, promoted }) => {
    toast(
      promoted.length > 0
        ? m.bookings_moved_promoted({ code: moved.departureCode, others: promoted.join(', ') })
        : m.bookings_moved({ code: moved.departureCode }),
    )
    onClose()
  })
  const fits = (offered: OfferedDeparture) =>
    offered.id !== booking.departureId && offered.state !== 'closed' && offered.seatsLeft >= booking.pax
  const shownDay =
    data?.days.find((one) => one.localDate === day) ??
    data?.days.find((one) => one.departures.some(fits)) ??
    data?.days.find((one) => one.departures.length > 0)
  const target = shownDay?.departures.find((one) => one.id === targetId)
  const isShort = target !== undefined && target.seatsLeft < booking.pax
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={m.bookings_move_title({ ref: booking.bookingRef })}
      description={m.bookings_move_text({ code: booking.departureCode, count: booking.pax })}
      locked={move.isPending}
      actions={
        <Button
          variant="primary"
          pending={move.isPending}
          disabledReason={
            target === undefined
              ? m.bookings_choose_departure()
              : isShort
                ? m.bookings_seats_short({ left: target.seatsLeft, asked: booking.pax })
                : undefined
          }
          onClick={() =>
            target &&
            move.mutate({
              id: booking.id,
              version: booking.version,
              toDepartureId: target.id,
              pickupStopId: pickupId || null,
            })
          }
        >
          {m.bookings_move_seats({ count: booking.pax })}
        </Button>
      }
    >
      <div className="grid gap-3">
        {error && (
          <ErrorPanel message={error.message} requestId={error.details.requestId} onRetry={() => void refetch()} />
        )}
        {!data && !error && <SkeletonRows rows={4} />}
        {data && (
          <>
            <DayStrip
              days={data.days}
              from={from}
              earliest={today}
              value={shownDay?.localDate ?? null}
              onChange={setDay}
              onFrom={setFrom}
            />
            {shownDay ? (
              <StartList
                label={m.bookings_departure()}
                departures={shownDay.departures}
                exceptId={booking.departureId}
                asked={booking.pax}
                value={targetId}
                onChange={(id) => {
                  setTargetId(id)
                  setPickupId('')
                }}
              />
            ) : (
              <p className="text-ink-2">{m.bookings_no_departures_week()}</p>
            )}
            {target && target.pickups.length > 1 && (
              <Field label={m.bookings_pickup()} className="max-w-[320px]">
                <Select
                  value={pickupId}
                  placeholder={m.bookings_pickup_none()}
                  onChange={(event) => setPickupId(event.target.value)}
                  options={target.pickups.map((pickup) => ({
                    value: pickup.stopId,
                    label: `${formatTime(pickup.at, zone)} ${pickup.placeName}`,
                  }))}
                />
              </Field>
            )}
            {move.error && (
              <Banner tone="bad" role="alert" framed title={bookingRefusal(move.error)}>
                {m.bookings_nothing_moved()}
              </Banner>
            )}
          </>
        )}
      </div>
    </Dialog>
  )
}
