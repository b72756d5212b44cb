import { isOnlyNearTour, scopeOf, type Permission, type Role } from '@tour-ops/contract/identity/access'
import { m } from '../../paraglide/messages.js'

interface Area {
  readonly label: () => string
  /** What can be done, from looking to the most powerful act. */
  readonly actions: readonly { readonly permission: Permission; readonly label: () => string }[]
}

const see = (permission: Permission) => ({ permission, label: () => m.members_act_see() })
const change = (permission: Permission) => ({ permission, label: () => m.members_act_change() })

/** The parts of the product by which people ask what a role may do. */
const areas: readonly Area[] = [
  {
    label: () => m.members_area_departures(),
    actions: [
      see('departures:read'),
      { permission: 'departures:dispatch', label: () => m.members_act_run() },
      { permission: 'departures:manage', label: () => m.members_act_plan() },
    ],
  },
  {
    label: () => m.members_area_bookings(),
    actions: [see('bookings:read'), change('bookings:manage')],
  },
  {
    label: () => m.members_area_guests(),
    actions: [
      see('travelers:read'),
      { permission: 'checkin:write', label: () => m.members_act_check_in() },
      change('travelers:manage'),
    ],
  },
  { label: () => m.members_area_sensitive(), actions: [see('travelers_sensitive:read')] },
  {
    label: () => m.members_area_tracking(),
    actions: [see('tracking:read'), { permission: 'tracking:history', label: () => m.members_act_look_back() }],
  },
  {
    label: () => m.members_area_alerts(),
    actions: [see('monitoring:read'), { permission: 'alerts:manage', label: () => m.members_act_act() }],
  },
  {
    label: () => m.members_area_tours(),
    actions: [
      see('tours:read'),
      change('tours:manage'),
      { permission: 'tours:publish', label: () => m.members_act_publish() },
    ],
  },
  { label: () => m.members_area_staff(), actions: [see('staff:read'), change('staff:manage')] },
  {
    label: () => m.members_area_messages(),
    actions: [
      see('notifications:read'),
      { permission: 'notifications:send', label: () => m.members_act_send() },
      { permission: 'notifications:manage', label: () => m.members_act_rules() },
    ],
  },
  { label: () => m.members_area_links(), actions: [see('links:read'), change('links:manage')] },
  {
    label: () => m.members_area_reports(),
    actions: [see('reports:read'), { permission: 'reports:export', label: () => m.members_act_export() }],
  },
  { label: () => m.members_area_settings(), actions: [see('settings:read'), change('settings:manage')] },
  { label: () => m.members_area_users(), actions: [see('members:read'), change('members:manage')] },
  { label: () => m.members_area_history(), actions: [see('audit:read')] },
]

export interface MayDo {
  readonly label: string
  /** `limited`: less than the area holds, or only near to the person's own work. */
  readonly answer: 'yes' | 'limited' | 'no'
  readonly text: string
}

/** What a role may do, area by area: from the same table that the server decides by. */
export const mayDo = (role: Role): MayDo[] =>
  areas.map(({ label, actions }) => ({ label: label(), ...judge(role, actions) }))

function judge(role: Role, actions: Area['actions']): Omit<MayDo, 'label'> {
  const granted = actions.filter(({ permission }) => scopeOf(role, permission) !== undefined)
  if (granted.length === 0) return { answer: 'no', text: m.members_act_no() }
  const text = granted.map(({ label }) => label()).join(', ')
  if (granted.some(({ permission }) => scopeOf(role, permission) === 'own')) {
    return { answer: 'limited', text: m.members_act_own({ actions: text }) }
  }
  if (granted.every(({ permission }) => isOnlyNearTour(role, permission))) {
    return { answer: 'limited', text: m.members_act_around_tour() }
  }
  if (granted.length === 1 && actions.length > 1) return { answer: 'limited', text: m.members_act_see_only() }
  return { answer: 'yes', text }
}
