import { useQuery } from '@tanstack/react-query'
import { answerWithinS, askAgainS, type AskRefusal } from '@tour-ops/contract/tracking/ask-terms'
import { askPosition, getPositionAsk, type PositionAsk as Ask } from '@tour-ops/contract/tracking/position-ask'
import { LocateFixed } from 'lucide-react'
import { callQuery, useCall } from '../../backend/queries.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { useNow } from '../../ui/clock.ts'
import { formatTime } from '../../ui/format.ts'
import { toast } from '../../ui/toast.tsx'

/** An answer is looked for so often while one is due; positions are in no topic. */
const lookMs = 3_000
/** After an hour nobody waits for an answer any more. */
const longestWaitMs = 3_600_000

/** Asks the phone of a person where it is, for dispatchers, and says whether it has answered. */
export function PositionAsk({ staffId }: { staffId: string }) {
  return useAccess().can('departures:dispatch') && <AskRow staffId={staffId} />
}

function AskRow({ staffId }: { staffId: string }) {
  const now = useNow(lookMs)
  const query = callQuery(getPositionAsk, { staffId })
  const { data } = useQuery({ ...query, refetchInterval: ({ state }) => waits(state.data) && lookMs })
  const ask = useCall(askPosition, { onError: (error) => toast(refusalText(error)) })
  if (!data) return null
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2">
      <Button
        icon={LocateFixed}
        size="sm"
        className="self-start"
        pending={ask.isPending || (data.answeredAt === null && ageOf(data, now) < askAgainS * 1000)}
        disabledReason={data.because ? refusalLabels[data.because]() : undefined}
        reasonPlace="below"
        onClick={() => ask.mutate({ staffId })}
      >
        {m.tracking_ask()}
      </Button>
      <p aria-live="polite" className="num min-w-0 text-ink-2">
        {stateText(data, now)}
      </p>
    </div>
  )
}

const ageOf = ({ askedAt }: Ask, now: number): number => (askedAt === null ? Infinity : now - Date.parse(askedAt))

const waits = (ask: Ask | undefined): boolean =>
  ask?.answeredAt === null && ask.because === null && ageOf(ask, Date.now()) < longestWaitMs

function stateText(ask: Ask, now: number): string | undefined {
  const { askedAt, answeredAt } = ask
  if (askedAt === null) return undefined
  const time = formatTime(askedAt)
  if (answeredAt !== null) return m.tracking_ask_answered({ asked: time, time: formatTime(answeredAt) })
  // nobody waits for an answer that cannot come
  if (ask.because !== null) return m.tracking_ask_asked({ time })
  return ageOf(ask, now) < answerWithinS * 1000 ? m.tracking_ask_asked({ time }) : m.tracking_ask_no_answer({ time })
}

const refusalLabels: Readonly<Record<AskRefusal, () => string>> = {
  off_duty: m.tracking_ask_off_duty,
  no_consent: m.tracking_ask_no_consent,
  on_break: m.tracking_ask_on_break,
  no_duty_page: m.tracking_ask_no_duty_page,
}
