import { useQuery } from '@tanstack/react-query'
import { type BookingRow, moveBookings } from '@tour-ops/contract/bookings/bookings'
import { moveSomeGuests } from '@tour-ops/contract/bookings/move-some'
import { getParty, takesSeats } from '@tour-ops/contract/bookings/party'
import type { In } from '@tour-ops/contract/callable'
import { Activity, useState } from 'react'
import { callQuery } from '../../backend/queries.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox, RadioCards } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast.tsx'
import { MoveSome } from './move-some-later.ts'
import {
  PickupThere,
  pickupThere,
  PriceThere,
  TargetFields,
  usePriceThere,
  useTarget,
  whyNotThere,
} from './move-target.tsx'
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

/** Moves parties, or some guests of one, to another departure, of this tour or another, with live availability. */
export function MoveDialog({ parties, onClose }: MoveDialogProps) {
  const [first] = parties
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [who, setWho] = useState<'all' | 'some'>('all')
  const [wasSome, setWasSome] = useState(false)
  const [foot, setFoot] = useState<HTMLElement | null>(null)
  const chosen = parties.filter((party) => !left.has(party.id))
  const pax = chosen.reduce((sum, party) => sum + party.pax, 0)
  const target = useTarget(first, who === 'all' ? pax : 1)
  const [areTold, setTold] = useState(true)
  const price = usePriceThere(target, usePricedParty(chosen, target.departure !== undefined))
  const { move, isPending, error } = useMove(chosen, { tellGuests: areTold, atPriceThere: price.isCharged }, onClose)
  const saveSome = useBookingWrite(moveSomeGuests)
  const told = chosen.filter(({ status, contact }) => status === 'confirmed' && contact.email !== null)
  const toggle = (id: string, isChosen: boolean) => {
    const next = new Set(left)
    if (isChosen) next.delete(id)
    else next.add(id)
    setLeft(next)
  }
  const choose = (next: typeof who) => {
    setWho(next)
    if (next === 'some') setWasSome(true)
  }
  if (!first) return null
  const isOne = parties.length === 1
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={isOne ? m.bookings_move_title({ ref: first.bookingRef }) : m.bookings_move_guests_title()}
      description={m.bookings_move_text({ code: first.departureCode, count: pax })}
      locked={isPending || saveSome.isPending}
      actions={
        who === 'all' ? (
          <Button
            variant="primary"
            pending={isPending}
            disabledReason={pax === 0 ? m.bookings_choose_party() : whyNotThere(target, pax)}
            // several keep their place where the departure stops there
            onClick={() =>
              target.departure && move(target.departure.id, chosen.length === 1 ? pickupThere(target) : {})
            }
          >
            {m.bookings_move_seats({ count: pax })}
          </Button>
        ) : (
          <div ref={setFoot} className="contents" />
        )
      }
    >
      <div className="grid gap-3">
        {isOne && first.pax > 1 && takesSeats(first.status) && (
          <RadioCards
            label={m.bookings_move_who()}
            value={who}
            onChange={choose}
            options={[
              { value: 'all', label: m.bookings_move_all({ count: first.pax }) },
              { value: 'some', label: m.bookings_move_some(), hint: m.bookings_move_some_hint() },
            ]}
          />
        )}
        {wasSome && (
          // what was chosen there is there again after a look at the whole party
          <Activity mode={who === 'some' ? 'visible' : 'hidden'}>
            <MoveSome party={first} target={target} save={saveSome} onClose={onClose} foot={foot} />
          </Activity>
        )}
        {who === 'all' && (
          <>
            {parties.length > 1 && (
              <fieldset className="grid gap-1">
                <legend className="lbl">{m.bookings_parties()}</legend>
                {parties.map((party) => (
                  <Checkbox
                    key={party.id}
                    className="coarse:min-h-11 coarse:items-center"
                    label={m.bookings_party_line({
                      name: party.contact.name,
                      ref: party.bookingRef,
                      count: party.pax,
                    })}
                    checked={!left.has(party.id)}
                    onChange={(event) => toggle(party.id, event.target.checked)}
                  />
                ))}
              </fieldset>
            )}
            <TargetFields target={target} exceptId={first.departureId} asked={pax} />
            {chosen.length === 1 && <PickupThere target={target} />}
            {chosen.length > 1 && <p className="text-ink-2">{m.bookings_move_pickups()}</p>}
            <PriceThere price={price} />
            {told[0] && target.departure && (
              <TellGuest
                event="booking_changed"
                startsAt={target.departure.startsAt}
                label={
                  isOne
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
          </>
        )}
      </div>
    </Dialog>
  )
}

/** What the only party that is chosen has bought; its prices are asked for once they are needed. */
function usePricedParty([only, ...others]: readonly Party[], isNeeded: boolean) {
  const { data } = useQuery({
    ...callQuery(getParty, { id: only?.id ?? '' }),
    enabled: only !== undefined && others.length === 0 && isNeeded,
  })
  return only && others.length === 0 ? { sold: only, prices: data?.prices } : undefined
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
