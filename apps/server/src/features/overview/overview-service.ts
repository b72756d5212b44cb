import type { DepartureRow } from '@tour-ops/contract/departures'
import { getOverview, type Overview } from '@tour-ops/contract/overview'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { addDays, localDateOf } from '../../platform/local-time.ts'
import { iso, isoOrNull } from '../../platform/list-query.ts'
import { selectDepartureRows } from '../../platform/operations/departure-rows.ts'
import { organizationZone } from '../../platform/organization-zone.ts'
import { isWithinScope } from '../../platform/own-scope.ts'
import { verb, type Verb } from '../../platform/verb.ts'
import {
  isOnDay,
  selectAlertFigures,
  selectAttention,
  selectLoad,
  selectStart,
  selectStarts,
} from './overview-store.ts'

/** Departures of one day that the board shows: the peak of a large operator. Source: product description, section 6.2. */
const maxOnBoard = 500

const departuresOn = async (call: MemberCall, day: string, today: string): Promise<DepartureRow[]> => {
  const { rows } = await selectDepartureRows(call, {
    where: [isOnDay(day, day === today), sql`d.status <> 'draft'`, isWithinScope(call, sql`d.id`)],
    orderBy: sql`d.local_start_time, d.starts_at, d.id`,
    limit: maxOnBoard,
    offset: 0,
    onDay: day,
  })
  return rows
}

const overview = verb(getOverview, async (call, { localDate }) => {
  const timeZone = await organizationZone(call)
  const now = call.clock.now()
  const today = localDateOf(now, timeZone)
  const day = localDate ?? today
  const departures = await departuresOn(call, day, today)
  const tomorrow = (await departuresOn(call, addDays(day, 1), today)).filter(
    (row) => row.dayIndex === 1 && isToRun(row),
  )
  const alerts = await selectAlertFigures(call)
  return {
    localDate: day,
    timeZone,
    now: iso(now),
    figures: {
      ...dayFigures(departures),
      ...(await selectStarts(call, day, alerts.onTimeTolerance)),
      ...readyFigures(tomorrow),
      openAlerts: alerts.openAlerts,
      oldestAlertAt: isoOrNull(alerts.oldestAlertAt),
    },
    departures,
    attention: await selectAttention(call),
    tomorrow: tomorrow.filter((row) => !row.readiness.ready).map(unreadyOf),
    load: await selectLoad(call, day),
    start: await selectStart(call),
  }
})

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
  const running = run.filter((row) => row.status === 'in_progress')
  const ahead = run.filter((row) => row.status !== 'in_progress' && row.status !== 'completed')
  return {
    running: running.length,
    departures: rows.length,
    cancelled: rows.filter((row) => row.status === 'cancelled').length,
    guests: sum(run, (row) => row.seatsConfirmed),
    onTour: sum(running, (row) => row.aboard),
    aboard: sum(run, (row) => row.aboard),
    noShow: sum(run, (row) => row.noShow),
    seatsLeft: sum(ahead, (row) => row.seatsLeft),
    seatsTotal: sum(ahead, (row) => row.capacity),
  }
}

type ReadyFigures = Pick<Overview['figures'], 'tomorrowReady' | 'tomorrowTotal' | 'tomorrowNext'>

function readyFigures(rows: readonly DepartureRow[]): ReadyFigures {
  const next = rows.find((row) => !row.readiness.ready) ?? rows[0]
  return {
    tomorrowReady: rows.filter((row) => row.readiness.ready).length,
    tomorrowTotal: rows.length,
    tomorrowNext: next ? { id: next.id, tourName: next.tourName, startTimeLocal: next.startTimeLocal } : null,
  }
}

const unreadyOf = ({
  id,
  code,
  tourName,
  startsAt,
  timeZone,
  startTimeLocal,
  readiness,
}: DepartureRow): Overview['tomorrow'][number] => ({
  id,
  code,
  tourName,
  startsAt,
  timeZone,
  startTimeLocal,
  failing: readiness.failing,
})

export const overviewVerbs: Verb[] = [overview]
