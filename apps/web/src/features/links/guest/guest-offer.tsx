import { answerOffer, type SharedOffer } from '@tour-ops/contract/links/shared-page'
import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { currentBackend } from '../../../backend/port.ts'
import { refusalText } from '../../../errors/refusal-text.ts'
import { m } from '../../../paraglide/messages.js'
import { Button } from '../../../ui/button.tsx'
import { formatDayTime, formatMoney } from '../../../ui/format.ts'
import { useGuestAct } from './use-guest-act.ts'

interface GuestOfferProps {
  token: string
  /** A member looks: nothing can be pressed. */
  isPreview: boolean
  /** Null where no seats are held for the party; what it has just answered is still said. */
  offer: SharedOffer | null
  /** Of the tour. */
  timeZone: string
}

/** Seats that have opened up: booked with one press, or left to who waits next, which is asked once more. */
export function GuestOffer({ token, isPreview, offer, timeZone }: GuestOfferProps) {
  const [isLeaving, setLeaving] = useState(false)
  const { mutate, isPending, data, error } = useGuestAct(
    token,
    (take: boolean) => currentBackend().call(answerOffer, { token, take }),
    () => ({ offer: null }),
  )
  if (!offer) {
    return data?.isBooked || error ? (
      <section className="share-block">
        <p role={error ? 'alert' : 'status'} className="flex items-center gap-2 font-medium text-ink-strong">
          {!error && <CircleCheck size={22} className="shrink-0 text-ok" aria-hidden />}
          {error ? refusalText(error) : m.links_offer_booked()}
        </p>
      </section>
    ) : null
  }
  const { seats, until, amountMinor, currency } = offer
  return (
    <section className="share-block" aria-labelledby="guest-offer" aria-busy={isPending}>
      <fieldset className="contents" disabled={isPreview}>
        <h2 id="guest-offer" className="text-[20px] font-semibold text-ink-strong">
          {m.links_offer_title({ count: seats })}
        </h2>
        <p className="mt-1">{m.links_offer_until({ time: formatDayTime(until, timeZone) })}</p>
        {amountMinor > 0 && (
          <p className="text-ink-2">{m.links_offer_price({ amount: formatMoney(amountMinor, currency) })}</p>
        )}
        <div className="mt-4 grid gap-2">
          {isLeaving ? (
            <>
              <p role="status" className="font-medium text-ink-strong">
                {m.links_offer_leave_question()}
              </p>
              <Button size="lg" variant="danger" className="w-full" pending={isPending} onClick={() => mutate(false)}>
                {m.links_offer_leave_confirm()}
              </Button>
              <Button size="lg" className="w-full" disabled={isPending} onClick={() => setLeaving(false)}>
                {m.links_offer_keep()}
              </Button>
            </>
          ) : (
            <>
              <Button
                size="lg"
                variant="primary"
                icon={CircleCheck}
                className="w-full"
                pending={isPending}
                onClick={() => mutate(true)}
              >
                {m.links_offer_take({ count: seats })}
              </Button>
              <Button size="lg" className="w-full" disabled={isPending} onClick={() => setLeaving(true)}>
                {m.links_offer_leave()}
              </Button>
            </>
          )}
        </div>
        {error && (
          <p role="alert" className="mt-3 font-medium text-bad">
            {refusalText(error)}
          </p>
        )}
      </fieldset>
    </section>
  )
}
