import { canShow, type LinkRow, type LinkScope, type SkippedLink } from '@tour-ops/contract/links/links'
import {
  BedDouble,
  Banknote,
  Bus,
  CircleCheck,
  CirclePause,
  ClipboardCheck,
  CircleX,
  Clock,
  Contact,
  FileText,
  Hourglass,
  ListChecks,
  ListOrdered,
  LocateFixed,
  MessageSquare,
  MapPin,
  Phone,
  Star,
  Ticket,
  Users,
  Utensils,
  type LucideIcon,
} from 'lucide-react'
import { m } from '../../paraglide/messages.js'

export const linkKindLabels: Record<LinkRow['kind'], () => string> = {
  departure_guest: m.links_kind_departure,
  booking_guest: m.links_kind_booking,
  traveler: m.links_kind_traveler,
  staff_runsheet: m.links_kind_run_sheet,
  supplier_manifest: m.links_kind_supplier,
  live_map: m.links_kind_map,
  report: m.links_kind_report,
  roll_call: m.links_kind_roll_call,
}

export const linkStatusLabels: Record<LinkRow['status'], () => string> = {
  scheduled: m.links_scheduled,
  active: m.links_active,
  paused: m.links_paused,
  expired: m.links_expired,
  revoked: m.links_revoked,
}

export const linkStatusIcons: Record<LinkRow['status'], LucideIcon> = {
  scheduled: Hourglass,
  active: CircleCheck,
  paused: CirclePause,
  expired: Clock,
  revoked: CircleX,
}

/** A guide's phone works without a network: its link has no passcode. */
const opensPhone = ({ kind, scopes }: Pick<LinkRow, 'kind' | 'scopes'>): boolean =>
  kind === 'staff_runsheet' && scopes.checkin

/** Whether a link can ask for a passcode. */
export const takesPasscode = (link: Pick<LinkRow, 'kind' | 'scopes'>): boolean => !opensPhone(link)

/** Why a link was skipped by an act on several. @param state What it is already, where nothing was to be done. */
export const skipReason = (reason: SkippedLink['reason'], state: 'active' | 'paused'): string => {
  if (reason === 'unchanged') return state === 'paused' ? m.links_skipped_paused() : m.links_skipped_active()
  return reason === 'ended' ? m.links_skipped_ended() : m.links_skipped_not_started()
}

/** What has been done; that nothing was, where every link was skipped. */
export const bulkTitle = (count: number, words: (inputs: { count: number }) => string): string =>
  count > 0 ? words({ count }) : m.links_bulk_nothing()

interface ScopeLook {
  readonly label: () => string
  readonly hint: () => string
  readonly icon: LucideIcon
}

/** What a link can show, in the order of the dialog. */
const scopeLooks: Record<LinkScope, ScopeLook> = {
  stops: { label: m.links_scope_stops, hint: m.links_scope_stops_hint, icon: ListOrdered },
  crew: { label: m.links_scope_crew, hint: m.links_scope_crew_hint, icon: Contact },
  contacts: { label: m.links_scope_contacts, hint: m.links_scope_contacts_hint, icon: Phone },
  map: { label: m.links_scope_map, hint: m.links_scope_map_hint, icon: MapPin },
  position: { label: m.links_scope_position, hint: m.links_scope_position_hint, icon: LocateFixed },
  needs: { label: m.links_scope_needs, hint: m.links_scope_needs_hint, icon: Utensils },
  rooms: { label: m.links_scope_rooms, hint: m.links_scope_rooms_hint, icon: BedDouble },
  pickups: { label: m.links_scope_pickups, hint: m.links_scope_pickups_hint, icon: Bus },
  manifestNames: { label: m.links_scope_names, hint: m.links_scope_names_hint, icon: Users },
  details: { label: m.links_scope_details, hint: m.links_scope_details_hint, icon: ClipboardCheck },
  offer: { label: m.links_scope_offer, hint: m.links_scope_offer_hint, icon: Ticket },
  feedback: { label: m.links_scope_feedback, hint: m.links_scope_feedback_hint, icon: Star },
  messages: { label: m.links_scope_messages, hint: m.links_scope_messages_hint, icon: MessageSquare },
  documents: { label: m.links_scope_documents, hint: m.links_scope_documents_hint, icon: FileText },
  checkin: { label: m.links_scope_checkin, hint: m.links_scope_checkin_hint, icon: ListChecks },
  money: { label: m.links_scope_money, hint: m.links_scope_money_hint, icon: Banknote },
}

export const scopeNames = Object.keys(scopeLooks) as LinkScope[]

/** What a link of this kind can show. */
export const scopesFor = (kind: LinkRow['kind']): readonly LinkScope[] =>
  scopeNames.filter((scope) => canShow(kind, scope))

/** Where a scope means something else than on other links: suppliers read full names, as in a rooming list, and a traveler speaks only for themselves. */
const otherWords: {
  readonly [Kind in LinkRow['kind']]?: { readonly [Scope in LinkScope]?: Partial<ScopeLook> }
} = {
  supplier_manifest: { manifestNames: { label: m.links_scope_full_names, hint: m.links_scope_full_names_hint } },
  traveler: {
    details: { label: m.links_scope_own_details },
    messages: { hint: m.links_scope_own_messages_hint },
    feedback: { hint: m.links_scope_own_feedback_hint },
  },
}

/** How a scope looks on a link of this kind. */
export const scopeLook = (kind: LinkRow['kind'], scope: LinkScope): ScopeLook => ({
  ...scopeLooks[scope],
  ...otherWords[kind]?.[scope],
})
