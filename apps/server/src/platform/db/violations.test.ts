import { AppError } from '@tour-ops/contract/errors'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../ids.ts'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import { violations } from './violations.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

/** Keys that our own identifiers and triggers keep, so that nobody can run into them. */
const unreachable = [/_pkey$/, /_of_\w+_unique$/, /_on_departure_unique$/, /_token_unique$/, /_hash_unique$/]
/** One value out of its list, range or form: the contract says so at the field before, with a rule of `field-rules.ts`. */
const heldByContract = /_(known|range|length|codes?|not_negative|form|is_sha256|encrypted)$/
/** What only the server's own statements could break, whatever somebody enters: a bug, which is answered as `internal`. */
const heldByServer = [
  'alert_mutes_ended_whole',
  'alert_mutes_never_about_people',
  'alert_mutes_one_at_once',
  'alerts_resolved_has_resolution',
  'allotments_have_a_source',
  'assignments_override_has_reason',
  'billing_documents_final',
  'billing_documents_lines_sum',
  'billing_documents_mirrors_invoice',
  'billing_documents_no_gap',
  'billing_documents_number_once',
  'billing_documents_of_payment',
  'billing_documents_reason',
  'billing_documents_receipt_once',
  'billing_documents_receipt_untaxed',
  'billing_documents_subject',
  'billing_documents_taxes_sum',
  'billing_documents_total_of_booking',
  'booking_messages_office_is_named',
  'booking_messages_only_guests_wait',
  'bookings_discount_whole',
  'bookings_paid_is_derived',
  'calendar_feeds_one_subject',
  'calendar_feeds_subject_once',
  'check_ins_have_an_author',
  'crew_notices_change_has_before',
  'crew_notices_has_purpose',
  'crew_notices_reported_once_told',
  'crew_notices_revision_told',
  'deliveries_link_own',
  'departure_notes_have_an_author',
  'departure_reach_place',
  'departure_reach_routed_whole',
  'departures_local_date_matches',
  'devices_one_duty_page',
  'devices_one_subject',
  'devices_pairing_expires',
  'devices_pairing_unique',
  'devices_token_expires',
  'documents_have_an_owner',
  'documents_size',
  'duty_events_have_an_author',
  'duty_events_size',
  'duty_sessions_break_is_open',
  'duty_sessions_end_after_start',
  'duty_sessions_end_matches_status',
  'duty_sessions_one_subject',
  // the second of two phones is answered by the verb
  'feedback_booking_once',
  'feedback_follow_ups_closed_whole',
  'geofences_is_geometry',
  'geofences_no_go_is_area',
  'guest_occasions_delay_complete',
  'guest_occasions_once',
  'import_corrections_cell_unique',
  'import_departures_code_once',
  'import_departures_kept_is_made',
  'import_rows_rejected_has_reason',
  'incident_entries_append_only',
  'incident_entries_file_has_line',
  'incident_tasks_done_whole',
  'incidents_merged_names_the_other',
  // raises as members_organization_keeps_an_admin
  'keep_an_admin',
  'latest_positions_one_subject',
  'manifest_entries_age_day',
  'manifest_entries_details_whole',
  'message_templates_has_text',
  'messages_rule_names_occurrence',
  'notification_preferences_one_person',
  'notification_rules_delay_step',
  'notification_rules_escalate_whole',
  'notification_rules_feedback_hours',
  'notification_rules_guests_once',
  'notification_rules_information_hours',
  'notification_rules_last_minutes',
  'notification_rules_reminder_hour',
  'notification_rules_suppliers_once',
  'opt_outs_address_folded',
  'opt_outs_once',
  'org_settings_router_silent',
  'org_settings_router_whole',
  'org_settings_second_factor_complete',
  'org_settings_tiles_whole',
  'payments_currency_of_booking',
  'payments_void_has_reason',
  // the verb holds the settings of the organization while it writes
  'phone_channels_channel_once',
  'phone_channels_has_target',
  'phone_channels_one_preferred',
  // proposals are judged by the verb, under the lock of their departures
  'proposals_amount_of_departure',
  'proposals_end_complete',
  'proposals_end_once',
  'proposals_expiry_after_question',
  'proposals_open_once',
  'proposals_other_departure',
  'proposals_stranded_party',
  'push_subscriptions_endpoint_once',
  'road_ways_whole',
  'roll_call_responses_answer_with_author',
  'roll_call_responses_one_person',
  'roll_calls_one_per_incident',
  'shared_links_manifest_of_departure',
  'shared_links_map_of_tours',
  'shared_links_position_blurred',
  'shared_links_report_period',
  'shared_links_report_whole',
  'shared_links_supplier_of_manifest',
  'shared_links_traveler_is_subject',
  'shift_notes_acknowledged_whole',
  'tour_options_prices_sound',
  'weather_warning_targets_names_one',
  'weather_warnings_external_once',
  'weather_warnings_has_origin',
  'webhook_deliveries_event_once',
  'webhook_endpoints_off_has_reason',
  'webhook_queues_taken_whole',
]

test('every constraint is a reason or a rule, or is held before, and every named violation exists in the database', async () => {
  // foreign keys have one reason for all of them
  const { rows } = await world.database.ownerPool.query<{ name: string; isReference: boolean }>(`
    select conname::text as name, contype = 'f' as "isReference" from pg_constraint
    where connamespace = 'public'::regnamespace and contype <> 'n' and conparentid = 0
      and not exists (select from pg_class where oid = conrelid and relispartition)
    union select c.relname::text, false from pg_index i join pg_class c on c.oid = i.indexrelid
    where c.relnamespace = 'public'::regnamespace and i.indisunique and not c.relispartition
    union select match[1], false from pg_proc, regexp_matches(prosrc, 'constraint = ''(\\w+)''', 'g') as match
    union select machine || suffix, false from (select distinct machine from legal_transitions) m, unnest(array['_transition', '_initial']) suffix
    union select 'audit_entries_append_only', false`)
  const names = new Set(rows.map((row) => row.name))
  expect(Object.keys(violations).filter((name) => !names.has(name))).toEqual([])
  const held = [...unreachable, heldByContract]
  const open = rows.filter(({ name, isReference }) => !isReference && !held.some((pattern) => pattern.test(name)))
  const unnamed = [...new Set(open.map(({ name }) => name))].filter((name) => !(name in violations))
  expect(unnamed.toSorted()).toEqual(heldByServer)
})

test('a duplicate names the entry of the form', async () => {
  const admin = await world.as('admin')
  const plate = { org_id: admin.orgId, plate: 'AB-12', label: 'Bus', seats: 20 }
  await admin.transaction((tx) =>
    tx
      .insertInto('vehicles')
      .values({ ...plate, id: newId() })
      .execute(),
  )
  const again = admin.transaction((tx) =>
    tx
      .insertInto('vehicles')
      .values({ ...plate, id: newId() })
      .execute(),
  )
  await expect(again).rejects.toMatchObject({
    code: 'invalid-argument',
    details: {
      fieldErrors: { plate: ['Another vehicle has this number plate.'] },
      fieldIssues: { plate: [{ code: 'plate_taken' }] },
    },
  })
})

test('an illegal change of status says from what to what', async () => {
  const admin = await world.as('admin')
  const id = newId()
  const change = admin.transaction(async (tx) => {
    const incident = { org_id: admin.orgId, id, number: 'INC-1', category: 'other' as const, severity: 3 }
    await tx.insertInto('incidents').values(incident).execute()
    await tx.updateTable('incidents').set({ status: 'resolved' }).where('id', '=', id).execute()
  })
  await expect(change).rejects.toMatchObject({
    code: 'aborted',
    details: { reason: 'illegal_transition', from: 'reported', to: 'resolved' },
  })
})

test('a rule that is checked at the end of the transaction is reported like the others', async () => {
  const admin = await world.as('admin')
  const leave = admin.transaction((tx) =>
    tx.updateTable('members').set({ role: 'viewer' }).where('user_id', '=', admin.userId).execute(),
  )
  await expect(leave).rejects.toMatchObject({ code: 'aborted', details: { reason: 'last_admin' } })
})

test('a reference to nothing is not found, and what is still needed cannot go', async () => {
  const admin = await world.as('admin')
  const dangling = admin.transaction((tx) =>
    tx
      .insertInto('incident_entries')
      .values({ org_id: admin.orgId, id: newId(), incident_id: newId(), kind: 'note', text: 'seen' })
      .execute(),
  )
  await expect(dangling).rejects.toMatchObject({ code: 'not-found', details: { reason: 'reference_missing' } })
})

test('a rule that no sentence is written for stays inside the server', async () => {
  const admin = await world.as('admin')
  const error = await admin
    .transaction((tx) => sql`update org_settings set map_zoom = 99 where org_id = ${admin.orgId}`.execute(tx))
    .catch((thrown: unknown) => thrown)
  expect(error).not.toBeInstanceOf(AppError)
  const told = AppError.from(error)
  expect([told.code, told.message]).toEqual(['internal', 'Something went wrong on our side.'])
})
