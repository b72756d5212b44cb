-- Signals and managed cases.

create table incidents (
  org_id text not null references organizations on delete cascade,
  id uuid not null,
  number text not null,
  title text not null default '',
  category text not null,
  severity smallint not null,
  status text not null default 'reported',
  departure_id uuid,
  place_id uuid,
  lat double precision,
  lng double precision,
  reported_by text,
  owner_user_id text,
  root_cause text,
  actions jsonb not null default '[]',
  closed_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint incidents_number_unique unique (org_id, number),
  constraint incidents_departure_fk foreign key (org_id, departure_id) references departures,
  constraint incidents_place_fk foreign key (org_id, place_id) references places,
  constraint incidents_owner_fk foreign key (org_id, owner_user_id) references members,
  constraint incidents_category_known check (category in ('medical', 'missing_person', 'vehicle', 'weather', 'security', 'supplier', 'complaint', 'lost_item', 'near_miss', 'other')),
  constraint incidents_severity_range check (severity between 1 and 4),
  constraint incidents_status_known check (status in ('reported', 'triaged', 'active', 'stabilised', 'resolved', 'reviewed')),
  constraint incidents_coordinates_range check (lat between -90 and 90 and lng between -180 and 180)
);
create index incidents_status on incidents (org_id, status, created_at);
create index incidents_departure on incidents (org_id, departure_id) where departure_id is not null;
select guard_table('incidents');
select guard_status('incidents', 'incidents');

create table incident_travelers (
  org_id text not null,
  incident_id uuid not null,
  traveler_id uuid not null,
  note text,
  primary key (org_id, incident_id, traveler_id),
  constraint incident_travelers_incident_fk foreign key (org_id, incident_id) references incidents on delete cascade,
  constraint incident_travelers_traveler_fk foreign key (org_id, traveler_id) references travelers
);
create index incident_travelers_traveler on incident_travelers (org_id, traveler_id);
select guard_table('incident_travelers', 'incident_id,traveler_id');

create table incident_entries (
  org_id text not null,
  id uuid not null,
  incident_id uuid not null,
  at timestamptz not null default app_now(),
  author_id text,
  kind text not null,
  text text not null default '',
  file_id uuid,
  primary key (org_id, id),
  constraint incident_entries_incident_fk foreign key (org_id, incident_id) references incidents on delete cascade,
  constraint incident_entries_kind_known check (kind in ('note', 'call', 'status', 'file', 'message'))
);
create index incident_entries_incident on incident_entries (org_id, incident_id, at);
select guard_table('incident_entries', p_grants => 'select, insert');

create table alerts (
  org_id text not null references organizations on delete cascade,
  id uuid not null,
  kind text not null,
  severity text not null,
  subject_type text not null,
  subject_id text not null,
  departure_id uuid,
  status text not null default 'open',
  title text not null,
  evidence jsonb not null default '{}',
  rule_id text,
  opened_at timestamptz not null default app_now(),
  acknowledged_at timestamptz,
  acknowledged_by text,
  owner_user_id text,
  snoozed_until timestamptz,
  escalation_level smallint not null default 0,
  resolved_at timestamptz,
  resolved_by text,
  resolution text,
  resolution_note text,
  dedupe_key text not null,
  incident_id uuid,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint alerts_departure_fk foreign key (org_id, departure_id) references departures,
  constraint alerts_incident_fk foreign key (org_id, incident_id) references incidents,
  constraint alerts_owner_fk foreign key (org_id, owner_user_id) references members,
  constraint alerts_kind_known check (kind in ('late_start', 'running_late', 'eta_miss', 'off_route', 'long_stop', 'geofence_absent', 'no_go_area', 'signal_lost',
    'battery_low', 'overspeed', 'sos', 'headcount_mismatch', 'no_show', 'no_lead_guide', 'assignment_unanswered', 'certificate_expiring', 'rest_violation',
    'capacity_conflict', 'service_unconfirmed', 'below_min_pax', 'hold_expiring', 'document_missing', 'message_failed', 'weather_warning')),
  constraint alerts_severity_known check (severity in ('info', 'warning', 'critical')),
  constraint alerts_status_known check (status in ('open', 'acknowledged', 'snoozed', 'resolved')),
  constraint alerts_resolution_known check (resolution in ('auto', 'manual', 'merged', 'false_alarm')),
  constraint alerts_resolved_has_resolution check ((status = 'resolved') = (resolution is not null and resolved_at is not null)),
  constraint alerts_snoozed_has_end check (status <> 'snoozed' or snoozed_until is not null)
);
create unique index alerts_one_open_per_dedupe_key on alerts (org_id, dedupe_key) where status in ('open', 'acknowledged', 'snoozed');
create index alerts_status on alerts (org_id, status, opened_at);
create index alerts_departure on alerts (org_id, departure_id) where departure_id is not null;
create index alerts_subject on alerts (org_id, subject_type, subject_id);
select guard_table('alerts');
select guard_status('alerts', 'alerts');

create table roll_calls (
  org_id text not null references organizations on delete cascade,
  id uuid not null,
  incident_id uuid,
  scope jsonb not null default '{}',
  question text not null,
  sent_at timestamptz not null default app_now(),
  sent_by text,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint roll_calls_incident_fk foreign key (org_id, incident_id) references incidents
);
select guard_table('roll_calls');

create table roll_call_responses (
  org_id text not null,
  id uuid not null,
  roll_call_id uuid not null,
  traveler_id uuid,
  staff_id uuid,
  answer text not null default 'no_answer',
  answered_at timestamptz,
  note text,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint roll_call_responses_roll_call_fk foreign key (org_id, roll_call_id) references roll_calls on delete cascade,
  constraint roll_call_responses_traveler_fk foreign key (org_id, traveler_id) references travelers,
  constraint roll_call_responses_staff_fk foreign key (org_id, staff_id) references field_staff,
  constraint roll_call_responses_one_person check (num_nonnulls(traveler_id, staff_id) = 1),
  constraint roll_call_responses_person_once unique nulls not distinct (org_id, roll_call_id, traveler_id, staff_id),
  constraint roll_call_responses_answer_known check (answer in ('safe', 'need_help', 'no_answer'))
);
select guard_table('roll_call_responses');
