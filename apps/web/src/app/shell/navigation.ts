import type { Permission } from '@tour-ops/contract/identity/access'
import {
  Backpack,
  Bell,
  Car,
  ChartColumn,
  ChartNoAxesCombined,
  IdCard,
  LayoutDashboard,
  ListTree,
  Map,
  RadioTower,
  Route,
  Settings,
  Share2,
  UserCog,
  Star,
  UsersRound,
  Users,
  type LucideIcon,
  TicketPercent,
} from 'lucide-react'
import { m } from '../../paraglide/messages.js'
import { paths } from '../../addresses/paths.ts'

export interface NavigationEntry {
  readonly path: string
  readonly label: () => string
  readonly icon: LucideIcon
  readonly permission: Permission
  /** Paths below this one belong to the entry as well. */
  readonly section?: string
  /** Shows the number of open alerts. */
  readonly countsAlerts?: boolean
}

export interface NavigationGroup {
  readonly key: string
  readonly label: () => string
  readonly entries: readonly NavigationEntry[]
}

/** Groups and entries in the order of docs/visual-rules.md, "Shell". */
export const navigationGroups: readonly NavigationGroup[] = [
  {
    key: 'operate',
    label: () => m.app_nav_operate(),
    entries: [
      {
        path: paths.overview(),
        label: () => m.app_title_overview(),
        icon: LayoutDashboard,
        permission: 'dashboard:read',
      },
      { path: paths.map(), label: () => m.app_title_map(), icon: Map, permission: 'tracking:read' },
      {
        path: paths.monitoring(),
        label: () => m.app_title_monitoring(),
        icon: RadioTower,
        permission: 'monitoring:read',
        countsAlerts: true,
      },
      {
        path: paths.monitoringList(),
        label: () => m.app_title_monitoring_list(),
        icon: ListTree,
        permission: 'monitoring:read',
      },
      {
        path: paths.notifications(),
        label: () => m.app_title_notifications(),
        icon: Bell,
        permission: 'notifications:read',
      },
      { path: paths.sharedLinks(), label: () => m.app_title_shared_links(), icon: Share2, permission: 'links:read' },
    ],
  },
  {
    key: 'plan',
    label: () => m.app_nav_plan(),
    entries: [
      {
        path: paths.tours(),
        label: () => m.app_title_tours(),
        icon: Route,
        permission: 'tours:read',
        section: '/tours',
      },
      {
        path: '/discount-codes',
        label: () => m.bookings_discounts_title(),
        icon: TicketPercent,
        permission: 'bookings:read',
        section: '/discount-codes',
      },
      {
        path: paths.travelers(),
        label: () => m.app_title_travelers(),
        icon: Users,
        permission: 'travelers:read',
        section: '/travelers',
      },
      {
        path: paths.fieldStaffList(),
        label: () => m.app_title_staff_list(),
        icon: IdCard,
        permission: 'staff:read',
        section: '/field-staff',
      },
      {
        path: '/vehicles',
        label: () => m.vehicles_title(),
        icon: Car,
        permission: 'staff:read',
        section: '/vehicles',
      },
      {
        path: '/equipment',
        label: () => m.equipment_title(),
        icon: Backpack,
        permission: 'staff:read',
        section: '/equipment',
      },
    ],
  },
  {
    key: 'understand',
    label: () => m.app_nav_understand(),
    entries: [
      {
        path: paths.tourPerformance(),
        label: () => m.app_title_report_tours(),
        icon: ChartColumn,
        permission: 'reports:read',
      },
      {
        path: paths.staffPerformance(),
        label: () => m.app_title_report_staff(),
        icon: ChartNoAxesCombined,
        permission: 'reports:read',
      },
      {
        path: paths.travelerInsights(),
        label: () => m.app_title_report_travelers(),
        icon: UsersRound,
        permission: 'reports:read',
      },
      {
        path: paths.feedback(),
        label: () => m.app_title_report_feedback(),
        icon: Star,
        permission: 'reports:read',
      },
    ],
  },
  {
    key: 'admin',
    label: () => m.app_nav_admin(),
    entries: [
      {
        path: paths.users(),
        label: () => m.app_title_users(),
        icon: UserCog,
        permission: 'members:read',
        section: '/user-management',
      },
      {
        path: paths.settings(),
        label: () => m.app_title_settings(),
        icon: Settings,
        permission: 'settings:read',
        section: '/settings',
      },
    ],
  },
]

/** The groups a person sees: entries the role may not read are absent, and groups without entries. */
export const visibleGroups = (can: (permission: Permission) => boolean): NavigationGroup[] =>
  navigationGroups
    .map((group) => ({ ...group, entries: group.entries.filter(({ permission }) => can(permission)) }))
    .filter(({ entries }) => entries.length > 0)

export const isActive = ({ path, section }: NavigationEntry, pathname: string): boolean =>
  pathname === path || (section !== undefined && (pathname === section || pathname.startsWith(`${section}/`)))
