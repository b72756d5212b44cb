// Written by generate-tables.ts from the live schema. Do not edit; change a migration and run:
//   node apps/server/src/platform/db/generate-tables.ts
import type { ColumnType } from 'kysely'

/** A column that may be left out of an insert. */
type Generated<T> =
  T extends ColumnType<infer S, infer I, infer U> ? ColumnType<S, I | undefined, U> : ColumnType<T, T | undefined, T>

/** A column that only the database writes. */
type ReadOnly<T> =
  T extends ColumnType<infer S, unknown, unknown> ? ColumnType<S, never, never> : ColumnType<T, never, never>
type Timestamp = ColumnType<Date, Date | string, Date | string>
type NullableTimestamp = ColumnType<Date | null, Date | string | null, Date | string | null>
/** Read as what it holds; written as text (`JSON.stringify`), since an array would be sent as a PostgreSQL array. */
type Json = ColumnType<unknown, string, string>
type NullableJson = ColumnType<unknown, string | null, string | null>

/** Every table by the name it has in queries. */
export interface Tables {
  alert_dues: AlertDuesTable
  alert_evaluations: AlertEvaluationsTable
  alert_mutes: AlertMutesTable
  alerts: AlertsTable
  allotments: AllotmentsTable
  assignments: AssignmentsTable
  audit_entries: AuditEntriesTable
  billing_documents: BillingDocumentsTable
  booking_messages: BookingMessagesTable
  bookings: BookingsTable
  calendar_feeds: CalendarFeedsTable
  changes: ChangesTable
  check_ins: CheckInsTable
  crew_notices: CrewNoticesTable
  crew_reminders: CrewRemindersTable
  daily_digests: DailyDigestsTable
  data_keys: DataKeysTable
  deliveries: DeliveriesTable
  departure_findings: DepartureFindingsTable
  departure_groups: DepartureGroupsTable
  departure_notes: DepartureNotesTable
  departure_notices: DepartureNoticesTable
  departure_reach: DepartureReachTable
  departure_services: DepartureServicesTable
  departure_stops: DepartureStopsTable
  departures: DeparturesTable
  device_signals: DeviceSignalsTable
  devices: DevicesTable
  discount_codes: DiscountCodesTable
  documents: DocumentsTable
  duty_events: DutyEventsTable
  duty_sessions: DutySessionsTable
  duty_start_notices: DutyStartNoticesTable
  equipment: EquipmentTable
  equipment_issues: EquipmentIssuesTable
  feedback: FeedbackTable
  feedback_follow_ups: FeedbackFollowUpsTable
  field_staff: FieldStaffTable
  files: FilesTable
  form_holds: FormHoldsTable
  geofences: GeofencesTable
  guest_occasions: GuestOccasionsTable
  headcounts: HeadcountsTable
  idempotency_keys: IdempotencyKeysTable
  import_batches: ImportBatchesTable
  import_corrections: ImportCorrectionsTable
  import_departures: ImportDeparturesTable
  import_rows: ImportRowsTable
  import_work: ImportWorkTable
  incident_entries: IncidentEntriesTable
  incident_tasks: IncidentTasksTable
  incident_travelers: IncidentTravelersTable
  incidents: IncidentsTable
  initial_statuses: InitialStatusesTable
  invitations: InvitationsTable
  latest_positions: LatestPositionsTable
  legal_transitions: LegalTransitionsTable
  link_accesses: LinkAccessesTable
  manifest_entries: ManifestEntriesTable
  members: MembersTable
  message_templates: MessageTemplatesTable
  messages: MessagesTable
  notification_preferences: NotificationPreferencesTable
  notification_rules: NotificationRulesTable
  number_series: NumberSeriesTable
  opt_outs: OptOutsTable
  org_settings: OrgSettingsTable
  organizations: OrganizationsTable
  own_preferences: OwnPreferencesTable
  payments: PaymentsTable
  phone_channels: PhoneChannelsTable
  places: PlacesTable
  position_drops: PositionDropsTable
  positions: PositionsTable
  proposals: ProposalsTable
  push_subscriptions: PushSubscriptionsTable
  report_runs: ReportRunsTable
  road_ways: RoadWaysTable
  roll_call_responses: RollCallResponsesTable
  roll_calls: RollCallsTable
  room_assignments: RoomAssignmentsTable
  rooms: RoomsTable
  saved_views: SavedViewsTable
  shared_link_tokens: SharedLinkTokensTable
  shared_links: SharedLinksTable
  shift_notes: ShiftNotesTable
  staff_calendar_entries: StaffCalendarEntriesTable
  staff_certificates: StaffCertificatesTable
  suppliers: SuppliersTable
  tour_options: TourOptionsTable
  tour_revisions: TourRevisionsTable
  tours: ToursTable
  traveler_counts: TravelerCountsTable
  traveler_documents: TravelerDocumentsTable
  traveler_private: TravelerPrivateTable
  travelers: TravelersTable
  untold_suppliers: UntoldSuppliersTable
  vehicle_assignments: VehicleAssignmentsTable
  vehicle_calendar_entries: VehicleCalendarEntriesTable
  vehicles: VehiclesTable
  weather_sources: WeatherSourcesTable
  weather_warning_targets: WeatherWarningTargetsTable
  weather_warnings: WeatherWarningsTable
  webhook_deliveries: WebhookDeliveriesTable
  webhook_endpoints: WebhookEndpointsTable
  webhook_queues: WebhookQueuesTable
  'feed.cursors': FeedCursorsTable
  'feed.position_documents': FeedPositionDocumentsTable
  'identity.account': IdentityAccountTable
  'identity.backend_refresh_tokens': IdentityBackendRefreshTokensTable
  'identity.backend_sessions': IdentityBackendSessionsTable
  'identity.events': IdentityEventsTable
  'identity.invitation': IdentityInvitationTable
  'identity.jwks': IdentityJwksTable
  'identity.mails': IdentityMailsTable
  'identity.member': IdentityMemberTable
  'identity.organization': IdentityOrganizationTable
  'identity.organization_uses': IdentityOrganizationUsesTable
  'identity.passkey': IdentityPasskeyTable
  'identity.rateLimit': IdentityRateLimitTable
  'identity.service_events': IdentityServiceEventsTable
  'identity.session': IdentitySessionTable
  'identity.sign_in_attempts': IdentitySignInAttemptsTable
  'identity.twoFactor': IdentityTwoFactorTable
  'identity.used_codes': IdentityUsedCodesTable
  'identity.user': IdentityUserTable
  'identity.verification': IdentityVerificationTable
  'identity.waitlist': IdentityWaitlistTable
  'identity.walletAddress': IdentityWalletAddressTable
  'installation.facts': InstallationFactsTable
}

interface AlertDuesTable {
  org_id: string
  subject_kind: 'departure' | 'staff' | 'vehicle' | 'booking' | 'message' | 'alert'
  subject_id: string
  due_at: Generated<Timestamp>
  evaluated_at: NullableTimestamp
  firing: Generated<string[]>
  lapsing: Generated<Json>
  /** Since when it is due together with everything else of its organization; its own moment stays in due_at. */
  all_due_at: NullableTimestamp
}

interface AlertEvaluationsTable {
  org_id: string
  /** Everything that was due up to this moment has been evaluated. */
  evaluated_at: Timestamp
  seen: string | null
  checked_at: NullableTimestamp
}

interface AlertMutesTable {
  org_id: string
  id: string
  departure_id: string
  kind: string
  /** Of the alert when it was muted; a graver one is opened all the same. */
  severity: 'critical' | 'warning' | 'info'
  reason: string
  /** Null: as long as the departure lasts. */
  ends_at: NullableTimestamp
  muted_by: string
  muted_at: Generated<Timestamp>
  ended_by: string | null
  ended_at: NullableTimestamp
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

interface AlertsTable {
  org_id: string
  id: string
  kind:
    | 'late_start'
    | 'running_late'
    | 'eta_miss'
    | 'off_route'
    | 'long_stop'
    | 'geofence_absent'
    | 'no_go_area'
    | 'signal_lost'
    | 'battery_low'
    | 'overspeed'
    | 'sos'
    | 'headcount_mismatch'
    | 'no_show'
    | 'no_lead_guide'
    | 'assignment_unanswered'
    | 'certificate_expiring'
    | 'rest_violation'
    | 'capacity_conflict'
    | 'service_unconfirmed'
    | 'below_min_pax'
    | 'hold_expiring'
    | 'document_missing'
    | 'message_failed'
    | 'weather_warning'
  severity: 'info' | 'warning' | 'critical'
  subject_type: string
  subject_id: string
  departure_id: string | null
  status: Generated<'open' | 'acknowledged' | 'snoozed' | 'resolved'>
  title: string
  evidence: Generated<Json>
  rule_id: string | null
  opened_at: Generated<Timestamp>
  acknowledged_at: NullableTimestamp
  acknowledged_by: string | null
  owner_user_id: string | null
  snoozed_until: NullableTimestamp
  escalation_level: Generated<number>
  resolved_at: NullableTimestamp
  resolved_by: string | null
  resolution: 'auto' | 'manual' | 'merged' | 'false_alarm' | 'muted' | null
  resolution_note: string | null
  dedupe_key: string
  incident_id: string | null
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  resolution_facts: Generated<Json>
  place: NullableJson
  snoozed_stop_id: string | null
  snoozed_stop_name: string | null
}

interface AllotmentsTable {
  org_id: string
  id: string
  supplier_id: string | null
  place_id: string | null
  from_date: string
  to_date: string
  quantity: number
  used: Generated<number>
  release_at: NullableTimestamp
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

interface AssignmentsTable {
  org_id: string
  id: string
  calendar_entry_id: string
  departure_id: string
  staff_id: string
  role: 'lead_guide' | 'guide' | 'driver' | 'backup' | 'tour_leader' | 'porter'
  status: Generated<
    | 'draft'
    | 'offered'
    | 'accepted'
    | 'declined'
    | 'expired'
    | 'withdrawn'
    | 'on_duty'
    | 'completed'
    | 'released'
    | 'replaced'
  >
  report_at: NullableTimestamp
  release_at: NullableTimestamp
  offered_at: NullableTimestamp
  respond_by: NullableTimestamp
  responded_at: NullableTimestamp
  decline_reason: string | null
  release_reason: string | null
  seen_version: number | null
  pay_note: string | null
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  /** What spoke against the person when somebody assigned or asked them all the same. */
  broken_rules: Generated<('kind' | 'language' | 'certificate' | 'rest' | 'travel' | 'hours' | 'base')[]>
  override_reason: string | null
}

/** Append-only. diff: new values on insert, [old, new] per changed column on update, old values on delete; sensitive columns as ***. */
interface AuditEntriesTable {
  org_id: string
  id: ReadOnly<number>
  at: Generated<Timestamp>
  actor_id: string | null
  actor_kind: Generated<'user' | 'guest_link' | 'system' | 'api'>
  action: string
  op: 'insert' | 'update' | 'delete' | 'event'
  entity_type: string
  entity_id: string
  diff: Generated<Json>
  request_id: string | null
  ip: string | null
}

interface BillingDocumentsTable {
  org_id: string
  id: string
  booking_id: string
  kind: 'invoice' | 'credit_note' | 'receipt'
  sequence: number
  number: ReadOnly<string>
  locale: 'en' | 'de' | 'es'
  currency: string
  total_minor: number
  seller: Json
  buyer: Json
  tour: Json
  lines: Json
  cancels_id: string | null
  payment_id: string | null
  reason: string | null
  issued_on: string
  issued_at: Generated<Timestamp>
  issued_by: string | null
  tax_scheme: Generated<'none' | 'included' | 'margin'>
  taxes: Generated<Json>
}

/** Messages between the party of a booking and the office, on the page of the booking's link. */
interface BookingMessagesTable {
  org_id: string
  id: string
  booking_id: string
  author: 'guest' | 'office'
  user_id: string | null
  body: string
  read_at: NullableTimestamp
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  /** By which a guest answered a text; null for what was written on a page. */
  channel: string | null
}

interface BookingsTable {
  org_id: string
  id: string
  booking_ref: string
  departure_id: string
  status: 'on_hold' | 'requested' | 'waitlisted' | 'confirmed' | 'expired' | 'rejected' | 'cancelled' | 'completed'
  kind: Generated<'fit' | 'seat_in_coach' | 'closed_group'>
  channel: Generated<'direct' | 'phone' | 'agent' | 'ota' | 'partner' | 'walk_in' | 'import'>
  seller_name: string | null
  external_ref: string | null
  contact_name: Generated<string>
  contact_email: string | null
  contact_phone: string | null
  contact_locale: string | null
  contact_country: string | null
  units: Json
  pax: number
  amount_total_minor: Generated<number>
  amount_paid_minor: Generated<number>
  currency: string
  payment_status: Generated<'unpaid' | 'deposit' | 'paid' | 'refunded' | 'agent_credit'>
  pickup_place_id: string | null
  pickup_at: NullableTimestamp
  notes: string | null
  expires_at: NullableTimestamp
  waitlist_rank: number | null
  confirmed_at: NullableTimestamp
  cancelled_at: NullableTimestamp
  cancel_reason: string | null
  import_batch_id: string | null
  search_text: ReadOnly<string>
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  price_reason: string | null
  cancellation_fee_minor: Generated<number>
  cancellation_fee_reason: string | null
  /** When the seats of a hold were offered to a party that had waited; null for a hold that the office made. */
  offered_at: NullableTimestamp
  discount_code_id: string | null
  discount_code: string | null
  discount_minor: Generated<number>
}

interface CalendarFeedsTable {
  org_id: string
  id: string
  staff_id: string | null
  vehicle_id: string | null
  token_hash: Buffer
  token_hint: string
  issued_at: Generated<Timestamp>
  issued_by: string | null
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

/** The outbox. What was read of it is kept as a snapshot (pg_current_snapshot()): the next read takes what that snapshot does not see. No single number can say it, since transactions end in another order than they begin or write. */
interface ChangesTable {
  seq: ReadOnly<number>
  tx: Generated<string>
  org_id: string
  topic: string
  entity_id: string
  op: 'insert' | 'update' | 'delete' | 'event'
  at: Generated<Timestamp>
}

interface CheckInsTable {
  org_id: string
  id: string
  manifest_entry_id: string
  departure_stop_id: string | null
  kind: 'arrive' | 'board' | 'leave' | 'undo'
  at: Generated<Timestamp>
  by_staff_id: string | null
  by_user_id: string | null
  by_link_id: string | null
  method: Generated<'scan' | 'tap' | 'bulk' | 'guest'>
  client_event_id: string
  device_at: NullableTimestamp
  synced_at: Generated<Timestamp>
  lat: number | null
  lng: number | null
}

interface CrewNoticesTable {
  org_id: string
  assignment_id: string
  /** crew_view() before the first change that they have not been told of; null where they have been told of all. */
  was: NullableJson
  /** When the last of these changes was made. */
  changed_at: NullableTimestamp
  /** Revision of the itinerary that they were told of and have not opened; null where there is none. */
  revision_number: number | null
  told_at: NullableTimestamp
  /** When the office was notified that it has not been opened. */
  reported_at: NullableTimestamp
}

interface CrewRemindersTable {
  org_id: string
  user_id: string
  /** The day of the departures, by the clocks of their tours. */
  local_date: string
  decided_at: Generated<Timestamp>
}

interface DailyDigestsTable {
  org_id: string
  user_id: string
  /** The day on which it is sent, in the zone of the organization. */
  local_date: string
  decided_at: Generated<Timestamp>
}

/** Ids of keys for data at rest; the keys are with the installation. A key that encrypts something cannot be removed here. */
interface DataKeysTable {
  id: string
  added_at: Generated<Timestamp>
  lost_at: NullableTimestamp
}

interface DeliveriesTable {
  org_id: string
  id: string
  message_id: string
  traveler_id: string | null
  staff_id: string | null
  supplier_id: string | null
  user_id: string | null
  recipient: string
  channel: 'in_app' | 'email' | 'sms' | 'whatsapp' | 'push' | 'webhook'
  status: Generated<'queued' | 'sent' | 'delivered' | 'read' | 'failed' | 'suppressed'>
  subject: string | null
  body: string | null
  provider_id: string | null
  error: string | null
  suppressed_reason: 'outdated' | 'stopped' | 'opted_out' | 'said_stop' | 'browser_gone' | null
  attempts: Generated<number>
  next_attempt_at: NullableTimestamp
  sent_at: NullableTimestamp
  delivered_at: NullableTimestamp
  read_at: NullableTimestamp
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  booking_id: string | null
  /** Zone in which quiet hours are, while it waits for their end. */
  quiet_zone: string | null
  push_subscription_id: string | null
  /** Path of our own that a push notice opens. */
  link: string | null
  /** Chosen by the sender of this message; null: the one of the booking. */
  language: 'en' | 'de' | 'es' | null
}

interface DepartureFindingsTable {
  org_id: string
  departure_id: string
  kind: 'off_route' | 'long_stop' | 'overspeed' | 'geofence_absent' | 'no_go_area'
  cause: Generated<string>
  since: Timestamp
  seen_at: Timestamp
  lat: number
  lng: number
  facts: Generated<Json>
}

interface DepartureGroupsTable {
  org_id: string
  id: string
  name: string
  local_date: string
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

interface DepartureNotesTable {
  org_id: string
  id: string
  departure_id: string
  at: Generated<Timestamp>
  by_user_id: string | null
  by_link_id: string | null
  by_name: string
  text: string
}

interface DepartureNoticesTable {
  org_id: string
  departure_id: string
  reminded_for: string | null
  late_since: NullableTimestamp
  /** Since when the guests of a departure that has ended wait to be asked how it was; null where nobody is to be asked, or all have been. */
  feedback_from: NullableTimestamp
  /** The local date for which the contacts got the information before the tour; another date brings another one. */
  informed_for: string | null
}

interface DepartureReachTable {
  org_id: string
  departure_id: string
  stop_id: string
  reach_at: Timestamp
  means: 'at_least' | 'expected'
  seen_at: Timestamp
  lat: number
  lng: number
  routed_at: NullableTimestamp
  routed_seen_at: NullableTimestamp
}

interface DepartureServicesTable {
  org_id: string
  id: string
  departure_id: string
  supplier_id: string | null
  day_index: Generated<number>
  kind: 'hotel' | 'meal' | 'ticket' | 'permit' | 'transport' | 'activity'
  description: Generated<string>
  quantity: Generated<number>
  status: Generated<'to_request' | 'requested' | 'confirmed' | 'waitlisted' | 'declined' | 'cancelled'>
  confirmation_ref: string | null
  release_at: NullableTimestamp
  cost_minor: number | null
  currency: string | null
  contact: string | null
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

interface DepartureStopsTable {
  org_id: string
  id: string
  departure_id: string
  stop_order: number
  day_index: Generated<number>
  place_id: string
  kind: Generated<'start' | 'pickup' | 'visit' | 'meal' | 'photo' | 'rest' | 'transfer' | 'overnight' | 'end'>
  planned_arrive_at: Timestamp
  planned_depart_at: Timestamp
  slack_min: Generated<number>
  optional: Generated<boolean>
  headcount_required: Generated<boolean>
  timed_entry: Generated<boolean>
  guest_visible: Generated<boolean>
  note: string | null
  status: Generated<'planned' | 'approaching' | 'arrived' | 'departed' | 'skipped'>
  actual_arrive_at: NullableTimestamp
  actual_depart_at: NullableTimestamp
  source: 'gps' | 'guide' | 'dispatcher' | 'inferred' | null
  eta_at: NullableTimestamp
  eta_computed_at: NullableTimestamp
  delay_seconds: Generated<number>
  headcount_expected: number | null
  headcount_actual: number | null
  skip_reason: string | null
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  depart_source: 'gps' | 'guide' | 'dispatcher' | 'inferred' | null
  withdrawn_at: NullableTimestamp
  travel_mode: 'walk' | 'drive' | 'boat' | 'rail' | 'air' | null
  signal_gap: Generated<boolean>
}

interface DeparturesTable {
  org_id: string
  id: string
  code: string
  group_id: string | null
  tour_id: string
  revision_id: string
  option_id: string | null
  status: Generated<
    'draft' | 'scheduled' | 'guaranteed' | 'boarding' | 'in_progress' | 'completed' | 'cancelled' | 'aborted'
  >
  sales_status: Generated<'open' | 'paused' | 'closed'>
  starts_at: Timestamp
  ends_at: Timestamp
  time_zone: string
  local_date: string
  local_start_time: string
  language: string | null
  capacity: number
  min_pax: Generated<number>
  overbook_limit: Generated<number>
  seats_confirmed: Generated<number>
  seats_held: Generated<number>
  /** Parties waiting, not persons. */
  waitlist_count: Generated<number>
  decide_by: NullableTimestamp
  guaranteed_at: NullableTimestamp
  cutoff_at: NullableTimestamp
  actual_start_at: NullableTimestamp
  actual_end_at: NullableTimestamp
  delay_seconds: Generated<number>
  readiness: Generated<Json>
  weather_note: string | null
  internal_note: string | null
  cancel_reason: 'low_pax' | 'weather' | 'staff' | 'vehicle' | 'safety' | 'supplier' | 'other' | 'combined' | null
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  /** One party only: with its first seat nobody else is sold one. */
  private: Generated<boolean>
}

interface DeviceSignalsTable {
  org_id: string
  device_id: string
  last_seen_at: Generated<Timestamp>
  protocol: 'osmand' | 'owntracks' | 'duty_page'
  battery_pct: number | null
  clock_skew_s: number | null
}

interface DevicesTable {
  org_id: string
  id: string
  kind: Generated<'phone' | 'tracker' | 'vehicle_unit'>
  external_id: string | null
  label: string
  staff_id: string | null
  vehicle_id: string | null
  token_hash: Buffer | null
  token_expires_at: NullableTimestamp
  report_interval_s: Generated<number>
  archived_at: NullableTimestamp
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  pairing_hash: Buffer | null
  pairing_expires_at: NullableTimestamp
  is_duty_page: Generated<boolean>
  past_token_hash: Buffer | null
}

/** Codes that make a sale cheaper. Archived ones are not taken any more; bookings keep what they gave. */
interface DiscountCodesTable {
  org_id: string
  id: string
  code: string
  kind: 'percent' | 'amount'
  value: number
  currency: string | null
  valid_by: Generated<'sale' | 'departure'>
  valid_from: string | null
  valid_until: string | null
  max_uses: Generated<number>
  archived_at: NullableTimestamp
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  /** None: every tour. */
  tour_ids: Generated<string[]>
}

interface DocumentsTable {
  path: string
  org_id: string | null
  user_id: string | null
  data: Json
  version: Generated<number>
  create_time: Generated<Timestamp>
  update_time: Generated<Timestamp>
}

interface DutyEventsTable {
  org_id: string
  id: string
  kind: string
  departure_id: string | null
  by_user_id: string | null
  by_link_id: string | null
  author: ReadOnly<string>
  device_at: Timestamp
  at: Timestamp
  received_at: Generated<Timestamp>
  event: Json
  answer: Json
}

interface DutySessionsTable {
  org_id: string
  id: string
  staff_id: string | null
  vehicle_id: string | null
  departure_id: string | null
  status: Generated<'open' | 'closed'>
  started_at: Generated<Timestamp>
  ended_at: NullableTimestamp
  ended_by: 'person' | 'dispatcher' | 'departure' | 'limit' | null
  source: Generated<'app' | 'dispatcher' | 'auto'>
  consent_version: string | null
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  breaks: Generated<string>
  break_started_at: NullableTimestamp
  tracked_from: NullableTimestamp
  /** When the office last asked the phone of this person for a position. */
  asked_at: NullableTimestamp
}

interface DutyStartNoticesTable {
  org_id: string
  assignment_id: string
  told_at: Generated<Timestamp>
}

interface EquipmentTable {
  org_id: string
  id: string
  name: string
  kind: 'safety' | 'clothing' | 'child_seat' | 'radio' | 'other'
  quantity: number
  sizes: string | null
  condition: Generated<'good' | 'worn' | 'broken'>
  base_place_id: string | null
  note: string | null
  archived_at: NullableTimestamp
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

interface EquipmentIssuesTable {
  org_id: string
  departure_id: string
  equipment_id: string
  quantity: number
  during: string
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

interface FeedbackTable {
  org_id: string
  id: string
  departure_id: string
  booking_id: string | null
  traveler_id: string | null
  staff_id: string | null
  tour_rating: number | null
  guide_rating: number | null
  nps: number | null
  comment: string | null
  language: string | null
  source: Generated<'link' | 'email' | 'ota' | 'import'>
  at: Generated<Timestamp>
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

interface FeedbackFollowUpsTable {
  org_id: string
  id: string
  owner_user_id: string | null
  note: string | null
  closed_at: NullableTimestamp
  closed_by: string | null
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

interface FieldStaffTable {
  org_id: string
  id: string
  code: string
  first_name: string
  last_name: string
  kinds: Generated<string[]>
  employment: Generated<'employee' | 'freelance' | 'supplier'>
  supplier_id: string | null
  status: Generated<'active' | 'inactive' | 'suspended'>
  photo_url: string | null
  phone: string | null
  email: string | null
  emergency_name: string | null
  emergency_relation: string | null
  emergency_phone: string | null
  home_base_place_id: string | null
  languages: Generated<Json>
  skills: Generated<string[]>
  max_hours_per_day: Generated<number>
  min_rest_hours: Generated<number>
  contracted_hours_per_week: number | null
  cost_per_day_minor: number | null
  currency: string | null
  rating_average: number | null
  rating_count: Generated<number>
  member_user_id: string | null
  tracking_consent_at: NullableTimestamp
  tracking_consent_version: string | null
  notes: string | null
  archived_at: NullableTimestamp
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

interface FilesTable {
  org_id: string
  id: string
  path: string
  purpose: string
  file_name: string
  content_type: string
  size_bytes: number
  received_bytes: Generated<number>
  sha256: Buffer | null
  status: Generated<'uploading' | 'stored' | 'failed' | 'deleted'>
  public: Generated<boolean>
  metadata: Generated<Json>
  created_by: string | null
  completed_at: NullableTimestamp
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  /** The key of this content, encrypted; null for a content that is kept as it came. */
  content_key_sealed: Buffer | null
  /** The id of the data key that encrypted the key of the content. */
  content_key: ReadOnly<string | null>
}

/** Seats held by open booking forms. A transport like presence: without audit; the counters of the departure report the change. */
interface FormHoldsTable {
  org_id: string
  user_id: string
  id: string
  departure_id: string
  seats: number
  expires_at: Timestamp
  slot: number
}

interface GeofencesTable {
  org_id: string
  id: string
  name: string
  kind: 'place' | 'corridor' | 'no_go' | 'depot'
  place_id: string | null
  geojson: Json
  enter_m: Generated<number>
  exit_m: Generated<number>
  dwell_s: Generated<number>
  active_calendar: NullableJson
  archived_at: NullableTimestamp
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

interface GuestOccasionsTable {
  org_id: string
  id: string
  event: string
  booking_id: string
  departure_id: string
  occurrence: string
  at: Generated<Timestamp>
  final_at: Generated<Timestamp>
  said: NullableJson
  said_before: NullableJson
  local_date: string | null
  delay_minutes: number | null
  expected_at: NullableTimestamp
  /** Guests of the party at the time. */
  pax: number
  /** Whether something was due of the booking at the time. */
  owes: boolean
}

interface HeadcountsTable {
  org_id: string
  id: string
  departure_stop_id: string
  expected: number
  counted: number
  reason: string | null
  by_staff_id: string | null
  by_user_id: string | null
  at: Generated<Timestamp>
}

interface IdempotencyKeysTable {
  org_id: string
  key: string
  callable: string
  user_id: string | null
  request_hash: string
  created_at: Generated<Timestamp>
  /** What a repeated call is answered, encrypted. */
  answer: Buffer | null
  /** When the answer holds a secret that is shown once, such as the token of a link: not kept after this. */
  answer_until: NullableTimestamp
}

interface ImportBatchesTable {
  org_id: string
  id: string
  kind: 'manifest' | 'travelers' | 'rooming' | 'staff' | 'tours'
  file_id: string | null
  file_name: string
  sha256: Buffer | null
  mapping: Generated<Json>
  options: Generated<Json>
  status: Generated<'parsed' | 'previewed' | 'applied' | 'undone' | 'failed'>
  counts: Generated<Json>
  progress: Generated<Json>
  errors: Generated<Json>
  applied_at: NullableTimestamp
  undone_at: NullableTimestamp
  created_by: string | null
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

/** Applied whenever the rows of the file are read; the file itself stays as it was uploaded. */
interface ImportCorrectionsTable {
  org_id: string
  id: string
  batch_id: string
  line: number
  /** Column of the file, from 0. */
  place: number
  /** Counts for every cell of the column that holds the same; the line is that of the first one. */
  everywhere: Generated<boolean>
  /** What the file holds and what counts instead, sealed (platform/sealed-text.ts). */
  cell: Buffer
  cell_key: ReadOnly<string | null>
  corrected_by: string | null
  corrected_at: Generated<Timestamp>
}

interface ImportDeparturesTable {
  org_id: string
  departure_id: string
  batch_id: string
  tour_id: string
  /** The published tour that the check saw: of another one the departure would be another. */
  revision_id: string
  code: string
  local_date: string
  local_start_time: string
  capacity: number
  lines: number
  /** Ids of its stops in their order, which guests of the plan refer to as their pickup. */
  stops: Generated<string[]>
  is_made: Generated<boolean>
  /** Why an undo left it. */
  kept_because: 'bookings' | 'assignments' | 'changes' | null
  option_id: string | null
}

/** The ids are notes for undoing and carry no foreign key: what they name may be gone by then. */
interface ImportRowsTable {
  org_id: string
  batch_id: string
  line: number
  status: 'add' | 'change' | 'unchanged' | 'rejected'
  reason: string | null
  raw: Generated<Json>
  before: NullableJson
  after: NullableJson
  departure_id: string | null
  booking_id: string | null
  traveler_id: string | null
  manifest_entry_id: string | null
  created_entities: Generated<Json>
  /** Line of the first row of the same booking: parties are taken or refused together, in the order of the file. */
  party: Generated<number>
  passport_value_key: ReadOnly<string | null>
  medical_value_key: ReadOnly<string | null>
  passport_set_key: ReadOnly<string | null>
  passport_was_key: ReadOnly<string | null>
  medical_set_key: ReadOnly<string | null>
  medical_was_key: ReadOnly<string | null>
}

interface ImportWorkTable {
  org_id: string
  batch_id: string
  /** Columns of the file with what they hold in numbers, encoding and separator. No values. */
  analysis: Generated<Json>
  /** Whom an undo left alone: name and departure. */
  kept: Generated<Json>
  run_id: string | null
  job: 'preview' | 'apply' | 'undo' | null
  phase: string | null
  done: Generated<number>
  total: Generated<number>
  started_at: NullableTimestamp
  heartbeat_at: NullableTimestamp
  stop_requested: Generated<boolean>
  /** First values of the columns and the first line, sealed (platform/sealed-text.ts). */
  samples: Buffer | null
  samples_key: ReadOnly<string | null>
}

interface IncidentEntriesTable {
  org_id: string
  id: string
  incident_id: string
  at: Generated<Timestamp>
  author_id: string | null
  kind:
    | 'note'
    | 'call'
    | 'status'
    | 'file'
    | 'file_removed'
    | 'message'
    | 'task_done'
    | 'task_reopened'
    | 'task_removed'
    | 'merged'
  text: Generated<string>
  file_id: string | null
}

interface IncidentTasksTable {
  org_id: string
  id: string
  incident_id: string
  text: string
  assignee_id: string | null
  due_at: NullableTimestamp
  created_by: string | null
  done_at: NullableTimestamp
  done_by: string | null
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

interface IncidentTravelersTable {
  org_id: string
  incident_id: string
  traveler_id: string
  note: string | null
}

interface IncidentsTable {
  org_id: string
  id: string
  number: string
  title: Generated<string>
  category:
    | 'medical'
    | 'missing_person'
    | 'vehicle'
    | 'weather'
    | 'security'
    | 'supplier'
    | 'complaint'
    | 'lost_item'
    | 'near_miss'
    | 'other'
  severity: number
  status: Generated<'reported' | 'triaged' | 'active' | 'stabilised' | 'resolved' | 'reviewed' | 'merged'>
  departure_id: string | null
  place_id: string | null
  lat: number | null
  lng: number | null
  reported_by: string | null
  owner_user_id: string | null
  root_cause: string | null
  actions: Generated<Json>
  closed_at: NullableTimestamp
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  merged_into_id: string | null
}

interface InitialStatusesTable {
  machine: string
  status: string
}

interface InvitationsTable {
  org_id: string
  id: string
  email: string
  role: 'admin' | 'operations_manager' | 'dispatcher' | 'tour_designer' | 'guide' | 'viewer'
  status: Generated<'pending' | 'accepted' | 'revoked' | 'expired'>
  staff_id: string | null
  locale: string | null
  message: string | null
  invited_by: string | null
  expires_at: Timestamp
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

interface LatestPositionsTable {
  org_id: string
  subject_id: ReadOnly<string>
  staff_id: string | null
  vehicle_id: string | null
  device_id: string
  duty_session_id: string
  recorded_at: Timestamp
  received_at: Generated<Timestamp>
  lat: number
  lng: number
  accuracy_m: number | null
  speed_mps: number | null
  heading_deg: number | null
  altitude_m: number | null
  battery_pct: number | null
  is_moving: boolean | null
}

interface LegalTransitionsTable {
  machine: string
  from_status: string
  to_status: string
}

interface LinkAccessesTable {
  org_id: string
  id: string
  link_id: string
  at: Generated<Timestamp>
  ip_hash: string | null
  user_agent_family: string | null
  country: string | null
  /** Somebody entered a wrong passcode and saw nothing. */
  is_wrong_passcode: Generated<boolean>
}

interface ManifestEntriesTable {
  org_id: string
  id: string
  departure_id: string
  booking_id: string
  traveler_id: string
  unit_type: Generated<'adult' | 'youth' | 'child' | 'infant' | 'family' | 'senior' | 'student' | 'military' | 'other'>
  status: Generated<
    'expected' | 'checked_in' | 'on_tour' | 'finished' | 'left_early' | 'missing' | 'no_show' | 'cancelled'
  >
  seat_or_group: string | null
  assigned_staff_id: string | null
  pickup_stop_id: string | null
  waiver_signed_at: NullableTimestamp
  flags: Generated<string[]>
  check_in_at: NullableTimestamp
  check_in_by: string | null
  import_batch_id: string | null
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  details_confirmed_at: NullableTimestamp
  /** Version of the traveler that the guest confirmed. */
  details_confirmed_version: number | null
  note: string | null
  age: number | null
  child_seat: Generated<boolean>
  /** Day of the departure for which the age was said; a party that moves keeps it. */
  age_on: string | null
  /** Needed on this trip besides the diets of the profile. */
  trip_dietary:
    | 'vegetarian'
    | 'vegan'
    | 'halal'
    | 'kosher'
    | 'gluten_free'
    | 'dairy_free'
    | 'nut_allergy'
    | 'shellfish_allergy'
    | 'other'
    | null
  /** Instead of that of the profile, on this trip; null: as in the profile. */
  trip_mobility: 'none' | 'cane' | 'wheelchair' | 'no_stairs' | 'other' | null
}

interface MembersTable {
  org_id: string
  user_id: string
  role: 'admin' | 'operations_manager' | 'dispatcher' | 'tour_designer' | 'guide' | 'viewer'
  status: Generated<'active' | 'suspended' | 'removed'>
  email: string | null
  name: string | null
  image_url: string | null
  staff_id: string | null
  joined_at: Generated<Timestamp>
  last_seen_at: NullableTimestamp
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

interface MessageTemplatesTable {
  org_id: string
  id: string
  name: string
  channel: Generated<'in_app' | 'email' | 'sms' | 'whatsapp' | 'push' | 'webhook'>
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  texts: Json
}

interface MessagesTable {
  org_id: string
  id: string
  source: Generated<'rule' | 'manual' | 'incident' | 'system'>
  status: Generated<'draft' | 'scheduled' | 'sending' | 'sent' | 'partly_failed' | 'failed' | 'cancelled'>
  kind: Generated<string>
  rule_id: string | null
  subject_type: string | null
  subject_id: string | null
  occurrence: string | null
  departure_id: string | null
  incident_id: string | null
  template_id: string | null
  audience: Generated<Json>
  subject: string | null
  body: Generated<string>
  locale: string | null
  scheduled_at: NullableTimestamp
  sent_at: NullableTimestamp
  counts: Generated<Json>
  created_by: string | null
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  said: NullableJson
  said_before: NullableJson
  texts: NullableJson
  /** Guests of the party when it was written by a rule for guests. */
  pax: number | null
  /** Whether something was due of the booking when it was written by a rule for guests. */
  owes: boolean | null
  link_id: string | null
  /** When the role of its rule was notified that it has failed; once, also where it fails again after another try. */
  escalated_at: NullableTimestamp
}

interface NotificationPreferencesTable {
  org_id: string
  id: string
  user_id: string | null
  staff_id: string | null
  traveler_id: string | null
  event: string
  channel: 'in_app' | 'email' | 'sms' | 'whatsapp' | 'push' | 'webhook'
  enabled: boolean
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

interface NotificationRulesTable {
  org_id: string
  id: string
  name: Generated<string>
  event: string
  enabled: Generated<boolean>
  /** Of a rule for guests: atLeast, atMost (guests of the party) and owes (any, something, nothing). */
  conditions: Generated<Json>
  audience: 'staff' | 'travelers' | 'members' | 'suppliers'
  /** tourIds and channels: lists, of which an empty one is no limit. */
  audience_selector: Generated<Json>
  channels: string[]
  template_id: string | null
  /** When it is due: minutes from the beginning of the day of the departure (negative: the day before), from its start, from when guests are met, of delay, or after its end. */
  offset_min: Generated<number>
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  texts: Generated<Json>
  texts_version: Generated<number>
  /** Who is notified of a message of this rule that has failed for good; null: nobody, and the alert message_failed remains. */
  escalate_to: 'dispatcher' | 'operations_manager' | 'admin' | null
  escalate_since: NullableTimestamp
}

interface NumberSeriesTable {
  org_id: string
  name: string
  last_value: number
}

/** Addresses that get only what is needed for a booking, or, where their owner wrote STOP, nothing. */
interface OptOutsTable {
  org_id: string
  id: string
  channel: 'email' | 'sms' | 'whatsapp'
  address: string
  booking_id: string | null
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  /** The owner of the number wrote STOP, or another word for it. */
  is_by_text: Generated<boolean>
}

interface OrgSettingsTable {
  org_id: string
  time_zone: Generated<string>
  locale: Generated<string>
  week_start: Generated<number>
  currency: Generated<string>
  units: Generated<'metric' | 'imperial'>
  map_center_lat: Generated<number>
  map_center_lng: Generated<number>
  map_zoom: Generated<number>
  map_style: Generated<string>
  working_hours: Generated<Json>
  positions_days: Generated<number>
  tracks_days: Generated<number>
  sensitive_days: Generated<number>
  default_capacity: Generated<number>
  default_min_pax: Generated<number>
  default_cutoff_minutes: Generated<number>
  default_overbook_limit: Generated<number>
  hold_minutes: Generated<number>
  waitlist_offer_minutes: Generated<number>
  boarding_opens_minutes: Generated<number>
  on_time_tolerance_minutes: Generated<number>
  /** Minutes after the planned time from which a no-show may be marked; negative is before it (product description, 4.5). */
  no_show_after_minutes: Generated<number>
  decide_by_days: Generated<number>
  booking_ref_prefix: Generated<string>
  departure_code_pattern: Generated<string>
  /** Alert kind to threshold where it differs from the default of the product description, 4.5. */
  thresholds: Generated<Json>
  tour_rules: Generated<Json>
  notification_rules: Generated<Json>
  custom_fields: Generated<Json>
  privacy_text: string | null
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  general: Generated<Json>
  second_factor_roles: Generated<string[]>
  /** First day of the rule, by the clock of the organization. */
  second_factor_from: string | null
  /** When time zone and currency were chosen; null asks for them on the overview. */
  set_up_at: NullableTimestamp
  time_format: Generated<'24h' | '12h'>
  router_kind: 'osrm' | 'valhalla' | null
  router_address: string | null
  router_silent_since: NullableTimestamp
  tiles_source: 'style' | 'pmtiles' | null
  tiles_address: string | null
  /** Guests change names and diet until so many hours before the start. */
  guest_changes_hours: Generated<number>
  /** Since when occasions are noted; null: from the beginning. */
  guest_occasions_from: NullableTimestamp
}

interface OrganizationsTable {
  org_id: string
  name: string
  slug: string | null
  logo_url: string | null
  identity_kind: Generated<'embedded' | 'clerk'>
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

interface OwnPreferencesTable {
  org_id: string
  user_id: string
  preferences: Generated<Json>
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

interface PaymentsTable {
  org_id: string
  id: string
  booking_id: string
  kind: 'payment' | 'refund'
  method: 'cash' | 'card_terminal' | 'transfer' | 'agent_credit' | 'voucher' | null
  amount_minor: number
  currency: string
  received_at: Timestamp
  reference: string | null
  note: string | null
  recorded_by: string | null
  voided_at: NullableTimestamp
  voided_by: string | null
  void_reason: string | null
  import_batch_id: string | null
  created_at: Generated<Timestamp>
}

interface PhoneChannelsTable {
  org_id: string
  id: string
  channel: 'sms' | 'whatsapp'
  adapter: 'webhook' | 'twilio'
  address: string | null
  account: string | null
  sender: string | null
  /** What signs a webhook, or the token of the provider, sealed (platform/sealed-text.ts). */
  secret: Buffer
  channel_key: ReadOnly<string | null>
  /** The one by which guests are reached where both are set up. */
  is_preferred: Generated<boolean>
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

interface PlacesTable {
  org_id: string
  id: string
  name: string
  kind: Generated<
    | 'meeting_point'
    | 'sight'
    | 'hotel'
    | 'restaurant'
    | 'airport'
    | 'viewpoint'
    | 'depot'
    | 'hospital'
    | 'camp'
    | 'other'
  >
  lat: number
  lng: number
  address: string | null
  time_zone: string | null
  phone: string | null
  opening_note: string | null
  photo_url: string | null
  enter_m: Generated<number>
  exit_m: Generated<number>
  dwell_s: Generated<number>
  archived_at: NullableTimestamp
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

interface PositionDropsTable {
  org_id: string
  device_id: string
  day: string
  reason: 'outside_session' | 'foreign_session' | 'no_consent' | 'on_break' | 'too_old' | 'clock_wrong' | 'malformed'
  dropped: Generated<number>
}

interface PositionsTable {
  org_id: string
  device_id: string
  recorded_at: Timestamp
  duty_session_id: string
  received_at: Generated<Timestamp>
  lat: number
  lng: number
  accuracy_m: number | null
  speed_mps: number | null
  heading_deg: number | null
  altitude_m: number | null
  battery_pct: number | null
  is_moving: boolean | null
  source: Generated<'gps' | 'network' | 'manual'>
  valid: Generated<boolean>
}

/** What parties of cancelled departures were offered, and what they answered. */
interface ProposalsTable {
  org_id: string
  id: string
  booking_id: string
  from_departure_id: string
  to_departure_id: string | null
  seats: number
  at_price_there: Generated<boolean>
  amount_minor: number | null
  asked_at: Generated<Timestamp>
  expires_at: Timestamp
  outcome: 'moved' | 'refunded' | 'expired' | 'withdrawn' | null
  ended_at: NullableTimestamp
  answered_by: 'guest' | 'office' | null
}

interface PushSubscriptionsTable {
  org_id: string
  id: string
  user_id: string
  /** Browser and system, as their owner reads it. */
  name: string
  /** Address at the push service of the browser (RFC 8030). */
  endpoint: string
  /** Public key of the browser, in base64url; as the next a parameter of its encryption (RFC 8291). */
  p256dh: string
  auth: string
  created_at: Generated<Timestamp>
}

interface ReportRunsTable {
  org_id: string
  id: string
  report: string
  params: Generated<Json>
  params_hash: string
  as_of: Generated<Timestamp>
  row_count: Generated<number>
  totals: Generated<Json>
  created_by: string | null
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

interface RoadWaysTable {
  org_id: string
  mode: 'drive' | 'walk'
  from_lat: number
  from_lng: number
  to_lat: number
  to_lng: number
  seconds: number | null
  meters: number | null
  asked_at: Generated<Timestamp>
}

interface RollCallResponsesTable {
  org_id: string
  id: string
  roll_call_id: string
  traveler_id: string | null
  staff_id: string | null
  answer: Generated<'safe' | 'need_help' | 'no_answer'>
  answered_at: NullableTimestamp
  note: string | null
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  answered_by: 'guest' | 'office' | null
}

interface RollCallsTable {
  org_id: string
  id: string
  incident_id: string | null
  scope: Generated<Json>
  question: string | null
  sent_at: Generated<Timestamp>
  sent_by: string | null
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

interface RoomAssignmentsTable {
  org_id: string
  room_id: string
  manifest_entry_id: string
  import_batch_id: string | null
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

interface RoomsTable {
  org_id: string
  id: string
  departure_id: string
  night_date: string
  place_id: string | null
  type: 'SGL' | 'DBL' | 'TWN' | 'TRP' | 'QUAD' | 'DORM' | 'TENT'
  room_key: string | null
  share_note: string | null
  import_batch_id: string | null
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

interface SavedViewsTable {
  org_id: string
  id: string
  user_id: string
  screen: string
  name: string
  filters: Generated<Json>
  columns: Generated<Json>
  shared: Generated<boolean>
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

interface SharedLinkTokensTable {
  org_id: string
  id: string
  link_id: string
  token_hash: Buffer
  token_hint: string
  issued_at: Generated<Timestamp>
  issued_by: string | null
  revoked_at: NullableTimestamp
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

interface SharedLinksTable {
  org_id: string
  id: string
  kind:
    | 'departure_guest'
    | 'booking_guest'
    | 'traveler'
    | 'staff_runsheet'
    | 'supplier_manifest'
    | 'live_map'
    | 'report'
    | 'roll_call'
  subject_id: string
  departure_id: string | null
  label: Generated<string>
  scopes: Generated<Json>
  location_delay_s: Generated<number>
  blur_m: Generated<number>
  passcode_hash: string | null
  locale: string | null
  starts_at: Generated<Timestamp>
  expires_at: Timestamp
  max_views: number | null
  status: Generated<'scheduled' | 'active' | 'paused' | 'expired' | 'revoked'>
  created_by: string | null
  view_count: Generated<number>
  last_viewed_at: NullableTimestamp
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  /** Whether nobody chose the end: expires_at is then the earliest end, and shared_link_end() the end. */
  ends_with_departure: Generated<boolean>
  /** Of a supplier manifest: for whom it is. Without services on the departure it shows nothing of the guests. */
  supplier_id: string | null
  /** Of the link of a traveler: whose it is. It has no departure of its own: it shows where the traveler has a seat by now. */
  traveler_id: string | null
  /** Of a live map: the tour that it shows; null for all of them. */
  tour_id: string | null
  /** Of the kind report: which one. Never that of the staff. */
  report: 'tour-performance' | 'traveler-insights' | null
  /** The period is the last days until today by the calendar of the organization; null where it is from report_from to report_to. */
  report_days: number | null
  report_from: string | null
  report_to: string | null
  report_compare: 'none' | 'previous' | 'last_year' | null
}

interface ShiftNotesTable {
  org_id: string
  id: string
  text: string
  written_by: string | null
  written_at: Generated<Timestamp>
  acknowledged_by: string | null
  acknowledged_at: NullableTimestamp
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

interface StaffCalendarEntriesTable {
  org_id: string
  id: string
  staff_id: string
  during: string
  kind: 'assignment' | 'open_shift' | 'time_off' | 'rest' | 'training' | 'external_busy'
  status: Generated<'tentative' | 'requested' | 'confirmed' | 'approved' | 'declined' | 'cancelled'>
  /** From before notes were encrypted; empty once the server has started. */
  note: string | null
  blocking: ReadOnly<boolean>
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  note_sealed: Buffer | null
  note_key: ReadOnly<string | null>
}

interface StaffCertificatesTable {
  org_id: string
  id: string
  staff_id: string
  kind:
    | 'first_aid'
    | 'wilderness_first_aid'
    | 'national_guide_licence'
    | 'driving_D1'
    | 'driving_D'
    | 'mountain_guide'
    | 'lifeguard'
    | 'other'
  number: string | null
  issued_on: string | null
  valid_until: string | null
  file_id: string | null
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

interface SuppliersTable {
  org_id: string
  id: string
  name: string
  kind: Generated<'hotel' | 'restaurant' | 'transport' | 'attraction' | 'dmc' | 'guide_agency' | 'other'>
  contacts: Generated<Json>
  emergency_phone: string | null
  notes: string | null
  archived_at: NullableTimestamp
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  language: 'en' | 'de' | 'es' | null
}

interface TourOptionsTable {
  org_id: string
  id: string
  tour_id: string
  name: string
  start_times_local: Generated<string[]>
  language: string | null
  private: Generated<boolean>
  archived_at: NullableTimestamp
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  prices: Generated<Json>
}

interface TourRevisionsTable {
  org_id: string
  id: string
  tour_id: string
  number: number
  note: string | null
  content: Json
  published_at: NullableTimestamp
  published_by: string | null
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

interface ToursTable {
  org_id: string
  id: string
  code: string
  name: string
  kind: Generated<'day' | 'multi_day' | 'walking' | 'transfer' | 'private'>
  status: Generated<'draft' | 'published' | 'archived'>
  category: string | null
  summary: string | null
  time_zone: Generated<string>
  duration_min: number | null
  duration_days: number | null
  difficulty: Generated<'easy' | 'moderate' | 'demanding' | 'expert'>
  languages: Generated<string[]>
  default_capacity: Generated<number>
  min_pax: Generated<number>
  overbook_limit: Generated<number>
  cutoff_minutes: Generated<number>
  release_days: Generated<number>
  decide_by_days: number | null
  guide_ratio: number | null
  required_roles: Generated<Json>
  required_skills: Generated<string[]>
  vehicle_class: string | null
  inclusions: Generated<string[]>
  exclusions: Generated<string[]>
  what_to_bring: string | null
  cancellation_policy: string | null
  color: string | null
  cover_url: string | null
  thresholds: Generated<Json>
  wizard_state: Generated<Json>
  current_revision_id: string | null
  archived_at: NullableTimestamp
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  cancellation_steps: Generated<Json>
}

interface TravelerCountsTable {
  org_id: string
  id: Generated<string>
  /** Empty for those without one. */
  nationality: string
  difference: number
}

interface TravelerDocumentsTable {
  org_id: string
  id: string
  traveler_id: string
  kind: 'passport' | 'id' | 'visa' | 'insurance'
  number_encrypted: Buffer | null
  number_last4: string | null
  country: string | null
  expires_on: string | null
  file_id: string | null
  verified_at: NullableTimestamp
  import_batch_id: string | null
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  number_key: ReadOnly<string | null>
}

interface TravelerPrivateTable {
  org_id: string
  traveler_id: string
  date_of_birth: string | null
  /** From before notes were encrypted; empty once the server has started. */
  medical_note: string | null
  keep_by_consent: Generated<boolean>
  import_batch_id: string | null
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  medical_sealed: Buffer | null
  medical_key: ReadOnly<string | null>
}

interface TravelersTable {
  org_id: string
  id: string
  first_name: Generated<string>
  last_name: Generated<string>
  preferred_name: string | null
  gender: string | null
  nationality: string | null
  residence_country: string | null
  languages: Generated<string[]>
  email: string | null
  phone: string | null
  dietary: Generated<
    (
      | 'vegetarian'
      | 'vegan'
      | 'halal'
      | 'kosher'
      | 'gluten_free'
      | 'dairy_free'
      | 'nut_allergy'
      | 'shellfish_allergy'
      | 'other'
    )[]
  >
  dietary_note: string | null
  mobility: Generated<'none' | 'cane' | 'wheelchair' | 'no_stairs' | 'other'>
  mobility_note: string | null
  emergency_name: string | null
  emergency_relation: string | null
  emergency_phone: string | null
  tags: Generated<string[]>
  marketing_consent: Generated<boolean>
  lifetime_tours: Generated<number>
  lifetime_last_at: NullableTimestamp
  merged_into_id: string | null
  anonymised_at: NullableTimestamp
  archived_at: NullableTimestamp
  import_batch_id: string | null
  /** Name, phone digits and e-mail, as searchable() has them; begins with a space so that word starts can be asked for. */
  search_text: ReadOnly<string>
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

interface UntoldSuppliersTable {
  org_id: string
  departure_id: string
  supplier_id: string
}

interface VehicleAssignmentsTable {
  org_id: string
  calendar_entry_id: string
  departure_id: string
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

interface VehicleCalendarEntriesTable {
  org_id: string
  id: string
  vehicle_id: string
  during: string
  kind: 'departure' | 'pickup' | 'drop_off' | 'cleaning' | 'maintenance' | 'hire'
  status: Generated<'tentative' | 'confirmed' | 'cancelled'>
  driver_staff_id: string | null
  note: string | null
  blocking: ReadOnly<boolean>
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

interface VehiclesTable {
  org_id: string
  id: string
  plate: string
  label: string
  class: Generated<'minibus' | 'coach' | '4x4' | 'van' | 'boat' | 'other'>
  seats: number
  wheelchair_places: Generated<number>
  status: Generated<'active' | 'maintenance' | 'retired'>
  inspection_valid_until: string | null
  archived_at: NullableTimestamp
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  /** Seats for children that stay in the vehicle; others are equipment. */
  child_seats: Generated<number>
}

interface WeatherSourcesTable {
  org_id: string
  id: string
  token_hash: Buffer
  token_hint: string
  issued_at: Generated<Timestamp>
  issued_by: string | null
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

interface WeatherWarningTargetsTable {
  org_id: string
  id: string
  warning_id: string
  tour_id: string | null
  departure_id: string | null
}

interface WeatherWarningsTable {
  org_id: string
  id: string
  title: string
  message: string
  severity: 'info' | 'warning' | 'critical'
  starts_at: Timestamp
  ends_at: Timestamp
  reach: 'everything' | 'bases' | 'tours' | 'departures' | 'area'
  zones: Generated<string[]>
  geojson: NullableJson
  radius_m: number | null
  stated_by: string | null
  external_id: string | null
  ended_at: NullableTimestamp
  ended_by: string | null
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

/** The queue and the log of webhooks. A row is deleted 30 days after the event. */
interface WebhookDeliveriesTable {
  org_id: string
  id: Generated<string>
  endpoint_id: string
  /** The same in every attempt and for every endpoint, so that a receiver leaves out what it has. */
  event_id: Generated<string>
  seq: ReadOnly<number>
  kind: string
  body: Json
  status: Generated<'queued' | 'delivered' | 'failed'>
  attempts: Generated<number>
  next_attempt_at: Generated<Timestamp>
  attempted_at: NullableTimestamp
  answer_status: number | null
  answer_body: string | null
  fault: 'private' | 'silent' | 'unsigned' | null
  duration_ms: number | null
  created_at: Generated<Timestamp>
}

/** Addresses of an operator's own systems, and of which events each is notified. */
interface WebhookEndpointsTable {
  org_id: string
  id: string
  url: string
  description: string | null
  event_kinds: (
    | 'booking.created'
    | 'booking.changed'
    | 'booking.cancelled'
    | 'payment.recorded'
    | 'payment.voided'
    | 'departure.created'
    | 'departure.changed'
    | 'departure.cancelled'
    | 'departure.departed'
    | 'departure.completed'
    | 'stop.arrived'
    | 'stop.departed'
    | 'alert.opened'
    | 'alert.resolved'
    | 'check_in.recorded'
    | 'message.failed'
  )[]
  is_on: Generated<boolean>
  off_reason: 'gone' | 'failing' | null
  secret_hint: string
  secret_made_at: Generated<Timestamp>
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

/** How sending to an endpoint is going. */
interface WebhookQueuesTable {
  org_id: string
  endpoint_id: string
  /** What signs, and until when the former secret signs too, sealed (platform/sealed-text.ts). */
  secrets_sealed: Buffer
  secrets_key: ReadOnly<string | null>
  /** The first of the attempts that have failed without a success between them. */
  failing_since: NullableTimestamp
  /** Nothing is sent before: the endpoint did not take what came first. */
  paused_until: NullableTimestamp
  /** Who sends now. Another one may from taken_until on: then this one was killed. */
  taken_by: string | null
  taken_until: NullableTimestamp
}

/** One row per place that live documents are published to. Whoever publishes holds its row locked, so that versions arrive in order. */
interface FeedCursorsTable {
  name: string
  tx: string | null
  seq: number | null
  moved_at: Generated<Timestamp>
  /** Everything visible in it is published. */
  seen: string
  /** While a read that is too long for one batch goes on: its end. tx and seq are the last row of it that is published. */
  upto: string | null
}

/** Documents with positions in the hosted database: one for each departure that is seen, and one for each person or vehicle without one. */
interface FeedPositionDocumentsTable {
  org_id: string
  /** Of a departure, a staff member or a vehicle. */
  document_id: string
}

interface IdentityAccountTable {
  id: string
  accountId: string
  providerId: string
  userId: string
  accessToken: string | null
  refreshToken: string | null
  idToken: string | null
  accessTokenExpiresAt: NullableTimestamp
  refreshTokenExpiresAt: NullableTimestamp
  scope: string | null
  password: string | null
  createdAt: Generated<Timestamp>
  updatedAt: Timestamp
}

interface IdentityBackendRefreshTokensTable {
  token_hash: string
  backend_session_id: string
  created_at: Generated<Timestamp>
  replaced_at: NullableTimestamp
}

interface IdentityBackendSessionsTable {
  id: string
  user_id: string
  email: string | null
  name: string | null
  org_id: string | null
  identity_session_id: string | null
  created_at: Generated<Timestamp>
  expires_at: Timestamp
  revoked_at: NullableTimestamp
}

interface IdentityEventsTable {
  id: ReadOnly<number>
  at: Generated<Timestamp>
  kind: string
  user_id: string | null
  email: string | null
  org_id: string | null
  ip: string | null
  user_agent: string | null
  detail: Generated<Json>
}

interface IdentityInvitationTable {
  id: string
  organizationId: string
  email: string
  role: 'admin' | 'operations_manager' | 'dispatcher' | 'tour_designer' | 'guide' | 'viewer' | null
  status: 'pending' | 'accepted' | 'rejected' | 'canceled'
  expiresAt: Timestamp
  createdAt: Generated<Timestamp>
  inviterId: string
  message: string | null
  locale: string | null
  fieldStaffId: string | null
  sentAt: Generated<Timestamp>
  serviceId: string | null
}

interface IdentityJwksTable {
  id: string
  publicKey: string
  privateKey: string
  createdAt: Timestamp
  expiresAt: NullableTimestamp
  alg: string | null
  crv: string | null
}

interface IdentityMailsTable {
  id: string
  kind: string
  recipient: string
  subject: string
  body: string
  status: Generated<'queued' | 'sent' | 'failed'>
  error: string | null
  attempts: Generated<number>
  createdAt: Generated<Timestamp>
  nextAttemptAt: Generated<Timestamp>
  sentAt: NullableTimestamp
}

interface IdentityMemberTable {
  id: string
  organizationId: string
  userId: string
  role: 'admin' | 'operations_manager' | 'dispatcher' | 'tour_designer' | 'guide' | 'viewer'
  createdAt: Timestamp
  status: Generated<'active' | 'suspended'>
}

interface IdentityOrganizationTable {
  id: string
  name: string
  slug: string
  logo: string | null
  createdAt: Timestamp
  metadata: string | null
  updatedAt: NullableTimestamp
}

interface IdentityOrganizationUsesTable {
  userId: string
  organizationId: string
  at: Generated<Timestamp>
}

interface IdentityPasskeyTable {
  id: string
  name: string | null
  publicKey: string
  userId: string
  credentialID: string
  counter: number
  deviceType: string
  backedUp: boolean
  transports: string | null
  createdAt: NullableTimestamp
  aaguid: string | null
}

interface IdentityRateLimitTable {
  id: string
  key: string
  count: number
  lastRequest: number
}

interface IdentityServiceEventsTable {
  id: string
  received_at: Generated<Timestamp>
}

interface IdentitySessionTable {
  id: string
  expiresAt: Timestamp
  token: string
  createdAt: Generated<Timestamp>
  updatedAt: Timestamp
  ipAddress: string | null
  userAgent: string | null
  userId: string
  activeOrganizationId: string | null
  secondFactor: 'totp' | 'recovery_code' | 'passkey' | 'trusted_device' | null
  confirmedAt: NullableTimestamp
}

interface IdentitySignInAttemptsTable {
  key: string
  failures: number
  last_at: Timestamp
  wait_until: Timestamp
}

interface IdentityTwoFactorTable {
  id: string
  secret: string
  backupCodes: string
  userId: string
  verified: boolean | null
  failedVerificationCount: number | null
  lockedUntil: NullableTimestamp
}

interface IdentityUsedCodesTable {
  user_id: string
  code: string
  used_at: Generated<Timestamp>
}

interface IdentityUserTable {
  id: string
  name: string
  email: string
  emailVerified: boolean
  image: string | null
  createdAt: Generated<Timestamp>
  updatedAt: Generated<Timestamp>
  firstName: string | null
  lastName: string | null
  lastSignInAt: NullableTimestamp
  lastOrganizationId: string | null
  twoFactorEnabled: boolean | null
}

interface IdentityVerificationTable {
  id: string
  identifier: string
  value: string
  expiresAt: Timestamp
  createdAt: Generated<Timestamp>
  updatedAt: Generated<Timestamp>
}

interface IdentityWaitlistTable {
  id: string
  email: string
  status: Generated<'pending' | 'approved' | 'rejected'>
  createdAt: Generated<Timestamp>
  decidedAt: NullableTimestamp
  decidedBy: string | null
}

interface IdentityWalletAddressTable {
  id: string
  userId: string
  address: string
  chainId: number
  isPrimary: boolean
  createdAt: Timestamp
}

/** One row per fact: "demo" while accounts with the published password are here, "live" after they were removed. */
interface InstallationFactsTable {
  name: string
  value: Generated<Json>
  at: Generated<Timestamp>
}
