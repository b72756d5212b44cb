import * as accessRequests from './access-requests.ts'
import * as assignments from './assignments.ts'
import * as audit from './audit.ts'
import * as bookings from './bookings.ts'
import type { Callable } from './callable.ts'
import * as departureSchedule from './departure-schedule.ts'
import * as departures from './departures.ts'
import * as fieldStaff from './field-staff.ts'
import * as files from './files.ts'
import * as imports from './imports.ts'
import * as links from './links.ts'
import * as manifest from './manifest.ts'
import * as map from './map.ts'
import * as members from './members.ts'
import * as monitoring from './monitoring.ts'
import * as notifications from './notifications.ts'
import * as overview from './overview.ts'
import * as places from './places.ts'
import * as reports from './reports.ts'
import * as runSheet from './run-sheet.ts'
import * as savedViews from './saved-views.ts'
import * as search from './search.ts'
import * as session from './session.ts'
import * as settings from './settings.ts'
import * as staffPlanner from './staff-planner.ts'
import * as tours from './tours.ts'
import * as travelers from './travelers.ts'
import * as vehicles from './vehicles.ts'

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
