import type { Departure } from '@tour-ops/contract/departures/departures'
import { m } from '../../paraglide/messages.js'
import type { TabItem } from '../../ui/tabs.tsx'
import type { DrawerTab } from '../../records/drawer-request.ts'
import type { DepartureAccess } from './departure-access.ts'

/** The tabs that apply to this departure and this person; what cannot apply is absent. See docs/screens.md, "Records over any screen". */
export function tabsOf(
  departure: Departure,
  { can, isOnlyAsked }: Pick<DepartureAccess, 'can' | 'isOnlyAsked'>,
): TabItem<DrawerTab>[] {
  const { counts } = departure
  const open = departure.services.filter((service) => service.status !== 'cancelled').length
  return [
    { key: 'run-sheet', label: m.departures_tab_run_sheet() },
    ...(can('travelers:read')
      ? [{ key: 'manifest' as const, label: m.departures_tab_manifest(), count: counts.expected }]
      : []),
    ...(can('bookings:read')
      ? [{ key: 'bookings' as const, label: m.departures_tab_bookings(), ...waitingCount(counts) }]
      : []),
    { key: 'crew', label: m.departures_tab_crew() },
    ...(open > 0 || can('departures:dispatch')
      ? [{ key: 'services' as const, label: m.departures_tab_services(), ...(open > 0 && { count: open }) }]
      : []),
    ...(isOnlyAsked ? [] : [{ key: 'history' as const, label: m.departures_tab_history() }]),
  ]
}

/** Parties that wait for a decision; a list without any has no number. */
function waitingCount({ onHold, waitlisted }: Departure['counts']): { count?: number } {
  const waiting = onHold + waitlisted
  return waiting > 0 ? { count: waiting } : {}
}
