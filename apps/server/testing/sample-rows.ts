import { createHash } from 'node:crypto'
import { records } from '@tour-ops/contract/callables'
import { sql } from 'kysely'
import { sampleColumns } from './records.ts'
import { newId } from '../src/platform/ids.ts'
import type { Tx } from '../src/platform/db/database.ts'
import { isDatabaseError } from '../src/platform/db/violations.ts'

// One valid row for every business table, for tests that walk all of them. A new table gets a line here; a plain record has one from its definition.

export type Row = Record<string, unknown>

/** A discount code that is taken on the sample departure. */
export const sampleDiscount = 'SAMPLE10'

/** The start of the sample departure; tests that need another moment say so. */
export const sampleStart = new Date('2031-06-02T09:00:00Z')
const hours = (count: number): Date => new Date(sampleStart.getTime() + count * 3_600_000)
const hash = (): Buffer => createHash('sha256').update(newId()).digest()
const span = (from: number, to: number): string => `[${hours(from).toISOString()},${hours(to).toISOString()})`

/** What the samples of one organization know of each other. */
export interface SampleContext {
  readonly orgId: string
  readonly userId: string
  readonly id: (table: string) => string
}

type Maker = (context: SampleContext) => Row

const recordMakers: Readonly<Record<string, Maker>> = Object.fromEntries(
  records.map((record) => [record.table, ({ id }: SampleContext) => sampleColumns(record, id)]),
)

/** Everything but the keys, which `sampleRow` adds. In an order in which foreign keys hold. */
const makers: Readonly<Record<string, Maker>> = {
  invitations: () => ({ email: 'new@example.com', role: 'viewer', expires_at: hours(24) }),
  own_preferences: ({ userId }) => ({ user_id: userId }),
  push_subscriptions: ({ userId }) => ({
    user_id: userId,
    name: 'Firefox on Linux',
    endpoint: `https://push.example.com/${newId()}`,
    p256dh: `B${'A'.repeat(86)}`,
    auth: 'A'.repeat(22),
  }),
  daily_digests: ({ userId }) => ({ user_id: userId, local_date: '2031-06-01' }),
  saved_views: ({ userId }) => ({ user_id: userId, screen: 'travelers-list', name: 'Mine' }),
  idempotency_keys: () => ({ key: newId(), callable: 'places-save', request_hash: 'x' }),
  number_series: () => ({ name: 'incident-2031', last_value: 1 }),
  places: () => ({ name: 'BSI', lat: 64.1375, lng: -21.935 }),
  suppliers: () => ({ name: 'Hotel Borg', kind: 'hotel' }),
  tours: () => ({ code: 'GOLD', name: 'Golden Circle' }),
  ...recordMakers,
  tour_revisions: ({ id }) => ({ tour_id: id('tours'), number: 1, content: '{"days": []}', published_at: hours(-999) }),
  tour_options: ({ id }) => ({ tour_id: id('tours'), name: 'English', start_times_local: '{09:00}' }),
  departure_groups: () => ({ name: 'Shared pickup', local_date: '2031-06-02' }),
  departures: ({ id }) => ({
    code: `GOLD-${newId()}`,
    tour_id: id('tours'),
    revision_id: id('tour_revisions'),
    starts_at: sampleStart,
    ends_at: hours(8),
    time_zone: 'Atlantic/Reykjavik',
    local_date: '2031-06-02',
    local_start_time: '09:00',
    capacity: 10,
    cancel_reason: 'weather',
  }),
  departure_stops: ({ id }) => ({
    departure_id: id('departures'),
    stop_order: 1,
    place_id: id('places'),
    planned_arrive_at: sampleStart,
    planned_depart_at: hours(1),
  }),
  departure_services: ({ id }) => ({ departure_id: id('departures'), supplier_id: id('suppliers'), kind: 'hotel' }),
  allotments: ({ id }) => ({
    supplier_id: id('suppliers'),
    from_date: '2031-06-01',
    to_date: '2031-06-30',
    quantity: 10,
  }),
  bookings: ({ id }) => ({
    booking_ref: `AUR-${newId()}`,
    departure_id: id('departures'),
    status: 'confirmed',
    units: '[{"unitType": "adult", "qty": 1}]',
    pax: 1,
    currency: 'EUR',
    contact_email: 'amara@example.com',
    expires_at: hours(24),
  }),
  travelers: () => ({ first_name: 'Zoë', last_name: 'Østergaard', phone: '+447700900123' }),
  traveler_private: ({ id }) => ({ traveler_id: id('travelers'), medical_sealed: Buffer.from('sealed asthma') }),
  traveler_documents: ({ id }) => ({ traveler_id: id('travelers'), kind: 'passport', number_last4: '4711' }),
  manifest_entries: ({ id }) => ({
    departure_id: id('departures'),
    booking_id: id('bookings'),
    traveler_id: id('travelers'),
  }),
  payments: ({ id }) => ({
    booking_id: id('bookings'),
    kind: 'payment',
    method: 'cash',
    amount_minor: 100,
    currency: 'EUR',
    received_at: sampleStart,
  }),
  billing_documents: ({ id }) => ({
    booking_id: id('bookings'),
    kind: 'invoice',
    locale: 'en',
    currency: 'EUR',
    total_minor: 0,
    seller: '{"name": "Aurora & Atlas", "address": null, "taxNumber": null, "note": null}',
    buyer: '{"name": "Amara Okafor", "address": null, "taxNumber": null}',
    tour: '{"name": "Golden Circle", "departureCode": "GOLD", "localDate": "2031-06-01", "bookingRef": "AUR-1"}',
    lines: '[]',
    issued_on: '2031-06-01',
  }),
  booking_messages: ({ id }) => ({ booking_id: id('bookings'), author: 'guest', body: 'May we bring a dog?' }),
  opt_outs: ({ id }) => ({ channel: 'email', address: `${newId()}@example.com`, booking_id: id('bookings') }),
  phone_channels: () => ({
    channel: 'sms',
    adapter: 'webhook',
    address: 'https://sms.example.com/',
    secret: Buffer.from('sealed secret'),
  }),
  proposals: ({ id }) => ({
    booking_id: id('bookings'),
    from_departure_id: id('departures'),
    seats: 1,
    asked_at: sampleStart,
    expires_at: hours(24),
    outcome: 'withdrawn',
    ended_at: sampleStart,
  }),
  form_holds: ({ id, userId }) => ({
    user_id: userId,
    departure_id: id('departures'),
    seats: 1,
    expires_at: hours(24),
    slot: 5,
  }),
  rooms: ({ id }) => ({ departure_id: id('departures'), night_date: '2031-06-02', type: 'DBL' }),
  room_assignments: ({ id }) => ({ room_id: id('rooms'), manifest_entry_id: id('manifest_entries') }),
  check_ins: ({ id, userId }) => ({
    manifest_entry_id: id('manifest_entries'),
    departure_stop_id: id('departure_stops'),
    kind: 'arrive',
    by_user_id: userId,
    client_event_id: newId(),
  }),
  departure_notes: ({ id, userId }) => ({
    departure_id: id('departures'),
    by_user_id: userId,
    by_name: 'Jonas Berg',
    text: 'Lunch is paid.',
  }),
  headcounts: ({ id, userId }) => ({
    departure_stop_id: id('departure_stops'),
    expected: 1,
    counted: 1,
    by_user_id: userId,
  }),
  feedback: ({ id }) => ({ departure_id: id('departures'), tour_rating: 5, guide_rating: 4, nps: 9 }),
  feedback_follow_ups: ({ id, userId }) => ({ id: id('feedback'), owner_user_id: userId }),
  field_staff: () => ({ code: newId(), first_name: 'Björn', last_name: 'Jónsson' }),
  staff_certificates: ({ id }) => ({ staff_id: id('field_staff'), kind: 'first_aid' }),
  // in addition to its definition: no two codes are alike
  discount_codes: ({ id }) => ({ code: sampleDiscount, kind: 'percent', value: 10, tour_ids: [id('tours')] }),
  // in addition to its definition: no two vehicles have the same plate
  vehicles: () => ({ plate: newId(), label: 'Bus 1', seats: 19 }),
  staff_calendar_entries: ({ id }) => ({ staff_id: id('field_staff'), during: span(-1, 9), kind: 'assignment' }),
  assignments: ({ id }) => ({
    calendar_entry_id: id('staff_calendar_entries'),
    departure_id: id('departures'),
    staff_id: id('field_staff'),
    role: 'guide',
    release_reason: 'ill',
  }),
  vehicle_calendar_entries: ({ id }) => ({ vehicle_id: id('vehicles'), during: span(-1, 9), kind: 'departure' }),
  vehicle_assignments: ({ id }) => ({
    calendar_entry_id: id('vehicle_calendar_entries'),
    departure_id: id('departures'),
  }),
  equipment_issues: ({ id }) => ({ departure_id: id('departures'), equipment_id: id('equipment'), quantity: 1 }),
  crew_notices: ({ id }) => ({ assignment_id: id('assignments'), was: {}, changed_at: hours(0) }),
  untold_suppliers: ({ id }) => ({ departure_id: id('departures'), supplier_id: id('suppliers') }),
  duty_start_notices: ({ id }) => ({ assignment_id: id('assignments') }),
  crew_reminders: ({ userId }) => ({ user_id: userId, local_date: '2031-06-01' }),
  departure_notices: ({ id }) => ({ departure_id: id('departures') }),
  guest_occasions: ({ id }) => ({
    event: 'booking_changed',
    booking_id: id('bookings'),
    departure_id: id('departures'),
    pax: 2,
    owes: true,
    occurrence: 'booking_changed 2',
  }),
  departure_reach: ({ id }) => ({
    departure_id: id('departures'),
    stop_id: id('departure_stops'),
    reach_at: samplePositionAt,
    means: 'at_least',
    seen_at: samplePositionAt,
    lat: 64.3,
    lng: -20.3,
  }),
  road_ways: () => ({ mode: 'drive', from_lat: 64.1375, from_lng: -21.935, to_lat: 64.3104, to_lng: -20.3014 }),
  departure_findings: ({ id }) => ({
    departure_id: id('departures'),
    kind: 'off_route',
    since: samplePositionAt,
    seen_at: samplePositionAt,
    lat: 64.1,
    lng: -21.9,
  }),
  webhook_endpoints: () => ({
    url: 'https://crm.example/hooks',
    event_kinds: '{booking.created}',
    secret_hint: 'abc=',
  }),
  webhook_queues: ({ id }) => ({ endpoint_id: id('webhook_endpoints'), secrets_sealed: Buffer.from('sealed secret') }),
  webhook_deliveries: ({ id }) => ({
    endpoint_id: id('webhook_endpoints'),
    event_id: newId(),
    kind: 'booking.created',
    body: '{}',
  }),
  calendar_feeds: ({ id }) => ({
    staff_id: id('field_staff'),
    token_hash: Buffer.alloc(32, 1),
    token_hint: 'Feed',
  }),
  devices: ({ id }) => ({ label: 'Phone', staff_id: id('field_staff') }),
  duty_sessions: ({ id }) => ({ staff_id: id('field_staff'), started_at: samplePositionAt, consent_version: '1' }),
  positions: ({ id }) => ({
    device_id: id('devices'),
    duty_session_id: id('duty_sessions'),
    recorded_at: samplePositionAt,
    lat: 64,
    lng: -21,
  }),
  device_signals: ({ id }) => ({ device_id: id('devices'), protocol: 'osmand' }),
  position_drops: ({ id }) => ({ device_id: id('devices'), day: '2031-06-02', reason: 'outside_session' }),
  latest_positions: ({ id }) => ({
    staff_id: id('field_staff'),
    device_id: id('devices'),
    duty_session_id: id('duty_sessions'),
    recorded_at: samplePositionAt,
    lat: 64,
    lng: -21,
  }),
  geofences: () => ({ name: 'Cliff', kind: 'no_go', geojson: '{"type": "Point", "coordinates": [-21, 64]}' }),
  incidents: () => ({ number: `INC-${newId()}`, category: 'medical', severity: 2 }),
  incident_travelers: ({ id }) => ({ incident_id: id('incidents'), traveler_id: id('travelers') }),
  incident_tasks: ({ id, userId }) => ({ incident_id: id('incidents'), text: 'Call the family', created_by: userId }),
  incident_entries: ({ id }) => ({ incident_id: id('incidents'), kind: 'note', text: 'called' }),
  alerts: () => ({
    kind: 'sos',
    severity: 'critical',
    subject_type: 'staff',
    subject_id: newId(),
    title: 'SOS',
    dedupe_key: newId(),
    snoozed_until: hours(1),
  }),
  alert_evaluations: () => ({ evaluated_at: sampleStart }),
  alert_dues: () => ({ subject_kind: 'departure', subject_id: newId() }),
  roll_calls: () => ({ question: 'Are you safe?' }),
  weather_warnings: ({ userId }) => ({
    title: 'Storm',
    message: 'Stay inside.',
    severity: 'warning',
    starts_at: hours(1),
    ends_at: hours(5),
    reach: 'tours',
    stated_by: userId,
  }),
  weather_warning_targets: ({ id }) => ({ warning_id: id('weather_warnings'), tour_id: id('tours') }),
  weather_sources: () => ({ token_hash: createHash('sha256').update(newId()).digest(), token_hint: 'Wind' }),
  alert_mutes: ({ userId, id }) => ({
    departure_id: id('departures'),
    kind: 'running_late',
    severity: 'warning',
    reason: 'Known',
    muted_by: userId,
  }),
  shift_notes: ({ userId }) => ({ text: 'Quiet so far.', written_by: userId }),
  roll_call_responses: ({ id }) => ({ roll_call_id: id('roll_calls'), traveler_id: id('travelers') }),
  message_templates: () => ({
    name: newId(),
    texts: JSON.stringify([{ language: 'en', subject: 'Probe', body: 'Hello' }]),
  }),
  notification_rules: () => ({
    event: 'feedback_request',
    audience: 'travelers',
    channels: ['email'],
    offset_min: 180,
  }),
  messages: () => ({ body: 'Hello', scheduled_at: hours(1) }),
  deliveries: ({ id }) => ({ message_id: id('messages'), recipient: `${newId()}@example.com`, channel: 'email' }),
  notification_preferences: ({ userId }) => ({ user_id: userId, event: newId(), channel: 'email', enabled: true }),
  shared_links: () => ({
    kind: 'live_map',
    subject_id: 'all',
    expires_at: new Date(Date.now() + 30 * 86_400_000),
  }),
  duty_events: ({ id }) => ({
    kind: 'note',
    departure_id: id('departures'),
    by_link_id: id('shared_links'),
    device_at: hours(0),
    at: hours(0),
    event: '{}',
    answer: '{}',
  }),
  shared_link_tokens: ({ id }) => ({ link_id: id('shared_links'), token_hash: hash(), token_hint: 'abcd' }),
  link_accesses: ({ id }) => ({ link_id: id('shared_links') }),
  files: () => ({ path: newId(), purpose: 'import', file_name: 'a.csv', content_type: 'text/csv', size_bytes: 1 }),
  import_batches: () => ({
    kind: 'manifest',
    file_name: 'a.csv',
    mapping: JSON.stringify({ columns: { Name: 'full_name' }, words: {}, dateOrder: null, departureCode: null }),
  }),
  import_work: ({ id }) => ({
    batch_id: id('import_batches'),
    analysis: JSON.stringify({
      encoding: 'utf-8',
      delimiter: ',',
      headers: ['Name', 'constructor'],
      rows: 1,
      preset: null,
      columns: [
        {
          header: 'Name',
          filled: 1,
          values: ['Zoë'],
          dates: { dayFirst: 0, monthFirst: 0, either: 0 },
          dateExample: null,
        },
        // a name that every object of JavaScript has
        {
          header: 'constructor',
          filled: 1,
          values: ['x'],
          dates: { dayFirst: 0, monthFirst: 0, either: 0 },
          dateExample: null,
        },
      ],
      sample: { line: 2, cells: ['Zoë', 'x'] },
    }),
  }),
  import_rows: ({ id }) => ({
    batch_id: id('import_batches'),
    line: 1,
    status: 'add',
    after: JSON.stringify({ name: 'Zoë Østergaard', departureCode: null, problems: [] }),
  }),
  import_departures: ({ id }) => ({
    departure_id: newId(),
    batch_id: id('import_batches'),
    tour_id: id('tours'),
    revision_id: id('tour_revisions'),
    code: 'WHALE-311121-0900',
    local_date: '2031-11-21',
    local_start_time: '09:00',
    capacity: 20,
    lines: 1,
  }),
  import_corrections: ({ id }) => ({
    batch_id: id('import_batches'),
    line: 2,
    place: 0,
    cell: Buffer.from('sealed cell'),
  }),
  report_runs: () => ({ report: 'tour-performance', params_hash: 'x' }),
}

/** Inside the partitions that the migration made: today at midnight UTC. */
export const samplePositionAt = new Date(new Date().setUTCHours(0, 0, 0, 0))

/** Tables whose key is not `id`: the sample brings the key itself. */
const withoutId: ReadonlySet<string> = new Set([
  'alert_dues',
  'alert_evaluations',
  'own_preferences',
  'crew_notices',
  'crew_reminders',
  'duty_start_notices',
  'untold_suppliers',
  'daily_digests',
  'idempotency_keys',
  'number_series',
  'traveler_private',
  'room_assignments',
  'vehicle_assignments',
  'equipment_issues',
  'positions',
  'departure_notices',
  'departure_reach',
  'road_ways',
  'departure_findings',
  'device_signals',
  'position_drops',
  'latest_positions',
  'incident_travelers',
  'import_departures',
  'import_rows',
  'import_work',
  'webhook_queues',
])

/** Every table that has a sample, in an order in which foreign keys hold. */
export const sampledTables: readonly string[] = Object.keys(makers)

/** A row that the table accepts, with changes by `more`. */
export function sampleRow(table: string, context: SampleContext, more: Row = {}): Row {
  const make = makers[table]
  if (!make) throw new Error(`sample-rows.ts has no row for the table ${table}`)
  const key = withoutId.has(table) ? {} : { id: newId() }
  return { org_id: context.orgId, ...key, ...make(context), ...more }
}

export async function insertRow(tx: Tx, table: string, row: Row): Promise<void> {
  const columns = sql.join(Object.keys(row).map((column) => sql.ref(column)))
  await sql`insert into ${sql.table(table)} (${columns}) values (${sql.join(Object.values(row))})`.execute(tx)
}

export async function updateRows(tx: Tx, table: string, where: Row, change: Row): Promise<bigint> {
  const changes = Object.entries(change).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
  const conditions = Object.entries(where).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
  const { numAffectedRows } =
    await sql`update ${sql.table(table)} set ${sql.join(changes)} where ${sql.join(conditions, sql` and `)}`.execute(tx)
  return numAffectedRows ?? 0n
}

/** An organization in which every business table has one row. */
export interface Samples extends SampleContext {
  readonly rows: ReadonlyMap<string, Row>
}

/** Inserts the samples of all tables, or of those up to and including `last`, for an organization that exists. */
export async function insertSamples(
  tx: Tx,
  member: { orgId: string; userId: string },
  last?: string,
): Promise<Samples> {
  const rows = new Map<string, Row>()
  const context: SampleContext = {
    orgId: member.orgId,
    userId: member.userId,
    id: (table) => String(rows.get(table)?.['id']),
  }
  for (const table of sampledTables) {
    const row = sampleRow(table, context)
    await insertRow(tx, table, row)
    rows.set(table, row)
    if (table === last) break
  }
  return { ...context, rows }
}

/** The name of the constraint that refused, else the SQLSTATE; throws when nothing was refused. */
export async function refusalOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
  } catch (error) {
    const cause = error instanceof Error && isDatabaseError(error.cause) ? error.cause : error
    if (isDatabaseError(cause)) return cause.constraint ?? cause.code
    throw error
  }
  throw new Error('The database accepted what it should refuse.')
}
