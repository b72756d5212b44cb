import {
  aboardStatuses,
  activeStatuses,
  awaitedStatuses,
  bindingStatuses,
  carriedStatuses,
  endedStatuses,
  notLeftStatuses,
  openStatuses,
  overIncidentStatuses,
  presentStatuses,
  runningStatuses,
  soldStatuses,
  standingStatuses,
  unresolvedStatuses,
} from '@tour-ops/contract/state-machines'
import { type RawBuilder, sql } from 'kysely'

const list = (statuses: readonly string[]): RawBuilder<unknown> =>
  sql`(${sql.join(statuses.map((status) => sql.lit(status)))})`

/** The sets of statuses of the contract for `status in …`; written into the statement, so that the planner knows them. */
export const statuses = {
  /** Departures, see `awaitedStatuses` and the sets after it. */
  awaited: list(awaitedStatuses),
  running: list(runningStatuses),
  notLeft: list(notLeftStatuses),
  active: list(activeStatuses),
  open: list(openStatuses),
  /** Guests. */
  present: list(presentStatuses),
  carried: list(carriedStatuses),
  aboard: list(aboardStatuses),
  /** Bookings. */
  sold: list(soldStatuses),
  ended: list(endedStatuses),
  /** Assignments. */
  binding: list(bindingStatuses),
  /** Alerts. */
  standing: list(standingStatuses),
  unresolved: list(unresolvedStatuses),
  /** Incidents. */
  overIncident: list(overIncidentStatuses),
}
