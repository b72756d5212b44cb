import type { StatusOf } from '@tour-ops/contract/state-machines'
import { m } from '../../paraglide/messages.js'

const words: Record<StatusOf<'departure_sales'>, () => string> = {
  open: m.departures_sales_open,
  paused: m.departures_sales_paused,
  closed: m.departures_sales_closed,
}
export const salesLabel = (status: StatusOf<'departure_sales'>): string => words[status]()
