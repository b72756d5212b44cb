import type { In } from '@tour-ops/contract/callable'
import { answerSharedProposal, type SharedProposal } from '@tour-ops/contract/links/shared-page'
import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { currentBackend } from '../../../backend/port.ts'
import { refusalText } from '../../../errors/refusal-text.ts'
import { m } from '../../../paraglide/messages.js'
import { Button } from '../../../ui/button.tsx'
import { formatDayTime, formatMoney } from '../../../ui/format.ts'
import { useGuestAct } from './use-guest-act.ts'

type Answer = Omit<In<typeof answerSharedProposal>, 'token'>

interface GuestProposalProps {
  token: string
  /** A member looks: nothing can be pressed. */
  isPreview: boolean
  /** Null where nothing is proposed; what was just answered is still said. */
  proposal: SharedProposal | null
  timeZone: string
}

/** What is offered instead of a cancelled departure: accepted with one press; another departure or the refund is asked once more. */
export function GuestProposal({ token, isPreview, proposal, timeZone }: GuestProposalProps) {
  const { mutate, isPending, data, error } = useGuestAct(
    token,
    (answer: Answer) => currentBackend().call(answerSharedProposal, { token, ...answer }),
    () => ({ proposal: null }),
  )
  if (!proposal) {
    const said = data && (data.isMoved ? m.links_proposal_moved() : m.links_proposal_refunded())
    return said || error ? (
      <section className="share-block">
        <p role={error ? 'alert' : 'status'} className="flex items-center gap-2 font-medium text-ink-strong">
          {!error && <CircleCheck size={22} className="shrink-0 text-ok" aria-hidden />}
          {error ? refusalText(error) : said}
        </p>
      </section>
    ) : null
  }
  return (
    <section className="share-block" aria-labelledby="guest-proposal" aria-busy={isPending}>
      <fieldset className="contents" disabled={isPreview}>
        <h2 id="guest-proposal" className="text-[20px] font-semibold text-ink-strong">
          {m.links_proposal_title()}
        </h2>
        <p className="mt-1">
          {proposal.proposed
            ? m.links_proposal_until({ time: formatDayTime(proposal.until, timeZone) })
            : m.links_proposal_answer_by({ time: formatDayTime(proposal.until, timeZone) })}
        </p>
        <Choices proposal={proposal} isPending={isPending} onAnswer={mutate} />
        {error && (
          <p role="alert" className="mt-3 font-medium text-bad">
            {refusalText(error)}
          </p>
        )}
      </fieldset>
    </section>
  )
}

interface ChoicesProps {
  proposal: SharedProposal
  isPending: boolean
  onAnswer: (answer: Answer) => void
}

function Choices({ proposal, isPending, onAnswer }: ChoicesProps) {
  const { proposed, others, seats, amountMinor, refundMinor, currency } = proposal
  const [otherId, setOtherId] = useState<string | null>(null)
  const [isRefund, setRefund] = useState(false)
  const money = (minor: number) => formatMoney(minor, currency)
  const refundText =
    refundMinor > 0 ? m.links_proposal_refund({ amount: money(refundMinor) }) : m.links_proposal_cancel()
  if (isRefund) {
    return (
      <div className="mt-4 grid gap-2">
        <p role="status" className="font-medium text-ink-strong">
          {m.links_proposal_refund_question()}
        </p>
        <Button
          size="lg"
          variant="danger"
          className="w-full"
          pending={isPending}
          onClick={() => onAnswer({ answer: 'refund' })}
        >
          {refundText}
        </Button>
        <Button size="lg" className="w-full" disabled={isPending} onClick={() => setRefund(false)}>
          {m.links_offer_keep()}
        </Button>
      </div>
    )
  }
  return (
    <div className="mt-4 grid gap-4">
      {proposed && (
        <div className="grid gap-2">
          <p>
            <b className="font-semibold text-ink-strong">{proposed.tourName}</b>
            <span className="block">{formatDayTime(proposed.startsAt, proposed.timeZone)}</span>
            <span className="block text-ink-2">
              {m.links_proposal_seats({ count: seats })}
              {amountMinor + proposed.amountMinor > 0 &&
                ` · ${
                  proposed.amountMinor === amountMinor
                    ? m.links_proposal_same_price({ amount: money(amountMinor) })
                    : m.links_proposal_other_price({ amount: money(proposed.amountMinor), before: money(amountMinor) })
                }`}
            </span>
          </p>
          <Button
            size="lg"
            variant="primary"
            icon={CircleCheck}
            className="w-full"
            pending={isPending && otherId === null}
            onClick={() => onAnswer({ answer: 'accept' })}
          >
            {m.links_proposal_accept()}
          </Button>
        </div>
      )}
      {others.length > 0 && (
        <fieldset className="grid gap-2">
          <legend className="mb-1 font-semibold text-ink-strong">
            {proposed ? m.links_proposal_others() : m.links_proposal_choose()}
          </legend>
          {others.map(({ departureId, startsAt, timeZone }) => (
            <label key={departureId} className="flex min-h-11 items-center gap-3">
              <input
                type="radio"
                name="other-departure"
                className="radio"
                checked={otherId === departureId}
                onChange={() => setOtherId(departureId)}
              />
              {formatDayTime(startsAt, timeZone)}
            </label>
          ))}
          {otherId !== null && (
            <Button
              size="lg"
              className="w-full"
              pending={isPending}
              onClick={() => onAnswer({ answer: 'other', toDepartureId: otherId })}
            >
              {m.links_proposal_take_other()}
            </Button>
          )}
        </fieldset>
      )}
      <Button size="lg" className="w-full" disabled={isPending} onClick={() => setRefund(true)}>
        {refundText}
      </Button>
    </div>
  )
}
