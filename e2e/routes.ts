import { type Permission, type Role, hasAccess } from '@tour-ops/contract/identity/access'
import { records } from '@tour-ops/contract/callables'
import { listFieldStaff } from '@tour-ops/contract/field-staff/field-staff'
import type { PlainRecord } from '@tour-ops/contract/record'
import { listTours } from '@tour-ops/contract/tours/tours'
import { listTravelers } from '@tour-ops/contract/travelers/travelers'
import type { Page } from '@playwright/test'
import { apiAs } from './api.ts'

/** Source: spec, section 2, "Redirects". */
export const redirects: readonly (readonly [from: string, to: string])[] = [
  ['/', '/dashboard/overview'],
  ['/dashboard', '/dashboard/map'],
  ['/field-staff', '/field-staff/list'],
  ['/reports', '/reports/tour-performance'],
  ['/tours', '/tours/all'],
  ['/travelers', '/travelers/list'],
  ['/travelers/create', '/travelers/edit/create'],
  ['/user-management', '/user-management/list'],
]

export interface Screen {
  readonly path: string
  /** Named layouts around it, from the outside in. Source: spec, section 2: the dashboard, and the one of its area. */
  readonly layout: readonly string[]
  /** What a member needs to open it; null is open to every member. */
  readonly permission: Permission | null
  /** False when the record in the path is outside of what the role may see of its kind. */
  readonly isOwn: boolean
}

/** Names of the layouts around the present screen, from the outside in. */
export const layouts = (page: Page): Promise<string[]> =>
  page.locator('[data-layout]').evaluateAll((all) => all.map((each) => each.getAttribute('data-layout') ?? ''))

/** Areas without a layout of their own take the dashboard as it is. */
const areaLayouts: Readonly<Record<string, string>> = {
  dashboard: 'dashboard-main',
  'field-staff': 'dashboard-field-staff',
  reports: 'dashboard-reports',
  settings: 'dashboard-settings',
  tours: 'dashboard-tours',
  travelers: 'dashboard-travelers',
  'user-management': 'dashboard-user-management',
}

const layoutOf = (path: string): readonly string[] => {
  const own = areaLayouts[path.split('/')[1] ?? '']
  return own ? ['dashboard', own] : ['dashboard']
}

interface Found {
  readonly id: string
  readonly isOwn: boolean
}

/** A record that the role sees, else one that only others see. */
async function recordFor(
  role: Role,
  list: typeof listFieldStaff | typeof listTours | typeof listTravelers | PlainRecord['list'],
): Promise<Found> {
  const firstOf = async (reader: Role): Promise<string | undefined> => {
    const { rows } = await (await apiAs(reader)).call(list, { size: 1 })
    return rows[0]?.id
  }
  const isReader = hasAccess({ role }, { permission: list.permission })
  const own = isReader ? await firstOf(role) : undefined
  return own ? { id: own, isOwn: true } : { id: (await firstOf('admin')) ?? '', isOwn: !isReader }
}

/** Every screen of the spec, section 2, and those of decision 0044 and of the plain records, with ids of records that exist: of the role's own where there are any. */
export async function screens(role: Role = 'admin'): Promise<readonly Screen[]> {
  const [staff, tour, traveler] = await Promise.all([
    recordFor(role, listFieldStaff),
    recordFor(role, listTours),
    recordFor(role, listTravelers),
  ])
  const screen = (path: string, permission: Permission | null, isOwn = true): Screen => ({
    path,
    layout: layoutOf(path),
    permission,
    isOwn,
  })
  const recordScreens = records.map(async ({ name, list, read, manage }) => [
    screen(`/${name}`, read),
    screen(`/${name}/create`, manage),
    screen(`/${name}/edit/${(await recordFor(role, list)).id}`, manage),
  ])
  return [
    ...(await Promise.all(recordScreens)).flat(),
    screen('/dashboard/overview', 'dashboard:read'),
    screen('/dashboard/map', 'tracking:read'),
    screen('/field-staff/list', 'staff:read'),
    screen('/field-staff/create', 'staff:manage'),
    screen(`/field-staff/details/${staff.id}`, 'staff:read', staff.isOwn),
    screen(`/field-staff/edit/${staff.id}`, 'staff:manage'),
    screen('/field-staff/tracking', 'tracking:read'),
    screen('/reports/tour-performance', 'reports:read'),
    screen('/reports/staff-performance', 'reports:read'),
    screen('/reports/traveler-insights', 'reports:read'),
    screen('/reports/feedback', 'reports:read'),
    screen('/settings', null),
    screen('/settings/general', 'settings:read'),
    screen('/settings/notifications', null),
    screen('/settings/tour', 'settings:read'),
    screen('/tools/full-monitoring-list', 'monitoring:read'),
    screen('/tools/monitoring', 'monitoring:read'),
    screen('/tools/notifications', 'notifications:read'),
    screen('/tools/shared-links', 'links:read'),
    screen('/tours/all', 'tours:read'),
    screen('/tours/constructor', 'tours:manage'),
    screen(`/tours/edit/${tour.id}`, 'tours:read', tour.isOwn),
    screen(`/tours/wizard/${tour.id}`, 'tours:manage'),
    screen('/travelers/list', 'travelers:read'),
    screen(`/travelers/details/${traveler.id}`, 'travelers:read', traveler.isOwn),
    screen(`/travelers/edit/${traveler.id}`, 'travelers:manage'),
    screen('/travelers/edit/create', 'travelers:manage'),
    screen('/travelers/book', 'bookings:manage'),
    screen(`/travelers/book/${traveler.id}`, 'bookings:manage'),
    screen('/travelers/import', 'travelers:manage'),
    screen('/user-management/list', 'members:read'),
    screen('/user-management/create', 'members:manage'),
  ]
}
