import { useQuery } from '@tanstack/react-query'
import {
  type Alternative,
  answerHours,
  answerProposal,
  listProposals,
  type PartyOfCancelled,
  sendProposals,
  usualProposals,
} from '@tour-ops/contract/bookings/proposals'
import type { Departure } from '@tour-ops/contract/departures/departures'
import { Send } from 'lucide-react'
import { useState } from 'react'
import { callQuery } from '../../backend/queries.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { formatDayTimeThere, formatDuration, formatMoney } from '../../ui/format.ts'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { TellGuest } from '../bookings/index.ts'
import { ProposalRow } from './proposal-row.tsx'
import { proposalsProgress } from './proposals-progress.ts'
import { useDepartureWrite } from './use-departure-write.ts'

interface ProposalsDialogProps {
  departure: Departure
  onClose: () => void
}

/** Values of the choices besides departures. */
export const refundChoice = 'refund'
export const notNow = ''

/** What each party of a cancelled departure is offered: chosen for all or one by one, sent at once, with the answers as they come. */
export function ProposalsDialog({ departure, onClose }: ProposalsDialogProps) {
  const { data, error, refetch } = useQuery(callQuery(listProposals, { departureId: departure.id }))
  const choices = useChoices(data?.parties ?? [], data?.alternatives ?? [])
  const [isAtPriceThere, setAtPriceThere] = useState(false)
  const [hours, setHours] = useState<number>(answerHours.usual)
  const [areTold, setTold] = useState(true)
  const send = useDepartureWrite(sendProposals, ({ asked }) => {
    toast(m.departures_propose_sent({ count: asked }))
    choices.reset()
  })
  const answer = useDepartureWrite(answerProposal, ({ departureCode }) =>
    toast(
      departureCode === null
        ? m.departures_propose_refund_done()
        : m.departures_propose_moved_to({ code: departureCode }),
    ),
  )
  const { chosen } = choices
  const unreachable = chosen.filter(({ contact }) => contact.email === null).length
  const refused = send.error ?? answer.error
  const submit = () =>
    send.mutate({
      departureId: departure.id,
      parties: chosen.map(({ id, version }) => ({
        id,
        version,
        toDepartureId: choices.of(id) === refundChoice ? null : choices.of(id),
      })),
      atPriceThere: isAtPriceThere,
      hours,
      tellGuests: areTold,
    })
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={m.departures_propose_title({ code: departure.code })}
      description={data ? (proposalsProgress(data.parties) ?? m.departures_propose_text()) : undefined}
      locked={send.isPending}
      actions={
        choices.editable.length > 0 ? (
          <Button
            variant="primary"
            icon={Send}
            pending={send.isPending}
            disabledReason={choices.problem}
            onClick={submit}
          >
            {m.departures_propose_send({ count: chosen.length })}
          </Button>
        ) : undefined
      }
    >
      {error && !data && (
        <ErrorPanel message={refusalText(error)} requestId={error.details.requestId} onRetry={() => void refetch()} />
      )}
      {!data && !error && <SkeletonRows rows={6} />}
      {data?.parties.length === 0 && <Empty title={m.departures_propose_nobody()} />}
      {data && data.parties.length > 0 && (
        <div className="grid gap-3">
          {choices.editable.length > 1 && (
            <Field label={m.departures_propose_all()} className="max-w-[420px]">
              <Select
                value={choices.common}
                placeholder={m.departures_propose_each()}
                onChange={(event) => choices.setAll(event.target.value)}
                options={[
                  ...data.alternatives.map((one) => ({ value: one.departureId, label: alternativeText(one) })),
                  { value: refundChoice, label: m.departures_propose_refund() },
                ]}
              />
            </Field>
          )}
          <ul className="border-t border-line" aria-label={m.departures_propose_parties()}>
            {data.parties.map((party) => (
              <ProposalRow
                key={party.id}
                party={party}
                isEditable={choices.editable.includes(party)}
                choice={choices.of(party.id)}
                options={choicesOf(party, data.alternatives)}
                amount={amountText(party, choices.of(party.id), data.alternatives, isAtPriceThere)}
                isPending={answer.isPending}
                onChoose={(choice) => choices.set(party.id, choice)}
                onAgain={() => choices.again(party.id)}
                onAnswer={(said) =>
                  party.proposal && answer.mutate({ id: party.proposal.id, answer: said, toDepartureId: null })
                }
              />
            ))}
          </ul>
          {choices.hasOtherTour && (
            <Checkbox
              className="coarse:min-h-11 coarse:items-center"
              label={m.departures_propose_price_there()}
              checked={isAtPriceThere}
              onChange={(event) => setAtPriceThere(event.target.checked)}
            />
          )}
          {choices.editable.length > 0 && (
            <>
              <Field label={m.departures_propose_hours()} className="max-w-[200px]">
                <Select
                  value={String(hours)}
                  onChange={(event) => setHours(Number(event.target.value))}
                  options={answerHours.choices.map((count) => ({
                    value: String(count),
                    label: formatDuration(count * 60),
                  }))}
                />
              </Field>
              {chosen.length > unreachable && (
                <TellGuest
                  event="rebooking_offer"
                  startsAt={departure.startsAt}
                  label={m.departures_propose_tell({ count: chosen.length - unreachable })}
                  checked={areTold}
                  onChange={setTold}
                />
              )}
            </>
          )}
          {unreachable > 0 && <p className="text-warn">{m.departures_propose_unreachable({ count: unreachable })}</p>}
          {refused && (
            <Banner tone="bad" role="alert" framed title={refusalText(refused)}>
              {send.error ? m.departures_propose_nothing_sent() : null}
            </Banner>
          )}
        </div>
      )}
    </Dialog>
  )
}

const alternativeText = ({ isOtherTour, tourName, startsAt, timeZone, seatsLeft }: Alternative): string => {
  const start = formatDayTimeThere(startsAt, timeZone)
  const what = isOtherTour ? `${tourName}, ${start}` : start
  return m.departures_propose_choice({ what, count: seatsLeft })
}

const choicesOf = (party: PartyOfCancelled, alternatives: readonly Alternative[]) => [
  ...alternatives
    .filter(({ departureId, seatsLeft }) => seatsLeft + heldFor(party, departureId) >= party.pax)
    .map((one) => ({ value: one.departureId, label: alternativeText(one) })),
  { value: refundChoice, label: m.departures_propose_refund() },
]

/** Seats that are proposed to it already. */
const heldFor = ({ state, proposal, pax }: PartyOfCancelled, departureId: string): number =>
  state === 'open' && proposal?.toDepartureId === departureId ? pax : 0

/** What the choice costs, or gives back. */
function amountText(
  party: PartyOfCancelled,
  choice: string,
  alternatives: readonly Alternative[],
  isAtPriceThere: boolean,
): string {
  const money = (minor: number) => formatMoney(minor, party.currency)
  if (choice === notNow) return ''
  if (choice === refundChoice) {
    return party.amountPaidMinor > 0
      ? m.departures_propose_goes_back({ amount: money(party.amountPaidMinor) })
      : m.departures_propose_nothing_paid()
  }
  const isOtherTour = alternatives.some((one) => one.departureId === choice && one.isOtherTour)
  if (!isOtherTour || !isAtPriceThere) return m.departures_propose_same_price({ amount: money(party.amountTotalMinor) })
  const there = party.amountsThere.find((one) => one.departureId === choice)?.amountMinor
  if (there === undefined || there === null) return m.departures_propose_no_price()
  return m.departures_propose_other_price({ amount: money(there), before: money(party.amountTotalMinor) })
}

/** What is chosen for each party that can be asked: by rule, until somebody chooses. */
function useChoices(parties: readonly PartyOfCancelled[], alternatives: readonly Alternative[]) {
  const [byHand, setByHand] = useState<ReadonlyMap<string, string>>(new Map())
  const [askedAgain, setAskedAgain] = useState<ReadonlySet<string>>(new Set())
  const editable = parties.filter(
    ({ id, state }) => state === 'unasked' || state === 'expired' || (state === 'open' && askedAgain.has(id)),
  )
  const usual = usualProposals(editable, alternatives)
  const of = (id: string) => byHand.get(id) ?? usual.get(id) ?? refundChoice
  const chosen = editable.filter(({ id }) => of(id) !== notNow)
  const values = new Set(editable.map(({ id }) => of(id)))
  const [first] = values
  const short = alternatives.find(({ departureId, seatsLeft }) => seatsLeft < wantedOf(departureId, chosen, of))
  return {
    editable,
    chosen,
    of,
    common: values.size === 1 && first !== undefined ? first : '',
    hasOtherTour: alternatives.some(({ departureId, isOtherTour }) => isOtherTour && values.has(departureId)),
    problem:
      chosen.length === 0
        ? m.departures_propose_choose()
        : short &&
          m.departures_propose_short({
            code: short.code,
            left: short.seatsLeft,
            asked: wantedOf(short.departureId, chosen, of),
          }),
    set: (id: string, choice: string) => setByHand((before) => new Map([...before, [id, choice]])),
    /** The empty choice is what suits each. */
    setAll: (choice: string) => setByHand(choice === '' ? new Map() : new Map(editable.map(({ id }) => [id, choice]))),
    again: (id: string) => setAskedAgain((before) => new Set([...before, id])),
    reset: () => {
      setByHand(new Map())
      setAskedAgain(new Set())
    },
  }
}

/** Seats that are to be held there, besides those that are already. */
const wantedOf = (departureId: string, chosen: readonly PartyOfCancelled[], of: (id: string) => string): number =>
  chosen
    .filter(({ id }) => of(id) === departureId)
    .reduce((sum, party) => sum + party.pax - heldFor(party, departureId), 0)
