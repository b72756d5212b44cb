import { defaultTourSettings } from '@tour-ops/contract/settings/settings'
import { records } from '@tour-ops/contract/callables'
import type { PlainRecord } from '@tour-ops/contract/record'
import { sampleDiscount, samplePositionAt, type Samples } from './sample-rows.ts'
import { newId } from '../src/platform/ids.ts'
import { filteredTables, referencedTables, sampleInput } from './records.ts'

/**
 * How one callable can be asked about a record: an input that is right within the caller's own organization, and which of its fields name
 * records. A field is a path, `filters.tourId.*` for the items of a list.
 */
export interface ForeignProbe {
  readonly input?: (own: OwnRecords) => object
  /** Field → table of the record that it names. */
  readonly fields?: Readonly<Record<string, string>>
  /** The own sample is no file that was really read, so that there is nothing to show of it. */
  readonly isOwnUnreadable?: boolean
}

/** The caller's own sample of every table. */
export interface OwnRecords {
  readonly userId: Samples['userId']
  readonly id: Samples['id']
  /** The present version of the sample, or of another record; earlier asks move it on. */
  readonly version: (table: string, id?: string) => number
  /** A tour on sale and a departure of it that boards, with one guest: for verbs that first ask how far things are. */
  readonly running: { readonly tourId: string; readonly departureId: string; readonly entryId: string }
}

/** Has the form of a link's token, and is no link's. */
export const noToken = 'A'.repeat(43)

const day = '2031-06-02'
const later = '2031-06-02T12:00:00Z'
const units = [{ unitType: 'adult', quantity: 1 }]
const contact = { name: 'Ada Byron' }

const webhookFields = { url: 'https://93.184.216.34/hooks', events: ['booking.created'] }

const tour = {
  code: 'PROBE',
  name: 'Probe',
  kind: 'day',
  timeZone: 'Atlantic/Reykjavik',
  durationMin: 60,
  defaultCapacity: 10,
}
const place = { name: 'Probe', kind: 'sight', lat: 64, lng: -21, timeZone: 'Atlantic/Reykjavik' }
const noGoArea = { name: 'Probe', area: { kind: 'circle', center: [-21, 64], radiusM: 500 } }
const weatherWarning = {
  title: 'Probe',
  text: 'Stay inside.',
  severity: 'warning',
  startsAt: later,
  endsAt: '2031-06-02T15:00:00Z',
}
const staff = { firstName: 'Ada', lastName: 'Byron', kinds: ['guide'], employment: 'employee' }
const traveler = { firstName: 'Ada', lastName: 'Byron' }
const schedule = {
  rrule: 'FREQ=DAILY',
  from: day,
  to: day,
  startTimesLocal: ['09:00'],
}
const stop = { dayIndex: 1, order: 1, kind: 'start', offsetMin: 0 }
const period = { from: '2031-06-01', to: '2031-06-30' }

/** A record by its id alone. */
const byId = (table: string): ForeignProbe => ({ input: (own) => ({ id: own.id(table) }), fields: { id: table } })

/** Where the sample person was on the day of the samples. */
const tracksOf = (more: object = {}): ForeignProbe => ({
  input: (own) => ({
    staffId: [own.id('field_staff')],
    from: samplePositionAt.toISOString(),
    to: new Date(samplePositionAt.getTime() + 3_600_000).toISOString(),
    ...more,
  }),
  fields: { 'staffId.*': 'field_staff', 'vehicleId.*': 'vehicles' },
})

/** A change of one record, with the version that it has. */
const change = (table: string, more: object = {}, fields: Readonly<Record<string, string>> = {}): ForeignProbe => ({
  input: (own) => ({ id: own.id(table), version: own.version(table), ...more }),
  fields: { id: table, ...fields },
})

/** Of a party that is split. */
const goers = {
  units: [{ unitType: 'adult', quantity: 1 }],
  guests: [],
  contact: { name: 'Ada', email: null, phone: null, locale: null, country: null },
}

/** Two parties that become one. */
const twoBookings: ForeignProbe = {
  input: (own) => ({
    id: own.id('bookings'),
    version: own.version('bookings'),
    other: { id: own.id('bookings'), version: own.version('bookings') },
  }),
  fields: { id: 'bookings', 'other.id': 'bookings' },
}

/** A list that is filtered by records. */
const filtered = (fields: Readonly<Record<string, string>>): ForeignProbe => ({
  input: () => ({ filters: {} }),
  fields,
})

const feedbackFilters = {
  'filters.departureId.*': 'departures',
  'filters.bookingId.*': 'bookings',
  'filters.staffId.*': 'field_staff',
  'filters.tourId.*': 'tours',
  'filters.travelerId.*': 'travelers',
}

/** What a plain record can be asked follows from its definition. */
function probesOf(record: PlainRecord): Record<string, ForeignProbe> {
  const { table, list, get, create, update, archive, export: exportCsv } = record
  const input = sampleInput(record)
  const fields = referencedTables(record)
  return {
    [list.name]: filtered(filteredTables(record)),
    [exportCsv.name]: filtered(filteredTables(record)),
    [get.name]: byId(table),
    [create.name]: { input: () => input, fields },
    [update.name]: change(table, input, fields),
    [archive.name]: change(table, { archived: true }),
  }
}

const bookingFilters = {
  'filters.departureId.*': 'departures',
  'filters.travelerId.*': 'travelers',
  'filters.tourId.*': 'tours',
}
const departureFilters = { 'filters.tourId.*': 'tours', 'filters.staffId.*': 'field_staff' }
const travelerFilters = {
  'filters.departureId.*': 'departures',
  'filters.importBatchId.*': 'import_batches',
  'filters.tourId.*': 'tours',
}
const report: ForeignProbe = { input: () => period, fields: { 'tourId.*': 'tours', 'staffId.*': 'field_staff' } }
const checkIn: ForeignProbe = {
  input: (own) => ({
    departureId: own.running.departureId,
    entries: [{ entryId: own.running.entryId, clientEventId: newId() }],
  }),
  fields: { departureId: 'departures', 'entries.*.entryId': 'manifest_entries', stopId: 'departure_stops' },
}
/** What a phone may send, for its own departure so that nothing changes: current values and refused ones. */
const dutyEvents = (own: OwnRecords) => {
  const { departureId, entryId } = own.running
  const event = (kind: string, more: object) => ({ kind, id: newId(), at: later, ...more })
  return {
    sentAt: later,
    events: [
      event('undo_check_in', { departureId, entryId }),
      event('stop', { departureId, stopId: own.id('departure_stops'), to: 'planned' }),
      event('headcount', { departureId, stopId: own.id('departure_stops'), counted: 99 }),
      event('status', { departureId, to: 'boarding' }),
      event('answer', { assignmentId: own.id('assignments'), accept: true }),
    ],
  }
}
const dutyFields = {
  'events.0.departureId': 'departures',
  'events.0.entryId': 'manifest_entries',
  'events.1.departureId': 'departures',
  'events.1.stopId': 'departure_stops',
  'events.2.departureId': 'departures',
  'events.2.stopId': 'departure_stops',
  'events.3.departureId': 'departures',
  'events.4.assignmentId': 'assignments',
}
const staffFields = { supplierId: 'suppliers', homeBasePlaceId: 'places', memberUserId: 'members' }
const member = (more: object = {}): ForeignProbe => ({
  input: (own) => ({ userId: own.userId, version: own.version('members'), ...more }),
  fields: { userId: 'members' },
})
const nothing: ForeignProbe = {}

const guestTexts = [{ language: 'en', subject: 'Probe', body: 'Hello' }]
/** A message to guests of a departure and of a booking. */
const toGuests = (more: object): ForeignProbe => ({
  input: ({ id }) => ({
    audience: { departureIds: [id('departures')], bookingIds: [id('bookings')] },
    languages: [{ bookingId: id('bookings'), language: 'de' }],
    ...more,
  }),
  fields: {
    'languages.*.bookingId': 'bookings',
    'audience.departureIds.*': 'departures',
    'audience.bookingIds.*': 'bookings',
    'audience.documentId': 'billing_documents',
  },
})

const toSupplier: ForeignProbe = {
  input: ({ id }) => ({ departureId: id('departures'), supplierId: id('suppliers'), act: 'request' }),
  fields: { departureId: 'departures', supplierId: 'suppliers' },
}

/** Every callable. A test compares the fields with the shapes of the contract, so that a new field cannot be forgotten. */
export const foreignProbes: Readonly<Record<string, ForeignProbe>> = {
  ...Object.fromEntries(records.flatMap((record) => Object.entries(probesOf(record)))),
  'access-ask': { input: () => ({ permission: 'staff:manage', path: '/field-staff/create' }) },
  'access-helpers': nothing,
  'audit-export': filtered({ 'filters.entityId.*': 'tours', 'filters.actorId.*': 'members' }),
  'audit-list': filtered({ 'filters.entityId.*': 'tours', 'filters.actorId.*': 'members' }),
  'bookings-cancel': change('bookings', { reason: 'other' }),
  'bookings-confirm': change('bookings'),
  'discounts-check': {
    input: (own) => ({ departureId: own.id('departures'), code: sampleDiscount }),
    fields: { departureId: 'departures' },
  },
  'seats-hold': {
    input: (own) => ({ formId: newId(), departureId: own.running.departureId, seats: 1, channel: 'walk_in' }),
    fields: { departureId: 'departures' },
  },
  'seats-release': { input: () => ({ formId: newId() }), fields: {} },
  'bookings-create': {
    input: (own) => ({ departureId: own.id('departures'), mode: 'confirm', contact, units }),
    fields: { departureId: 'departures', 'guests.*.travelerId': 'travelers', pickupStopId: 'departure_stops' },
  },
  'bookings-export': filtered(bookingFilters),
  'bookings-extend-hold': change('bookings', { until: later }),
  'availability-get': {
    input: (own) => ({ tourId: own.id('tours'), from: day }),
    fields: { tourId: 'tours', bookingId: 'bookings' },
  },
  'bookings-get': byId('bookings'),
  'bookings-guest-ages': {
    input: (own) => ({ departureId: own.running.departureId, travelerIds: [own.id('travelers')] }),
    fields: { departureId: 'departures', 'travelerIds.*': 'travelers', bookingId: 'bookings' },
  },
  'bookings-list': filtered(bookingFilters),
  'bookings-change-party': change('bookings', { units }, { 'leaving.*': 'travelers' }),
  'bookings-messages': byId('bookings'),
  'bookings-opt-out': { input: (own) => ({ id: own.id('bookings'), isOptedOut: true }), fields: { id: 'bookings' } },
  'bookings-thread': byId('bookings'),
  'bookings-answer': {
    input: (own) => ({ id: own.id('bookings'), seen: own.id('booking_messages'), body: 'Yes.' }),
    fields: { id: 'bookings', seen: 'booking_messages' },
  },
  'bookings-thread-read': {
    input: (own) => ({ id: own.id('bookings'), seen: own.id('booking_messages') }),
    fields: { id: 'bookings', seen: 'booking_messages' },
  },
  'bookings-restore': change('bookings'),
  'bookings-restore-join': change('bookings'),
  'bookings-restore-names': change('bookings'),
  'bookings-restore-party': change('bookings'),
  'bookings-restore-revision': change('bookings'),
  'bookings-restore-status': change('bookings'),
  'bookings-move': {
    input: (own) => ({
      parties: [{ id: own.id('bookings'), version: own.version('bookings') }],
      toDepartureId: own.running.departureId,
    }),
    fields: {
      'parties.0.id': 'bookings',
      toDepartureId: 'departures',
      'parties.0.pickupStopId': 'departure_stops',
    },
  },
  'bookings-name-guests': change(
    'bookings',
    { guests: [] },
    { 'guests.*.travelerId': 'travelers', 'swaps.*.leaving': 'travelers' },
  ),
  'bookings-offer': change('bookings'),
  'bookings-party': {
    input: (own) => ({ id: own.id('bookings') }),
    fields: { id: 'bookings', departureId: 'departures' },
  },
  'bookings-reject': change('bookings'),
  'bookings-revise': change(
    'bookings',
    { guests: [] },
    {
      departureId: 'departures',
      pickupStopId: 'departure_stops',
      'guests.*.travelerId': 'travelers',
      'swaps.*.leaving': 'travelers',
    },
  ),
  'bookings-split': change('bookings', goers, { 'guests.*': 'travelers' }),
  'bookings-move-some': {
    input: (own) => ({
      id: own.id('bookings'),
      version: own.version('bookings'),
      toDepartureId: own.running.departureId,
      ...goers,
    }),
    fields: {
      id: 'bookings',
      toDepartureId: 'departures',
      pickupStopId: 'departure_stops',
      'guests.*': 'travelers',
    },
  },
  'bookings-bring-some-back': twoBookings,
  'bookings-join': twoBookings,
  'bookings-update': change('bookings', { contact, amountTotalMinor: 0 }, { pickupStopId: 'departure_stops' }),
  'billing-list': { input: (own) => ({ bookingId: own.id('bookings') }), fields: { bookingId: 'bookings' } },
  'billing-document': byId('billing_documents'),
  'billing-issue-invoice': {
    input: (own) => ({
      bookingId: own.id('bookings'),
      buyer: { name: 'Probe' },
      replaces: { id: own.id('billing_documents'), reason: 'Probe' },
    }),
    fields: { bookingId: 'bookings', 'replaces.id': 'billing_documents' },
  },
  'billing-cancel-invoice': {
    input: (own) => ({ id: own.id('billing_documents'), reason: 'Probe' }),
    fields: { id: 'billing_documents' },
  },
  'billing-issue-receipt': { input: (own) => ({ paymentId: own.id('payments') }), fields: { paymentId: 'payments' } },
  'proposals-list': {
    input: (own) => ({ departureId: own.id('departures') }),
    fields: { departureId: 'departures' },
  },
  'proposals-send': {
    input: (own) => ({
      departureId: own.id('departures'),
      parties: [{ id: own.id('bookings'), version: own.version('bookings') }],
    }),
    fields: { departureId: 'departures', 'parties.0.id': 'bookings', 'parties.0.toDepartureId': 'departures' },
  },
  'proposals-answer': {
    input: (own) => ({ id: own.id('proposals'), answer: 'refund' }),
    fields: { id: 'proposals', toDepartureId: 'departures' },
  },
  'payments-list': { input: (own) => ({ bookingId: own.id('bookings') }), fields: { bookingId: 'bookings' } },
  'payments-export': { input: () => period, fields: {} },
  'payments-record': {
    input: (own) => ({ bookingId: own.id('bookings'), method: 'cash', amountMinor: 100 }),
    fields: { bookingId: 'bookings' },
  },
  'payments-void': { input: (own) => ({ id: own.id('payments'), reason: 'Probe' }), fields: { id: 'payments' } },
  'daily-digest-preview': nothing,
  'daily-digest-send': nothing,
  'departures-combine': {
    input: (own) => ({
      id: own.id('departures'),
      version: own.version('departures'),
      intoId: own.running.departureId,
    }),
    fields: { id: 'departures', intoId: 'departures' },
  },
  'departures-create': {
    input: (own) => ({ tourId: own.running.tourId, localDate: day, startTimeLocal: '10:00' }),
    fields: { tourId: 'tours', optionId: 'tour_options' },
  },
  'departures-history': byId('departures'),
  'departures-export': filtered(departureFilters),
  'departures-get': byId('departures'),
  'departures-see-run-sheet': byId('departures'),
  'departures-separate': change('departures'),
  'departures-stops': {
    input: (own) => ({ departureIds: [own.id('departures')] }),
    fields: { 'departureIds.*': 'departures' },
  },
  'departures-list': filtered(departureFilters),
  'departures-mark-stop': change('departure_stops', { to: 'arrived' }),
  'departures-note': change('departures', { internalNote: 'probe' }),
  'departures-preview-schedule': {
    input: (own) => ({ tourId: own.running.tourId, ...schedule }),
    fields: { tourId: 'tours', optionId: 'tour_options' },
  },
  'departures-record-headcount': {
    input: (own) => ({ departureId: own.running.departureId, counted: 1 }),
    fields: { departureId: 'departures', stopId: 'departure_stops' },
  },
  'departures-schedule': {
    input: (own) => ({ tourId: own.running.tourId, ...schedule }),
    fields: { tourId: 'tours', optionId: 'tour_options' },
  },
  'departures-set-sales': {
    input: (own) => ({ ids: [own.id('departures')], to: 'paused' }),
    fields: { 'ids.*': 'departures' },
  },
  'departures-set-status': change('departures', { to: 'guaranteed', reason: 'probe' }),
  'departures-update': change('departures', { capacity: 12, minPax: 0, overbookLimit: 0 }),
  'assignments-accept': change('assignments'),
  'field-staff-add-time-off': {
    input: (own) => ({
      staffId: own.id('field_staff'),
      kind: 'time_off',
      startsAt: later,
      endsAt: '2031-06-03T12:00:00Z',
    }),
    fields: { staffId: 'field_staff' },
  },
  'assignments-create': {
    input: (own) => ({
      departureId: own.id('departures'),
      staffId: own.id('field_staff'),
      role: 'guide',
      overrideReason: 'probe',
    }),
    fields: { departureId: 'departures', staffId: 'field_staff' },
  },
  'equipment-available': {
    input: (own) => ({ departureId: own.id('departures') }),
    fields: { departureId: 'departures' },
  },
  'equipment-issue': {
    input: (own) => ({
      departureId: own.id('departures'),
      items: [{ equipmentId: own.id('equipment'), quantity: 1 }],
    }),
    fields: { departureId: 'departures', 'items.0.equipmentId': 'equipment' },
  },
  'calendar-feeds-get': {
    input: (own) => ({ subject: 'staff', subjectId: own.id('field_staff') }),
    fields: { subjectId: 'field_staff' },
  },
  'calendar-feeds-issue': {
    input: (own) => ({ subject: 'staff', subjectId: own.id('field_staff') }),
    fields: { subjectId: 'field_staff' },
  },
  'calendar-feeds-revoke': change('calendar_feeds'),
  'devices-add': {
    input: (own) => ({ label: 'Probe', staffId: own.id('field_staff') }),
    fields: { staffId: 'field_staff', vehicleId: 'vehicles' },
  },
  'devices-list': filtered({ 'filters.staffId.*': 'field_staff', 'filters.vehicleId.*': 'vehicles' }),
  'devices-pair': byId('devices'),
  'devices-redeem': { input: () => ({ code: '0123456789' }) },
  'devices-revoke': change('devices'),
  'devices-update': change('devices', { label: 'Probe' }),
  'duty-begin': { input: () => ({}), fields: { departureId: 'departures' } },
  'duty-begin-for': {
    input: (own) => ({ staffId: own.id('field_staff') }),
    fields: { staffId: 'field_staff', vehicleId: 'vehicles', departureId: 'departures' },
  },
  'duty-break': { input: () => ({ onBreak: true }) },
  'duty-consent': { input: () => ({ agrees: true }) },
  'duty-end': nothing,
  'duty-end-for': change('duty_sessions'),
  'duty-list': filtered({
    'filters.staffId.*': 'field_staff',
    'filters.vehicleId.*': 'vehicles',
    'filters.departureId.*': 'departures',
  }),
  'duty-own': nothing,
  'tracking-ask': { input: (own) => ({ staffId: own.id('field_staff') }), fields: { staffId: 'field_staff' } },
  'tracking-ask-get': { input: (own) => ({ staffId: own.id('field_staff') }), fields: { staffId: 'field_staff' } },
  'tracking-list': filtered({ 'filters.departureId.*': 'departures' }),
  'tracks-day': nothing,
  'tracks-driven': { input: (own) => ({ departureId: own.id('departures') }), fields: { departureId: 'departures' } },
  'tracks-download': tracksOf({ format: 'gpx' }),
  'tracks-get': tracksOf(),
  'field-staff-create': { input: () => staff, fields: staffFields },
  'assignments-decline': change('assignments'),
  'field-staff-export': filtered({ 'filters.homeBasePlaceId.*': 'places' }),
  'field-staff-get': byId('field_staff'),
  'assignments-list': filtered({ 'filters.staffId.*': 'field_staff', 'filters.departureId.*': 'departures' }),
  'field-staff-list': filtered({ 'filters.homeBasePlaceId.*': 'places' }),
  'assignments-offer': {
    input: (own) => ({
      departureId: own.id('departures'),
      role: 'guide',
      staffIds: [own.id('field_staff')],
      respondBy: later,
    }),
    fields: { departureId: 'departures', 'staffIds.*': 'field_staff' },
  },
  'assignments-release': change('assignments', { reason: 'probe' }),
  'field-staff-remove-time-off': byId('staff_calendar_entries'),
  'field-staff-set-status': change('field_staff', { to: 'inactive' }),
  'field-staff-calendar': {
    input: () => ({ from: day }),
    fields: { 'homeBasePlaceId.*': 'places', 'staffId.*': 'field_staff' },
  },
  'assignments-suggest': {
    input: (own) => ({ departureId: own.id('departures'), role: 'guide' }),
    fields: { departureId: 'departures' },
  },
  'field-staff-update': change(
    'field_staff',
    { ...staff, certificates: [{ kind: 'first_aid' }] },
    { ...staffFields, 'certificates.*.id': 'staff_certificates' },
  ),
  'assignments-withdraw': change('assignments'),
  'files-link': byId('files'),
  'imports-apply': change('import_batches'),
  'imports-undo-check': byId('import_batches'),
  'imports-cell': {
    input: (own) => ({ id: own.id('import_batches'), line: 2, column: 'Name' }),
    fields: { id: 'import_batches' },
    isOwnUnreadable: true,
  },
  'imports-correct': { ...change('import_batches'), isOwnUnreadable: true },
  'imports-corrections': { ...byId('import_batches'), isOwnUnreadable: true },
  'imports-create': { input: (own) => ({ fileId: own.id('files') }), fields: { fileId: 'files' } },
  'imports-departures': { ...byId('import_batches'), isOwnUnreadable: true },
  'imports-discard': change('import_batches'),
  'imports-discard-rejected': change('import_batches'),
  'imports-get': { ...byId('import_batches'), isOwnUnreadable: true },
  'imports-rows': { ...byId('import_batches'), isOwnUnreadable: true },
  'imports-templates': nothing,
  'imports-list': nothing,
  'imports-map': change('import_batches', { mapping: { columns: {} } }),
  'imports-missing': { ...byId('import_batches'), isOwnUnreadable: true },
  'imports-preview': change('import_batches'),
  'imports-read-as': change('import_batches', { reading: {} }),
  'imports-rejected-csv': { ...byId('import_batches'), isOwnUnreadable: true },
  'imports-stop': byId('import_batches'),
  'imports-undo': change('import_batches'),
  'links-copy': byId('shared_links'),
  'links-send': {
    input: (own) => ({ id: own.id('shared_links'), readers: ['contact'] }),
    fields: { id: 'shared_links' },
  },
  'links-send-preview': byId('shared_links'),
  'links-create': {
    input: (own) => ({
      kind: 'supplier_manifest',
      subjectId: own.id('departures'),
      supplierId: own.id('suppliers'),
      label: 'Probe',
    }),
    fields: { subjectId: 'departures', supplierId: 'suppliers' },
  },
  'links-export': filtered({ 'filters.departureId.*': 'departures' }),
  'links-extend': change('shared_links', { expiresAt: later }),
  'share-answer': {
    input: (own) => ({ token: noToken, people: [own.id('roll_call_responses')], answer: 'safe' }),
    fields: { 'people.*': 'roll_call_responses' },
  },
  'share-confirm': {
    input: (own) => ({
      token: noToken,
      people: [{ id: own.id('manifest_entries'), version: 1, lastName: 'Dahl' }],
    }),
    fields: { 'people.0.id': 'manifest_entries' },
  },
  'share-proposal': {
    input: (own) => ({ token: noToken, answer: 'other', toDepartureId: own.id('departures') }),
    fields: { toDepartureId: 'departures' },
  },
  'share-offer': { input: () => ({ token: noToken, take: true }) },
  'share-document': {
    input: (own) => ({ token: noToken, id: own.id('billing_documents') }),
    fields: { id: 'billing_documents' },
  },
  'share-emails': { input: () => ({ token: noToken, isOptedOut: true }) },
  'share-write': { input: () => ({ token: noToken, body: 'Hello' }) },
  'share-feedback': { input: () => ({ token: noToken, tourRating: 5 }) },
  'duty-day': nothing,
  'duty-link-day': { input: () => ({ token: noToken }) },
  'duty-link-send': { input: (own) => ({ token: noToken, ...dutyEvents(own) }), fields: dutyFields },
  'duty-phone': { input: () => ({ label: 'Phone' }) },
  'duty-send': { input: dutyEvents, fields: dutyFields },
  'share-get': { input: () => ({ token: noToken }) },
  'links-accesses': byId('shared_links'),
  'feedback-close': change('feedback_follow_ups', { note: 'probe' }),
  'feedback-export': filtered(feedbackFilters),
  'feedback-list': filtered(feedbackFilters),
  'feedback-reopen': change('feedback_follow_ups'),
  'feedback-take': change('feedback_follow_ups'),
  'links-list': filtered({ 'filters.departureId.*': 'departures' }),
  'links-passcode': change('shared_links', { passcode: null }),
  'links-pause': change('shared_links', { paused: true }),
  'links-pause-several': {
    input: (own) => ({ ids: [own.id('shared_links')], paused: true }),
    fields: { 'ids.*': 'shared_links' },
  },
  'links-rotate': { input: (own) => ({ ids: [own.id('shared_links')] }), fields: { 'ids.*': 'shared_links' } },
  'links-revoke': { input: (own) => ({ ids: [own.id('shared_links')] }), fields: { 'ids.*': 'shared_links' } },
  'manifest-check-in': checkIn,
  'manifest-get': {
    input: (own) => ({ departureId: own.id('departures') }),
    fields: { departureId: 'departures' },
  },
  'manifest-check-ins': {
    input: (own) => ({ departureId: own.id('departures') }),
    fields: { departureId: 'departures' },
  },
  'manifest-no-show': {
    input: (own) => ({ departureId: own.running.departureId, entryIds: [own.running.entryId] }),
    fields: { departureId: 'departures', 'entryIds.*': 'manifest_entries' },
  },
  'manifest-set-status': {
    input: (own) => ({
      entryId: own.id('manifest_entries'),
      version: own.version('manifest_entries'),
      to: 'missing',
    }),
    fields: { entryId: 'manifest_entries' },
  },
  'manifest-undo': checkIn,
  'map-incidents': nothing,
  'map-routes': { input: (own) => ({ departureId: own.id('departures') }), fields: { departureId: 'departures' } },
  'map-today': nothing,
  // The waitlist belongs to the installation and to no organization.
  'waitlist-decide': { input: () => ({ ids: [newId()], approve: false }) },
  'waitlist-list': nothing,
  'members-explain': {
    input: (own) => ({ userId: own.userId, permission: 'departures:read' }),
    fields: { userId: 'members', departureId: 'departures' },
  },
  'members-export': nothing,
  'members-invite': {
    input: () => ({ emails: ['probe@example.com'], role: 'guide' }),
    fields: { staffId: 'field_staff' },
  },
  'members-link-staff': {
    input: (own) => ({ userId: own.userId, version: own.version('members'), staffId: null }),
    fields: { userId: 'members', staffId: 'field_staff' },
  },
  'members-list': nothing,
  'members-reactivate': member(),
  'members-remove': member(),
  'members-resend-invitation': byId('invitations'),
  'members-reset-second-factor': member(),
  'members-revoke-invitation': byId('invitations'),
  'members-set-role': member({ role: 'admin' }),
  'members-suspend': member(),
  'alerts-acknowledge': change('alerts'),
  'monitoring-export': filtered(departureFilters),
  'alerts-get': byId('alerts'),
  'incidents-get': byId('incidents'),
  'alerts-list': filtered({ 'filters.departureId.*': 'departures', 'filters.ownerId.*': 'members' }),
  'incidents-merge': change('incidents', { intoId: newId() }, { intoId: 'incidents' }),
  'incidents-people': byId('incidents'),
  'incidents-told': byId('incidents'),
  'incidents-list': filtered({ 'filters.departureId.*': 'departures' }),
  'monitoring-board': nothing,
  'monitoring-list': filtered(departureFilters),
  'incidents-note': {
    input: (own) => ({ id: own.id('incidents'), text: 'probe' }),
    fields: { id: 'incidents' },
  },
  'alerts-reopen': change('alerts'),
  'roll-calls-ask': {
    input: (own) => ({ incidentId: own.id('incidents') }),
    fields: { incidentId: 'incidents' },
  },
  'roll-calls-ask-departures': {
    input: (own) => ({ departureIds: [own.id('departures')], category: 'other', severity: 4, title: 'Probe' }),
    fields: { 'departureIds.*': 'departures' },
  },
  'roll-calls-count': {
    input: (own) => ({ departureIds: [own.id('departures')] }),
    fields: { 'departureIds.*': 'departures' },
  },
  'roll-calls-record': change('roll_call_responses', { answer: 'safe' }),
  'incident-files-add': {
    input: (own) => ({
      incidentId: own.id('incidents'),
      fileId: own.id('files'),
    }),
    fields: { incidentId: 'incidents', fileId: 'files' },
  },
  'incident-files-remove': byId('incident_entries'),
  'incident-tasks-add': {
    input: (own) => ({ incidentId: own.id('incidents'), text: 'probe' }),
    fields: { incidentId: 'incidents', assigneeId: 'members' },
  },
  'incident-tasks-change': change('incident_tasks', { text: 'probe' }, { assigneeId: 'members' }),
  'incident-tasks-complete': change('incident_tasks'),
  'incident-tasks-remove': change('incident_tasks'),
  'incident-tasks-reopen': change('incident_tasks'),
  'incidents-report': {
    input: () => ({ category: 'other', severity: 4, title: 'Probe' }),
    fields: {
      departureId: 'departures',
      placeId: 'places',
      alertId: 'alerts',
      'affectedTravelerIds.*': 'travelers',
    },
  },
  'alerts-resolve': change('alerts', { reason: 'probe' }),
  'incidents-set-status': change('incidents', { to: 'triaged' }),
  'alerts-snooze': {
    input: (own) => ({
      id: own.id('alerts'),
      version: 1,
      until: new Date(Date.now() + 3_600_000).toISOString(),
      stopId: null,
    }),
    fields: { id: 'alerts', stopId: 'departure_stops' },
  },
  'weather-source-get': { input: () => ({}) },
  'weather-source-issue': { input: () => ({}) },
  'weather-source-revoke': change('weather_sources'),
  'weather-warnings-end': change('weather_warnings', { ended: true }),
  'weather-warnings-list': { input: () => ({}) },
  'weather-warnings-state': {
    input: (own) => ({ ...weatherWarning, where: { kind: 'tours', tourIds: [own.id('tours')] } }),
    fields: { 'where.tourIds.*': 'tours', 'where.departureIds.*': 'departures' },
  },
  'alerts-mute': change('alerts', { lasts: 'today', reason: 'probe' }),
  'alerts-unmute': change('alert_mutes'),
  'shift-notes-write': { input: () => ({ text: 'probe' }), fields: {} },
  'shift-notes-acknowledge': change('shift_notes'),
  'no-go-areas-archive': change('geofences', { archived: true }),
  'no-go-areas-create': { input: () => noGoArea },
  'no-go-areas-list': { input: () => ({}) },
  'no-go-areas-update': change('geofences', noGoArea),
  'guest-messages-audience': toGuests({}),
  'guest-messages-preview': toGuests({ texts: guestTexts }),
  'guest-messages-send': toGuests({ texts: guestTexts, count: 1 }),
  'guest-messages-stop': byId('messages'),
  'guest-messages-test': toGuests({ texts: guestTexts }),
  'message-templates-delete': change('message_templates'),
  'message-templates-list': nothing,
  'message-templates-save': {
    input: (own) => ({ version: own.version('message_templates'), name: 'Probe', texts: guestTexts }),
    fields: { id: 'message_templates' },
  },
  'guest-rules-back-test': {
    input: (own) => ({ event: 'booking_confirmed', audience: { tourIds: [own.id('tours')], channels: [] } }),
    fields: { 'audience.tourIds.*': 'tours' },
  },
  'guest-rules-list': nothing,
  'guest-rules-preview': { input: () => ({ event: 'booking_confirmed', language: 'en' }) },
  'guest-rules-texts': { input: () => ({ event: 'booking_confirmed' }) },
  'guest-rules-texts-save': { input: () => ({ event: 'booking_changed', version: 0, texts: [] }) },
  'guest-rules-set': {
    input: (own) => ({ event: 'booking_changed', isOn: false, audience: { tourIds: [own.id('tours')], channels: [] } }),
    fields: { 'audience.tourIds.*': 'tours' },
  },
  'outbox-list': filtered({ 'filters.departureId.*': 'departures' }),
  'outbox-pace': nothing,
  'outbox-retry': byId('deliveries'),
  'overview-get': nothing,
  'places-archive': change('places', { archived: true }),
  'places-create': { input: () => place },
  'places-list': nothing,
  'places-road-ways': {
    input: ({ id }) => ({ mode: 'drive', pairs: [{ from: id('places'), to: id('places') }] }),
    fields: { 'pairs.0.from': 'places', 'pairs.0.to': 'places' },
  },
  'phone-channels-get': nothing,
  'phone-channels-set': { input: () => ({ channel: 'whatsapp', adapter: 'off' }) },
  'phone-channels-test': {
    input: (own) => ({ channel: 'sms', version: own.version('phone_channels'), to: '+447700900118' }),
  },
  'places-update': change('places', place),
  'push-subscriptions-add': {
    input: () => ({
      subscription: {
        endpoint: 'https://push.example.com/probe',
        p256dh: `B${'A'.repeat(86)}`,
        auth: 'A'.repeat(22),
        name: 'Probe',
      },
    }),
  },
  'push-subscriptions-list': nothing,
  'push-subscriptions-remove': { input: () => ({ endpoint: 'https://push.example.com/probe' }) },
  'push-subscriptions-test': byId('push_subscriptions'),
  'reports-export': { ...report, input: () => ({ report: 'tour-performance', ...period }) },
  'reports-departures': report,
  'reports-staff-performance': report,
  'reports-tour-performance': report,
  'reports-traveler-insights': report,
  'saved-views-delete': byId('saved_views'),
  'saved-views-list': { input: () => ({ screen: 'travelers-list' }) },
  'saved-views-save': {
    input: (own) => ({ version: own.version('saved_views'), screen: 'travelers-list', name: 'Probe', search: {} }),
    fields: { id: 'saved_views' },
  },
  'search-all': { input: () => ({ q: 'Østergaard' }) },
  'session-get': nothing,
  'settings-general-get': nothing,
  'settings-notifications-get': nothing,
  'settings-own-get': nothing,
  'settings-security-get': nothing,
  'settings-tour-get': nothing,
  'settings-security-update': {
    input: (own) => ({
      version: own.version('org_settings'),
      settings: { secondFactorRoles: [], secondFactorFrom: null },
    }),
  },
  'settings-general-update': {
    input: (own) => ({
      version: own.version('org_settings'),
      settings: {
        name: 'Probe',
        timeZone: 'Atlantic/Reykjavik',
        locale: 'en',
        currency: 'EUR',
        weekStart: 1,
        timeFormat: '24h',
        units: 'metric',
        workingHours: { from: '08:00', to: '18:00' },
        map: { lat: 64, lng: -21, zoom: 6 },
        tiles: { source: 'offline', address: null },
        routing: { router: 'none', address: null },
        retention: { positionsDays: 90, sensitiveDays: 90 },
      },
    }),
  },
  'settings-set-up': { input: () => ({ timeZone: 'Europe/Lisbon', currency: 'EUR', base: null }) },
  'settings-notifications-update': { input: (own) => ({ version: own.version('org_settings'), settings: {} }) },
  'settings-own-update': { input: () => ({ settings: {} }) },
  'settings-tour-update': {
    input: (own) => ({
      version: own.version('org_settings'),
      settings: defaultTourSettings,
    }),
  },
  'tours-archive': change('tours'),
  'tours-create': {
    input: () => ({ ...tour, content: { days: [{ dayIndex: 1, title: 'Probe' }], stops: [] } }),
    fields: { 'content.days.0.overnightPlaceId': 'places', 'content.stops.*.placeId': 'places' },
  },
  'tours-discard-draft': change('tours'),
  'tours-duplicate': {
    input: (own) => ({ id: own.id('tours'), code: 'COPY', name: 'Copy' }),
    fields: { id: 'tours' },
  },
  'tours-export': nothing,
  'tours-get': byId('tours'),
  'tours-list': nothing,
  'tours-publish': {
    input: (own) => ({ id: own.running.tourId, version: own.version('tours', own.running.tourId) }),
    fields: { id: 'tours', 'applyToDepartureIds.*': 'departures' },
  },
  'tours-restore': change('tours'),
  'tours-save-draft': change(
    'tours',
    { content: { days: [{ dayIndex: 1, title: 'Probe' }], stops: [] } },
    { 'content.days.0.overnightPlaceId': 'places', 'content.stops.*.placeId': 'places' },
  ),
  'tours-save-options': change(
    'tours',
    { options: [{ name: 'Probe', startTimesLocal: ['09:00'] }] },
    { 'options.0.id': 'tour_options' },
  ),
  'tours-save-wizard': change('tours', { wizard: {} }),
  'tours-names': nothing,
  'tours-update': change('tours', tour),
  'travelers-counts': nothing,
  'travelers-create': { input: () => traveler },
  'travelers-export': filtered(travelerFilters),
  'travelers-get': byId('travelers'),
  'travelers-bookings': { input: (own) => ({ ids: [own.id('travelers')] }), fields: { 'ids.*': 'travelers' } },
  'travelers-list': filtered(travelerFilters),
  'travelers-reveal': {
    input: (own) => ({ id: own.id('travelers'), fields: ['medical', 'date_of_birth', 'documents'] }),
    fields: { id: 'travelers' },
  },
  'travelers-save-document': {
    input: (own) => ({ travelerId: own.id('travelers'), kind: 'passport', number: 'PROBE' }),
    fields: { travelerId: 'travelers', id: 'traveler_documents' },
  },
  'travelers-similar': {
    input: () => ({ lastName: 'Østergaard', firstName: 'Zoë', phone: '+447700900123' }),
    fields: { exceptId: 'travelers' },
  },
  'travelers-tag': {
    input: (own) => ({ ids: [own.id('travelers')], add: ['probe'] }),
    fields: { 'ids.*': 'travelers' },
  },
  'travelers-update': change('travelers', traveler),
  'vehicles-assign': {
    input: (own) => ({ departureId: own.running.departureId, vehicleId: own.id('vehicles') }),
    fields: { departureId: 'departures', vehicleId: 'vehicles', driverStaffId: 'field_staff' },
  },
  'services-create': {
    input: (own) => ({ departureId: own.id('departures'), kind: 'hotel', description: 'Probe' }),
    fields: { departureId: 'departures', supplierId: 'suppliers' },
  },
  'suppliers-told': { input: (own) => ({ departureId: own.id('departures') }), fields: { departureId: 'departures' } },
  'supplier-texts-get': nothing,
  'supplier-texts-save': { input: () => ({ act: 'request', version: 0, texts: [] }) },
  'suppliers-write-preview': toSupplier,
  'suppliers-write': toSupplier,
  'suppliers-create': { input: () => ({ name: 'Probe', kind: 'hotel' }) },
  'services-list': filtered({ 'filters.departureId.*': 'departures', 'filters.supplierId.*': 'suppliers' }),
  'suppliers-list': nothing,
  'vehicles-calendar': {
    input: (own) => ({ vehicleId: own.id('vehicles'), from: '2030-07-14' }),
    fields: { vehicleId: 'vehicles' },
  },
  'vehicles-add-block': {
    input: (own) => ({
      vehicleId: own.id('vehicles'),
      kind: 'maintenance',
      startsAt: later,
      endsAt: '2031-06-03T12:00:00Z',
    }),
    fields: { vehicleId: 'vehicles' },
  },
  'vehicles-change-block': change('vehicle_calendar_entries', {
    kind: 'cleaning',
    startsAt: later,
    endsAt: '2031-06-03T12:00:00Z',
  }),
  'vehicles-remove-block': byId('vehicle_calendar_entries'),
  'vehicles-list': filtered({ 'filters.freeForDepartureId': 'departures' }),
  'vehicles-export': filtered({ 'filters.freeForDepartureId': 'departures' }),
  'vehicles-release': {
    input: (own) => ({ assignmentId: own.id('vehicle_calendar_entries') }),
    fields: { assignmentId: 'vehicle_calendar_entries' },
  },
  'services-set-status': change('departure_services', { to: 'confirmed' }),
  'webhooks-list': nothing,
  'webhooks-create': { input: () => webhookFields, fields: {} },
  'webhooks-change': change('webhook_endpoints', webhookFields),
  'webhooks-rotate': change('webhook_endpoints'),
  'webhooks-remove': change('webhook_endpoints'),
  'webhooks-test': byId('webhook_endpoints'),
  'webhooks-deliveries': filtered({ 'filters.endpointId.*': 'webhook_endpoints' }),
  'webhooks-resend': byId('webhook_deliveries'),
}

/** Stop of a draft, guest of a booking: what an item of a list needs in addition to the record that it refers to. */
const listItems: Readonly<Record<string, object>> = {
  swaps: { guest: 0 },
  languages: { language: 'de' },
  'content.stops': stop,
  guests: { firstName: 'Ada', lastName: 'Byron', unitType: 'adult' },
  entries: { clientEventId: newId() },
  certificates: { kind: 'first_aid' },
}

/** Puts a value at a path of an input; `*` becomes the only item of its list. */
export function inputWith(input: object, path: string, value: string): object {
  const steps = path.split('.')
  let at = input as Record<string, unknown>
  for (const [index, step] of steps.entries()) {
    const key = step === '*' ? '0' : step
    if (index === steps.length - 1) {
      at[key] = value
      break
    }
    if (steps[index + 1] === '*') {
      const isLast = index + 1 === steps.length - 1
      at[key] = isLast ? [] : [structuredClone(listItems[steps.slice(0, index + 1).join('.')] ?? {})]
    }
    at[key] ??= {}
    at = at[key] as Record<string, unknown>
  }
  return input
}
