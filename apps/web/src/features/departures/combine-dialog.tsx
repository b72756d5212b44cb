import { useQuery } from '@tanstack/react-query'
import { listBookings } from '@tour-ops/contract/bookings/bookings'
import { combineDepartures, combineHours } from '@tour-ops/contract/departures/combine'
import { type Departure, type DepartureRow, listDepartures } from '@tour-ops/contract/departures/departures'
import { notLeftStatuses } from '@tour-ops/contract/state-machines'
import { Merge } from 'lucide-react'
import { useState } from 'react'
import { callQuery } from '../../backend/queries.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { RadioCards } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { addDays, formatDayTimeThere } from '../../ui/format.ts'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { TellGuest } from '../bookings/index.ts'
import { useDepartureWrite } from './use-departure-write.ts'
import { useSeparate } from './use-separate.ts'

interface CombineDialogProps {
  departure: Departure
  onClose: () => void
  /** Once all are on the other one. */
  onCombined: (intoId: string) => void
}

/** Puts the guests of two departures of a tour on one: where to, who moves, and what they are told. */
export function CombineDialog({ departure, onClose, onCombined }: CombineDialogProps) {
  const [intoId, setIntoId] = useState<string | null>(null)
  const [areTold, setTold] = useState(true)
  const { data, error, refetch } = useQuery(
    callQuery(listDepartures, {
      filters: {
        tourId: [departure.tourId],
        from: addDays(departure.localDate, -1),
        to: addDays(departure.localDate, 1),
        status: [...notLeftStatuses],
      },
      sort: [{ by: 'startsAt' }],
      size: 100,
    }),
  )
  const moving = useMoving(departure)
  const separate = useSeparate()
  const write = useDepartureWrite(combineDepartures, ({ code, version }, input) => {
    toast(m.departures_combined({ code, cancelled: departure.code }), {
      label: m.ui_undo(),
      onPress: () => separate({ id: departure.id, version }),
    })
    onCombined(input.intoId)
  })
  const others = (data?.rows ?? []).filter((row) => row.id !== departure.id && isNear(row, departure))
  const told = moving.parties.filter(({ status, contact }) => status === 'confirmed' && contact.email !== null).length
  const into = others.find(({ id }) => id === intoId)
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={m.departures_combine_title({ code: departure.code })}
      description={m.departures_combine_text()}
      locked={write.isPending}
      actions={
        <Button
          variant="primary"
          icon={Merge}
          pending={write.isPending}
          disabledReason={into ? undefined : m.departures_combine_choose()}
          onClick={() =>
            into && write.mutate({ id: departure.id, version: departure.version, intoId: into.id, tellGuests: areTold })
          }
        >
          {m.departures_combine_do({ count: moving.seats })}
        </Button>
      }
    >
      {error && !data && (
        <ErrorPanel message={refusalText(error)} requestId={error.details.requestId} onRetry={() => void refetch()} />
      )}
      {!data && !error && <SkeletonRows rows={4} />}
      {data && others.length === 0 && (
        <Empty title={m.departures_combine_none()}>{m.departures_combine_none_text({ count: combineHours })}</Empty>
      )}
      {others.length > 0 && (
        <div className="grid gap-3">
          <RadioCards
            label={m.departures_combine_into()}
            columns={1}
            value={intoId}
            onChange={setIntoId}
            options={others.map((row) => ({
              value: row.id,
              label: `${formatDayTimeThere(row.startsAt, row.timeZone)} · ${row.code}`,
              hint: hintOf(row, moving.held),
              disabled: row.seatsLeft < moving.held,
            }))}
          />
          <section aria-label={m.departures_combine_moving({ count: moving.seats })}>
            <h3 className="font-semibold text-ink-strong">{m.departures_combine_moving({ count: moving.seats })}</h3>
            <ul>
              {moving.parties.map(({ id, contact, bookingRef, pax }) => (
                <li key={id}>{m.bookings_party_line({ name: contact.name, ref: bookingRef, count: pax })}</li>
              ))}
            </ul>
            {departure.waitlistCount > 0 && (
              <p className="mt-1 font-medium text-warn">
                {m.departures_combine_waiting({ count: departure.waitlistCount })}
              </p>
            )}
          </section>
          {told > 0 && (
            <TellGuest
              event="booking_changed"
              startsAt={departure.startsAt}
              label={m.departures_combine_tell({ count: told })}
              checked={areTold}
              onChange={setTold}
            />
          )}
          {write.error && (
            <Banner tone="bad" role="alert" framed title={refusalText(write.error)}>
              {m.departures_combine_nothing()}
            </Banner>
          )}
        </div>
      )}
    </Dialog>
  )
}

const isNear = ({ startsAt }: DepartureRow, departure: Departure): boolean =>
  Math.abs(Date.parse(startsAt) - Date.parse(departure.startsAt)) <= combineHours * 3_600_000

/** Seats, vehicle and guide: what has to be enough for both. */
const hintOf = ({ seatsLeft, capacity, vehicle, leadGuide }: DepartureRow, needed: number): string =>
  [
    m.departures_combine_seats({ left: seatsLeft, capacity }),
    vehicle?.name ?? m.departures_combine_no_vehicle(),
    leadGuide?.name ?? m.departures_combine_no_guide(),
    seatsLeft < needed && m.departures_combine_short({ needed }),
  ]
    .filter(Boolean)
    .join(' · ')

/** Parties that go along; those who only asked take no seats yet. */
function useMoving({ id }: Departure) {
  const { data } = useQuery(
    callQuery(listBookings, {
      filters: { departureId: [id], status: ['confirmed', 'on_hold', 'requested'] },
      sort: [{ by: 'contact' }],
      size: 500,
    }),
  )
  const parties = data?.rows ?? []
  const sum = (of: typeof parties) => of.reduce((seats, { pax }) => seats + pax, 0)
  return { parties, seats: sum(parties), held: sum(parties.filter(({ status }) => status !== 'requested')) }
}
