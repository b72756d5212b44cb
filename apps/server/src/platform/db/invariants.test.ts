import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import { newId } from '../ids.ts'
import {
  insertRow,
  refusalOf,
  samplePositionAt,
  sampleRow,
  sampleStart,
  updateRows,
  type Row,
  type Samples,
} from '../../../testing/sample-rows.ts'
import { rowWriter, sampleOffice } from '../../../testing/row-writer.ts'

// The invariants of docs/domain.md, "Invariants": each is tried to be broken. I6 is in state-machines.test.ts,
// I3 and the guards in seats-and-guards.test.ts,
// I8 also in row-level-security.test.ts, races in races.test.ts. I19 and I20 belong to the services.

let world: TestWorld
let caller: TestCaller
let samples: Samples
beforeAll(async () => {
  world = await testDatabase()
  ;({ caller, samples } = await sampleOffice(world))
})
afterAll(() => world.close())

const { add, change, read, refusedAdd, refusedChange } = rowWriter(() => ({ caller, samples }))
const at = (hours: number): Date => new Date(sampleStart.getTime() + hours * 3_600_000)
const span = (from: number, to: number): string => `[${at(from).toISOString()},${at(to).toISOString()})`

describe('I1: a staff member is in one place at a time', () => {
  const entry = async (staffId: string, during: string): Promise<string> => {
    const entryId = await add('staff_calendar_entries', { staff_id: staffId, during })
    const departureId = await add('departures')
    return add('assignments', { staff_id: staffId, calendar_entry_id: entryId, departure_id: departureId })
  }

  test('a second binding assignment at the same time is refused, an offer is not', async () => {
    const staffId = await add('field_staff')
    const first = await entry(staffId, span(0, 8))
    const second = await entry(staffId, span(7, 9))
    await change('assignments', first, { status: 'accepted' })
    await change('assignments', second, { status: 'offered' })
    expect(await refusedChange('assignments', second, { status: 'accepted' })).toBe('staff_calendar_entries_no_overlap')
    await change('assignments', first, { status: 'released' })
    await change('assignments', second, { status: 'accepted' })
  })

  test('one that begins when the other ends is taken', async () => {
    const staffId = await add('field_staff')
    for (const during of [span(0, 8), span(8, 9)]) {
      await change('assignments', await entry(staffId, during), { status: 'accepted' })
    }
  })

  test('approved time off and rest block, requested time off does not', async () => {
    const staffId = await add('field_staff')
    const off = await add('staff_calendar_entries', {
      staff_id: staffId,
      during: span(0, 24),
      kind: 'time_off',
      status: 'requested',
    })
    await add('staff_calendar_entries', { staff_id: staffId, during: span(8, 19), kind: 'rest' })
    expect(await refusedChange('staff_calendar_entries', off, { status: 'approved' })).toBe(
      'staff_calendar_entries_no_overlap',
    )
  })

  test('departures of a group share one entry', async () => {
    const staffId = await add('field_staff')
    const entryId = await add('staff_calendar_entries', { staff_id: staffId, during: span(0, 8) })
    for (let count = 0; count < 2; count += 1) {
      const departureId = await add('departures')
      await add('assignments', {
        staff_id: staffId,
        calendar_entry_id: entryId,
        departure_id: departureId,
        status: 'accepted',
      })
    }
    expect(await read('staff_calendar_entries', entryId)).toMatchObject({ status: 'confirmed', blocking: true })
  })

  test('an assignment uses an entry of its own person only', async () => {
    const entryId = await add('staff_calendar_entries', { staff_id: await add('field_staff') })
    const row = {
      staff_id: await add('field_staff'),
      calendar_entry_id: entryId,
      departure_id: await add('departures'),
    }
    expect(await refusedAdd('assignments', row)).toBe('assignments_calendar_entry_fk')
  })
})

test('I2: a vehicle has one departure, repair or hire at a time', async () => {
  const vehicleId = await add('vehicles')
  const repair = await add('vehicle_calendar_entries', {
    vehicle_id: vehicleId,
    during: span(0, 8),
    kind: 'maintenance',
  })
  const second = { vehicle_id: vehicleId, during: span(7, 9) }
  expect(await refusedAdd('vehicle_calendar_entries', second)).toBe('vehicle_calendar_entries_no_overlap')
  expect(await refusedAdd('vehicle_calendar_entries', { ...second, kind: 'hire' })).toBe(
    'vehicle_calendar_entries_no_overlap',
  )
  await add('vehicle_calendar_entries', { ...second, kind: 'cleaning' })
  await change('vehicle_calendar_entries', repair, { status: 'cancelled' })
  await add('vehicle_calendar_entries', second)
})

test('I4: a traveler is once on a departure, unless the first entry was cancelled', async () => {
  const travelerId = await add('travelers')
  const entry = await add('manifest_entries', { traveler_id: travelerId })
  expect(await refusedAdd('manifest_entries', { traveler_id: travelerId })).toBe('manifest_entries_traveler_once')
  await change('manifest_entries', entry, { status: 'cancelled' })
  await add('manifest_entries', { traveler_id: travelerId })
})

test('I5: a departure has one lead guide', async () => {
  const departureId = await add('departures')
  const lead = async (): Promise<string> => {
    const staffId = await add('field_staff')
    const entryId = await add('staff_calendar_entries', { staff_id: staffId })
    return add('assignments', {
      staff_id: staffId,
      calendar_entry_id: entryId,
      departure_id: departureId,
      role: 'lead_guide',
    })
  }
  const [first, second] = [await lead(), await lead()]
  await change('assignments', first, { status: 'accepted' })
  expect(await refusedChange('assignments', second, { status: 'accepted' })).toBe('assignments_one_lead_guide')
  await change('assignments', first, { status: 'released' })
  await change('assignments', second, { status: 'accepted' })
})

test('I7: a departure ends after it starts, and its stops have one order', async () => {
  expect(await refusedAdd('departures', { ends_at: sampleStart })).toBe('departures_end_after_start')
  expect(await refusedAdd('departures', { local_date: '2031-06-03' })).toBe('departures_local_date_matches')
  expect(await refusedAdd('departure_stops', {})).toBe('departure_stops_order_unique')
  const second = await add('departure_stops', { stop_order: 2 })
  // Changing places is one statement, in the middle of which both have the same number.
  await caller.transaction((tx) =>
    sql`update departure_stops set stop_order = 3 - stop_order where org_id = ${caller.orgId} and departure_id = ${samples.id('departures')}`.execute(
      tx,
    ),
  )
  expect(await read('departure_stops', second)).toMatchObject({ stop_order: 1 })
  const backwards = { stop_order: 9, planned_arrive_at: at(2), planned_depart_at: at(1) }
  expect(await refusedAdd('departure_stops', backwards)).toBe('departure_stops_planned_order')
})

test('I8: the person, the booking and the entry of a manifest belong to one departure', async () => {
  const entry = { traveler_id: await add('travelers'), departure_id: await add('departures') }
  expect(await refusedAdd('manifest_entries', entry)).toBe('manifest_entries_booking_fk')
  const bookingId = await add('bookings')
  const entryId = await add('manifest_entries', { booking_id: bookingId, traveler_id: await add('travelers') })
  const elsewhere = await add('departures')
  await change('bookings', bookingId, { departure_id: elsewhere })
  expect(await read('manifest_entries', entryId)).toMatchObject({ departure_id: elsewhere })
})

describe('I9: a position belongs to a duty session', () => {
  const minutes = (count: number): Date => new Date(samplePositionAt.getTime() + count * 60_000)
  const fix = async (more: Row): Promise<number> => {
    const row = sampleRow('positions', samples, more)
    await caller.transaction((tx) => insertRow(tx, 'positions', row))
    const { rows } = await caller.transaction((tx) =>
      sql`select from positions where org_id = ${caller.orgId} and device_id = ${row['device_id']} and recorded_at = ${row['recorded_at']}`.execute(
        tx,
      ),
    )
    return rows.length
  }
  const dropped = async (deviceId: string): Promise<Row[]> =>
    caller.transaction((tx) =>
      tx.selectFrom('position_drops').select(['reason', 'dropped']).where('device_id', '=', deviceId).execute(),
    )

  test('a fix inside is stored, with five minutes of grace; one outside is only counted', async () => {
    const staffId = await add('field_staff')
    const deviceId = await add('devices', { staff_id: staffId })
    const duty_session_id = await add('duty_sessions', { staff_id: staffId, started_at: minutes(60), ended_at: null })
    await change('duty_sessions', duty_session_id, { status: 'closed', ended_at: minutes(120) })
    const kept = async (minute: number): Promise<number> =>
      fix({ device_id: deviceId, duty_session_id, recorded_at: minutes(minute) })
    expect(await Promise.all([60, 90, 120, 56, 124].map(kept))).toEqual([1, 1, 1, 1, 1])
    expect([await kept(54), await kept(126)]).toEqual([0, 0])
    expect(await dropped(deviceId)).toEqual([{ reason: 'outside_session', dropped: 2 }])
  })

  test('a fix of a device that belongs to somebody else, or to nobody, is only counted', async () => {
    const deviceId = await add('devices', { staff_id: null })
    expect(await fix({ device_id: deviceId, recorded_at: minutes(1) })).toBe(0)
    expect(await fix({ device_id: deviceId, recorded_at: minutes(1), duty_session_id: newId() })).toBe(0)
    expect(await dropped(deviceId)).toEqual([{ reason: 'foreign_session', dropped: 2 }])
  })

  test('the same moment of the same device is stored once', async () => {
    const again = sampleRow('positions', samples)
    const refusal = await refusalOf(caller.transaction((tx) => insertRow(tx, 'positions', again)))
    // The constraint is named by the day.
    expect(refusal).toMatch(/^positions_\d{8}_pkey$/)
  })

  test('there is one open session per person', async () => {
    expect(await refusedAdd('duty_sessions', {})).toBe('duty_sessions_one_open_per_staff')
    expect(await refusedAdd('duty_sessions', { vehicle_id: samples.id('vehicles') })).toBe('duty_sessions_one_subject')
  })
})

test('I10: check-ins are added, never changed, and each event of a device counts once', async () => {
  const checkInId = await add('check_ins', { client_event_id: 'event-0001' })
  expect(await refusedAdd('check_ins', { client_event_id: 'event-0001' })).toBe('check_ins_client_event_unique')
  expect(await refusedChange('check_ins', checkInId, { kind: 'leave' })).toBe('42501')
  const remove = caller.transaction((tx) => sql`delete from check_ins where id = ${checkInId}`.execute(tx))
  expect(await refusalOf(remove)).toBe('42501')
  await add('check_ins', { kind: 'undo' })
})

test('I11: the audit log is added to, by triggers only, and not even its owner changes it', async () => {
  for (const statement of [
    'update audit_entries set action = $$x$$',
    'delete from audit_entries',
    'truncate audit_entries',
  ]) {
    expect(await refusalOf(caller.transaction((tx) => sql.raw(statement).execute(tx)))).toBe('42501')
    expect(await refusalOf(world.database.ownerPool.query(statement))).toBe('audit_entries_append_only')
  }
})

test('I12: links keep hashes of their tokens only, and end within 400 days', async () => {
  const days = (count: number): Date => new Date(Date.now() + count * 86_400_000)
  expect(await refusedAdd('shared_links', { expires_at: days(401) })).toBe('shared_links_expires_within_400_days')
  expect(await refusedAdd('shared_links', { expires_at: null })).toBe('23502')
  await add('shared_links', { expires_at: days(399) })
  const secret = Buffer.from('the-token-itself')
  expect(await refusedAdd('shared_link_tokens', { token_hash: secret })).toBe('shared_link_tokens_hash_is_sha256')
  expect(await refusedAdd('devices', { token_hash: secret, token_expires_at: days(1) })).toBe('devices_token_is_sha256')
  expect(await refusedAdd('devices', { token_hash: Buffer.alloc(32) })).toBe('devices_token_expires')
})

test('I13: one alert is open per cause, and a resolved one makes room', async () => {
  const alertId = await add('alerts', { dedupe_key: 'late:1' })
  await change('alerts', alertId, { status: 'snoozed' })
  expect(await refusedAdd('alerts', { dedupe_key: 'late:1' })).toBe('alerts_one_open_per_dedupe_key')
  await change('alerts', alertId, { status: 'open' })
  await change('alerts', alertId, { status: 'resolved', resolution: 'auto', resolved_at: new Date() })
  await add('alerts', { dedupe_key: 'late:1' })
})

test('I14: a rule writes one message for one occurrence', async () => {
  const message = {
    source: 'rule',
    rule_id: samples.id('notification_rules'),
    subject_type: 'bookings',
    subject_id: samples.id('bookings'),
    occurrence: 'confirmed',
  }
  await add('messages', message)
  expect(await refusedAdd('messages', message)).toBe('messages_once_per_occurrence')
  expect(await refusedAdd('messages', { ...message, occurrence: null })).toBe('messages_rule_names_occurrence')
  await add('messages', { ...message, occurrence: 'reminder' })
})

describe('I15: an organization keeps an administrator', () => {
  const setRole = (by: TestCaller, userId: string, values: Row): Promise<bigint> =>
    by.transaction((tx) => updateRows(tx, 'members', { org_id: by.orgId, user_id: userId }, values))
  const rule = 'members_organization_keeps_an_admin'

  test('the last one can be neither demoted, suspended, removed nor deleted', async () => {
    const last = await world.as('admin')
    await world.as('viewer', { orgId: last.orgId })
    for (const values of [{ role: 'viewer' }, { status: 'suspended' }, { status: 'removed' }]) {
      expect(await refusalOf(setRole(last, last.userId, values))).toBe(rule)
    }
    const leave = last.transaction((tx) => tx.deleteFrom('members').where('user_id', '=', last.userId).execute())
    expect(await refusalOf(leave)).toBe(rule)
  })

  test('the office can be handed over in one transaction, in any order', async () => {
    const former = await world.as('admin')
    const next = await world.as('viewer', { orgId: former.orgId })
    await former.transaction(async (tx) => {
      await updateRows(tx, 'members', { org_id: former.orgId, user_id: former.userId }, { role: 'viewer' })
      await updateRows(tx, 'members', { org_id: former.orgId, user_id: next.userId }, { role: 'admin' })
    })
  })

  test('another identity service keeps this rule itself', async () => {
    const last = await world.as('admin')
    await last.transaction((tx) => tx.updateTable('organizations').set({ identity_kind: 'clerk' }).execute())
    expect(await setRole(last, last.userId, { role: 'viewer' })).toBe(1n)
  })

  test('a whole organization can go', async () => {
    const last = await world.as('admin')
    await last.transaction((tx) => tx.deleteFrom('organizations').execute())
  })
})

test('I16: a published revision stays as it was sold, a draft does not', async () => {
  const published = samples.id('tour_revisions')
  const final = 'tour_revisions_published_is_final'
  expect(await refusedChange('tour_revisions', published, { content: '{"days": [1]}' })).toBe(final)
  expect(await refusedChange('tour_revisions', published, { published_at: null })).toBe(final)
  const remove = caller.transaction((tx) => tx.deleteFrom('tour_revisions').where('id', '=', published).execute())
  expect(await refusalOf(remove)).toBe(final)
  await change('tour_revisions', published, { note: 'spring' })
  const draft = await add('tour_revisions', { number: 2, published_at: null })
  await change('tour_revisions', draft, { content: '{"days": [1]}' })
  await change('tour_revisions', draft, { published_at: new Date() })
  expect(await refusedChange('tour_revisions', draft, { content: '{}' })).toBe(final)
})

test.each<[table: string, more: Row, constraint: string]>([
  ['bookings', { amount_total_minor: -1 }, 'bookings_amounts_not_negative'],
  ['bookings', { currency: 'eur' }, 'bookings_currency_code'],
  ['bookings', { pax: 2 }, 'bookings_pax_matches_units'],
  ['bookings', { units: '[{"unitType": "adult", "qty": 0}]', pax: 0 }, 'bookings_pax_matches_units'],
  ['bookings', { units: '[{"unitType": "dog", "qty": 1}]' }, 'bookings_units_sound'],
  ['bookings', { units: '[{"unitType": "adult", "qty": 2, "paxCount": -1}]', pax: 1 }, 'bookings_pax_matches_units'],
  ['departure_services', { cost_minor: -5, currency: 'EUR' }, 'departure_services_cost_not_negative'],
  ['departures', { capacity: -1 }, 'departures_capacity_range'],
  ['feedback', { tour_rating: 6 }, 'feedback_ratings_range'],
  ['feedback', { guide_rating: 0 }, 'feedback_ratings_range'],
  ['feedback', { nps: 11 }, 'feedback_nps_range'],
  ['places', { lat: 91 }, 'places_coordinates_range'],
  ['places', { lng: -181 }, 'places_coordinates_range'],
  ['places', { enter_m: 120, exit_m: 120 }, 'places_geofence_order'],
  ['geofences', { enter_m: 200 }, 'geofences_radii_order'],
  ['geofences', { geojson: '{"type": "LineString", "coordinates": [[0, 0], [1, 1]]}' }, 'geofences_no_go_is_area'],
  [
    'geofences',
    { geojson: '{"type": "Polygon", "coordinates": [[[0, 0], [1, 1], [0, 0]]]}' },
    'geofences_no_go_is_area',
  ],
  ['geofences', { geojson: '{"type": "Polygon", "coordinates": []}' }, 'geofences_no_go_is_area'],
  ['positions', { lat: 99, recorded_at: new Date(samplePositionAt.getTime() + 1) }, 'positions_coordinates_range'],
  ['incidents', { severity: 5 }, 'incidents_severity_range'],
  ['allotments', { used: 11 }, 'allotments_used_within_quantity'],
  ['travelers', { nationality: 'Iceland' }, 'travelers_country_codes'],
  ['headcounts', { counted: 2 }, 'headcounts_mismatch_has_reason'],
])('I17: %s refuses %o', async (table, more, constraint) => {
  expect(await refusedAdd(table, more)).toBe(constraint)
})

test('I18: an external reference is booked once per channel', async () => {
  const reference = { channel: 'ota', external_ref: 'GYG-1' }
  await add('bookings', reference)
  expect(await refusedAdd('bookings', reference)).toBe('bookings_external_ref_unique')
  await add('bookings', { ...reference, channel: 'agent' })
  await add('bookings', { channel: 'ota' })
  await add('bookings', { channel: 'ota' })
})
