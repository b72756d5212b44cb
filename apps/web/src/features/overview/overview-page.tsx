import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { getOverview, type Overview } from '@tour-ops/contract/overview/overview'
import { getSession } from '@tour-ops/contract/identity/session'
import { Printer } from 'lucide-react'
import { useState } from 'react'
import { useScreenQuery } from '../../app/screen-query.ts'
import { useNow } from '../../ui/clock.ts'
import { useUrlState } from '../../addresses/url-state.ts'
import { callQuery } from '../../backend/queries.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Button, buttonClass } from '../../ui/button.tsx'
import { ChoiceChip } from '../../ui/chip.tsx'
import { formatLocalDay, formatLocalLongDay, formatTime, formatZone, viewerZone } from '../../ui/format.ts'
import { loadLater } from '../../ui/load-later.tsx'
import { Page } from '../../ui/page.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { useAfter } from '../../ui/use-after.ts'
import type { SignalCells } from './board-signals.tsx'
import { AttentionList, documentsOf, urgentOf } from './attention-list.tsx'
import { DayFigures } from './day-figures.tsx'
import { type DayName, type DayShown, dayShown } from './day-shown.ts'
import { DepartureBoard } from './departure-board.tsx'
import { LoadStrip, DocumentsCard, TomorrowCard } from './side-cards.tsx'

/** Of an organization that begins: nobody else needs their code. */
const SetUpCard = loadLater(async () => (await import('./set-up-card.tsx')).SetUpCard)
const BoardSignals = loadLater(async () => (await import('./board-signals.tsx')).BoardSignals)
const StartList = loadLater(async () => (await import('./start-list.tsx')).StartList)

/** Ages and the clock in the head are repainted this often. */
const clockMs = 10_000
/** What estimates rest on moves with positions, which send no change notification. */
const readEveryMs = 60_000
/** Signals and the sheet for print come after the board, and not with it. */
const laterMs = 500

const dayLabels: Record<DayName, () => string> = {
  yesterday: m.overview_yesterday,
  today: m.overview_today,
  tomorrow: m.overview_tomorrow,
}

/** "How is today, and is tomorrow ready?" See docs/screens.md, "Overview". */
export function OverviewPage() {
  const [{ day }, setUrl] = useUrlState('/_dashboard/dashboard/overview')
  const now = useNow(clockMs)
  const session = useQuery({ ...callQuery(getSession, {}), staleTime: Infinity })
  const timeZone = session.data?.settings?.timeZone ?? viewerZone()
  const shown = dayShown(day, now, timeZone)
  const { data } = useScreenQuery({
    ...callQuery(getOverview, day === undefined ? {} : { localDate: shown.localDate }),
    placeholderData: keepPreviousData,
    refetchInterval: readEveryMs,
  })
  const isLater = useAfter(data !== undefined, laterMs)
  const [cells, setCells] = useState<SignalCells>()
  return (
    <Page
      title={shown.name ? dayLabels[shown.name]() : formatLocalDay(shown.localDate)}
      context={<HeadLine shown={shown} timeZone={timeZone} now={now} />}
      actions={
        <>
          <div className="flex gap-1.5" role="group" aria-label={m.overview_day()}>
            {(['yesterday', 'today', 'tomorrow'] as const).map((name) => (
              <ChoiceChip
                key={name}
                pressed={shown.name === name}
                onClick={() => setUrl({ day: name === 'today' ? undefined : name }, { push: true })}
              >
                {dayLabels[name]()}
              </ChoiceChip>
            ))}
          </div>
          <Button icon={Printer} className="max-lg:hidden" disabled={!cells} onClick={() => window.print()}>
            {m.overview_day_sheet()}
          </Button>
        </>
      }
    >
      {data ? (
        <Day overview={data} isToday={shown.name === 'today'} now={now} cells={cells} />
      ) : (
        <div className="card">
          <SkeletonRows rows={12} />
        </div>
      )}
      {data && isLater && <BoardSignals overview={data} now={now} onCells={setCells} />}
    </Page>
  )
}

/** Whether the first steps of an organization are still to be done; inviting colleagues is optional. */
const isNew = ({ tours, staff, departures, travelers }: Overview['start']): boolean =>
  !(tours && staff && departures && travelers)

function HeadLine({ shown, timeZone, now }: { shown: DayShown; timeZone: string; now: number }) {
  const day = formatLocalLongDay(shown.localDate)
  const zone = formatZone(timeZone)
  return shown.name === 'today'
    ? m.overview_now_in({ day, time: formatTime(now, timeZone), zone })
    : m.overview_day_in({ day, zone })
}

interface DayProps {
  overview: Overview
  isToday: boolean
  now: number
  cells: SignalCells | undefined
}

function Day({ overview, isToday, now, cells }: DayProps) {
  const { can, has } = useAccess()
  const { departure } = useSearch({ from: '/_dashboard' })
  const isOwn = has({ role: 'guide' })
  // A guide waits for the office; everybody else sees how far the organization has come.
  const setUp = !overview.start.setUp && can('settings:manage') && <SetUpCard />
  if (!overview.start.departures && !isOwn) {
    return (
      <div className="grid gap-4">
        {setUp}
        <StartList start={overview.start} />
      </div>
    )
  }
  const schedule = can('departures:manage') && (
    <Link to="/tours/all" search={{ schedule: 'open' }} className={buttonClass()}>
      {m.overview_schedule()}
    </Link>
  )
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {setUp}
      <DayFigures overview={overview} isToday={isToday} now={now} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,1fr)_320px] min-[1400px]:grid-cols-[minmax(0,1fr)_340px]">
        <DepartureBoard
          rows={overview.departures}
          now={now}
          cells={cells}
          openId={departure}
          isOwn={isOwn}
          emptyAction={schedule || undefined}
        />
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          {isNew(overview.start) && !isOwn && <StartList start={overview.start} />}
          <AttentionList items={urgentOf(overview.attention)} now={now} />
          <TomorrowCard overview={overview} isToday={isToday} />
          <LoadStrip load={overview.load} />
          <DocumentsCard items={documentsOf(overview.attention)} now={now} />
        </div>
      </div>
    </div>
  )
}
