import type { Departure, NextStatus } from '@tour-ops/contract/departures/departures'
import type { DepartureStop } from '@tour-ops/contract/departures/run-sheet'
import { Check } from 'lucide-react'
import type { Access } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { formatTime } from '../../ui/format.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { isUnderWay, stopAhead, stopHere } from './run-sheet.ts'
import { mayChoose } from './status-button.tsx'
import { actLabel } from './status-labels.ts'
import type { StopAction } from './stop-actions.tsx'

export interface RunSheetFooterProps {
  departure: Departure
  isMarking: boolean
  onAction: (act: StopAction, stop: DepartureStop) => void
  onChoose: (option: NextStatus) => void
}

/** The next act of the day: leave here, arrive there, or move the departure on. Null when nothing is to be done by this person. */
export function runSheetFooter(props: RunSheetFooterProps, { can }: Pick<Access, 'can'>) {
  const { departure, isMarking, onAction, onChoose } = props
  if (can('checkin:write') && isUnderWay(departure)) {
    const here = stopHere(departure)
    const ahead = stopAhead(departure)
    if (here && ahead) return <LeaveBar {...{ departure, isMarking, onAction }} stop={here} />
    if (ahead && (departure.status === 'in_progress' || ahead.kind === 'pickup')) {
      return <ArriveBar {...{ departure, isMarking, onAction }} stop={ahead} />
    }
  }
  if (!can('departures:dispatch')) return null
  const onward = departure.nextStatuses.find(
    (option) => isNextStep(departure, option) && mayChoose(departure, option, can),
  )
  if (!onward) return null
  return (
    <>
      <span className="min-w-0 flex-1" />
      <Button variant="primary" onClick={() => onChoose(onward)}>
        {actLabel(departure.status, onward.to)}
      </Button>
    </>
  )
}

/** What usually comes next. Ending a tour early, taking its end back, and guaranteeing one that nobody has booked are for the status menu. */
function isNextStep({ status, seatsConfirmed }: Departure, { to, allowed, unmet }: NextStatus): boolean {
  if (!allowed || to === 'cancelled' || to === 'aborted') return false
  if (to === 'guaranteed') return seatsConfirmed > 0 && unmet.length === 0
  return !(status === 'completed' && to === 'in_progress')
}

type BarProps = Pick<RunSheetFooterProps, 'departure' | 'isMarking' | 'onAction'> & { stop: DepartureStop }

function ArriveBar({ departure, stop, isMarking, onAction }: BarProps) {
  return (
    <>
      <NextStepText name={stop.placeName}>
        {stop.etaAt && (
          <>
            {m.departures_eta()} <Ltr>{formatTime(stop.etaAt, departure.timeZone)}</Ltr>
          </>
        )}
      </NextStepText>
      <Button variant="ghost" onClick={() => onAction('skip', stop)}>
        {m.departures_skip_stop()}
      </Button>
      <Button variant="primary" icon={Check} pending={isMarking} onClick={() => onAction('arrive', stop)}>
        {m.departures_mark_arrived()}
      </Button>
    </>
  )
}

function LeaveBar({ departure, stop, isMarking, onAction }: BarProps) {
  return (
    <>
      <NextStepText name={stop.placeName}>
        {stop.actualArriveAt && m.departures_here_since({ time: formatTime(stop.actualArriveAt, departure.timeZone) })}
      </NextStepText>
      <Button onClick={() => onAction('count', stop)}>{m.departures_headcount()}</Button>
      <Button variant="primary" pending={isMarking} onClick={() => onAction('depart', stop)}>
        {m.departures_mark_departed()}
      </Button>
    </>
  )
}

/** The stop and its time: next to each other, on a phone below each other, since only the name may be cut. */
function NextStepText({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <span className="flex min-w-0 flex-1 gap-x-1 text-ink-2 max-sm:flex-col">
      <b className="truncate text-ink-strong">{name}</b>
      {children && (
        <span className="whitespace-nowrap">
          <span className="max-sm:hidden" aria-hidden>
            ·{' '}
          </span>
          {children}
        </span>
      )}
    </span>
  )
}
