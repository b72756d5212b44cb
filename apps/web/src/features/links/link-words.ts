import type { LinkRow, LinkScopes } from '@tour-ops/contract/links/links'
import {
  CircleCheck,
  CirclePause,
  CircleX,
  Clock,
  Contact,
  Hourglass,
  ListOrdered,
  MapPin,
  Phone,
  Users,
  type LucideIcon,
} from 'lucide-react'
import { m } from '../../paraglide/messages.js'

export const linkKindWords: Record<LinkRow['kind'], () => string> = {
  departure_guest: m.tools_link_kind_departure,
  booking_guest: m.tools_link_kind_booking,
  traveler: m.tools_link_kind_traveler,
  staff_runsheet: m.tools_link_kind_run_sheet,
  supplier_manifest: m.tools_link_kind_supplier,
  live_map: m.tools_link_kind_map,
  report: m.tools_link_kind_report,
  roll_call: m.tools_link_kind_roll_call,
}

export const linkStatusWords: Record<LinkRow['status'], () => string> = {
  scheduled: m.tools_link_scheduled,
  active: m.tools_link_active,
  paused: m.tools_link_paused,
  expired: m.tools_link_expired,
  revoked: m.tools_link_revoked,
}

export const linkStatusIcons: Record<LinkRow['status'], LucideIcon> = {
  scheduled: Hourglass,
  active: CircleCheck,
  paused: CirclePause,
  expired: Clock,
  revoked: CircleX,
}

/** What a link can show, in the order of the dialog. */
export const scopeLooks: Record<keyof LinkScopes, { word: () => string; hint: () => string; icon: LucideIcon }> = {
  stops: { word: m.tools_scope_stops, hint: m.tools_scope_stops_hint, icon: ListOrdered },
  crew: { word: m.tools_scope_crew, hint: m.tools_scope_crew_hint, icon: Contact },
  contacts: { word: m.tools_scope_contacts, hint: m.tools_scope_contacts_hint, icon: Phone },
  map: { word: m.tools_scope_map, hint: m.tools_scope_map_hint, icon: MapPin },
  manifestNames: { word: m.tools_scope_names, hint: m.tools_scope_names_hint, icon: Users },
}

export const scopeNames = Object.keys(scopeLooks) as (keyof LinkScopes)[]
