import { Phone, UtensilsCrossed } from 'lucide-react'
import { useEffect } from 'react'
import { Link } from 'wouter'
import { m } from '../../../paraglide/messages.js'
import { travelerFlagLabel } from '../../../records/traveler-flags.tsx'
import { useNow } from '../../../ui/clock.ts'
import { formatList, formatTime } from '../../../ui/format.ts'
import { HelpLink } from '../components/help-link.tsx'
import { DutyNav } from '../components/nav.tsx'
import { DutyPage } from '../components/page.tsx'
import { guestsOf, needsOf } from '../rules/guest-list.ts'
import { isFirstLook } from '../rules/my-day.ts'
import { nextStepOf } from '../rules/next-step.ts'
import { stopInFront, wayOf } from '../rules/way.ts'
import { phone } from '../store/phone.ts'
import type { ShownDay, ShownDeparture } from '../store/shown-day.ts'
import { DepartureFacts } from './departure-facts.tsx'
import { NextStop } from './next-stop.tsx'
import { RunSheetMenu } from './run-sheet-menu.tsx'
import { StepPanel } from './step-panel.tsx'
import { StopList } from './stop-list.tsx'

/** The run sheet: the next time, what to do there, then the day. See docs/screens.md, "The guide's phone". */
export function RunSheet({ day, shown }: { day: ShownDay; shown: ShownDeparture }) {
  const now = useNow(15_000)
  useFirstLook(shown)
  const { departure, counts } = shown
  const way = wayOf(shown)
  const stop = stopInFront(way)
  const step = nextStepOf(shown, day.asOf, now)
  // At the end and before the start the step is the main act; on the way it is the stop.
  const isStepFirst = departure.status !== 'in_progress' || way.next === undefined
  const total = shown.groups ? counts.total : departure.counts.expected
  const head = [
    m.duty_head_line({ time: formatTime(departure.startsAt, departure.timeZone), count: total }),
    departure.vehicles[0]?.label,
  ]
  const panel = step && <StepPanel shown={shown} step={step} isMain={isStepFirst} />
  return (
    <DutyPage
      title={departure.tourName}
      context={head.filter(Boolean).join(' · ')}
      actions={
        <>
          <HelpLink tour={`/tours/${shown.id}`} />
          {day.organization.phone !== null && <OfficeCall number={day.organization.phone} />}
          <RunSheetMenu day={day} shown={shown} />
        </>
      }
      foot={<DutyNav at="run-sheet" departureId={shown.id} />}
    >
      <div className="border-t border-line bg-surface">
        {stop && <NextStop shown={shown} stop={stop} now={now} isMain={!isStepFirst} />}
        {isStepFirst && panel}
        <StopList shown={shown} way={way} />
        <NeedsRow shown={shown} />
        {!isStepFirst && panel}
      </div>
      <DepartureFacts shown={shown} />
    </DutyPage>
  )
}

/** Reports to the office which plan its person has opened first. Later ones are reported by a press on the note in My day. */
function useFirstLook(shown: ShownDeparture): void {
  const isFirst = isFirstLook(shown)
  const { id, departure } = shown
  const { revisionNumber } = departure
  useEffect(() => {
    if (isFirst) void phone().record({ kind: 'seen', departureId: id, revisionNumber })
  }, [isFirst, id, revisionNumber])
}

export const OfficeCall = ({ number }: { number: string }) => (
  <a href={`tel:${number}`} className="duty-icon" aria-label={m.duty_call_office()}>
    <Phone size={22} aria-hidden />
  </a>
)

function NeedsRow({ shown }: { shown: ShownDeparture }) {
  const flags = guestsOf(shown).flatMap(needsOf)
  if (flags.length === 0) return null
  const counted = [...new Set(flags)].map(
    (flag) => `${flags.filter((one) => one === flag).length} × ${travelerFlagLabel(flag)}`,
  )
  return (
    <Link href={`/tours/${shown.id}/guests?show=needs`} className="duty-row border-t border-line">
      <UtensilsCrossed size={20} className="shrink-0 text-ink-2" aria-hidden />
      <span className="sr-only">{m.duty_needs_of()}</span>
      <span className="min-w-0 flex-1">{formatList(counted)}</span>
    </Link>
  )
}
