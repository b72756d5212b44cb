import type { DepartureRow } from '@tour-ops/contract/departures/departures'
import { hasAccess } from '@tour-ops/contract/identity/access'
import { getOverview, type Overview } from '@tour-ops/contract/overview/overview'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { addDays, localDateOf } from '../../platform/local-time.ts'
import { iso, isoOrNull } from '../../platform/list-query.ts'
import { selectDepartureRows } from '../../platform/operations/departure-rows.ts'
import { selectSignals } from '../../platform/operations/departure-signals.ts'
import { organizationZone } from '../../platform/organization-zone.ts'
import { sharedVerb, type Verb } from '../../platform/verb.ts'
import {
  inDayOrder,
  isOnDay,
  maxOnBoard,
  selectAlertFigures,
  selectAttention,
  selectEquipment,
  selectLoad,
  preparationOf,
  selectStart,
  selectStarting,
  selectStarts,
} from './overview-store.ts'
import { isRunning } from '@tour-ops/contract/state-machines'

const departuresOn = (call: MemberCall, day: string, today: string): Promise<DepartureRow[]> =>
  selectDepartureRows(call, {
    where: [isOnDay(call, day, day === today), sql`d.status <> 'draft'`],
    orderBy: inDayOrder,
    limit: maxOnBoard,
    offset: 0,
    onDay: day,
  })

const overview = sharedVerb(getOverview, async (call, { localDate }) => {
  const timeZone = await organizationZone(call)
  const now = call.clock.now()
  const today = localDateOf(now, timeZone)
  const day = localDate ?? today
  const board = await call.shared.answer(call, [getOverview.name, day, today], (reader) =>
    selectBoard(reader, day, today),
  )
  return { localDate: day, timeZone, now: iso(now), ...board }
})

/** What is the same for everybody of a role. */
async function selectBoard(
  call: MemberCall,
  day: string,
  today: string,
): Promise<Omit<Overview, 'localDate' | 'timeZone' | 'now'>> {
  const departures = await departuresOn(call, day, today)
  const tomorrow = preparationOf(await selectStarting(call, addDays(day, 1)))
  const alerts = await selectAlertFigures(call)
  return {
    figures: {
      ...dayFigures(departures),
      ...(await selectStarts(call, day, alerts.onTimeTolerance)),
      ...readyFigures(tomorrow),
      openAlerts: alerts.openAlerts,
      oldestAlertAt: isoOrNull(alerts.oldestAlertAt),
    },
    departures,
    signals: hasAccess(call, { permission: 'tracking:read' })
      ? await selectSignals(
          call,
          departures.filter(({ status }) => status === 'in_progress').map(({ id }) => id),
        )
      : null,
    equipment: await selectEquipment(call, departures),
    attention: await selectAttention(call),
    tomorrow: tomorrow.filter(isUnready),
    load: await selectLoad(call, day),
    start: await selectStart(call),
  }
}

const isToRun = (row: DepartureRow): boolean => row.status !== 'cancelled' && row.status !== 'aborted'

const sum = (rows: readonly DepartureRow[], figure: (row: DepartureRow) => number): number =>
  rows.reduce((total, row) => total + figure(row), 0)

type DayFigures = Pick<
  Overview['figures'],
  'running' | 'departures' | 'cancelled' | 'guests' | 'onTour' | 'aboard' | 'noShow' | 'seatsLeft' | 'seatsTotal'
>

/** The figures of a day. Seats left count only what can still be sold: departures that have not left. */
function dayFigures(rows: readonly DepartureRow[]): DayFigures {
  const run = rows.filter(isToRun)
  const onTour = run.filter((row) => row.status === 'in_progress')
  const ahead = run.filter((row) => row.status !== 'in_progress' && row.status !== 'completed')
  return {
    running: run.filter(isRunning).length,
    departures: rows.length,
    cancelled: rows.filter((row) => row.status === 'cancelled').length,
    guests: sum(run, (row) => row.seatsConfirmed),
    onTour: sum(onTour, (row) => row.aboard),
    aboard: sum(run, (row) => row.aboard),
    noShow: sum(run, (row) => row.noShow),
    seatsLeft: sum(ahead, (row) => row.seatsLeft),
    seatsTotal: sum(ahead, (row) => row.capacity),
  }
}

type ReadyFigures = Pick<Overview['figures'], 'tomorrowReady' | 'tomorrowTotal' | 'tomorrowNext'>

const isUnready = ({ failing }: Overview['tomorrow'][number]): boolean => failing.length > 0

function readyFigures(tomorrow: Overview['tomorrow']): ReadyFigures {
  const unready = tomorrow.filter(isUnready)
  const next = unready[0] ?? tomorrow[0]
  return {
    tomorrowReady: tomorrow.length - unready.length,
    tomorrowTotal: tomorrow.length,
    tomorrowNext: next
      ? { id: next.id, tourName: next.tourName, startsAt: next.startsAt, timeZone: next.timeZone }
      : null,
  }
}

export const overviewVerbs: Verb[] = [overview]
