import type { DepartureRow } from '@tour-ops/contract/departures/departures'
import { hasStatus, runningStatuses } from '@tour-ops/contract/state-machines'

type Timed = Pick<DepartureRow, 'status' | 'startsAt'>

/** Departures that a new revision may change, and how many others keep the plan that they began with. The server decides by the same. */
export function splitByStart<Row extends Timed>(rows: readonly Row[], now: number): { ahead: Row[]; begun: number } {
  const ahead = rows.filter(({ status, startsAt }) => !hasStatus(runningStatuses, status) && Date.parse(startsAt) > now)
  return { ahead, begun: rows.length - ahead.length }
}
