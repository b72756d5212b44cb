import type { Callable } from '@tour-ops/contract/callable'
import { accessVerbs } from './features/members/access-service.ts'
import { auditVerbs } from './features/audit/audit-service.ts'
import { bookingsVerbs } from './features/bookings/bookings-service.ts'
import { calendarFeedVerbs } from './features/calendar-feeds/feeds-service.ts'
import { combineVerbs } from './features/departures/combine-departures.ts'
import { separateVerbs } from './features/departures/separate-departures.ts'
import { departuresVerbs } from './features/departures/departures-service.ts'
import { dutyPhoneVerbs } from './features/duty/duty-verbs.ts'
import { equipmentVerbs } from './features/equipment/equipment-issues-service.ts'
import { fieldStaffVerbs } from './features/field-staff/verbs.ts'
import { importsVerbs } from './features/imports/imports-service.ts'
import { linksVerbs } from './features/links/verbs.ts'
import { mapVerbs } from './features/map/map-service.ts'
import { membersVerbs } from './features/members/verbs.ts'
import { monitoringVerbs } from './features/monitoring/verbs.ts'
import { guestMessageVerbs } from './features/notifications/guest-messages-service.ts'
import { guestRuleVerbs } from './features/notifications/guest-rules-service.ts'
import { messageTemplateVerbs } from './features/notifications/message-templates-service.ts'
import { notificationVerbs } from './features/notifications/outbox-service.ts'
import { pushSubscriptionVerbs } from './features/notifications/push-subscriptions-service.ts'
import { digestVerbs } from './features/overview/digest-service.ts'
import { overviewVerbs } from './features/overview/overview-service.ts'
import { placesVerbs } from './features/places/places-service.ts'
import { feedbackVerbs } from './features/reports/feedback-service.ts'
import { reportsVerbs } from './features/reports/reports-service.ts'
import { savedViewsVerbs } from './features/saved-views/saved-views-service.ts'
import { searchVerbs } from './features/search/search-service.ts'
import { settingsVerbs } from './features/settings/verbs.ts'
import { toursVerbs } from './features/tours/tours-service.ts'
import { trackingVerbs } from './features/tracking/verbs.ts'
import { travelersVerbs } from './features/travelers/verbs.ts'
import { vehiclesVerbs } from './features/vehicles/verbs.ts'
import { webhookVerbs } from './features/webhooks/webhooks-service.ts'
import { recordsVerbs } from './records.ts'
import { filesVerbs } from './platform/files/files-verbs.ts'
import type { FindVerb } from './platform/find-verb.ts'
import type { Verb } from './platform/verb.ts'

const ofDomains: readonly Verb[] = [
  ...accessVerbs,
  ...auditVerbs,
  ...bookingsVerbs,
  ...calendarFeedVerbs,
  ...departuresVerbs,
  ...equipmentVerbs,
  ...feedbackVerbs,
  ...fieldStaffVerbs,
  ...filesVerbs,
  ...importsVerbs,
  ...linksVerbs,
  ...mapVerbs,
  ...membersVerbs,
  ...monitoringVerbs,
  ...guestMessageVerbs,
  ...guestRuleVerbs,
  ...messageTemplateVerbs,
  ...notificationVerbs,
  ...pushSubscriptionVerbs,
  ...overviewVerbs,
  ...digestVerbs,
  ...placesVerbs,
  ...recordsVerbs,
  ...reportsVerbs,
  ...savedViewsVerbs,
  ...searchVerbs,
  ...settingsVerbs,
  ...toursVerbs,
  ...trackingVerbs,
  ...travelersVerbs,
  ...vehiclesVerbs,
  ...webhookVerbs,
]

const byName = new Map(ofDomains.map((verb) => [verb.callable.name, verb]))

const find: FindVerb = <C extends Callable>(callable: C) => {
  const found = byName.get(callable.name)
  if (!found) throw new Error(`No verb answers ${callable.name}.`)
  return found as unknown as Verb<C>
}

/** Every remote procedure of the product. What is not in this list cannot be called. A phone does what the verbs of the domains do, and so does who combines departures. */
export const allVerbs: readonly Verb[] = [
  ...ofDomains,
  ...combineVerbs(find),
  ...separateVerbs(find),
  ...dutyPhoneVerbs(find),
]
