import { useQuery } from '@tanstack/react-query'
import type { Booking } from '@tour-ops/contract/bookings/bookings'
import { balanceOf, partFeeMinor } from '@tour-ops/contract/bookings/cancellation'
import { changeParty, getParty, givenUpMinor, takesSeats, totalAfterMinor } from '@tour-ops/contract/bookings/party'
import { getDeparture } from '@tour-ops/contract/departures/departures'
import type { Out } from '@tour-ops/contract/callable'
import { Merge, Split } from 'lucide-react'
import { useState } from 'react'
import { callQuery } from '../../backend/queries.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { formatMoney } from '../../ui/format.ts'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { partyOf, type Quantities, withGuest } from './booking-choice.ts'
import { unitLabel } from '../../records/unit-labels.ts'
import { FeeFields, useKeptFee } from './cancellation-fee.tsx'
import { TellContact } from './tell-guest.tsx'
import { UnitSteppers } from './unit-steppers.tsx'
import { useBookingWrite } from './use-booking-write.ts'
import { useRestoreParty } from './use-restore.ts'

interface PartyDialogProps {
  booking: Booking
  /** Travelers who are to leave, as proposed. */
  leaving?: readonly string[]
  onClose: () => void
  /** Opens what divides the party, or brings another one to it. */
  onDivide?: (how: 'split' | 'join') => void
}

/** Seats that a booking has become more or fewer, and who of its guests leaves. */
export function PartyDialog(props: PartyDialogProps) {
  const { booking, onClose } = props
  const { data, error, refetch } = useQuery(callQuery(getParty, { id: booking.id }))
  if (data) return <LoadedParty {...props} {...data} />
  return (
    <Dialog open wide onClose={onClose} title={m.bookings_party_title({ ref: booking.bookingRef })}>
      {error ? (
        <ErrorPanel message={refusalText(error)} requestId={error.details.requestId} onRetry={() => void refetch()} />
      ) : (
        <SkeletonRows rows={4} />
      )}
    </Dialog>
  )
}

function LoadedParty(props: PartyDialogProps & Out<typeof getParty>) {
  const { booking: current, leaving: proposed = [], prices, cancellation, onClose, onDivide } = props
  // As it was seen: what somebody else changes meanwhile is a conflict, and not undone without a word.
  const [booking] = useState(current)
  const { can } = useAccess()
  const { data: departure } = useQuery(callQuery(getDeparture, { id: booking.departureId }))
  const [first] = useState(() => firstChoice(booking, prices, proposed))
  const [quantities, setQuantities] = useState<Quantities>(first.quantities)
  const [leaving, setLeaving] = useState<ReadonlySet<string>>(first.leaving)
  const [isTold, setTold] = useState(true)
  const restore = useRestoreParty()
  const save = useBookingWrite(changeParty, ({ booking: changed, promoted }) => {
    const { bookingRef: ref, pax } = changed
    const says =
      promoted.length > 0
        ? m.bookings_party_changed_promoted({ ref, count: pax, others: promoted.join(', ') })
        : m.bookings_party_changed({ ref, count: pax })
    toast(says, { label: m.ui_undo(), onPress: () => restore(changed) })
    onClose()
  })
  const guests = can('travelers:read') ? booking.guests.filter(({ status }) => status !== 'cancelled') : []
  const party = partyOf(quantities, prices)
  const staying = guests.length - leaving.size
  const afterMinor = totalAfterMinor(booking.amountTotalMinor, booking.units, party.units, prices)
  const givenUp = givenUpMinor(booking, { pax: party.pax, amountTotalMinor: afterMinor })
  const fee = useKeptFee(partFeeMinor(booking, givenUp, cancellation), givenUp)
  const isCharged = givenUp > 0 && booking.status === 'confirmed'
  const total = afterMinor + (isCharged ? fee.minor : 0)
  const { refundMinor } = balanceOf({ ...booking, amountTotalMinor: total })
  const seatsLeft = departure?.seatsLeft ?? Infinity
  const isSeated = takesSeats(booking.status)
  const missing = isSeated ? Math.max(0, party.pax - booking.pax - seatsLeft) : 0
  const isSame = leaving.size === 0 && sameQuantities(quantities, booking)
  const toggle = ({ travelerId, unitType }: Booking['guests'][number], stays: boolean) => {
    const next = new Set(leaving)
    if (stays) next.delete(travelerId)
    else next.add(travelerId)
    setLeaving(next)
    setQuantities(withGuest(quantities, prices, unitType, stays ? 1 : -1, guests.length - next.size))
  }
  const problem =
    party.pax === 0
      ? m.bookings_one_guest()
      : party.lacksAdult
        ? m.bookings_needs_adult()
        : missing > 0
          ? m.bookings_seats_missing({ count: missing })
          : staying > party.pax
            ? m.bookings_party_who_leaves({ count: staying - party.pax })
            : isSame
              ? m.bookings_party_same()
              : isCharged
                ? fee.problem
                : undefined
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={m.bookings_party_title({ ref: booking.bookingRef })}
      description={departure && isSeated ? m.bookings_party_left({ count: departure.seatsLeft }) : undefined}
      locked={save.isPending}
      actions={
        <Button
          variant="primary"
          pending={save.isPending}
          disabledReason={problem}
          onClick={() =>
            save.mutate({
              id: booking.id,
              version: booking.version,
              units: party.units,
              leaving: [...leaving],
              ...(isCharged && fee.input),
              tellGuest: isTold,
            })
          }
        >
          {m.bookings_party_save({ count: party.pax })}
        </Button>
      }
    >
      <div className="grid gap-4">
        <UnitSteppers prices={prices} quantities={quantities} onChange={setQuantities} />
        {guests.length > 0 && (
          <fieldset className="grid gap-1">
            <legend className="lbl">{m.bookings_party_stays()}</legend>
            {guests.map((guest) => (
              <Checkbox
                key={guest.travelerId}
                className="coarse:min-h-11 coarse:items-center"
                label={
                  <>
                    <bdi>{guest.name}</bdi> <span className="text-ink-2">· {unitLabel(guest.unitType)}</span>{' '}
                    {guest.status !== 'expected' && (
                      <span className="text-ink-2">· {m.bookings_party_cannot_leave()}</span>
                    )}
                  </>
                }
                checked={!leaving.has(guest.travelerId)}
                // who was aboard has travelled
                disabled={guest.status !== 'expected'}
                onChange={(event) => toggle(guest, event.target.checked)}
              />
            ))}
          </fieldset>
        )}
        {onDivide && isSeated && isSame && (
          <div className="flex flex-wrap gap-2">
            {booking.pax > 1 && (
              <Button size="sm" icon={Split} onClick={() => onDivide('split')}>
                {m.bookings_split()}
              </Button>
            )}
            <Button size="sm" icon={Merge} onClick={() => onDivide('join')}>
              {m.bookings_join()}
            </Button>
          </div>
        )}
        {isCharged && (
          <FeeFields
            fee={fee}
            rule={cancellation}
            isByRule={booking.departureStatus !== 'cancelled'}
            atMostMinor={givenUp}
            currency={booking.currency}
            error={save.error}
          />
        )}
        <p className="num text-ink-strong">
          {m.bookings_party_price({
            before: formatMoney(booking.amountTotalMinor, booking.currency),
            after: formatMoney(total, booking.currency),
          })}{' '}
          {refundMinor > 0 && (
            <span className="text-warn">
              {m.bookings_to_refund({ amount: formatMoney(refundMinor, booking.currency) })}
            </span>
          )}
        </p>
        <TellContact event="booking_changed" booking={booking} checked={isTold} onChange={setTold} />
        {save.error && (
          <Banner tone="bad" role="alert" framed title={refusalText(save.error)}>
            {m.bookings_party_kept()}
          </Banner>
        )}
      </div>
    </Dialog>
  )
}

/** The party without those who are to leave, who can still be kept. */
function firstChoice(booking: Booking, prices: Out<typeof getParty>['prices'], proposed: readonly string[]) {
  const guests = booking.guests.filter(({ status }) => status !== 'cancelled')
  const leaving = guests.filter(({ travelerId, status }) => status === 'expected' && proposed.includes(travelerId))
  let quantities: Quantities = Object.fromEntries(booking.units.map(({ unitType, quantity }) => [unitType, quantity]))
  for (const [at, { unitType }] of leaving.entries()) {
    quantities = withGuest(quantities, prices, unitType, -1, guests.length - at - 1)
  }
  return { quantities, leaving: new Set(leaving.map(({ travelerId }) => travelerId)) }
}

const sameQuantities = (quantities: Quantities, { units }: Booking): boolean =>
  Object.entries(quantities).every(
    ([unitType, quantity]) => quantity === (units.find((unit) => unit.unitType === unitType)?.quantity ?? 0),
  )
