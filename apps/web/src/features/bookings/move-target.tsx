import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getAvailability } from '@tour-ops/contract/bookings/availability'
import type { BookingRow } from '@tour-ops/contract/bookings/bookings'
import { totalThereMinor } from '@tour-ops/contract/bookings/party'
import { getDeparture } from '@tour-ops/contract/departures/departures'
import { tourOptionsForPickers } from '@tour-ops/contract/tours/tours'
import { type TourUnit, unitsAt } from '@tour-ops/contract/units'
import { useState } from 'react'
import { callQuery } from '../../backend/queries.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { Checkbox } from '../../ui/choice.tsx'
import { useNow } from '../../ui/clock.ts'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { formatMoney, formatTimeThere, localDateOf } from '../../ui/format.ts'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { DayStrip, type OfferedDeparture, shownDays, StartList } from './availability.tsx'
import { toursWith } from './booking-choice.ts'
import { PickupOnMap } from './pickup-on-map.tsx'

/** The party that goes, as it was booked. */
export type Leaving = Pick<BookingRow, 'departureId' | 'localDate' | 'timeZone' | 'pickupPlaceName'>

interface Choice {
  tourId?: string
  from?: string
  day?: string
  departureId?: string
  pickupId?: string | undefined
}

export type Target = ReturnType<typeof useTarget>

/** Where to: a tour, two weeks of it, a day, a departure. The first day with room is shown until one is chosen. */
export function useTarget(party: Leaving | undefined, pax: number) {
  const { data: departure } = useQuery({
    ...callQuery(getDeparture, { id: party?.departureId ?? '' }),
    enabled: party !== undefined,
  })
  const { data: names } = useQuery(callQuery(tourOptionsForPickers, { status: ['published'] }))
  const [choice, setChoice] = useState<Choice>({})
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
  const chosen = day?.departures.find((one) => one.id === choice.departureId)
  const usual = chosen?.pickups.find((one) => one.placeName === party?.pickupPlaceName)?.stopId
  return {
    tours: toursWith(names?.tours ?? [], departure),
    tourId,
    today,
    from,
    days: data?.days,
    /** What seats cost on the departure that is chosen. */
    units: data && unitsAt(data.units, chosen?.optionPrices ?? null),
    /** Its seats may cost something else there. */
    isOtherPrice:
      departure !== undefined && (tourId !== departure.tourId || chosen?.optionName !== departure.optionName),
    zone: data?.timeZone ?? party?.timeZone ?? 'UTC',
    error,
    refetch,
    day,
    departure: chosen,
    /** Where the party is picked up there: where it was before, until another stop is chosen; empty for nowhere. */
    pickupId: choice.pickupId ?? usual ?? '',
    /** What is chosen anew is picked up where it was before. */
    set: (change: Choice) => setChoice((before) => ({ ...before, pickupId: undefined, ...change })),
  }
}

interface TargetFieldsProps {
  target: Target
  exceptId: string
  asked: number
}

/** The chosen tour, day and departure, each to be changed. */
export function TargetFields({ target, exceptId, asked }: TargetFieldsProps) {
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

/** Where one party is picked up there; nothing where there is no choice. */
export function PickupThere({ target: { departure, zone, pickupId, set } }: { target: Target }) {
  const pickups = departure?.pickups ?? []
  if (pickups.length < 2) return null
  return (
    <div className="flex flex-wrap items-end gap-2">
      <Field label={m.bookings_pickup()} className="max-w-[320px] min-w-[180px] flex-1">
        <Select
          value={pickupId}
          placeholder={m.bookings_pickup_none()}
          onChange={(event) => set({ pickupId: event.target.value })}
          options={pickups.map((one) => ({
            value: one.stopId,
            label: `${formatTimeThere(one.at, zone)} ${one.placeName}`,
          }))}
        />
      </Field>
      <PickupOnMap
        pickups={pickups}
        zone={zone}
        value={pickupId}
        onChoose={(stopId) => set({ pickupId: stopId ?? '' })}
      />
    </div>
  )
}

/** Of one party that moves; left out where the departure stops nowhere. */
export const pickupThere = ({ departure, pickupId }: Target): { pickupStopId?: string | null } =>
  departure !== undefined && departure.pickups.length > 0 ? { pickupStopId: pickupId || null } : {}

/** Why the party cannot go there yet. */
export const whyNotThere = ({ departure }: Target, pax: number): string | undefined =>
  departure === undefined
    ? m.bookings_choose_departure()
    : departure.seatsLeft < pax
      ? m.bookings_seats_short({ left: departure.seatsLeft, asked: pax })
      : undefined

/** What a party has bought: its price, and what each kind of its seats costs; without prices as long as they are loaded. */
export interface PricedParty {
  readonly sold: Parameters<typeof totalThereMinor>[0]
  readonly prices: readonly TourUnit[] | undefined
}

/**
 * What a party would pay there; nothing before a departure is chosen.
 *
 * @param only Undefined for several parties: nobody reckons the sum, each has its own prices.
 */
export function usePriceThere(target: Target, only: PricedParty | undefined) {
  const [isWanted, setWanted] = useState(false)
  const isOther = target.departure !== undefined && target.isOtherPrice
  const afterMinor = only?.prices && target.units ? totalThereMinor(only.sold, only.prices, target.units) : undefined
  const isOffered = only ? typeof afterMinor === 'number' && afterMinor !== only.sold.amountTotalMinor : isOther
  const isCharged = isWanted && isOffered && target.departure !== undefined
  return {
    isOffered: target.departure !== undefined && isOffered,
    isUnknown: isOther && afterMinor === null,
    isCharged,
    isWanted,
    setWanted,
    /** What the party pays after the move; undefined for several. */
    totalMinor: isCharged && typeof afterMinor === 'number' ? afterMinor : only?.sold.amountTotalMinor,
    sums:
      only && typeof afterMinor === 'number'
        ? {
            before: formatMoney(only.sold.amountTotalMinor, only.sold.currency),
            after: formatMoney(afterMinor, only.sold.currency),
          }
        : undefined,
  }
}

/** What it costs there, and whether that is charged. */
export function PriceThere({ price }: { price: ReturnType<typeof usePriceThere> }) {
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
