import type { AgainstPeople, FitReason } from './field-staff/assignments.ts'
import type { GuardReason } from './departures/departures.ts'
import { counted, type Refusals, withParams } from './refusal-shapes.ts'
import type { Machine, StatusOf } from './state-machines.ts'
import type { AskRefusal } from './tracking/ask-terms.ts'
import type { TokenEnd } from './tracking/duty-fixes.ts'

/** What a call asks for and does not find. */
export const recordKinds = [
  'alert',
  'assignment',
  'billing_document',
  'booking',
  'browser',
  'calendar_entry',
  'calendar_feed',
  'certificate',
  'delivery',
  'departure',
  'device',
  'document',
  'field_staff',
  'file',
  'guest',
  'import',
  'incident',
  'invitation',
  'link',
  'member',
  'message',
  'payment',
  'pickup',
  'proposal',
  'record',
  'settings',
  'stop',
  'template',
  'tour',
  'traveler',
  'vehicle',
  'vehicle_assignment',
  'view',
  'waitlist_entry',
  'webhook',
] as const
export type RecordKind = (typeof recordKinds)[number]

const spaced = (word: string): string => word.replaceAll('_', ' ')

/** What is in the way of somebody or something that is busy; absent where only the database knows. */
interface Busy {
  readonly name?: string
  readonly departureId?: string | null
  readonly code?: string | null
  readonly kind?: string
  /** ISO instants. */
  readonly from?: string
  readonly to?: string
}

const otherWork: Readonly<Record<string, string>> = { time_off: 'leave', maintenance: 'maintenance', hire: 'hire' }
const onWhat = ({ code, kind = '' }: Busy): string => code ?? otherWork[kind] ?? 'something else'

/** Refusals of what operations do: bookings, crew, vehicles, tours and the day itself. */
export const operationsRefusals = {
  // Somebody was faster.
  version_conflict: [
    'aborted',
    ({ what }: { current: number; what?: RecordKind }) =>
      `Somebody else changed this ${spaced(what ?? 'record')} in the meantime. Look at their change and try again.`,
  ],
  conflict: ['aborted', 'Somebody else changed this at the same moment. Try again.'],
  order_changed: ['aborted', 'The order was changed by somebody else at the same moment. Look at it again.'],
  published_meanwhile: ['aborted', 'Somebody else published the tour at the same moment. Try again.'],
  incident_reported_meanwhile: ['aborted', 'Somebody else reported an incident at the same moment. Try again.'],

  // What is not there.
  not_found: ['not-found', ({ what }: { what: RecordKind }) => `This ${spaced(what)} does not exist.`],
  reference_missing: ['not-found', 'Something this refers to does not exist any more.'],
  in_use: ['aborted', 'Something else still needs this. Archive it instead, or remove what uses it first.'],
  shared_link_over: ['not-found', 'This link has ended.'],
  shared_link_early: ['not-found', ({ opensAt }: { opensAt: string }) => `This link opens on ${opensAt}.`],
  link_opens_later: [
    'aborted',
    ({ opensAt }: { opensAt: string }) => `This link opens on ${opensAt}. Send it from then on.`,
  ],
  link_ended: ['aborted', 'This link has ended. Make a new one.'],
  link_passcode_needed: ['aborted', 'This page needs a passcode. Open its address again.'],

  // Seats and bookings.
  seats_exhausted: [
    'aborted',
    ({
      seatsLeft,
      asked,
    }: {
      seatsLeft?: number
      asked?: number
      waitlistRank?: number
      lastSoldAt?: string | null
      departureId?: string
    }) =>
      seatsLeft === undefined || asked === undefined
        ? 'There are not enough seats left on this departure.'
        : `${counted(seatsLeft, 'seat', 'seats')} left, you asked for ${asked}.`,
  ],
  departure_private: ['aborted', 'This departure is private: it takes one party.'],
  // Messages to guests.
  audience_changed: [
    'aborted',
    ({ count, seen }: { count: number; seen: number }) =>
      `By now this would go to ${counted(count, 'guest', 'guests')}, not ${seen}. Look at it once more.`,
  ],
  too_many_recipients: [
    'invalid-argument',
    ({ max }: { max: number }) => `A message goes to ${max} guests at most. Choose fewer departures.`,
  ],
  said_stop: ['aborted', 'The owner of the number wrote STOP: only START from their phone lifts it.'],
  no_guest_address: ['aborted', 'The booking has no e-mail address.'],
  no_own_address: ['aborted', 'Your account has no e-mail address to send a test to.'],
  too_many_webhooks: [
    'aborted',
    ({ max }: { max: number }) => `An organization has ${max} webhooks at most. Remove one first.`,
  ],
  webhook_off: ['aborted', 'This webhook is off. Switch it on first.'],
  sales_closed: [
    'aborted',
    ({
      because,
      code,
      status,
    }: {
      because: 'status' | 'cutoff' | StatusOf<'departure_sales'>
      code: string
      status: string
    }) => {
      if (because === 'status') return `${code} is ${spaced(status)} and takes no bookings.`
      return because === 'cutoff' ? `Booking of ${code} ended before its start.` : `Sales of ${code} are ${because}.`
    },
  ],
  hold_expired: [
    'aborted',
    withParams<{ expiredAt?: string | null }>('The hold has run out. Hold the seats again first.'),
  ],
  traveler_booked_already: [
    'aborted',
    ({ name, bookingRef }: { name: string; bookingRef: string }) =>
      `${name} is on this departure already, with ${bookingRef}.`,
  ],
  traveler_on_manifest: ['aborted', 'This traveler is already on the manifest of the departure.'],
  guests_aboard: ['aborted', withParams<{ aboard: number }>('Somebody of this party is checked in. Undo that first.')],
  cancellation_stays: ['aborted', 'This can no longer be undone.'],
  preview_only: ['aborted', 'You are signed in as a member: only guests can do this.'],
  document_waits: ['aborted', 'A message with this document waits to be sent already.'],
  supplier_told: ['aborted', 'Something has changed for this supplier meanwhile. Look again.'],
  supplier_unreachable: ['aborted', 'The supplier has no e-mail address.'],
  link_just_sent: ['aborted', 'The link was sent to this address a moment ago.'],
  link_unreachable: ['aborted', 'Nobody who was chosen can be written to any more.'],
  offer_over: ['aborted', 'The seats are no longer held for you.'],
  proposal_over: ['aborted', 'This was answered already, or the time to answer is over.'],
  departure_not_cancelled: ['aborted', 'Alternatives are offered to confirmed parties of a cancelled departure.'],
  too_many_messages: [
    'aborted',
    'You have written often within an hour. We answer what you wrote; in a hurry, please call.',
  ],
  details_closed: ['aborted', 'The time for changes is over.'],
  check_in_closed: ['aborted', 'Guests are marked while a departure boards or runs.'],
  checked_in_already: ['aborted', 'This check-in was received already.'],
  too_early: ['aborted', withParams<{ from: string }>('It is too early to say that somebody does not come.')],
  roomed_already: ['aborted', 'This traveler is already in the room.'],
  references_exhausted: ['unavailable', 'No free booking reference was found. Try again.'],
  allotment_exhausted: ['aborted', 'The allotment has not enough left.'],
  counters_derived: ['aborted', 'The seat counters follow from the bookings and cannot be set.'],

  payment_voided: ['aborted', 'This payment was voided already.'],
  payment_refunded: ['aborted', 'This payment was refunded. Void the refund first.'],
  payment_differs: ['aborted', 'Another payment has this id.'],
  invoice_in_force: ['aborted', 'This booking has an invoice. Cancel it first, or replace it.'],
  invoice_cancelled: ['aborted', 'This invoice was cancelled already.'],
  invoice_not_sold: ['aborted', 'Only confirmed bookings have an invoice, and cancelled ones with a fee.'],

  // Field staff and vehicles.
  staff_busy: ['aborted', (busy: Busy) => `${busy.name ?? 'This person'} is already on ${onWhat(busy)} at that time.`],
  vehicle_busy: [
    'aborted',
    (busy: Busy) => `${busy.name ?? 'This vehicle'} is already on ${onWhat(busy)} at that time.`,
  ],
  staff_not_active: [
    'aborted',
    ({ name, status }: { name: string; status: string }) => `${name} is ${status} and cannot be assigned.`,
  ],
  licence_expired: [
    'aborted',
    ({ name }: { name: string }) => `The licence of ${name} has expired by then. Nobody may do this work without it.`,
  ],
  vehicle_not_active: ['aborted', ({ name, status }: { name: string; status: string }) => `${name} is in ${status}.`],
  equipment_short: [
    'aborted',
    ({ name = 'this equipment', free }: { name?: string; free?: number }) =>
      free === undefined ? `There is not enough of ${name} at that time.` : `${name}: ${free} left at that time.`,
  ],
  equipment_closed: [
    'aborted',
    ({ code, status }: { code: string; status: string }) => `${code} is ${status} and takes no equipment.`,
  ],
  departure_over: [
    'aborted',
    ({ code, status }: { code: string; status: string }) => `${code} is ${status}. Its crew cannot be changed.`,
  ],
  lead_guide_exists: ['aborted', 'This departure already has a lead guide.'],
  role_taken: ['aborted', 'This person already has this role on the departure.'],
  override_reason_missing: ['invalid-argument', withParams<{ against: AgainstPeople }>('Give a reason.')],
  no_longer_fits: [
    'aborted',
    withParams<{ reasons: readonly FitReason[] }>(
      'This duty breaks a rule since it was offered. The office can decide.',
    ),
  ],
  still_assigned: [
    'aborted',
    ({ departures }: { departures: readonly object[] }) =>
      departures.length === 1
        ? 'Still on 1 departure. Give it to somebody else first.'
        : `Still on ${departures.length} departures. Give those to somebody else first.`,
  ],
  on_duty_already: ['aborted', 'This person is already on duty.'],
  vehicle_on_duty_already: ['aborted', 'This vehicle is already on duty.'],
  not_on_duty: ['aborted', 'You are not on duty.'],
  position_not_asked: ['aborted', withParams<{ because?: AskRefusal }>('This person cannot be asked now.')],
  leads_no_departure: ['permission-denied', 'Whoever leads the departure does that, or the office.'],
  link_opens_no_more: [
    'permission-denied',
    'A run sheet link is for guests, stops and counts; the rest needs an account.',
  ],
  event_too_old: [
    'aborted',
    ({ hours }: { hours: number }) =>
      `What happened more than ${counted(hours, 'hour', 'hours')} ago is not taken from a phone any more.`,
  ],
  booking_not_confirmed: ['aborted', 'The booking is not confirmed.'],
  guest_status_differs: [
    'aborted',
    ({ status }: { status: StatusOf<'manifest_entries'> }) =>
      `The guest is ${status.replaceAll('_', ' ')} at the office.`,
  ],
  no_staff_record: ['permission-denied', 'Your account is linked to nobody of the field staff.'],
  device_not_paired: [
    'invalid-argument',
    ({ ended }: { ended?: TokenEnd | undefined }) =>
      ended === undefined
        ? 'This address is not that of a paired device.'
        : `${ended === 'by_office' ? 'The office has ended this device' : 'Another device has the place of this one'}: nothing that it sends is taken.`,
  ],
  pairing_code_over: ['not-found', 'This code does not work any more. Ask the office for a new one.'],

  // Running a departure.
  illegal_transition: [
    'aborted',
    ({ machine, from, to }: { machine?: Machine; from?: string; to?: string }) =>
      from === undefined
        ? 'This is not possible in the present state.'
        : `${machine === undefined ? 'This' : `The status of ${spaced(machine)}`} is ${spaced(from)}${to === undefined ? '' : ` and cannot become ${spaced(to)}`}.`,
  ],
  conditions_unmet: [
    'aborted',
    ({ unmet }: { unmet: readonly GuardReason[]; overridable: boolean }) =>
      `This is not possible yet: ${unmet.map(spaced).join(', ')}.`,
  ],
  not_running: ['aborted', 'This is possible while a departure boards or runs.'],
  headcount_missing: ['aborted', 'Count heads before leaving, or say why not.'],
  headcount_mismatch: [
    'aborted',
    ({ expected, counted: seen }: { expected: number; counted: number }) =>
      `${expected} are aboard, ${seen} were counted. Say why.`,
  ],
  earlier_stop_open: [
    'aborted',
    ({ placeName }: { stopId: string; placeName: string }) => `${placeName} is still open. Mark or skip it first.`,
  ],
  travelers_unaccounted: [
    'aborted',
    'Somebody on the manifest is still expected or missing. Account for everybody first.',
  ],
  reopen_too_late: ['aborted', 'A departure can be reopened for two hours after its end.'],
  sales_reopen_too_late: ['aborted', 'Sales can be opened again only before the start.'],

  // Tours and schedules.
  not_published: ['aborted', 'Publish the tour before scheduling departures.'],
  no_draft: ['aborted', 'Nothing has changed since the last revision.'],
  no_revision: ['aborted', 'A tour is published with a revision.'],
  revision_final: ['aborted', 'A published revision cannot be changed. Make a new one.'],
  never_published: ['aborted', 'A tour that was never published keeps its draft.'],
  prices_not_whole: ['invalid-argument', 'A price is missing or is no amount.'],
  not_ready_to_publish: [
    'aborted',
    ({ problems }: { problems: readonly { readonly message: string }[] }) =>
      problems.map(({ message }) => message).join(' '),
  ],
  has_guests: [
    'aborted',
    ({ pax }: { pax: number; departures: number }) =>
      `${counted(pax, 'guest is', 'guests are')} booked on future departures. Move or cancel them first.`,
  ],
  departure_not_future: ['aborted', 'A chosen departure has started or ended. Nothing was published.'],
  departure_exists: ['aborted', ({ code }: { code: string }) => `${code} exists already.`],
  nothing_to_create: ['aborted', 'No day of this rule is free.'],
  below_sold: [
    'invalid-argument',
    ({ sold }: { sold: number }) => counted(sold, 'seat is sold or held.', 'seats are sold or held.'),
  ],

  // Incidents, alerts and messages.
  roll_call_without_departure: ['aborted', 'This incident is about no departure, so there is nobody to ask.'],
  roll_call_after_incident: ['aborted', 'The incident is over. Nobody is asked any more.'],
  roll_call_of_nobody: ['aborted', 'Nobody is on this departure: there is nobody to ask.'],
  incident_tasks_open: [
    'aborted',
    ({ count }: { count: number }) =>
      `${counted(count, 'task is', 'tasks are')} still open. Say in a note what happens with what is open.`,
  ],
  task_done_already: ['aborted', ({ name }: { name: string }) => `${name} has done this task already.`],
  incident_merged: ['aborted', 'This incident was merged into another one and cannot be changed.'],
  incident_over: ['aborted', 'This incident is no longer open. Only open incidents can be merged.'],
  incident_files_full: [
    'aborted',
    ({ max }: { max: number }) => `An incident has at most ${max} files. Remove one first.`,
  ],
  incident_file_of_other: ['permission-denied', 'Only who added the file, or a manager, can remove it.'],
  incident_traveler_listed: ['aborted', 'This traveler is already part of the incident.'],
  alert_not_mutable: ['aborted', 'Alerts of this kind cannot be muted.'],
  alert_open_already: ['aborted', 'This alert is open already.'],
  answered_already: ['aborted', 'This person has answered already.'],
  sent_already: ['aborted', 'This was sent already.'],
  preference_changed: ['aborted', 'The preference was changed somewhere else at the same moment. Try again.'],
  audit_append_only: ['aborted', 'The audit log cannot be changed.'],
  too_many_no_go_areas: [
    'resource-exhausted',
    ({ max }: { max: number }) => `There are ${max} no-go areas already. Archive some first.`,
  ],
  discount_used_up: ['aborted', 'This discount code has been used as often as it may be.'],
  too_many_forms: [
    'resource-exhausted',
    ({ max }: { max: number }) => `You have ${max} booking forms open that hold seats. Close some first.`,
  ],
  too_many_drafts: ['resource-exhausted', 'You have too many drafts. Finish or discard some of them first.'],
} as const satisfies Refusals
