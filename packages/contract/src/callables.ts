import * as accessRequests from './members/access-requests.ts'
import * as assignments from './field-staff/assignments.ts'
import * as audit from './audit/audit.ts'
import * as bookings from './bookings/bookings.ts'
import type { Callable } from './callable.ts'
import * as departureSchedule from './departures/departure-schedule.ts'
import * as departures from './departures/departures.ts'
import * as fieldStaff from './field-staff/field-staff.ts'
import * as files from './files.ts'
import * as imports from './imports/imports.ts'
import * as links from './links/links.ts'
import * as manifest from './bookings/manifest.ts'
import * as map from './map/map.ts'
import * as members from './members/members.ts'
import * as monitoring from './monitoring/monitoring.ts'
import * as notifications from './notifications/notifications.ts'
import * as overview from './overview/overview.ts'
import * as places from './places/places.ts'
import * as reports from './reports/reports.ts'
import * as runSheet from './departures/run-sheet.ts'
import * as savedViews from './saved-views/saved-views.ts'
import * as search from './search/search.ts'
import * as session from './identity/session.ts'
import * as settings from './settings/settings.ts'
import * as staffPlanner from './field-staff/staff-planner.ts'
import * as tours from './tours/tours.ts'
import * as travelers from './travelers/travelers.ts'
import * as vehicles from './vehicles/vehicles.ts'

const modules: readonly object[] = [
  accessRequests,
  assignments,
  audit,
  bookings,
  departureSchedule,
  departures,
  fieldStaff,
  files,
  imports,
  links,
  manifest,
  map,
  members,
  monitoring,
  notifications,
  overview,
  places,
  reports,
  runSheet,
  savedViews,
  search,
  session,
  settings,
  staffPlanner,
  tours,
  travelers,
  vehicles,
]

/** Whether an export of this package is a callable. */
export const isCallable = (value: unknown): value is Callable =>
  typeof value === 'object' && value !== null && 'permission' in value && 'summary' in value && 'input' in value

/** Every remote procedure of the product. For the server, the API description and tests; screens import their own. */
export const callables: readonly Callable[] = modules.flatMap((module) => Object.values(module).filter(isCallable))

/** The callable of that name; undefined when there is none. */
export const callableNamed = (name: string): Callable | undefined => callables.find((each) => each.name === name)
