import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getAvailability } from '@tour-ops/contract/bookings/availability'
import { type BookingRow, moveBookings } from '@tour-ops/contract/bookings/bookings'
import { getParty, totalThereMinor } from '@tour-ops/contract/bookings/party'
import type { In } from '@tour-ops/contract/callable'
import { getDeparture } from '@tour-ops/contract/departures/departures'
import { tourOptionsForPickers } from '@tour-ops/contract/tours/tours'
import { useState } from 'react'
import { refusalText } from '../../errors/refusal-text.ts'
import { callQuery } from '../../backend/queries.ts'
import { m } from '../../paraglide/messages.js'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { formatMoney, formatTimeThere, localDateOf } from '../../ui/format.ts'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { useNow } from '../../ui/clock.ts'
import { DayStrip, type OfferedDeparture, shownDays, StartList } from './availability.tsx'
import { toursWith } from './booking-choice.ts'
import { PickupOnMap } from './pickup-on-map.tsx'
import { TellGuest } from './tell-guest.tsx'
import { useBookingWrite } from './use-booking-write.ts'

type Party = Pick<
  BookingRow,
  | 'id'
  | 'version'
  | 'bookingRef'
  | 'departureId'
  | 'departureCode'
  | 'localDate'
  | 'timeZone'
  | 'pax'
  | 'pickupStopId'
  | 'pickupPlaceName'
  | 'status'
  | 'units'
  | 'amountTotalMinor'
  | 'currency'
> & { contact: Pick<BookingRow['contact'], 'name' | 'email'> }

export interface MoveDialogProps {
  /** Of one departure; several are chosen one by one. */
  parties: readonly Party[]
  onClose: () => void
}

/** Moves parties to another departure, of this tour or another, with live availability. */
export function MoveDialog({ parties, onClose }: MoveDialogProps) {
  const [first] = parties
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [pickupId, setPickupId] = useState<string | null>(null)
  const chosen = parties.filter((party) => !left.has(party.id))
  const pax = chosen.reduce((sum, party) => sum + party.pax, 0)
  const target = useTarget(first, pax, () => setPickupId(null))
  const [areTold, setTold] = useState(true)
  const price = usePriceThere(chosen, target)
  const { move, isPending, error } = useMove(chosen, { tellGuests: areTold, atPriceThere: price.isCharged }, onClose)
  const told = chosen.filter(({ status, contact }) => status === 'confirmed' && contact.email !== null)
  const [only] = chosen
  // One party may be picked up elsewhere; several keep their place where the departure stops there.
  const pickups = only && chosen.length === 1 ? (target.departure?.pickups ?? []) : []
  const pickup = pickupId ?? pickups.find((one) => one.placeName === only?.pickupPlaceName)?.stopId ?? ''
  const toggle = (id: string, isChosen: boolean) => {
    const next = new Set(left)
    if (isChosen) next.delete(id)
    else next.add(id)
    setLeft(next)
  }
  if (!first) return null
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={parties.length === 1 ? m.bookings_move_title({ ref: first.bookingRef }) : m.bookings_move_guests_title()}
      description={m.bookings_move_text({ code: first.departureCode, count: pax })}
      locked={isPending}
      actions={
        <Button
          variant="primary"
          pending={isPending}
          disabledReason={
            pax === 0
              ? m.bookings_choose_party()
              : target.departure === undefined
                ? m.bookings_choose_departure()
                : target.departure.seatsLeft < pax
                  ? m.bookings_seats_short({ left: target.departure.seatsLeft, asked: pax })
                  : undefined
          }
          onClick={() =>
            target.departure && move(target.departure.id, pickups.length > 0 ? { pickupStopId: pickup || null } : {})
          }
        >
          {m.bookings_move_seats({ count: pax })}
        </Button>
      }
    >
      <div className="grid gap-3">
        {parties.length > 1 && (
          <fieldset className="grid gap-1">
            <legend className="lbl">{m.bookings_parties()}</legend>
            {parties.map((party) => (
              <Checkbox
                key={party.id}
                className="coarse:min-h-11 coarse:items-center"
                label={m.bookings_party_line({ name: party.contact.name, ref: party.bookingRef, count: party.pax })}
                checked={!left.has(party.id)}
                onChange={(event) => toggle(party.id, event.target.checked)}
              />
            ))}
          </fieldset>
        )}
        <TargetFields target={target} exceptId={first.departureId} asked={pax} />
        {pickups.length > 1 && (
          <div className="flex flex-wrap items-end gap-2">
            <Field label={m.bookings_pickup()} className="max-w-[320px] min-w-[180px] flex-1">
              <Select
                value={pickup}
                placeholder={m.bookings_pickup_none()}
                onChange={(event) => setPickupId(event.target.value)}
                options={pickups.map((one) => ({
                  value: one.stopId,
                  label: `${formatTimeThere(one.at, target.zone)} ${one.placeName}`,
                }))}
              />
            </Field>
            <PickupOnMap pickups={pickups} zone={target.zone} value={pickup} onChoose={setPickupId} />
          </div>
        )}
        {chosen.length > 1 && <p className="text-ink-2">{m.bookings_move_pickups()}</p>}
        <PriceThere price={price} />
        {told[0] && target.departure && (
          <TellGuest
            event="booking_changed"
            startsAt={target.departure.startsAt}
            label={
              parties.length === 1
                ? m.bookings_tell({ name: told[0].contact.name, email: told[0].contact.email ?? '' })
                : m.bookings_tell_parties({ count: told.length })
            }
            checked={areTold}
            onChange={setTold}
          />
        )}
        {error && (
          <Banner tone="bad" role="alert" framed title={refusalText(error)}>
            {m.bookings_nothing_moved()}
          </Banner>
        )}
      </div>
    </Dialog>
  )
}

/** What the parties would pay there; nothing before a departure is chosen. */
function usePriceThere(parties: readonly Party[], target: ReturnType<typeof useTarget>) {
  const [isWanted, setWanted] = useState(false)
  const [only, ...others] = parties
  const { data } = useQuery({
    ...callQuery(getParty, { id: only?.id ?? '' }),
    enabled: only !== undefined && others.length === 0 && target.departure !== undefined,
  })
  const isOther = target.departure !== undefined && target.isOtherTour
  // of several parties nobody reckons the sum: each has its own prices
  const isOne = only !== undefined && others.length === 0
  const afterMinor = isOne && data && target.units ? totalThereMinor(only, data.prices, target.units) : undefined
  const isOffered = isOne ? typeof afterMinor === 'number' && afterMinor !== only.amountTotalMinor : isOther
  return {
    isOffered: target.departure !== undefined && isOffered,
    isUnknown: isOther && afterMinor === null,
    isCharged: isWanted && isOffered && target.departure !== undefined,
    isWanted,
    setWanted,
    sums:
      isOne && typeof afterMinor === 'number'
        ? { before: formatMoney(only.amountTotalMinor, only.currency), after: formatMoney(afterMinor, only.currency) }
        : undefined,
  }
}

function PriceThere({ price }: { price: ReturnType<typeof usePriceThere> }) {
  if (!price.isOffered) {
    return <p className="text-ink-2">{price.isUnknown ? m.bookings_move_no_price_there() : m.bookings_move_price()}</p>
  }
  return (
    <div className="grid gap-1">
      <Checkbox
        className="coarse:min-h-11 coarse:items-center"
        label={m.bookings_move_at_price_there()}
        checked={price.isWanted}
        onChange={(event) => price.setWanted(event.target.checked)}
      />
      <p className={price.isWanted ? 'num text-ink-strong' : 'num text-ink-2'}>
        {price.isWanted ? price.sums && m.bookings_party_price(price.sums) : m.bookings_move_price()}
        {!price.isWanted && price.sums && ` ${m.bookings_move_costs_there({ amount: price.sums.after })}`}
      </p>
    </div>
  )
}

/** The write, and the way back that its message offers. */
function useMove(
  parties: readonly Party[],
  how: Pick<In<typeof moveBookings>, 'tellGuests' | 'atPriceThere'>,
  onDone: () => void,
) {
  const back = useBookingWrite(moveBookings, ({ departureCode }) =>
    toast(m.bookings_moved_back({ code: departureCode })),
  )
  const write = useBookingWrite(moveBookings, ({ departureCode, parties: moved, promoted }) => {
    const [from] = parties
    const undo = {
      label: m.ui_undo(),
      onPress: () =>
        from &&
        // The dialog is gone by then, and with it what a mutation calls back; its promise is not.
        void back
          .mutateAsync({
            toDepartureId: from.departureId,
            // Pickups, seats and rooms are released by the server, which knows what was left behind.
            parties: moved,
            tellGuests: how.tellGuests,
          })
          .catch((refused: unknown) => toast(refusalText(refused))),
    }
    toast(
      promoted.length > 0
        ? m.bookings_moved_promoted({ code: departureCode, others: promoted.join(', ') })
        : m.bookings_moved({ code: departureCode }),
      undo,
    )
    onDone()
  })
  const move = (toDepartureId: string, more: Pick<In<typeof moveBookings>['parties'][number], 'pickupStopId'>) =>
    write.mutate({
      toDepartureId,
      ...how,
      parties: parties.map(({ id, version }) => ({ id, version, ...more })),
    })
  return { move, isPending: write.isPending, error: write.error }
}

/** Where to: a tour, two weeks of it, a day, a departure. The first day with room is shown until one is chosen. */
function useTarget(party: Party | undefined, pax: number, onChange: () => void) {
  const { data: departure } = useQuery({
    ...callQuery(getDeparture, { id: party?.departureId ?? '' }),
    enabled: party !== undefined,
  })
  const { data: names } = useQuery(callQuery(tourOptionsForPickers, { status: ['published'] }))
  const [choice, setChoice] = useState<{ tourId?: string; from?: string; day?: string; departureId?: string }>({})
  const tourId = choice.tourId ?? departure?.tourId
  const today = localDateOf(useNow(60_000), party?.timeZone)
  const from = choice.from ?? (party && party.localDate > today ? party.localDate : today)
  const { data, error, refetch } = useQuery({
    ...callQuery(getAvailability, { tourId: tourId ?? '', from, days: shownDays }),
    enabled: tourId !== undefined,
    placeholderData: keepPreviousData,
  })
  const fits = (offered: OfferedDeparture) =>
    offered.id !== party?.departureId && offered.state !== 'closed' && offered.seatsLeft >= pax
  const day =
    data?.days.find((one) => one.localDate === choice.day) ??
    data?.days.find((one) => one.departures.some(fits)) ??
    data?.days.find((one) => one.departures.length > 0)
  return {
    tours: toursWith(names?.tours ?? [], departure),
    tourId,
    today,
    from,
    days: data?.days,
    units: data?.units,
    isOtherTour: departure !== undefined && tourId !== departure.tourId,
    zone: data?.timeZone ?? party?.timeZone ?? 'UTC',
    error,
    refetch,
    day,
    departure: day?.departures.find((one) => one.id === choice.departureId),
    set: (change: typeof choice) => {
      setChoice((before) => ({ ...before, ...change }))
      onChange()
    },
  }
}

interface TargetFieldsProps {
  target: ReturnType<typeof useTarget>
  exceptId: string
  asked: number
}

function TargetFields({ target, exceptId, asked }: TargetFieldsProps) {
  const { tours, tourId, days, day, error, set } = target
  return (
    <>
      <Field label={m.bookings_tour()} className="max-w-[320px]">
        <Select
          value={tourId ?? ''}
          onChange={(event) => set({ tourId: event.target.value })}
          options={tours.map(({ id, name }) => ({ value: id, label: name }))}
        />
      </Field>
      {error && (
        <ErrorPanel
          message={refusalText(error)}
          requestId={error.details.requestId}
          onRetry={() => void target.refetch()}
        />
      )}
      {!days && !error && <SkeletonRows rows={4} />}
      {days && (
        <DayStrip
          days={days}
          from={target.from}
          earliest={target.today}
          asked={asked}
          value={day?.localDate ?? null}
          onChange={(localDate) => set({ day: localDate })}
          onFrom={(from) => set({ from })}
        />
      )}
      {days && day && (
        <StartList
          label={m.bookings_departure()}
          departures={day.departures}
          zone={target.zone}
          exceptId={exceptId}
          asked={asked}
          value={target.departure?.id ?? null}
          onChange={(departureId) => set({ departureId })}
        />
      )}
      {days && !day && <p className="text-ink-2">{m.bookings_no_departures_week()}</p>}
    </>
  )
}
