import type { RecordKind } from '@tour-ops/contract/operations-refusals'
import { m } from '../paraglide/messages.js'

/** What a call asked for and did not find. */
export const missingRecords: Readonly<Record<RecordKind, () => string>> = {
  alert: () => m.errors_gone_alert(),
  assignment: () => m.errors_gone_assignment(),
  booking: () => m.errors_gone_booking(),
  calendar_entry: () => m.errors_gone_calendar_entry(),
  calendar_feed: () => m.errors_gone_calendar_feed(),
  certificate: () => m.errors_gone_certificate(),
  delivery: () => m.errors_gone_delivery(),
  departure: () => m.errors_gone_departure(),
  device: () => m.errors_gone_device(),
  document: () => m.errors_gone_document(),
  field_staff: () => m.errors_gone_field_staff(),
  file: () => m.errors_gone_file(),
  guest: () => m.errors_gone_guest(),
  import: () => m.errors_gone_import(),
  incident: () => m.errors_gone_incident(),
  invitation: () => m.errors_gone_invitation(),
  link: () => m.errors_gone_link(),
  member: () => m.errors_gone_member(),
  pickup: () => m.errors_gone_pickup(),
  record: () => m.errors_gone_record(),
  settings: () => m.errors_gone_settings(),
  stop: () => m.errors_gone_stop(),
  tour: () => m.errors_gone_tour(),
  traveler: () => m.errors_gone_traveler(),
  vehicle: () => m.errors_gone_vehicle(),
  vehicle_assignment: () => m.errors_gone_vehicle_assignment(),
  view: () => m.errors_gone_view(),
  waitlist_entry: () => m.errors_gone_waitlist_entry(),
}
