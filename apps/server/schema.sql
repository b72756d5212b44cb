-- Written by apps/server/src/platform/db/generate-tables.ts from the live schema. Do not edit; change a migration.

-- Extensions

create extension btree_gist;
create extension citext;
create extension pg_trgm;
create extension pgcrypto;
create extension unaccent;

-- Schemas

create schema feed;
grant usage on schema feed to app_user;

create schema identity;
grant usage on schema identity to app_own;
grant usage on schema identity to app_user;

create schema installation;

grant usage on schema public to app_directory;
grant usage on schema public to app_feed;
grant usage on schema public to app_janitor;
grant usage on schema public to app_own;
grant create, usage on schema public to app_positions;
grant usage on schema public to app_recorder;
grant usage on schema public to app_search;
grant usage on schema public to app_user;
grant usage on schema public to public;

-- Tables, each with its keys, indexes, row-level security, policies, rights and triggers

create table alert_dues (
  org_id text not null,
  subject_kind text not null,
  subject_id uuid not null,
  due_at timestamp with time zone not null default 'infinity'::timestamp with time zone,
  evaluated_at timestamp with time zone,
  firing text[] not null default '{}'::text[],
  lapsing jsonb not null default '{}'::jsonb,
  all_due_at timestamp with time zone,
  constraint alert_dues_pkey PRIMARY KEY (org_id, subject_kind, subject_id),
  constraint alert_dues_kind_known CHECK ((subject_kind = ANY (ARRAY['departure'::text, 'staff'::text, 'vehicle'::text, 'booking'::text, 'message'::text, 'alert'::text]))),
  constraint alert_dues_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id) ON DELETE CASCADE
);
comment on column alert_dues.all_due_at is 'Since when it is due together with everything else of its organization; its own moment stays in due_at.';
CREATE INDEX alert_dues_all_due ON public.alert_dues USING btree (org_id, all_due_at) WHERE (all_due_at IS NOT NULL);
CREATE INDEX alert_dues_due ON public.alert_dues USING btree (org_id, due_at);
alter table alert_dues enable row level security;
alter table alert_dues force row level security;
create policy directory on alert_dues for select to app_directory using (true);
create policy organization on alert_dues for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
grant select on table alert_dues to app_directory;
grant delete, insert, select, update on table alert_dues to app_user;

create table alert_evaluations (
  org_id text not null,
  evaluated_at timestamp with time zone not null,
  seen text,
  checked_at timestamp with time zone,
  constraint alert_evaluations_pkey PRIMARY KEY (org_id),
  constraint alert_evaluations_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id) ON DELETE CASCADE
);
comment on column alert_evaluations.evaluated_at is 'Everything that was due up to this moment has been evaluated.';
alter table alert_evaluations enable row level security;
alter table alert_evaluations force row level security;
create policy directory on alert_evaluations for select to app_directory using (true);
create policy organization on alert_evaluations for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
grant select on table alert_evaluations to app_directory;
grant insert, select, update on table alert_evaluations to app_user;

create table alert_mutes (
  org_id text not null,
  id uuid not null,
  departure_id uuid not null,
  kind text not null,
  severity text not null,
  reason text not null,
  ends_at timestamp with time zone,
  muted_by text not null,
  muted_at timestamp with time zone not null default app_now(),
  ended_by text,
  ended_at timestamp with time zone,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  constraint alert_mutes_pkey PRIMARY KEY (org_id, id),
  constraint alert_mutes_departure_fk FOREIGN KEY (org_id, departure_id) REFERENCES departures(org_id, id) ON DELETE CASCADE,
  constraint alert_mutes_ended_whole CHECK (((ended_by IS NULL) = (ended_at IS NULL))),
  constraint alert_mutes_ender_fk FOREIGN KEY (org_id, ended_by) REFERENCES members(org_id, user_id),
  constraint alert_mutes_muter_fk FOREIGN KEY (org_id, muted_by) REFERENCES members(org_id, user_id),
  constraint alert_mutes_never_about_people CHECK ((kind <> ALL (ARRAY['sos'::text, 'headcount_mismatch'::text]))),
  constraint alert_mutes_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id) ON DELETE CASCADE,
  constraint alert_mutes_reason_length CHECK (((char_length(reason) >= 1) AND (char_length(reason) <= 300))),
  constraint alert_mutes_severity_known CHECK ((severity = ANY (ARRAY['critical'::text, 'warning'::text, 'info'::text])))
);
comment on column alert_mutes.severity is 'Of the alert when it was muted; a graver one is opened all the same.';
comment on column alert_mutes.ends_at is 'Null: as long as the departure lasts.';
CREATE UNIQUE INDEX alert_mutes_one_at_once ON public.alert_mutes USING btree (org_id, departure_id, kind) WHERE (ended_at IS NULL);
alter table alert_mutes enable row level security;
alter table alert_mutes force row level security;
create policy organization on alert_mutes for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
grant delete, insert, select, update on table alert_mutes to app_user;
CREATE TRIGGER record_delete AFTER DELETE ON public.alert_mutes REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_insert AFTER INSERT ON public.alert_mutes REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_update AFTER UPDATE ON public.alert_mutes REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.alert_mutes FOR EACH ROW EXECUTE FUNCTION touch_row();

create table alerts (
  org_id text not null,
  id uuid not null,
  kind text not null,
  severity text not null,
  subject_type text not null,
  subject_id text not null,
  departure_id uuid,
  status text not null default 'open'::text,
  title text not null,
  evidence jsonb not null default '{}'::jsonb,
  rule_id text,
  opened_at timestamp with time zone not null default app_now(),
  acknowledged_at timestamp with time zone,
  acknowledged_by text,
  owner_user_id text,
  snoozed_until timestamp with time zone,
  escalation_level smallint not null default 0,
  resolved_at timestamp with time zone,
  resolved_by text,
  resolution text,
  resolution_note text,
  dedupe_key text not null,
  incident_id uuid,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  resolution_facts jsonb not null default '{}'::jsonb,
  place jsonb,
  snoozed_stop_id uuid,
  snoozed_stop_name text,
  constraint alerts_pkey PRIMARY KEY (org_id, id),
  constraint alerts_departure_fk FOREIGN KEY (org_id, departure_id) REFERENCES departures(org_id, id),
  constraint alerts_incident_fk FOREIGN KEY (org_id, incident_id) REFERENCES incidents(org_id, id),
  constraint alerts_kind_known CHECK ((kind = ANY (ARRAY['late_start'::text, 'running_late'::text, 'eta_miss'::text, 'off_route'::text, 'long_stop'::text, 'geofence_absent'::text, 'no_go_area'::text, 'signal_lost'::text, 'battery_low'::text, 'overspeed'::text, 'sos'::text, 'headcount_mismatch'::text, 'no_show'::text, 'no_lead_guide'::text, 'assignment_unanswered'::text, 'certificate_expiring'::text, 'rest_violation'::text, 'capacity_conflict'::text, 'service_unconfirmed'::text, 'below_min_pax'::text, 'hold_expiring'::text, 'document_missing'::text, 'message_failed'::text, 'weather_warning'::text]))),
  constraint alerts_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id) ON DELETE CASCADE,
  constraint alerts_owner_fk FOREIGN KEY (org_id, owner_user_id) REFERENCES members(org_id, user_id),
  constraint alerts_resolution_known CHECK ((resolution = ANY (ARRAY['auto'::text, 'manual'::text, 'merged'::text, 'false_alarm'::text, 'muted'::text]))),
  constraint alerts_resolved_has_resolution CHECK (((status = 'resolved'::text) = ((resolution IS NOT NULL) AND (resolved_at IS NOT NULL)))),
  constraint alerts_severity_known CHECK ((severity = ANY (ARRAY['info'::text, 'warning'::text, 'critical'::text]))),
  constraint alerts_snoozed_has_end CHECK (((status <> 'snoozed'::text) OR (snoozed_until IS NOT NULL))),
  constraint alerts_snoozed_stop_fk FOREIGN KEY (org_id, snoozed_stop_id) REFERENCES departure_stops(org_id, id) ON DELETE SET NULL (snoozed_stop_id),
  constraint alerts_status_known CHECK ((status = ANY (ARRAY['open'::text, 'acknowledged'::text, 'snoozed'::text, 'resolved'::text])))
);
CREATE INDEX alerts_dedupe_key ON public.alerts USING btree (org_id, dedupe_key, resolved_at);
CREATE INDEX alerts_departure ON public.alerts USING btree (org_id, departure_id) WHERE (departure_id IS NOT NULL);
CREATE UNIQUE INDEX alerts_one_open_per_dedupe_key ON public.alerts USING btree (org_id, dedupe_key) WHERE (status = ANY (ARRAY['open'::text, 'acknowledged'::text, 'snoozed'::text]));
CREATE INDEX alerts_snoozed_stop ON public.alerts USING btree (org_id, snoozed_stop_id) WHERE (snoozed_stop_id IS NOT NULL);
CREATE INDEX alerts_status ON public.alerts USING btree (org_id, status, opened_at);
CREATE INDEX alerts_subject ON public.alerts USING btree (org_id, subject_type, subject_id);
alter table alerts enable row level security;
alter table alerts force row level security;
create policy organization on alerts for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy own on alerts as restrictive for all to app_own using ((departure_id = ANY (( SELECT own_departures() AS own_departures)::uuid[]))) with check ((departure_id = ANY (( SELECT own_departures() AS own_departures)::uuid[])));
grant insert, select, update on table alerts to app_own;
grant delete, insert, select, update on table alerts to app_user;
CREATE TRIGGER machine_alerts BEFORE INSERT OR UPDATE OF status ON public.alerts FOR EACH ROW EXECUTE FUNCTION check_transition('alerts', 'status');
CREATE TRIGGER queue_webhooks_insert AFTER INSERT ON public.alerts REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION queue_alert_webhooks();
CREATE TRIGGER queue_webhooks_update AFTER UPDATE ON public.alerts REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION queue_alert_webhooks();
CREATE TRIGGER record_delete AFTER DELETE ON public.alerts REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_insert AFTER INSERT ON public.alerts REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_update AFTER UPDATE ON public.alerts REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.alerts FOR EACH ROW EXECUTE FUNCTION touch_row();

create table allotments (
  org_id text not null,
  id uuid not null,
  supplier_id uuid,
  place_id uuid,
  from_date date not null,
  to_date date not null,
  quantity integer not null,
  used integer not null default 0,
  release_at timestamp with time zone,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  constraint allotments_pkey PRIMARY KEY (org_id, id),
  constraint allotments_dates_order CHECK ((to_date >= from_date)),
  constraint allotments_have_a_source CHECK ((num_nonnulls(supplier_id, place_id) >= 1)),
  constraint allotments_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id) ON DELETE CASCADE,
  constraint allotments_place_fk FOREIGN KEY (org_id, place_id) REFERENCES places(org_id, id),
  constraint allotments_supplier_fk FOREIGN KEY (org_id, supplier_id) REFERENCES suppliers(org_id, id),
  constraint allotments_used_within_quantity CHECK (((quantity >= 0) AND ((used >= 0) AND (used <= quantity))))
);
alter table allotments enable row level security;
alter table allotments force row level security;
create policy organization on allotments for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
grant delete, insert, select, update on table allotments to app_user;
CREATE TRIGGER record_delete AFTER DELETE ON public.allotments REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_insert AFTER INSERT ON public.allotments REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_update AFTER UPDATE ON public.allotments REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.allotments FOR EACH ROW EXECUTE FUNCTION touch_row();

create table assignments (
  org_id text not null,
  id uuid not null,
  calendar_entry_id uuid not null,
  departure_id uuid not null,
  staff_id uuid not null,
  role text not null,
  status text not null default 'draft'::text,
  report_at timestamp with time zone,
  release_at timestamp with time zone,
  offered_at timestamp with time zone,
  respond_by timestamp with time zone,
  responded_at timestamp with time zone,
  decline_reason text,
  release_reason text,
  seen_version integer,
  pay_note text,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  broken_rules text[] not null default '{}'::text[],
  override_reason text,
  constraint assignments_pkey PRIMARY KEY (org_id, id),
  constraint assignments_broken_rules_known CHECK ((broken_rules <@ ARRAY['kind'::text, 'language'::text, 'certificate'::text, 'rest'::text, 'travel'::text, 'hours'::text, 'base'::text])),
  constraint assignments_calendar_entry_fk FOREIGN KEY (org_id, calendar_entry_id, staff_id) REFERENCES staff_calendar_entries(org_id, id, staff_id) ON DELETE CASCADE,
  constraint assignments_departure_fk FOREIGN KEY (org_id, departure_id) REFERENCES departures(org_id, id),
  constraint assignments_override_has_reason CHECK (((cardinality(broken_rules) = 0) OR (COALESCE(override_reason, ''::text) <> ''::text))),
  constraint assignments_release_after_report CHECK (((release_at IS NULL) OR (report_at IS NULL) OR (release_at > report_at))),
  constraint assignments_release_has_reason CHECK (((status <> 'released'::text) OR (COALESCE(release_reason, ''::text) <> ''::text))),
  constraint assignments_role_known CHECK ((role = ANY (ARRAY['lead_guide'::text, 'guide'::text, 'driver'::text, 'backup'::text, 'tour_leader'::text, 'porter'::text]))),
  constraint assignments_staff_fk FOREIGN KEY (org_id, staff_id) REFERENCES field_staff(org_id, id),
  constraint assignments_status_known CHECK ((status = ANY (ARRAY['draft'::text, 'offered'::text, 'accepted'::text, 'declined'::text, 'expired'::text, 'withdrawn'::text, 'on_duty'::text, 'completed'::text, 'released'::text, 'replaced'::text])))
);
comment on column assignments.broken_rules is 'What spoke against the person when somebody assigned or asked them all the same.';
CREATE INDEX assignments_calendar_entry ON public.assignments USING btree (org_id, calendar_entry_id);
CREATE INDEX assignments_departure ON public.assignments USING btree (org_id, departure_id, status);
CREATE UNIQUE INDEX assignments_one_lead_guide ON public.assignments USING btree (org_id, departure_id) WHERE ((role = 'lead_guide'::text) AND (status = ANY (ARRAY['accepted'::text, 'on_duty'::text])));
CREATE UNIQUE INDEX assignments_person_once ON public.assignments USING btree (org_id, departure_id, staff_id, role) WHERE (status = ANY (ARRAY['draft'::text, 'offered'::text, 'accepted'::text, 'on_duty'::text]));
CREATE INDEX assignments_respond_by ON public.assignments USING btree (org_id, respond_by) WHERE (status = 'offered'::text);
CREATE INDEX assignments_staff ON public.assignments USING btree (org_id, staff_id, status);
alter table assignments enable row level security;
alter table assignments force row level security;
create policy organization on assignments for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy own on assignments as restrictive for all to app_own using (((staff_id = ( SELECT own_staff_id() AS own_staff_id)) OR (departure_id = ANY (( SELECT own_departures() AS own_departures)::uuid[])))) with check (((staff_id = ( SELECT own_staff_id() AS own_staff_id)) OR (departure_id = ANY (( SELECT own_departures() AS own_departures)::uuid[]))));
create policy search on assignments for select to app_search using (true);
grant select, update on table assignments to app_own;
grant select on table assignments to app_search;
grant delete, insert, select, update on table assignments to app_user;
CREATE TRIGGER derive_calendar_status AFTER INSERT OR DELETE OR UPDATE OF status, calendar_entry_id ON public.assignments FOR EACH ROW EXECUTE FUNCTION derive_calendar_status();
CREATE TRIGGER machine_assignments BEFORE INSERT OR UPDATE OF status ON public.assignments FOR EACH ROW EXECUTE FUNCTION check_transition('assignments', 'status');
CREATE TRIGGER note_crew_of_assignment AFTER UPDATE OF status ON public.assignments FOR EACH ROW WHEN ((new.status <> old.status)) EXECUTE FUNCTION note_crew_of_assignment();
CREATE TRIGGER note_crew_of_new_assignment AFTER INSERT ON public.assignments FOR EACH ROW EXECUTE FUNCTION note_crew_of_assignment();
CREATE TRIGGER record_delete AFTER DELETE ON public.assignments REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_insert AFTER INSERT ON public.assignments REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_update AFTER UPDATE ON public.assignments REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.assignments FOR EACH ROW WHEN ((NOT (new.seen_version IS DISTINCT FROM old.seen_version))) EXECUTE FUNCTION touch_row();

create table audit_entries (
  org_id text not null,
  id bigint not null generated always as identity,
  at timestamp with time zone not null default app_now(),
  actor_id text,
  actor_kind text not null default 'system'::text,
  action text not null,
  op text not null,
  entity_type text not null,
  entity_id text not null,
  diff jsonb not null default '{}'::jsonb,
  request_id text,
  ip text,
  constraint audit_entries_pkey PRIMARY KEY (org_id, id),
  constraint audit_entries_actor_kind_known CHECK ((actor_kind = ANY (ARRAY['user'::text, 'guest_link'::text, 'system'::text, 'api'::text]))),
  constraint audit_entries_op_known CHECK ((op = ANY (ARRAY['insert'::text, 'update'::text, 'delete'::text, 'event'::text])))
);
comment on table audit_entries is 'Append-only. diff: new values on insert, [old, new] per changed column on update, old values on delete; sensitive columns as ***.';
CREATE INDEX audit_entries_actor ON public.audit_entries USING btree (org_id, actor_id, id);
CREATE INDEX audit_entries_at ON public.audit_entries USING brin (at);
CREATE INDEX audit_entries_entity ON public.audit_entries USING btree (org_id, entity_type, entity_id, id);
alter table audit_entries enable row level security;
alter table audit_entries force row level security;
create policy organization on audit_entries for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy own on audit_entries as restrictive for all to app_own using (
CASE entity_type
    WHEN 'departures'::text THEN (entity_id = ANY ((( SELECT own_departures() AS own_departures))::text[]))
    WHEN 'departure_stops'::text THEN (EXISTS ( SELECT
       FROM departure_stops s
      WHERE ((s.org_id = audit_entries.org_id) AND (s.id = (audit_entries.entity_id)::uuid))))
    WHEN 'departure_services'::text THEN (EXISTS ( SELECT
       FROM departure_services s
      WHERE ((s.org_id = audit_entries.org_id) AND (s.id = (audit_entries.entity_id)::uuid))))
    WHEN 'bookings'::text THEN (EXISTS ( SELECT
       FROM bookings b
      WHERE ((b.org_id = audit_entries.org_id) AND (b.id = (audit_entries.entity_id)::uuid))))
    WHEN 'manifest_entries'::text THEN (EXISTS ( SELECT
       FROM manifest_entries m
      WHERE ((m.org_id = audit_entries.org_id) AND (m.id = (audit_entries.entity_id)::uuid))))
    WHEN 'assignments'::text THEN (EXISTS ( SELECT
       FROM assignments a
      WHERE ((a.org_id = audit_entries.org_id) AND (a.id = (audit_entries.entity_id)::uuid))))
    WHEN 'permission'::text THEN (actor_id = app_user_id())
    ELSE false
END) with check (
CASE entity_type
    WHEN 'departures'::text THEN (entity_id = ANY ((( SELECT own_departures() AS own_departures))::text[]))
    WHEN 'departure_stops'::text THEN (EXISTS ( SELECT
       FROM departure_stops s
      WHERE ((s.org_id = audit_entries.org_id) AND (s.id = (audit_entries.entity_id)::uuid))))
    WHEN 'departure_services'::text THEN (EXISTS ( SELECT
       FROM departure_services s
      WHERE ((s.org_id = audit_entries.org_id) AND (s.id = (audit_entries.entity_id)::uuid))))
    WHEN 'bookings'::text THEN (EXISTS ( SELECT
       FROM bookings b
      WHERE ((b.org_id = audit_entries.org_id) AND (b.id = (audit_entries.entity_id)::uuid))))
    WHEN 'manifest_entries'::text THEN (EXISTS ( SELECT
       FROM manifest_entries m
      WHERE ((m.org_id = audit_entries.org_id) AND (m.id = (audit_entries.entity_id)::uuid))))
    WHEN 'assignments'::text THEN (EXISTS ( SELECT
       FROM assignments a
      WHERE ((a.org_id = audit_entries.org_id) AND (a.id = (audit_entries.entity_id)::uuid))))
    WHEN 'permission'::text THEN (actor_id = app_user_id())
    ELSE false
END);
create policy recorder on audit_entries for insert to app_recorder with check (true);
create policy recorder_reads on audit_entries for select to app_recorder using (true);
grant maintain on table audit_entries to app_janitor;
grant select on table audit_entries to app_own;
grant insert, select on table audit_entries to app_recorder;
grant select on table audit_entries to app_user;
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table billing_documents (
  org_id text not null,
  id uuid not null,
  booking_id uuid not null,
  kind text not null,
  sequence integer not null,
  number text not null generated always as ((
CASE kind
    WHEN 'invoice'::text THEN 'INV-'::text
    WHEN 'credit_note'::text THEN 'CN-'::text
    ELSE 'REC-'::text
END || lpad((sequence)::text, GREATEST(5, length((sequence)::text)), '0'::text))) stored,
  locale text not null,
  currency text not null,
  total_minor bigint not null,
  seller jsonb not null,
  buyer jsonb not null,
  tour jsonb not null,
  lines jsonb not null,
  cancels_id uuid,
  payment_id uuid,
  reason text,
  issued_on date not null,
  issued_at timestamp with time zone not null default app_now(),
  issued_by text,
  tax_scheme text not null default 'none'::text,
  taxes jsonb not null default '[]'::jsonb,
  constraint billing_documents_pkey PRIMARY KEY (org_id, id),
  constraint billing_documents_booking_fk FOREIGN KEY (org_id, booking_id) REFERENCES bookings(org_id, id),
  constraint billing_documents_cancelled_once UNIQUE (org_id, cancels_id),
  constraint billing_documents_cancels_fk FOREIGN KEY (org_id, cancels_id) REFERENCES billing_documents(org_id, id),
  constraint billing_documents_currency_code CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint billing_documents_kind_known CHECK ((kind = ANY (ARRAY['invoice'::text, 'credit_note'::text, 'receipt'::text]))),
  constraint billing_documents_lines_sum CHECK ((lines_total(lines) = total_minor)),
  constraint billing_documents_locale_known CHECK ((locale = ANY (ARRAY['en'::text, 'de'::text, 'es'::text]))),
  constraint billing_documents_number_once UNIQUE (org_id, kind, sequence),
  constraint billing_documents_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id) ON DELETE CASCADE,
  constraint billing_documents_payment_fk FOREIGN KEY (org_id, payment_id) REFERENCES payments(org_id, id),
  constraint billing_documents_reason CHECK (
CASE kind
    WHEN 'credit_note'::text THEN ((char_length(reason) >= 1) AND (char_length(reason) <= 200))
    ELSE (reason IS NULL)
END),
  constraint billing_documents_receipt_once UNIQUE (org_id, payment_id),
  constraint billing_documents_receipt_untaxed CHECK (((kind <> 'receipt'::text) OR (tax_scheme = 'none'::text))),
  constraint billing_documents_subject CHECK ((((cancels_id IS NOT NULL) = (kind = 'credit_note'::text)) AND ((payment_id IS NOT NULL) = (kind = 'receipt'::text)))),
  constraint billing_documents_tax_scheme_known CHECK ((tax_scheme = ANY (ARRAY['none'::text, 'included'::text, 'margin'::text]))),
  constraint billing_documents_taxes_sum CHECK (
CASE tax_scheme
    WHEN 'included'::text THEN taxes_agree(taxes, total_minor)
    ELSE (taxes = '[]'::jsonb)
END)
);
CREATE INDEX billing_documents_booking ON public.billing_documents USING btree (org_id, booking_id);
alter table billing_documents enable row level security;
alter table billing_documents force row level security;
create policy organization on billing_documents for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy own on billing_documents as restrictive for all to app_own using ((EXISTS ( SELECT
   FROM bookings b
  WHERE ((b.org_id = billing_documents.org_id) AND (b.id = billing_documents.booking_id))))) with check ((EXISTS ( SELECT
   FROM bookings b
  WHERE ((b.org_id = billing_documents.org_id) AND (b.id = billing_documents.booking_id)))));
grant select on table billing_documents to app_own;
grant insert, select on table billing_documents to app_user;
CREATE TRIGGER issue_document BEFORE INSERT ON public.billing_documents FOR EACH ROW EXECUTE FUNCTION issue_document();
CREATE TRIGGER keep_document BEFORE UPDATE ON public.billing_documents FOR EACH ROW EXECUTE FUNCTION keep_document();
CREATE TRIGGER mirror_taxes BEFORE INSERT ON public.billing_documents FOR EACH ROW WHEN ((new.kind = 'credit_note'::text)) EXECUTE FUNCTION mirror_taxes();
CREATE TRIGGER record_delete AFTER DELETE ON public.billing_documents REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_insert AFTER INSERT ON public.billing_documents REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_update AFTER UPDATE ON public.billing_documents REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');

create table booking_messages (
  org_id text not null,
  id uuid not null,
  booking_id uuid not null,
  author text not null,
  user_id text,
  body text not null,
  read_at timestamp with time zone,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  channel text,
  constraint booking_messages_pkey PRIMARY KEY (org_id, id),
  constraint booking_messages_author_known CHECK ((author = ANY (ARRAY['guest'::text, 'office'::text]))),
  constraint booking_messages_body_length CHECK (((char_length(body) >= 1) AND (char_length(body) <= 4096))),
  constraint booking_messages_booking_fk FOREIGN KEY (org_id, booking_id) REFERENCES bookings(org_id, id) ON DELETE CASCADE,
  constraint booking_messages_channel_known CHECK (((channel IS NULL) OR ((channel = ANY (ARRAY['sms'::text, 'whatsapp'::text])) AND (author = 'guest'::text)))),
  constraint booking_messages_office_is_named CHECK (((author = 'office'::text) = (user_id IS NOT NULL))),
  constraint booking_messages_only_guests_wait CHECK (((author = 'guest'::text) OR (read_at IS NULL))),
  constraint booking_messages_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id) ON DELETE CASCADE
);
comment on table booking_messages is 'Messages between the party of a booking and the office, on the page of the booking''s link.';
comment on column booking_messages.channel is 'By which a guest answered a text; null for what was written on a page.';
CREATE INDEX booking_messages_booking ON public.booking_messages USING btree (org_id, booking_id, created_at, id);
CREATE INDEX booking_messages_unread ON public.booking_messages USING btree (org_id, booking_id) WHERE ((author = 'guest'::text) AND (read_at IS NULL));
alter table booking_messages enable row level security;
alter table booking_messages force row level security;
create policy organization on booking_messages for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy own on booking_messages as restrictive for all to app_own using ((EXISTS ( SELECT
   FROM bookings b
  WHERE ((b.org_id = booking_messages.org_id) AND (b.id = booking_messages.booking_id))))) with check ((EXISTS ( SELECT
   FROM bookings b
  WHERE ((b.org_id = booking_messages.org_id) AND (b.id = booking_messages.booking_id)))));
grant select on table booking_messages to app_own;
grant delete, insert, select, update on table booking_messages to app_user;
CREATE TRIGGER record_delete AFTER DELETE ON public.booking_messages REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', 'body');
CREATE TRIGGER record_insert AFTER INSERT ON public.booking_messages REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', 'body');
CREATE TRIGGER record_update AFTER UPDATE ON public.booking_messages REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', 'body');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.booking_messages FOR EACH ROW EXECUTE FUNCTION touch_row();

create table bookings (
  org_id text not null,
  id uuid not null,
  booking_ref text not null,
  departure_id uuid not null,
  status text not null,
  kind text not null default 'seat_in_coach'::text,
  channel text not null default 'direct'::text,
  seller_name text,
  external_ref text,
  contact_name text not null default ''::text,
  contact_email text,
  contact_phone text,
  contact_locale text,
  contact_country text,
  units jsonb not null,
  pax integer not null,
  amount_total_minor bigint not null default 0,
  amount_paid_minor bigint not null default 0,
  currency text not null,
  payment_status text not null default 'unpaid'::text,
  pickup_place_id uuid,
  pickup_at timestamp with time zone,
  notes text,
  expires_at timestamp with time zone,
  waitlist_rank integer,
  confirmed_at timestamp with time zone,
  cancelled_at timestamp with time zone,
  cancel_reason text,
  import_batch_id uuid,
  search_text text not null generated always as ((((((' '::text || searchable(((((booking_ref || ' '::text) || COALESCE(external_ref, ''::text)) || ' '::text) || contact_name))) || ' '::text) || COALESCE(digits_of(contact_phone), ''::text)) || ' '::text) || COALESCE(lower((contact_email COLLATE "C")), ''::text))) stored,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  price_reason text,
  cancellation_fee_minor bigint not null default 0,
  cancellation_fee_reason text,
  offered_at timestamp with time zone,
  discount_code_id uuid,
  discount_code text,
  discount_minor bigint not null default 0,
  constraint bookings_pkey PRIMARY KEY (org_id, id),
  constraint bookings_amounts_not_negative CHECK (((amount_total_minor >= 0) AND (amount_paid_minor >= 0))),
  constraint bookings_cancellation_fee_range CHECK (((cancellation_fee_minor >= 0) AND (cancellation_fee_minor <= amount_total_minor))),
  constraint bookings_cancellation_fee_reason_length CHECK (((char_length(cancellation_fee_reason) >= 1) AND (char_length(cancellation_fee_reason) <= 200))),
  constraint bookings_channel_known CHECK ((channel = ANY (ARRAY['direct'::text, 'phone'::text, 'agent'::text, 'ota'::text, 'partner'::text, 'walk_in'::text, 'import'::text]))),
  constraint bookings_contact_country_code CHECK ((contact_country ~ '^[A-Z]{2}$'::text)),
  constraint bookings_currency_code CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint bookings_departure_fk FOREIGN KEY (org_id, departure_id) REFERENCES departures(org_id, id),
  constraint bookings_discount_code_fk FOREIGN KEY (org_id, discount_code_id) REFERENCES discount_codes(org_id, id),
  constraint bookings_discount_minor_range CHECK ((discount_minor >= 0)),
  constraint bookings_discount_whole CHECK ((((discount_code_id IS NULL) = (discount_code IS NULL)) AND ((discount_code_id IS NOT NULL) OR (discount_minor = 0)))),
  constraint bookings_hold_has_expiry CHECK (((status <> 'on_hold'::text) OR (expires_at IS NOT NULL))),
  constraint bookings_import_batch_fk FOREIGN KEY (org_id, import_batch_id) REFERENCES import_batches(org_id, id),
  constraint bookings_kind_known CHECK ((kind = ANY (ARRAY['fit'::text, 'seat_in_coach'::text, 'closed_group'::text]))),
  constraint bookings_on_departure_unique UNIQUE (org_id, id, departure_id),
  constraint bookings_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id) ON DELETE CASCADE,
  constraint bookings_paid_within_limit CHECK ((amount_paid_minor <= '1000000000000'::bigint)),
  constraint bookings_pax_matches_units CHECK (((pax > 0) AND (pax = units_pax(units)))),
  constraint bookings_payment_status_known CHECK ((payment_status = ANY (ARRAY['unpaid'::text, 'deposit'::text, 'paid'::text, 'refunded'::text, 'agent_credit'::text]))),
  constraint bookings_pickup_place_fk FOREIGN KEY (org_id, pickup_place_id) REFERENCES places(org_id, id),
  constraint bookings_price_reason_length CHECK (((char_length(price_reason) >= 1) AND (char_length(price_reason) <= 200))),
  constraint bookings_ref_length CHECK (((char_length(booking_ref) >= 3) AND (char_length(booking_ref) <= 60))),
  constraint bookings_ref_unique UNIQUE (org_id, booking_ref),
  constraint bookings_status_known CHECK ((status = ANY (ARRAY['on_hold'::text, 'requested'::text, 'waitlisted'::text, 'confirmed'::text, 'expired'::text, 'rejected'::text, 'cancelled'::text, 'completed'::text]))),
  constraint bookings_units_sound CHECK (units_are_sound(units))
);
comment on column bookings.offered_at is 'When the seats of a hold were offered to a party that had waited; null for a hold that the office made.';
CREATE INDEX bookings_confirmed_at ON public.bookings USING btree (org_id, confirmed_at);
CREATE INDEX bookings_contact_phone ON public.bookings USING btree (org_id, contact_phone) WHERE (contact_phone IS NOT NULL);
CREATE INDEX bookings_created_at ON public.bookings USING btree (org_id, created_at);
CREATE INDEX bookings_departure ON public.bookings USING btree (org_id, departure_id, status);
CREATE INDEX bookings_discount ON public.bookings USING btree (org_id, discount_code_id) WHERE (discount_code_id IS NOT NULL);
CREATE UNIQUE INDEX bookings_external_ref_unique ON public.bookings USING btree (org_id, channel, external_ref) WHERE (external_ref IS NOT NULL);
CREATE INDEX bookings_holds ON public.bookings USING btree (org_id, expires_at) WHERE (status = 'on_hold'::text);
CREATE INDEX bookings_import_batch ON public.bookings USING btree (org_id, import_batch_id) WHERE (import_batch_id IS NOT NULL);
CREATE INDEX bookings_search ON public.bookings USING gin (search_text gin_trgm_ops);
alter table bookings enable row level security;
alter table bookings force row level security;
create policy organization on bookings for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy own on bookings as restrictive for all to app_own using ((departure_id = ANY (( SELECT own_departures() AS own_departures)::uuid[]))) with check ((departure_id = ANY (( SELECT own_departures() AS own_departures)::uuid[])));
create policy search on bookings for select to app_search using (true);
grant maintain on table bookings to app_janitor;
grant select on table bookings to app_own;
grant select on table bookings to app_search;
grant delete, insert, select, update on table bookings to app_user;
CREATE TRIGGER check_booking BEFORE INSERT OR UPDATE ON public.bookings FOR EACH ROW EXECUTE FUNCTION check_booking();
CREATE TRIGGER check_paid_at_once AFTER INSERT ON public.bookings REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION check_paid_at_once();
CREATE TRIGGER count_seats_delete AFTER DELETE ON public.bookings REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_seats();
CREATE TRIGGER count_seats_insert AFTER INSERT ON public.bookings REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_seats();
CREATE TRIGGER count_seats_update AFTER UPDATE ON public.bookings REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_seats();
CREATE TRIGGER follow_payments BEFORE UPDATE ON public.bookings FOR EACH ROW WHEN (((((((new.amount_paid_minor IS DISTINCT FROM old.amount_paid_minor) OR (new.amount_total_minor IS DISTINCT FROM old.amount_total_minor)) OR (new.payment_status IS DISTINCT FROM old.payment_status)) OR (new.currency IS DISTINCT FROM old.currency)) OR (new.cancellation_fee_minor IS DISTINCT FROM old.cancellation_fee_minor)) OR (new.status IS DISTINCT FROM old.status))) EXECUTE FUNCTION follow_payments();
CREATE TRIGGER follow_payments_first BEFORE INSERT ON public.bookings FOR EACH ROW EXECUTE FUNCTION follow_payments();
CREATE TRIGGER limit_discount_uses AFTER INSERT ON public.bookings FOR EACH ROW WHEN (((new.discount_code_id IS NOT NULL) AND uses_discount(new.status))) EXECUTE FUNCTION limit_discount_uses();
CREATE TRIGGER limit_discount_uses_again AFTER UPDATE OF status, discount_code_id ON public.bookings FOR EACH ROW WHEN (((new.discount_code_id IS NOT NULL) AND uses_discount(new.status) AND ((NOT uses_discount(old.status)) OR (new.discount_code_id IS DISTINCT FROM old.discount_code_id)))) EXECUTE FUNCTION limit_discount_uses();
CREATE TRIGGER machine_bookings BEFORE INSERT OR UPDATE OF status ON public.bookings FOR EACH ROW EXECUTE FUNCTION check_transition('bookings', 'status');
CREATE TRIGGER mark_import BEFORE INSERT OR UPDATE ON public.bookings FOR EACH ROW EXECUTE FUNCTION mark_import();
CREATE TRIGGER queue_webhooks_insert AFTER INSERT ON public.bookings REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION queue_booking_webhooks();
CREATE TRIGGER queue_webhooks_update AFTER UPDATE ON public.bookings REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION queue_booking_webhooks();
CREATE TRIGGER record_delete AFTER DELETE ON public.bookings REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_insert AFTER INSERT ON public.bookings REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_update AFTER UPDATE ON public.bookings REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.bookings FOR EACH ROW WHEN (((new.amount_paid_minor = old.amount_paid_minor) OR (app_import_batch_id() IS NULL))) EXECUTE FUNCTION touch_row();
CREATE TRIGGER withdraw_proposals AFTER UPDATE OF departure_id, status, pax ON public.bookings FOR EACH ROW WHEN ((((old.departure_id IS DISTINCT FROM new.departure_id) OR (old.status IS DISTINCT FROM new.status)) OR (old.pax IS DISTINCT FROM new.pax))) EXECUTE FUNCTION withdraw_proposals();

create table calendar_feeds (
  org_id text not null,
  id uuid not null,
  staff_id uuid,
  vehicle_id uuid,
  token_hash bytea not null,
  token_hint text not null,
  issued_at timestamp with time zone not null default app_now(),
  issued_by text,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  constraint calendar_feeds_pkey PRIMARY KEY (org_id, id),
  constraint calendar_feeds_hint_length CHECK ((char_length(token_hint) <= 4)),
  constraint calendar_feeds_one_subject CHECK ((num_nonnulls(staff_id, vehicle_id) <= 1)),
  constraint calendar_feeds_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id) ON DELETE CASCADE,
  constraint calendar_feeds_staff_fk FOREIGN KEY (org_id, staff_id) REFERENCES field_staff(org_id, id),
  constraint calendar_feeds_subject_once UNIQUE NULLS NOT DISTINCT (org_id, staff_id, vehicle_id),
  constraint calendar_feeds_token_is_sha256 CHECK ((octet_length(token_hash) = 32)),
  constraint calendar_feeds_token_unique UNIQUE (org_id, token_hash),
  constraint calendar_feeds_vehicle_fk FOREIGN KEY (org_id, vehicle_id) REFERENCES vehicles(org_id, id)
);
CREATE INDEX calendar_feeds_token ON public.calendar_feeds USING btree (token_hash);
alter table calendar_feeds enable row level security;
alter table calendar_feeds force row level security;
create policy directory on calendar_feeds for select to app_directory using (true);
create policy organization on calendar_feeds for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy own on calendar_feeds as restrictive for all to app_own using ((staff_id = ( SELECT own_staff_id() AS own_staff_id))) with check ((staff_id = ( SELECT own_staff_id() AS own_staff_id)));
grant select on table calendar_feeds to app_directory;
grant delete, insert, select, update on table calendar_feeds to app_own;
grant delete, insert, select, update on table calendar_feeds to app_user;
CREATE TRIGGER record_delete AFTER DELETE ON public.calendar_feeds REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', 'token_hash');
CREATE TRIGGER record_insert AFTER INSERT ON public.calendar_feeds REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', 'token_hash');
CREATE TRIGGER record_update AFTER UPDATE ON public.calendar_feeds REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', 'token_hash');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.calendar_feeds FOR EACH ROW EXECUTE FUNCTION touch_row();

create table changes (
  seq bigint not null generated always as identity,
  tx xid8 not null default pg_current_xact_id(),
  org_id text not null,
  topic text not null,
  entity_id text not null,
  op text not null,
  at timestamp with time zone not null default clock_timestamp(),
  constraint changes_pkey PRIMARY KEY (tx, seq),
  constraint changes_op_known CHECK ((op = ANY (ARRAY['insert'::text, 'update'::text, 'delete'::text, 'event'::text])))
);
comment on table changes is 'The outbox. What was read of it is kept as a snapshot (pg_current_snapshot()): the next read takes what that snapshot does not see. No single number can say it, since transactions end in another order than they begin or write.';
CREATE INDEX changes_org_tx ON public.changes USING btree (org_id, tx, seq);
alter table changes enable row level security;
alter table changes force row level security;
create policy directory on changes for select to app_directory using (true);
create policy feed on changes for select to app_feed using (true);
create policy janitor on changes for all to app_janitor using (true) with check (true);
create policy organization on changes for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy recorder on changes for insert to app_recorder with check (true);
grant select on table changes to app_directory;
grant select on table changes to app_feed;
grant delete, maintain, select on table changes to app_janitor;
grant insert on table changes to app_recorder;
grant select on table changes to app_user;

create table check_ins (
  org_id text not null,
  id uuid not null,
  manifest_entry_id uuid not null,
  departure_stop_id uuid,
  kind text not null,
  at timestamp with time zone not null default app_now(),
  by_staff_id uuid,
  by_user_id text,
  by_link_id uuid,
  method text not null default 'tap'::text,
  client_event_id text not null,
  device_at timestamp with time zone,
  synced_at timestamp with time zone not null default app_now(),
  lat double precision,
  lng double precision,
  constraint check_ins_pkey PRIMARY KEY (org_id, id),
  constraint check_ins_client_event_length CHECK (((char_length(client_event_id) >= 8) AND (char_length(client_event_id) <= 100))),
  constraint check_ins_client_event_unique UNIQUE (org_id, client_event_id),
  constraint check_ins_coordinates_range CHECK ((((lat >= ('-90'::integer)::double precision) AND (lat <= (90)::double precision)) AND ((lng >= ('-180'::integer)::double precision) AND (lng <= (180)::double precision)))),
  constraint check_ins_entry_fk FOREIGN KEY (org_id, manifest_entry_id) REFERENCES manifest_entries(org_id, id),
  constraint check_ins_have_an_author CHECK ((num_nonnulls(by_staff_id, by_user_id, by_link_id) >= 1)),
  constraint check_ins_kind_known CHECK ((kind = ANY (ARRAY['arrive'::text, 'board'::text, 'leave'::text, 'undo'::text]))),
  constraint check_ins_link_fk FOREIGN KEY (org_id, by_link_id) REFERENCES shared_links(org_id, id),
  constraint check_ins_method_known CHECK ((method = ANY (ARRAY['scan'::text, 'tap'::text, 'bulk'::text, 'guest'::text]))),
  constraint check_ins_staff_fk FOREIGN KEY (org_id, by_staff_id) REFERENCES field_staff(org_id, id),
  constraint check_ins_stop_fk FOREIGN KEY (org_id, departure_stop_id) REFERENCES departure_stops(org_id, id)
);
CREATE INDEX check_ins_entry ON public.check_ins USING btree (org_id, manifest_entry_id, at);
CREATE INDEX check_ins_stop ON public.check_ins USING btree (org_id, departure_stop_id);
alter table check_ins enable row level security;
alter table check_ins force row level security;
create policy organization on check_ins for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy own on check_ins as restrictive for all to app_own using ((EXISTS ( SELECT
   FROM manifest_entries m
  WHERE ((m.org_id = check_ins.org_id) AND (m.id = check_ins.manifest_entry_id))))) with check ((EXISTS ( SELECT
   FROM manifest_entries m
  WHERE ((m.org_id = check_ins.org_id) AND (m.id = check_ins.manifest_entry_id)))));
grant insert, select on table check_ins to app_own;
grant insert, select on table check_ins to app_user;
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.check_ins FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER queue_webhooks_insert AFTER INSERT ON public.check_ins REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION queue_check_in_webhooks();
CREATE TRIGGER record_delete AFTER DELETE ON public.check_ins REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_insert AFTER INSERT ON public.check_ins REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_update AFTER UPDATE ON public.check_ins REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');

create table crew_notices (
  org_id text not null,
  assignment_id uuid not null,
  was jsonb,
  changed_at timestamp with time zone,
  revision_number integer,
  told_at timestamp with time zone,
  reported_at timestamp with time zone,
  constraint crew_notices_pkey PRIMARY KEY (org_id, assignment_id),
  constraint crew_notices_assignment_fk FOREIGN KEY (org_id, assignment_id) REFERENCES assignments(org_id, id) ON DELETE CASCADE,
  constraint crew_notices_change_has_before CHECK (((was IS NULL) = (changed_at IS NULL))),
  constraint crew_notices_has_purpose CHECK (((was IS NOT NULL) OR (revision_number IS NOT NULL))),
  constraint crew_notices_reported_once_told CHECK (((reported_at IS NULL) OR (told_at IS NOT NULL))),
  constraint crew_notices_revision_told CHECK (((revision_number IS NULL) = (told_at IS NULL)))
);
comment on column crew_notices.was is 'crew_view() before the first change that they have not been told of; null where they have been told of all.';
comment on column crew_notices.changed_at is 'When the last of these changes was made.';
comment on column crew_notices.revision_number is 'Revision of the itinerary that they were told of and have not opened; null where there is none.';
comment on column crew_notices.reported_at is 'When the office was notified that it has not been opened.';
CREATE INDEX crew_notices_changed ON public.crew_notices USING btree (org_id, changed_at) WHERE (changed_at IS NOT NULL);
CREATE INDEX crew_notices_told ON public.crew_notices USING btree (org_id, told_at) WHERE ((told_at IS NOT NULL) AND (reported_at IS NULL));
alter table crew_notices enable row level security;
alter table crew_notices force row level security;
create policy organization on crew_notices for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy own on crew_notices as restrictive for all to app_own using ((EXISTS ( SELECT
   FROM assignments a
  WHERE ((a.org_id = crew_notices.org_id) AND (a.id = crew_notices.assignment_id))))) with check ((EXISTS ( SELECT
   FROM assignments a
  WHERE ((a.org_id = crew_notices.org_id) AND (a.id = crew_notices.assignment_id)))));
grant insert, select, update on table crew_notices to app_own;
grant delete, insert, select, update on table crew_notices to app_user;

create table crew_reminders (
  org_id text not null,
  user_id text not null,
  local_date date not null,
  decided_at timestamp with time zone not null default app_now(),
  constraint crew_reminders_pkey PRIMARY KEY (org_id, user_id, local_date),
  constraint crew_reminders_member_fk FOREIGN KEY (org_id, user_id) REFERENCES members(org_id, user_id) ON DELETE CASCADE
);
comment on column crew_reminders.local_date is 'The day of the departures, by the clocks of their tours.';
alter table crew_reminders enable row level security;
alter table crew_reminders force row level security;
create policy organization on crew_reminders for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
grant delete, insert, select on table crew_reminders to app_user;

create table daily_digests (
  org_id text not null,
  user_id text not null,
  local_date date not null,
  decided_at timestamp with time zone not null default app_now(),
  constraint daily_digests_pkey PRIMARY KEY (org_id, user_id, local_date),
  constraint daily_digests_member_fk FOREIGN KEY (org_id, user_id) REFERENCES members(org_id, user_id) ON DELETE CASCADE
);
comment on column daily_digests.local_date is 'The day on which it is sent, in the zone of the organization.';
alter table daily_digests enable row level security;
alter table daily_digests force row level security;
create policy organization on daily_digests for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
grant delete, insert, select on table daily_digests to app_user;

create table data_keys (
  id text not null,
  added_at timestamp with time zone not null default clock_timestamp(),
  lost_at timestamp with time zone,
  constraint data_keys_pkey PRIMARY KEY (id),
  constraint data_keys_id_form CHECK (((id ~ '^[0-9a-f]{16}$'::text) OR (id = 'nameless'::text)))
);
comment on table data_keys is 'Ids of keys for data at rest; the keys are with the installation. A key that encrypts something cannot be removed here.';
grant select on table data_keys to app_user;

create table deliveries (
  org_id text not null,
  id uuid not null,
  message_id uuid not null,
  traveler_id uuid,
  staff_id uuid,
  supplier_id uuid,
  user_id text,
  recipient text not null,
  channel text not null,
  status text not null default 'queued'::text,
  subject text,
  body text,
  provider_id text,
  error text,
  suppressed_reason text,
  attempts smallint not null default 0,
  next_attempt_at timestamp with time zone,
  sent_at timestamp with time zone,
  delivered_at timestamp with time zone,
  read_at timestamp with time zone,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  booking_id uuid,
  quiet_zone text,
  push_subscription_id uuid,
  link text,
  language text,
  constraint deliveries_pkey PRIMARY KEY (org_id, id),
  constraint deliveries_attempts_range CHECK (((attempts >= 0) AND (attempts <= 4))),
  constraint deliveries_booking_fk FOREIGN KEY (org_id, booking_id) REFERENCES bookings(org_id, id) ON DELETE SET NULL (booking_id),
  constraint deliveries_channel_known CHECK ((channel = ANY (ARRAY['in_app'::text, 'email'::text, 'sms'::text, 'whatsapp'::text, 'push'::text, 'webhook'::text]))),
  constraint deliveries_language_known CHECK ((language = ANY (ARRAY['en'::text, 'de'::text, 'es'::text]))),
  constraint deliveries_link_own CHECK (((link ~ '^/'::text) AND (link !~ '^//'::text) AND (char_length(link) <= 500))),
  constraint deliveries_message_fk FOREIGN KEY (org_id, message_id) REFERENCES messages(org_id, id) ON DELETE CASCADE,
  constraint deliveries_push_subscription_fk FOREIGN KEY (org_id, push_subscription_id) REFERENCES push_subscriptions(org_id, id) ON DELETE SET NULL (push_subscription_id),
  constraint deliveries_recipient_once UNIQUE NULLS NOT DISTINCT (org_id, message_id, channel, recipient, booking_id),
  constraint deliveries_staff_fk FOREIGN KEY (org_id, staff_id) REFERENCES field_staff(org_id, id),
  constraint deliveries_status_known CHECK ((status = ANY (ARRAY['queued'::text, 'sent'::text, 'delivered'::text, 'read'::text, 'failed'::text, 'suppressed'::text]))),
  constraint deliveries_supplier_fk FOREIGN KEY (org_id, supplier_id) REFERENCES suppliers(org_id, id),
  constraint deliveries_suppressed_reason_known CHECK ((suppressed_reason = ANY (ARRAY['outdated'::text, 'stopped'::text, 'opted_out'::text, 'said_stop'::text, 'browser_gone'::text]))),
  constraint deliveries_traveler_fk FOREIGN KEY (org_id, traveler_id) REFERENCES travelers(org_id, id)
);
comment on column deliveries.quiet_zone is 'Zone in which quiet hours are, while it waits for their end.';
comment on column deliveries.link is 'Path of our own that a push notice opens.';
comment on column deliveries.language is 'Chosen by the sender of this message; null: the one of the booking.';
CREATE INDEX deliveries_booking ON public.deliveries USING btree (org_id, booking_id, created_at) WHERE (booking_id IS NOT NULL);
CREATE INDEX deliveries_due ON public.deliveries USING btree (org_id, next_attempt_at) WHERE (status = 'queued'::text);
CREATE INDEX deliveries_provider ON public.deliveries USING btree (org_id, provider_id) WHERE (provider_id IS NOT NULL);
CREATE INDEX deliveries_push_subscription ON public.deliveries USING btree (org_id, push_subscription_id) WHERE (push_subscription_id IS NOT NULL);
CREATE INDEX deliveries_quiet ON public.deliveries USING btree (org_id) WHERE ((quiet_zone IS NOT NULL) AND (status = 'queued'::text));
CREATE INDEX deliveries_status ON public.deliveries USING btree (org_id, status, created_at);
CREATE INDEX deliveries_traveler ON public.deliveries USING btree (org_id, traveler_id) WHERE (traveler_id IS NOT NULL);
CREATE INDEX deliveries_waiting ON public.deliveries USING btree (org_id, message_id) WHERE (status = 'queued'::text);
alter table deliveries enable row level security;
alter table deliveries force row level security;
create policy organization on deliveries for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy own on deliveries as restrictive for all to app_own using ((EXISTS ( SELECT
   FROM messages m
  WHERE ((m.org_id = deliveries.org_id) AND (m.id = deliveries.message_id))))) with check ((EXISTS ( SELECT
   FROM messages m
  WHERE ((m.org_id = deliveries.org_id) AND (m.id = deliveries.message_id)))));
grant insert, select, update on table deliveries to app_own;
grant delete, insert, select, update on table deliveries to app_user;
CREATE TRIGGER machine_deliveries BEFORE INSERT OR UPDATE OF status ON public.deliveries FOR EACH ROW EXECUTE FUNCTION check_transition('deliveries', 'status');
CREATE TRIGGER queue_webhooks_update AFTER UPDATE ON public.deliveries REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION queue_message_webhooks();
CREATE TRIGGER record_delete AFTER DELETE ON public.deliveries REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', 'body');
CREATE TRIGGER record_insert AFTER INSERT ON public.deliveries REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', 'body');
CREATE TRIGGER record_update AFTER UPDATE ON public.deliveries REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', 'body');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.deliveries FOR EACH ROW EXECUTE FUNCTION touch_row();

create table departure_findings (
  org_id text not null,
  departure_id uuid not null,
  kind text not null,
  cause text not null default ''::text,
  since timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  lat double precision not null,
  lng double precision not null,
  facts jsonb not null default '{}'::jsonb,
  constraint departure_findings_pkey PRIMARY KEY (org_id, departure_id, kind, cause),
  constraint departure_findings_departure_fk FOREIGN KEY (org_id, departure_id) REFERENCES departures(org_id, id) ON DELETE CASCADE,
  constraint departure_findings_kind_known CHECK ((kind = ANY (ARRAY['off_route'::text, 'long_stop'::text, 'overspeed'::text, 'geofence_absent'::text, 'no_go_area'::text])))
);
alter table departure_findings enable row level security;
alter table departure_findings force row level security;
create policy organization on departure_findings for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
grant delete, insert, select, update on table departure_findings to app_user;

create table departure_groups (
  org_id text not null,
  id uuid not null,
  name text not null,
  local_date date not null,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  constraint departure_groups_pkey PRIMARY KEY (org_id, id),
  constraint departure_groups_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id) ON DELETE CASCADE
);
alter table departure_groups enable row level security;
alter table departure_groups force row level security;
create policy organization on departure_groups for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
grant delete, insert, select, update on table departure_groups to app_user;
CREATE TRIGGER record_delete AFTER DELETE ON public.departure_groups REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_insert AFTER INSERT ON public.departure_groups REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_update AFTER UPDATE ON public.departure_groups REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.departure_groups FOR EACH ROW EXECUTE FUNCTION touch_row();

create table departure_notes (
  org_id text not null,
  id uuid not null,
  departure_id uuid not null,
  at timestamp with time zone not null default app_now(),
  by_user_id text,
  by_link_id uuid,
  by_name text not null,
  text text not null,
  constraint departure_notes_pkey PRIMARY KEY (org_id, id),
  constraint departure_notes_departure_fk FOREIGN KEY (org_id, departure_id) REFERENCES departures(org_id, id),
  constraint departure_notes_have_an_author CHECK ((num_nonnulls(by_user_id, by_link_id) = 1)),
  constraint departure_notes_link_fk FOREIGN KEY (org_id, by_link_id) REFERENCES shared_links(org_id, id),
  constraint departure_notes_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id) ON DELETE CASCADE,
  constraint departure_notes_text_length CHECK (((char_length(text) >= 1) AND (char_length(text) <= 500)))
);
CREATE INDEX departure_notes_departure ON public.departure_notes USING btree (org_id, departure_id, at);
alter table departure_notes enable row level security;
alter table departure_notes force row level security;
create policy organization on departure_notes for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy own on departure_notes as restrictive for all to app_own using ((departure_id = ANY (( SELECT own_departures() AS own_departures)::uuid[]))) with check ((departure_id = ANY (( SELECT own_departures() AS own_departures)::uuid[])));
grant insert, select on table departure_notes to app_own;
grant insert, select on table departure_notes to app_user;
CREATE TRIGGER record_delete AFTER DELETE ON public.departure_notes REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_insert AFTER INSERT ON public.departure_notes REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_update AFTER UPDATE ON public.departure_notes REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');

create table departure_notices (
  org_id text not null,
  departure_id uuid not null,
  reminded_for date,
  late_since timestamp with time zone,
  feedback_from timestamp with time zone,
  informed_for date,
  constraint departure_notices_pkey PRIMARY KEY (org_id, departure_id),
  constraint departure_notices_departure_fk FOREIGN KEY (org_id, departure_id) REFERENCES departures(org_id, id) ON DELETE CASCADE
);
comment on column departure_notices.feedback_from is 'Since when the guests of a departure that has ended wait to be asked how it was; null where nobody is to be asked, or all have been.';
comment on column departure_notices.informed_for is 'The local date for which the contacts got the information before the tour; another date brings another one.';
CREATE INDEX departure_notices_feedback ON public.departure_notices USING btree (org_id, feedback_from) WHERE (feedback_from IS NOT NULL);
CREATE INDEX departure_notices_late ON public.departure_notices USING btree (org_id, late_since) WHERE (late_since IS NOT NULL);
alter table departure_notices enable row level security;
alter table departure_notices force row level security;
create policy organization on departure_notices for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy own on departure_notices as restrictive for all to app_own using ((departure_id = ANY (( SELECT own_departures() AS own_departures)::uuid[]))) with check ((departure_id = ANY (( SELECT own_departures() AS own_departures)::uuid[])));
grant insert, select, update on table departure_notices to app_own;
grant delete, insert, select, update on table departure_notices to app_user;

create table departure_reach (
  org_id text not null,
  departure_id uuid not null,
  stop_id uuid not null,
  reach_at timestamp with time zone not null,
  means text not null,
  seen_at timestamp with time zone not null,
  lat double precision not null,
  lng double precision not null,
  routed_at timestamp with time zone,
  routed_seen_at timestamp with time zone,
  constraint departure_reach_pkey PRIMARY KEY (org_id, departure_id),
  constraint departure_reach_departure_fk FOREIGN KEY (org_id, departure_id) REFERENCES departures(org_id, id) ON DELETE CASCADE,
  constraint departure_reach_means_known CHECK ((means = ANY (ARRAY['at_least'::text, 'expected'::text]))),
  constraint departure_reach_place CHECK ((((lat >= ('-90'::integer)::double precision) AND (lat <= (90)::double precision)) AND ((lng >= ('-180'::integer)::double precision) AND (lng <= (180)::double precision)))),
  constraint departure_reach_routed_whole CHECK (((routed_at IS NULL) = (routed_seen_at IS NULL))),
  constraint departure_reach_stop_fk FOREIGN KEY (org_id, stop_id) REFERENCES departure_stops(org_id, id) ON DELETE CASCADE
);
CREATE INDEX departure_reach_stop ON public.departure_reach USING btree (org_id, stop_id);
alter table departure_reach enable row level security;
alter table departure_reach force row level security;
create policy organization on departure_reach for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy own on departure_reach as restrictive for all to app_own using ((departure_id = ANY (( SELECT own_departures() AS own_departures)::uuid[]))) with check ((departure_id = ANY (( SELECT own_departures() AS own_departures)::uuid[])));
grant select on table departure_reach to app_own;
grant delete, insert, select, update on table departure_reach to app_user;

create table departure_services (
  org_id text not null,
  id uuid not null,
  departure_id uuid not null,
  supplier_id uuid,
  day_index integer not null default 1,
  kind text not null,
  description text not null default ''::text,
  quantity integer not null default 1,
  status text not null default 'to_request'::text,
  confirmation_ref text,
  release_at timestamp with time zone,
  cost_minor bigint,
  currency text,
  contact text,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  constraint departure_services_pkey PRIMARY KEY (org_id, id),
  constraint departure_services_cost_not_negative CHECK (((cost_minor IS NULL) OR ((cost_minor >= 0) AND (currency IS NOT NULL)))),
  constraint departure_services_currency_code CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint departure_services_departure_fk FOREIGN KEY (org_id, departure_id) REFERENCES departures(org_id, id) ON DELETE CASCADE,
  constraint departure_services_kind_known CHECK ((kind = ANY (ARRAY['hotel'::text, 'meal'::text, 'ticket'::text, 'permit'::text, 'transport'::text, 'activity'::text]))),
  constraint departure_services_quantity_range CHECK (((quantity >= 0) AND (day_index >= 1))),
  constraint departure_services_status_known CHECK ((status = ANY (ARRAY['to_request'::text, 'requested'::text, 'confirmed'::text, 'waitlisted'::text, 'declined'::text, 'cancelled'::text]))),
  constraint departure_services_supplier_fk FOREIGN KEY (org_id, supplier_id) REFERENCES suppliers(org_id, id)
);
CREATE INDEX departure_services_departure ON public.departure_services USING btree (org_id, departure_id);
CREATE INDEX departure_services_supplier ON public.departure_services USING btree (org_id, supplier_id);
alter table departure_services enable row level security;
alter table departure_services force row level security;
create policy organization on departure_services for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy own on departure_services as restrictive for all to app_own using ((departure_id = ANY (( SELECT own_departures() AS own_departures)::uuid[]))) with check ((departure_id = ANY (( SELECT own_departures() AS own_departures)::uuid[])));
grant select on table departure_services to app_own;
grant delete, insert, select, update on table departure_services to app_user;
CREATE TRIGGER machine_departure_services BEFORE INSERT OR UPDATE OF status ON public.departure_services FOR EACH ROW EXECUTE FUNCTION check_transition('departure_services', 'status');
CREATE TRIGGER record_delete AFTER DELETE ON public.departure_services REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_insert AFTER INSERT ON public.departure_services REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_update AFTER UPDATE ON public.departure_services REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.departure_services FOR EACH ROW EXECUTE FUNCTION touch_row();

create table departure_stops (
  org_id text not null,
  id uuid not null,
  departure_id uuid not null,
  stop_order integer not null,
  day_index integer not null default 1,
  place_id uuid not null,
  kind text not null default 'visit'::text,
  planned_arrive_at timestamp with time zone not null,
  planned_depart_at timestamp with time zone not null,
  slack_min integer not null default 0,
  optional boolean not null default false,
  headcount_required boolean not null default false,
  timed_entry boolean not null default false,
  guest_visible boolean not null default true,
  note text,
  status text not null default 'planned'::text,
  actual_arrive_at timestamp with time zone,
  actual_depart_at timestamp with time zone,
  source text,
  eta_at timestamp with time zone,
  eta_computed_at timestamp with time zone,
  delay_seconds integer not null default 0,
  headcount_expected integer,
  headcount_actual integer,
  skip_reason text,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  depart_source text,
  withdrawn_at timestamp with time zone,
  travel_mode text,
  signal_gap boolean not null default false,
  constraint departure_stops_pkey PRIMARY KEY (org_id, id),
  constraint departure_stops_actual_order CHECK (((actual_depart_at IS NULL) OR (actual_arrive_at IS NULL) OR (actual_depart_at >= actual_arrive_at))),
  constraint departure_stops_depart_source_known CHECK ((depart_source = ANY (ARRAY['gps'::text, 'guide'::text, 'dispatcher'::text, 'inferred'::text]))),
  constraint departure_stops_departure_fk FOREIGN KEY (org_id, departure_id) REFERENCES departures(org_id, id) ON DELETE CASCADE,
  constraint departure_stops_headcount_range CHECK ((((headcount_expected IS NULL) OR (headcount_expected >= 0)) AND ((headcount_actual IS NULL) OR (headcount_actual >= 0)))),
  constraint departure_stops_kind_known CHECK ((kind = ANY (ARRAY['start'::text, 'pickup'::text, 'visit'::text, 'meal'::text, 'photo'::text, 'rest'::text, 'transfer'::text, 'overnight'::text, 'end'::text]))),
  constraint departure_stops_of_departure_unique UNIQUE (org_id, departure_id, id),
  constraint departure_stops_order_range CHECK (((stop_order >= 0) AND (day_index >= 1) AND (slack_min >= 0))),
  constraint departure_stops_order_unique UNIQUE (org_id, departure_id, stop_order) DEFERRABLE,
  constraint departure_stops_place_fk FOREIGN KEY (org_id, place_id) REFERENCES places(org_id, id),
  constraint departure_stops_planned_order CHECK ((planned_depart_at >= planned_arrive_at)),
  constraint departure_stops_source_known CHECK ((source = ANY (ARRAY['gps'::text, 'guide'::text, 'dispatcher'::text, 'inferred'::text]))),
  constraint departure_stops_status_known CHECK ((status = ANY (ARRAY['planned'::text, 'approaching'::text, 'arrived'::text, 'departed'::text, 'skipped'::text]))),
  constraint departure_stops_travel_mode_known CHECK ((travel_mode = ANY (ARRAY['walk'::text, 'drive'::text, 'boat'::text, 'rail'::text, 'air'::text])))
);
CREATE INDEX departure_stops_place ON public.departure_stops USING btree (org_id, place_id);
alter table departure_stops enable row level security;
alter table departure_stops force row level security;
create policy organization on departure_stops for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy own on departure_stops as restrictive for all to app_own using ((departure_id = ANY (( SELECT own_departures() AS own_departures)::uuid[]))) with check ((departure_id = ANY (( SELECT own_departures() AS own_departures)::uuid[])));
grant select, update on table departure_stops to app_own;
grant delete, insert, select, update on table departure_stops to app_user;
CREATE TRIGGER machine_departure_stops BEFORE INSERT OR UPDATE OF status ON public.departure_stops FOR EACH ROW EXECUTE FUNCTION check_transition('departure_stops', 'status');
CREATE TRIGGER queue_webhooks_update AFTER UPDATE ON public.departure_stops REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION queue_stop_webhooks();
CREATE TRIGGER record_delete AFTER DELETE ON public.departure_stops REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_estimates AFTER UPDATE ON public.departure_stops REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT WHEN ((current_setting('app.estimating'::text, true) = 'on'::text)) EXECUTE FUNCTION record_estimates();
CREATE TRIGGER record_insert AFTER INSERT ON public.departure_stops REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_update AFTER UPDATE ON public.departure_stops REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT WHEN ((current_setting('app.estimating'::text, true) IS DISTINCT FROM 'on'::text)) EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.departure_stops FOR EACH ROW WHEN (((current_setting('app.estimating'::text, true) IS DISTINCT FROM 'on'::text) AND (current_setting('app.arriving'::text, true) IS DISTINCT FROM 'on'::text))) EXECUTE FUNCTION touch_row();

create table departures (
  org_id text not null,
  id uuid not null,
  code text not null,
  group_id uuid,
  tour_id uuid not null,
  revision_id uuid not null,
  option_id uuid,
  status text not null default 'scheduled'::text,
  sales_status text not null default 'open'::text,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  time_zone text not null,
  local_date date not null,
  local_start_time time without time zone not null,
  language text,
  capacity integer not null,
  min_pax integer not null default 0,
  overbook_limit integer not null default 0,
  seats_confirmed integer not null default 0,
  seats_held integer not null default 0,
  waitlist_count integer not null default 0,
  decide_by timestamp with time zone,
  guaranteed_at timestamp with time zone,
  cutoff_at timestamp with time zone,
  actual_start_at timestamp with time zone,
  actual_end_at timestamp with time zone,
  delay_seconds integer not null default 0,
  readiness jsonb not null default '{}'::jsonb,
  weather_note text,
  internal_note text,
  cancel_reason text,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  private boolean not null default false,
  constraint departures_pkey PRIMARY KEY (org_id, id),
  constraint departures_actual_end_after_start CHECK (((actual_end_at IS NULL) OR ((actual_start_at IS NOT NULL) AND (actual_end_at >= actual_start_at)))),
  constraint departures_cancel_reason_given CHECK (((status <> 'cancelled'::text) OR (cancel_reason IS NOT NULL))),
  constraint departures_cancel_reason_known CHECK ((cancel_reason = ANY (ARRAY['low_pax'::text, 'weather'::text, 'staff'::text, 'vehicle'::text, 'safety'::text, 'supplier'::text, 'other'::text, 'combined'::text]))),
  constraint departures_capacity_range CHECK (((capacity >= 0) AND (min_pax >= 0) AND (overbook_limit >= 0))),
  constraint departures_code_unique UNIQUE (org_id, code),
  constraint departures_end_after_start CHECK ((ends_at > starts_at)),
  constraint departures_group_fk FOREIGN KEY (org_id, group_id) REFERENCES departure_groups(org_id, id),
  constraint departures_local_date_matches CHECK ((local_date = ((starts_at AT TIME ZONE time_zone))::date)),
  constraint departures_option_fk FOREIGN KEY (org_id, tour_id, option_id) REFERENCES tour_options(org_id, tour_id, id),
  constraint departures_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id) ON DELETE CASCADE,
  constraint departures_revision_fk FOREIGN KEY (org_id, tour_id, revision_id) REFERENCES tour_revisions(org_id, tour_id, id),
  constraint departures_sales_status_known CHECK ((sales_status = ANY (ARRAY['open'::text, 'paused'::text, 'closed'::text]))),
  constraint departures_seats_not_negative CHECK (((seats_confirmed >= 0) AND (seats_held >= 0) AND (waitlist_count >= 0))),
  constraint departures_seats_within_capacity CHECK (((seats_confirmed + seats_held) <= (capacity + overbook_limit))),
  constraint departures_status_known CHECK ((status = ANY (ARRAY['draft'::text, 'scheduled'::text, 'guaranteed'::text, 'boarding'::text, 'in_progress'::text, 'completed'::text, 'cancelled'::text, 'aborted'::text]))),
  constraint departures_tour_fk FOREIGN KEY (org_id, tour_id) REFERENCES tours(org_id, id)
);
comment on column departures.waitlist_count is 'Parties waiting, not persons.';
comment on column departures.private is 'One party only: with its first seat nobody else is sold one.';
CREATE INDEX departures_decide_by ON public.departures USING btree (org_id, decide_by) WHERE (status = 'scheduled'::text);
CREATE INDEX departures_group ON public.departures USING btree (org_id, group_id) WHERE (group_id IS NOT NULL);
CREATE INDEX departures_local_date ON public.departures USING btree (org_id, local_date, starts_at);
CREATE INDEX departures_starts_at ON public.departures USING btree (org_id, starts_at, id);
CREATE INDEX departures_status ON public.departures USING btree (org_id, status, starts_at);
CREATE INDEX departures_tour ON public.departures USING btree (org_id, tour_id, starts_at);
alter table departures enable row level security;
alter table departures force row level security;
create policy organization on departures for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy own on departures as restrictive for all to app_own using ((id = ANY (( SELECT own_departures() AS own_departures)::uuid[]))) with check ((id = ANY (( SELECT own_departures() AS own_departures)::uuid[])));
create policy search on departures for select to app_search using (true);
grant select, update on table departures to app_own;
grant select on table departures to app_search;
grant delete, insert, select, update on table departures to app_user;
CREATE TRIGGER check_departure BEFORE INSERT OR UPDATE ON public.departures FOR EACH ROW EXECUTE FUNCTION check_departure();
CREATE TRIGGER check_private_departure BEFORE UPDATE OF private ON public.departures FOR EACH ROW WHEN ((new.private AND (NOT old.private))) EXECUTE FUNCTION check_private_departure();
CREATE TRIGGER machine_departure_sales BEFORE INSERT OR UPDATE OF sales_status ON public.departures FOR EACH ROW EXECUTE FUNCTION check_transition('departure_sales', 'sales_status');
CREATE TRIGGER machine_departures BEFORE INSERT OR UPDATE OF status ON public.departures FOR EACH ROW EXECUTE FUNCTION check_transition('departures', 'status');
CREATE TRIGGER move_duties AFTER UPDATE OF starts_at, ends_at ON public.departures FOR EACH ROW WHEN (((new.starts_at IS DISTINCT FROM old.starts_at) OR (new.ends_at IS DISTINCT FROM old.ends_at))) EXECUTE FUNCTION move_duties();
CREATE TRIGGER move_issues AFTER UPDATE OF starts_at, ends_at ON public.departures FOR EACH ROW WHEN (((new.starts_at IS DISTINCT FROM old.starts_at) OR (new.ends_at IS DISTINCT FROM old.ends_at))) EXECUTE FUNCTION move_issues();
CREATE TRIGGER note_crew_of_departure BEFORE UPDATE OF status, starts_at, ends_at, revision_id, language, weather_note ON public.departures FOR EACH ROW WHEN (((((((new.starts_at IS DISTINCT FROM old.starts_at) OR (new.ends_at IS DISTINCT FROM old.ends_at)) OR (new.revision_id IS DISTINCT FROM old.revision_id)) OR (new.language IS DISTINCT FROM old.language)) OR (new.weather_note IS DISTINCT FROM old.weather_note)) OR ((new.status = ANY (ARRAY['draft'::text, 'cancelled'::text])) IS DISTINCT FROM (old.status = ANY (ARRAY['draft'::text, 'cancelled'::text]))))) EXECUTE FUNCTION note_crew_of_departure();
CREATE TRIGGER note_feedback_due AFTER UPDATE OF status ON public.departures FOR EACH ROW WHEN (((new.status = 'completed'::text) AND (old.status <> 'completed'::text))) EXECUTE FUNCTION note_feedback_due();
CREATE TRIGGER queue_webhooks_insert AFTER INSERT ON public.departures REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION queue_departure_webhooks();
CREATE TRIGGER queue_webhooks_update AFTER UPDATE ON public.departures REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT WHEN ((current_setting('app.estimating'::text, true) IS DISTINCT FROM 'on'::text)) EXECUTE FUNCTION queue_departure_webhooks();
CREATE TRIGGER record_delete AFTER DELETE ON public.departures REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_estimates AFTER UPDATE ON public.departures REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT WHEN ((current_setting('app.estimating'::text, true) = 'on'::text)) EXECUTE FUNCTION record_estimates();
CREATE TRIGGER record_insert AFTER INSERT ON public.departures REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_update AFTER UPDATE ON public.departures REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT WHEN ((current_setting('app.estimating'::text, true) IS DISTINCT FROM 'on'::text)) EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.departures FOR EACH ROW WHEN (((pg_trigger_depth() = 0) AND (current_setting('app.estimating'::text, true) IS DISTINCT FROM 'on'::text))) EXECUTE FUNCTION touch_row();

create table device_signals (
  org_id text not null,
  device_id uuid not null,
  last_seen_at timestamp with time zone not null default app_now(),
  protocol text not null,
  battery_pct smallint,
  clock_skew_s integer,
  constraint device_signals_pkey PRIMARY KEY (org_id, device_id),
  constraint device_signals_battery_range CHECK (((battery_pct >= 0) AND (battery_pct <= 100))),
  constraint device_signals_device_fk FOREIGN KEY (org_id, device_id) REFERENCES devices(org_id, id) ON DELETE CASCADE,
  constraint device_signals_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id) ON DELETE CASCADE,
  constraint device_signals_protocol_known CHECK ((protocol = ANY (ARRAY['osmand'::text, 'owntracks'::text, 'duty_page'::text])))
);
alter table device_signals enable row level security;
alter table device_signals force row level security;
create policy organization on device_signals for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy own on device_signals as restrictive for all to app_own using ((EXISTS ( SELECT
   FROM devices d
  WHERE ((d.org_id = device_signals.org_id) AND (d.id = device_signals.device_id))))) with check ((EXISTS ( SELECT
   FROM devices d
  WHERE ((d.org_id = device_signals.org_id) AND (d.id = device_signals.device_id)))));
grant select on table device_signals to app_own;
grant delete, insert, select, update on table device_signals to app_user;

create table devices (
  org_id text not null,
  id uuid not null,
  kind text not null default 'phone'::text,
  external_id text,
  label text not null,
  staff_id uuid,
  vehicle_id uuid,
  token_hash bytea,
  token_expires_at timestamp with time zone,
  report_interval_s integer not null default 15,
  archived_at timestamp with time zone,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  pairing_hash bytea,
  pairing_expires_at timestamp with time zone,
  is_duty_page boolean not null default false,
  past_token_hash bytea,
  constraint devices_pkey PRIMARY KEY (org_id, id),
  constraint devices_external_id_unique UNIQUE (org_id, external_id),
  constraint devices_interval_range CHECK ((report_interval_s > 0)),
  constraint devices_kind_known CHECK ((kind = ANY (ARRAY['phone'::text, 'tracker'::text, 'vehicle_unit'::text]))),
  constraint devices_one_subject CHECK ((num_nonnulls(staff_id, vehicle_id) <= 1)),
  constraint devices_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id) ON DELETE CASCADE,
  constraint devices_pairing_expires CHECK (((pairing_hash IS NULL) = (pairing_expires_at IS NULL))),
  constraint devices_pairing_is_sha256 CHECK ((octet_length(pairing_hash) = 32)),
  constraint devices_pairing_unique UNIQUE (org_id, pairing_hash),
  constraint devices_past_token_is_sha256 CHECK ((octet_length(past_token_hash) = 32)),
  constraint devices_staff_fk FOREIGN KEY (org_id, staff_id) REFERENCES field_staff(org_id, id),
  constraint devices_token_expires CHECK (((token_hash IS NULL) OR (token_expires_at IS NOT NULL))),
  constraint devices_token_is_sha256 CHECK ((octet_length(token_hash) = 32)),
  constraint devices_token_unique UNIQUE (org_id, token_hash),
  constraint devices_vehicle_fk FOREIGN KEY (org_id, vehicle_id) REFERENCES vehicles(org_id, id)
);
CREATE UNIQUE INDEX devices_one_duty_page ON public.devices USING btree (org_id, staff_id) WHERE (is_duty_page AND (archived_at IS NULL));
CREATE INDEX devices_pairing ON public.devices USING btree (pairing_hash) WHERE (pairing_hash IS NOT NULL);
CREATE INDEX devices_past_token ON public.devices USING btree (past_token_hash) WHERE (past_token_hash IS NOT NULL);
CREATE INDEX devices_staff ON public.devices USING btree (org_id, staff_id) WHERE (staff_id IS NOT NULL);
CREATE INDEX devices_token ON public.devices USING btree (token_hash) WHERE (token_hash IS NOT NULL);
CREATE INDEX devices_vehicle ON public.devices USING btree (org_id, vehicle_id) WHERE (vehicle_id IS NOT NULL);
alter table devices enable row level security;
alter table devices force row level security;
create policy directory on devices for select to app_directory using (true);
create policy organization on devices for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy own on devices as restrictive for all to app_own using ((staff_id = ( SELECT own_staff_id() AS own_staff_id))) with check ((staff_id = ( SELECT own_staff_id() AS own_staff_id)));
grant select on table devices to app_directory;
grant select on table devices to app_own;
grant delete, insert, select, update on table devices to app_user;
CREATE TRIGGER keep_past_token BEFORE UPDATE OF token_hash ON public.devices FOR EACH ROW WHEN ((new.token_hash IS DISTINCT FROM old.token_hash)) EXECUTE FUNCTION keep_past_token();
CREATE TRIGGER record_delete AFTER DELETE ON public.devices REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', 'token_hash,pairing_hash,past_token_hash');
CREATE TRIGGER record_insert AFTER INSERT ON public.devices REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', 'token_hash,pairing_hash,past_token_hash');
CREATE TRIGGER record_update AFTER UPDATE ON public.devices REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', 'token_hash,pairing_hash,past_token_hash');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.devices FOR EACH ROW EXECUTE FUNCTION touch_row();

create table discount_codes (
  org_id text not null,
  id uuid not null,
  code text not null,
  kind text not null,
  value integer not null,
  currency text,
  valid_by text not null default 'sale'::text,
  valid_from date,
  valid_until date,
  max_uses integer not null default 0,
  archived_at timestamp with time zone,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  tour_ids uuid[] not null default '{}'::uuid[],
  constraint discount_codes_pkey PRIMARY KEY (org_id, id),
  constraint discount_codes_amount_has_currency CHECK (((kind <> 'amount'::text) OR COALESCE((currency ~ '^[A-Z]{3}$'::text), false))),
  constraint discount_codes_code_length CHECK (((char_length(code) >= 1) AND (char_length(code) <= 40))),
  constraint discount_codes_days_order CHECK ((valid_from <= valid_until)),
  constraint discount_codes_kind_known CHECK ((kind = ANY (ARRAY['percent'::text, 'amount'::text]))),
  constraint discount_codes_max_uses_range CHECK (((max_uses >= 0) AND (max_uses <= 1000000))),
  constraint discount_codes_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id) ON DELETE CASCADE,
  constraint discount_codes_percent_bounded CHECK (((kind <> 'percent'::text) OR (value <= 100))),
  constraint discount_codes_tours_length CHECK ((cardinality(tour_ids) <= 100)),
  constraint discount_codes_valid_by_known CHECK ((valid_by = ANY (ARRAY['sale'::text, 'departure'::text]))),
  constraint discount_codes_value_range CHECK (((value >= 1) AND (value <= 1000000)))
);
comment on table discount_codes is 'Codes that make a sale cheaper. Archived ones are not taken any more; bookings keep what they gave.';
comment on column discount_codes.tour_ids is 'None: every tour.';
CREATE UNIQUE INDEX discount_codes_code_unique ON public.discount_codes USING btree (org_id, upper(code));
alter table discount_codes enable row level security;
alter table discount_codes force row level security;
create policy organization on discount_codes for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy own on discount_codes as restrictive for all to app_own using (false) with check (false);
grant select on table discount_codes to app_own;
grant delete, insert, select, update on table discount_codes to app_user;
CREATE TRIGGER check_discount_tours AFTER INSERT OR UPDATE OF tour_ids ON public.discount_codes FOR EACH ROW WHEN ((cardinality(new.tour_ids) > 0)) EXECUTE FUNCTION check_discount_tours();
CREATE TRIGGER record_delete AFTER DELETE ON public.discount_codes REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_insert AFTER INSERT ON public.discount_codes REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_update AFTER UPDATE ON public.discount_codes REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.discount_codes FOR EACH ROW EXECUTE FUNCTION touch_row();

create table documents (
  path text not null,
  org_id text,
  user_id text,
  data jsonb not null,
  version bigint not null default 1,
  create_time timestamp with time zone not null default clock_timestamp(),
  update_time timestamp with time zone not null default clock_timestamp(),
  constraint documents_pkey PRIMARY KEY (path),
  constraint documents_have_an_owner CHECK (((org_id IS NOT NULL) OR (user_id IS NOT NULL))),
  constraint documents_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id) ON DELETE CASCADE,
  constraint documents_path_form CHECK (((path ~ '^[^/]+(/[^/]+)+$'::text) AND (char_length(path) <= 1500))),
  constraint documents_size CHECK ((pg_column_size(data) <= 1048576))
);
CREATE INDEX documents_org ON public.documents USING btree (org_id, path text_pattern_ops);
CREATE INDEX documents_prefix ON public.documents USING btree (path text_pattern_ops);
CREATE INDEX documents_user ON public.documents USING btree (user_id, path text_pattern_ops);
alter table documents enable row level security;
alter table documents force row level security;
create policy feed on documents for select to app_feed using (true);
create policy own on documents as restrictive for all to app_own using (((path !~~ 'orgs/%/positions/%'::text) OR (path ~~ ('orgs/%/positions/'::text || (( SELECT own_staff_id() AS own_staff_id))::text)))) with check (((path !~~ 'orgs/%/positions/%'::text) OR (path ~~ ('orgs/%/positions/'::text || (( SELECT own_staff_id() AS own_staff_id))::text))));
create policy owner on documents for all to public using (((org_id = app_org_id()) OR (user_id = app_user_id()))) with check (((org_id = app_org_id()) OR (user_id = app_user_id())));
create policy recorder on documents for all to app_recorder using ((path ~~ 'users/%/inbox/%'::text)) with check ((path ~~ 'users/%/inbox/%'::text));
grant select on table documents to app_feed;
grant delete, insert, select, update on table documents to app_own;
grant delete, insert, select, update on table documents to app_recorder;
grant delete, insert, select, update on table documents to app_user;
CREATE TRIGGER limit_drafts BEFORE INSERT ON public.documents FOR EACH ROW WHEN (((new.user_id IS NOT NULL) AND (new.path ~~ 'users/%/drafts/%'::text))) EXECUTE FUNCTION limit_drafts();
CREATE TRIGGER record_delete AFTER DELETE ON public.documents REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_documents();
CREATE TRIGGER record_insert AFTER INSERT ON public.documents REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_documents();
CREATE TRIGGER record_update AFTER UPDATE ON public.documents REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_documents();

create table duty_events (
  org_id text not null,
  id uuid not null,
  kind text not null,
  departure_id uuid,
  by_user_id text,
  by_link_id uuid,
  author text not null generated always as (COALESCE(by_user_id, (by_link_id)::text)) stored,
  device_at timestamp with time zone not null,
  at timestamp with time zone not null,
  received_at timestamp with time zone not null default app_now(),
  event jsonb not null,
  answer jsonb not null,
  constraint duty_events_pkey PRIMARY KEY (org_id, author, id),
  constraint duty_events_departure_fk FOREIGN KEY (org_id, departure_id) REFERENCES departures(org_id, id),
  constraint duty_events_have_an_author CHECK ((num_nonnulls(by_user_id, by_link_id) = 1)),
  constraint duty_events_kind_length CHECK ((char_length(kind) <= 40)),
  constraint duty_events_link_fk FOREIGN KEY (org_id, by_link_id) REFERENCES shared_links(org_id, id),
  constraint duty_events_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id) ON DELETE CASCADE,
  constraint duty_events_size CHECK (((pg_column_size(event) <= 20000) AND (pg_column_size(answer) <= 8000)))
);
CREATE INDEX duty_events_departure ON public.duty_events USING btree (org_id, departure_id, received_at);
alter table duty_events enable row level security;
alter table duty_events force row level security;
create policy organization on duty_events for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy own on duty_events as restrictive for all to app_own using ((author = app_user_id())) with check ((author = app_user_id()));
grant insert, select on table duty_events to app_own;
grant insert, select on table duty_events to app_user;

create table duty_sessions (
  org_id text not null,
  id uuid not null,
  staff_id uuid,
  vehicle_id uuid,
  departure_id uuid,
  status text not null default 'open'::text,
  started_at timestamp with time zone not null default app_now(),
  ended_at timestamp with time zone,
  ended_by text,
  source text not null default 'app'::text,
  consent_version text,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  breaks tstzmultirange not null default '{}'::tstzmultirange,
  break_started_at timestamp with time zone,
  tracked_from timestamp with time zone,
  asked_at timestamp with time zone,
  constraint duty_sessions_pkey PRIMARY KEY (org_id, id),
  constraint duty_sessions_break_is_open CHECK (((break_started_at IS NULL) OR (status = 'open'::text))),
  constraint duty_sessions_departure_fk FOREIGN KEY (org_id, departure_id) REFERENCES departures(org_id, id),
  constraint duty_sessions_end_after_start CHECK ((ended_at >= started_at)),
  constraint duty_sessions_end_matches_status CHECK (((status = 'closed'::text) = (ended_at IS NOT NULL))),
  constraint duty_sessions_ended_by_known CHECK ((ended_by = ANY (ARRAY['person'::text, 'dispatcher'::text, 'departure'::text, 'limit'::text]))),
  constraint duty_sessions_one_subject CHECK ((num_nonnulls(staff_id, vehicle_id) = 1)),
  constraint duty_sessions_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id) ON DELETE CASCADE,
  constraint duty_sessions_source_known CHECK ((source = ANY (ARRAY['app'::text, 'dispatcher'::text, 'auto'::text]))),
  constraint duty_sessions_staff_fk FOREIGN KEY (org_id, staff_id) REFERENCES field_staff(org_id, id),
  constraint duty_sessions_status_known CHECK ((status = ANY (ARRAY['open'::text, 'closed'::text]))),
  constraint duty_sessions_vehicle_fk FOREIGN KEY (org_id, vehicle_id) REFERENCES vehicles(org_id, id)
);
comment on column duty_sessions.asked_at is 'When the office last asked the phone of this person for a position.';
CREATE INDEX duty_sessions_departure ON public.duty_sessions USING btree (org_id, departure_id) WHERE (departure_id IS NOT NULL);
CREATE UNIQUE INDEX duty_sessions_one_open_per_staff ON public.duty_sessions USING btree (org_id, staff_id) WHERE ((status = 'open'::text) AND (staff_id IS NOT NULL));
CREATE UNIQUE INDEX duty_sessions_one_open_per_vehicle ON public.duty_sessions USING btree (org_id, vehicle_id) WHERE ((status = 'open'::text) AND (vehicle_id IS NOT NULL));
CREATE INDEX duty_sessions_staff_started ON public.duty_sessions USING btree (org_id, staff_id, started_at) WHERE (staff_id IS NOT NULL);
CREATE INDEX duty_sessions_started_at ON public.duty_sessions USING btree (org_id, started_at);
CREATE INDEX duty_sessions_vehicle_started ON public.duty_sessions USING btree (org_id, vehicle_id, started_at) WHERE (vehicle_id IS NOT NULL);
alter table duty_sessions enable row level security;
alter table duty_sessions force row level security;
create policy organization on duty_sessions for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy own on duty_sessions as restrictive for all to app_own using ((staff_id = ( SELECT own_staff_id() AS own_staff_id))) with check ((staff_id = ( SELECT own_staff_id() AS own_staff_id)));
grant insert, select, update on table duty_sessions to app_own;
grant references on table duty_sessions to app_positions;
grant delete, insert, select, update on table duty_sessions to app_user;
CREATE TRIGGER keep_duty_times BEFORE INSERT OR UPDATE ON public.duty_sessions FOR EACH ROW EXECUTE FUNCTION keep_duty_times();
CREATE TRIGGER keep_position_ask BEFORE INSERT OR UPDATE ON public.duty_sessions FOR EACH ROW EXECUTE FUNCTION keep_position_ask();
CREATE TRIGGER machine_duty_sessions BEFORE INSERT OR UPDATE OF status ON public.duty_sessions FOR EACH ROW EXECUTE FUNCTION check_transition('duty_sessions', 'status');
CREATE TRIGGER record_delete AFTER DELETE ON public.duty_sessions REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_insert AFTER INSERT ON public.duty_sessions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_update AFTER UPDATE ON public.duty_sessions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.duty_sessions FOR EACH ROW EXECUTE FUNCTION touch_row();

create table duty_start_notices (
  org_id text not null,
  assignment_id uuid not null,
  told_at timestamp with time zone not null default app_now(),
  constraint duty_start_notices_pkey PRIMARY KEY (org_id, assignment_id),
  constraint duty_start_notices_assignment_fk FOREIGN KEY (org_id, assignment_id) REFERENCES assignments(org_id, id) ON DELETE CASCADE
);
alter table duty_start_notices enable row level security;
alter table duty_start_notices force row level security;
create policy organization on duty_start_notices for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
grant insert, select on table duty_start_notices to app_user;

create table equipment (
  org_id text not null,
  id uuid not null,
  name text not null,
  kind text not null,
  quantity integer not null,
  sizes text,
  condition text not null default 'good'::text,
  base_place_id uuid,
  note text,
  archived_at timestamp with time zone,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  constraint equipment_pkey PRIMARY KEY (org_id, id),
  constraint equipment_base_place_fk FOREIGN KEY (org_id, base_place_id) REFERENCES places(org_id, id),
  constraint equipment_condition_known CHECK ((condition = ANY (ARRAY['good'::text, 'worn'::text, 'broken'::text]))),
  constraint equipment_kind_known CHECK ((kind = ANY (ARRAY['safety'::text, 'clothing'::text, 'child_seat'::text, 'radio'::text, 'other'::text]))),
  constraint equipment_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id) ON DELETE CASCADE,
  constraint equipment_quantity_range CHECK (((quantity >= 0) AND (quantity <= 10000)))
);
alter table equipment enable row level security;
alter table equipment force row level security;
create policy organization on equipment for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
grant select on table equipment to app_own;
grant delete, insert, select, update on table equipment to app_user;
CREATE TRIGGER check_equipment_quantity AFTER UPDATE OF quantity ON public.equipment FOR EACH ROW WHEN ((new.quantity < old.quantity)) EXECUTE FUNCTION check_equipment_quantity();
CREATE TRIGGER record_delete AFTER DELETE ON public.equipment REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_insert AFTER INSERT ON public.equipment REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_update AFTER UPDATE ON public.equipment REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.equipment FOR EACH ROW EXECUTE FUNCTION touch_row();

create table equipment_issues (
  org_id text not null,
  departure_id uuid not null,
  equipment_id uuid not null,
  quantity integer not null,
  during tstzrange not null,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  constraint equipment_issues_pkey PRIMARY KEY (org_id, departure_id, equipment_id),
  constraint equipment_issues_departure_fk FOREIGN KEY (org_id, departure_id) REFERENCES departures(org_id, id) ON DELETE CASCADE,
  constraint equipment_issues_equipment_fk FOREIGN KEY (org_id, equipment_id) REFERENCES equipment(org_id, id),
  constraint equipment_issues_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id) ON DELETE CASCADE,
  constraint equipment_issues_quantity_range CHECK (((quantity >= 1) AND (quantity <= 10000)))
);
CREATE INDEX equipment_issues_equipment ON public.equipment_issues USING btree (org_id, equipment_id, upper(during));
alter table equipment_issues enable row level security;
alter table equipment_issues force row level security;
create policy organization on equipment_issues for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy own on equipment_issues as restrictive for all to app_own using ((departure_id = ANY (( SELECT own_departures() AS own_departures)::uuid[]))) with check ((departure_id = ANY (( SELECT own_departures() AS own_departures)::uuid[])));
grant select on table equipment_issues to app_own;
grant delete, insert, select, update on table equipment_issues to app_user;
CREATE TRIGGER check_issued AFTER INSERT OR UPDATE ON public.equipment_issues FOR EACH ROW EXECUTE FUNCTION check_issued();
CREATE TRIGGER record_delete AFTER DELETE ON public.equipment_issues REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('departure_id,equipment_id', '');
CREATE TRIGGER record_insert AFTER INSERT ON public.equipment_issues REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('departure_id,equipment_id', '');
CREATE TRIGGER record_update AFTER UPDATE ON public.equipment_issues REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('departure_id,equipment_id', '');
CREATE TRIGGER set_issue_time BEFORE INSERT OR UPDATE ON public.equipment_issues FOR EACH ROW EXECUTE FUNCTION set_issue_time();
CREATE TRIGGER touch_row BEFORE UPDATE ON public.equipment_issues FOR EACH ROW EXECUTE FUNCTION touch_row();

create table feedback (
  org_id text not null,
  id uuid not null,
  departure_id uuid not null,
  booking_id uuid,
  traveler_id uuid,
  staff_id uuid,
  tour_rating smallint,
  guide_rating smallint,
  nps smallint,
  comment text,
  language text,
  source text not null default 'link'::text,
  at timestamp with time zone not null default app_now(),
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  constraint feedback_pkey PRIMARY KEY (org_id, id),
  constraint feedback_booking_fk FOREIGN KEY (org_id, booking_id) REFERENCES bookings(org_id, id),
  constraint feedback_comment_length CHECK ((char_length(comment) <= 2000)),
  constraint feedback_departure_fk FOREIGN KEY (org_id, departure_id) REFERENCES departures(org_id, id),
  constraint feedback_nps_range CHECK (((nps >= 0) AND (nps <= 10))),
  constraint feedback_ratings_range CHECK ((((tour_rating >= 1) AND (tour_rating <= 5)) AND ((guide_rating >= 1) AND (guide_rating <= 5)))),
  constraint feedback_source_known CHECK ((source = ANY (ARRAY['link'::text, 'email'::text, 'ota'::text, 'import'::text]))),
  constraint feedback_staff_fk FOREIGN KEY (org_id, staff_id) REFERENCES field_staff(org_id, id),
  constraint feedback_traveler_fk FOREIGN KEY (org_id, traveler_id) REFERENCES travelers(org_id, id)
);
CREATE INDEX feedback_at ON public.feedback USING btree (org_id, at);
CREATE INDEX feedback_booking ON public.feedback USING btree (org_id, booking_id) WHERE (booking_id IS NOT NULL);
CREATE UNIQUE INDEX feedback_booking_once ON public.feedback USING btree (org_id, booking_id, departure_id) WHERE ((source = 'link'::text) AND (booking_id IS NOT NULL));
CREATE INDEX feedback_departure ON public.feedback USING btree (org_id, departure_id);
CREATE INDEX feedback_staff ON public.feedback USING btree (org_id, staff_id, at) WHERE (staff_id IS NOT NULL);
CREATE INDEX feedback_traveler ON public.feedback USING btree (org_id, traveler_id) WHERE (traveler_id IS NOT NULL);
alter table feedback enable row level security;
alter table feedback force row level security;
create policy organization on feedback for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy own on feedback as restrictive for all to app_own using ((departure_id = ANY (( SELECT own_departures() AS own_departures)::uuid[]))) with check ((departure_id = ANY (( SELECT own_departures() AS own_departures)::uuid[])));
grant select on table feedback to app_own;
grant delete, insert, select, update on table feedback to app_user;
CREATE TRIGGER record_delete AFTER DELETE ON public.feedback REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', 'comment');
CREATE TRIGGER record_insert AFTER INSERT ON public.feedback REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', 'comment');
CREATE TRIGGER record_update AFTER UPDATE ON public.feedback REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', 'comment');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.feedback FOR EACH ROW EXECUTE FUNCTION touch_row();

create table feedback_follow_ups (
  org_id text not null,
  id uuid not null,
  owner_user_id text,
  note text,
  closed_at timestamp with time zone,
  closed_by text,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  constraint feedback_follow_ups_pkey PRIMARY KEY (org_id, id),
  constraint feedback_follow_ups_closed_whole CHECK ((num_nonnulls(note, closed_at, closed_by) = ANY (ARRAY[0, 3]))),
  constraint feedback_follow_ups_feedback_fk FOREIGN KEY (org_id, id) REFERENCES feedback(org_id, id) ON DELETE CASCADE,
  constraint feedback_follow_ups_note_length CHECK (((char_length(note) >= 1) AND (char_length(note) <= 300)))
);
alter table feedback_follow_ups enable row level security;
alter table feedback_follow_ups force row level security;
create policy organization on feedback_follow_ups for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy own on feedback_follow_ups as restrictive for all to app_own using ((EXISTS ( SELECT
   FROM feedback f
  WHERE ((f.org_id = feedback_follow_ups.org_id) AND (f.id = feedback_follow_ups.id))))) with check ((EXISTS ( SELECT
   FROM feedback f
  WHERE ((f.org_id = feedback_follow_ups.org_id) AND (f.id = feedback_follow_ups.id)))));
grant select on table feedback_follow_ups to app_own;
grant delete, insert, select, update on table feedback_follow_ups to app_user;
CREATE TRIGGER record_delete AFTER DELETE ON public.feedback_follow_ups REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', 'note');
CREATE TRIGGER record_insert AFTER INSERT ON public.feedback_follow_ups REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', 'note');
CREATE TRIGGER record_update AFTER UPDATE ON public.feedback_follow_ups REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', 'note');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.feedback_follow_ups FOR EACH ROW EXECUTE FUNCTION touch_row();

create table field_staff (
  org_id text not null,
  id uuid not null,
  code text not null,
  first_name text not null,
  last_name text not null,
  kinds text[] not null default '{guide}'::text[],
  employment text not null default 'employee'::text,
  supplier_id uuid,
  status text not null default 'active'::text,
  photo_url text,
  phone text,
  email text,
  emergency_name text,
  emergency_relation text,
  emergency_phone text,
  home_base_place_id uuid,
  languages jsonb not null default '[]'::jsonb,
  skills text[] not null default '{}'::text[],
  max_hours_per_day real not null default 10,
  min_rest_hours real not null default 11,
  contracted_hours_per_week real,
  cost_per_day_minor bigint,
  currency text,
  rating_average real,
  rating_count integer not null default 0,
  member_user_id text,
  tracking_consent_at timestamp with time zone,
  tracking_consent_version text,
  notes text,
  archived_at timestamp with time zone,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  constraint field_staff_pkey PRIMARY KEY (org_id, id),
  constraint field_staff_code_unique UNIQUE (org_id, code),
  constraint field_staff_cost_not_negative CHECK (((cost_per_day_minor IS NULL) OR ((cost_per_day_minor >= 0) AND (currency IS NOT NULL)))),
  constraint field_staff_currency_code CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint field_staff_employment_known CHECK ((employment = ANY (ARRAY['employee'::text, 'freelance'::text, 'supplier'::text]))),
  constraint field_staff_home_base_fk FOREIGN KEY (org_id, home_base_place_id) REFERENCES places(org_id, id),
  constraint field_staff_hours_range CHECK (((max_hours_per_day > (0)::double precision) AND (max_hours_per_day <= (24)::double precision) AND ((min_rest_hours >= (0)::double precision) AND (min_rest_hours <= (24)::double precision)) AND ((contracted_hours_per_week IS NULL) OR ((contracted_hours_per_week >= (0)::double precision) AND (contracted_hours_per_week <= (168)::double precision))))),
  constraint field_staff_kinds_known CHECK (((cardinality(kinds) > 0) AND (kinds <@ ARRAY['guide'::text, 'driver'::text, 'driver_guide'::text, 'tour_leader'::text, 'rep'::text, 'porter'::text, 'skipper'::text]))),
  constraint field_staff_member_fk FOREIGN KEY (org_id, member_user_id) REFERENCES members(org_id, user_id),
  constraint field_staff_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id) ON DELETE CASCADE,
  constraint field_staff_rating_range CHECK ((((rating_average IS NULL) OR ((rating_average >= (1)::double precision) AND (rating_average <= (5)::double precision))) AND (rating_count >= 0))),
  constraint field_staff_status_known CHECK ((status = ANY (ARRAY['active'::text, 'inactive'::text, 'suspended'::text]))),
  constraint field_staff_supplier_fk FOREIGN KEY (org_id, supplier_id) REFERENCES suppliers(org_id, id)
);
CREATE UNIQUE INDEX field_staff_member_once ON public.field_staff USING btree (org_id, member_user_id) WHERE (member_user_id IS NOT NULL);
CREATE INDEX field_staff_name ON public.field_staff USING btree (org_id, last_name COLLATE "und-x-icu", first_name COLLATE "und-x-icu", id);
alter table field_staff enable row level security;
alter table field_staff force row level security;
create policy organization on field_staff for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy own on field_staff as restrictive for all to app_own using ((id = ANY (( SELECT own_colleagues() AS own_colleagues)::uuid[]))) with check ((id = ANY (( SELECT own_colleagues() AS own_colleagues)::uuid[])));
create policy own_consent on field_staff as restrictive for update to app_own using ((id = ( SELECT own_staff_id() AS own_staff_id)));
grant select on table field_staff to app_own;
grant delete, insert, select, update on table field_staff to app_user;
CREATE TRIGGER follow_staff_link AFTER INSERT OR UPDATE OF member_user_id ON public.field_staff FOR EACH ROW EXECUTE FUNCTION follow_staff_link();
CREATE TRIGGER record_delete AFTER DELETE ON public.field_staff REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', 'emergency_name,emergency_relation,emergency_phone');
CREATE TRIGGER record_insert AFTER INSERT ON public.field_staff REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', 'emergency_name,emergency_relation,emergency_phone');
CREATE TRIGGER record_update AFTER UPDATE ON public.field_staff REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', 'emergency_name,emergency_relation,emergency_phone');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.field_staff FOR EACH ROW EXECUTE FUNCTION touch_row();

create table files (
  org_id text not null,
  id uuid not null,
  path text not null,
  purpose text not null,
  file_name text not null,
  content_type text not null,
  size_bytes bigint not null,
  received_bytes bigint not null default 0,
  sha256 bytea,
  status text not null default 'uploading'::text,
  public boolean not null default false,
  metadata jsonb not null default '{}'::jsonb,
  created_by text,
  completed_at timestamp with time zone,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  content_key_sealed bytea,
  content_key text generated always as (sealing_key(content_key_sealed)) stored,
  constraint files_pkey PRIMARY KEY (org_id, id),
  constraint files_content_key_known FOREIGN KEY (content_key) REFERENCES data_keys(id),
  constraint files_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id) ON DELETE CASCADE,
  constraint files_path_unique UNIQUE (org_id, path),
  constraint files_sha256_length CHECK ((octet_length(sha256) = 32)),
  constraint files_size_range CHECK (((size_bytes >= 0) AND (received_bytes >= 0))),
  constraint files_status_known CHECK ((status = ANY (ARRAY['uploading'::text, 'stored'::text, 'failed'::text, 'deleted'::text])))
);
comment on column files.content_key_sealed is 'The key of this content, encrypted; null for a content that is kept as it came.';
comment on column files.content_key is 'The id of the data key that encrypted the key of the content.';
alter table files enable row level security;
alter table files force row level security;
create policy janitor on files for select to app_janitor using (true);
create policy organization on files for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy own on files as restrictive for all to app_own using (public) with check (public);
grant select on table files to app_janitor;
grant select on table files to app_own;
grant delete, insert, select, update on table files to app_user;
CREATE TRIGGER record_delete AFTER DELETE ON public.files REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_insert AFTER INSERT ON public.files REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_update AFTER UPDATE ON public.files REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT WHEN ((current_setting('app.resealing'::text, true) IS DISTINCT FROM 'on'::text)) EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.files FOR EACH ROW WHEN ((current_setting('app.resealing'::text, true) IS DISTINCT FROM 'on'::text)) EXECUTE FUNCTION touch_row();

create table form_holds (
  org_id text not null,
  user_id text not null,
  id uuid not null,
  departure_id uuid not null,
  seats integer not null,
  expires_at timestamp with time zone not null,
  slot integer not null,
  constraint form_holds_pkey PRIMARY KEY (org_id, user_id, id),
  constraint form_holds_departure_fk FOREIGN KEY (org_id, departure_id) REFERENCES departures(org_id, id) ON DELETE CASCADE,
  constraint form_holds_forms_per_person UNIQUE (org_id, user_id, slot),
  constraint form_holds_member_fk FOREIGN KEY (org_id, user_id) REFERENCES members(org_id, user_id) ON DELETE CASCADE,
  constraint form_holds_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id) ON DELETE CASCADE,
  constraint form_holds_seats_range CHECK ((seats > 0)),
  constraint form_holds_slot_range CHECK (((slot >= 1) AND (slot <= 5)))
);
comment on table form_holds is 'Seats held by open booking forms. A transport like presence: without audit; the counters of the departure report the change.';
CREATE INDEX form_holds_departure ON public.form_holds USING btree (org_id, departure_id);
alter table form_holds enable row level security;
alter table form_holds force row level security;
create policy organization on form_holds for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy own on form_holds as restrictive for all to app_own using ((departure_id = ANY (( SELECT own_departures() AS own_departures)::uuid[]))) with check ((departure_id = ANY (( SELECT own_departures() AS own_departures)::uuid[])));
grant select on table form_holds to app_own;
grant delete, insert, select, update on table form_holds to app_user;
CREATE TRIGGER count_seats_in_forms AFTER INSERT OR DELETE OR UPDATE ON public.form_holds FOR EACH ROW EXECUTE FUNCTION count_seats_in_forms();

create table geofences (
  org_id text not null,
  id uuid not null,
  name text not null,
  kind text not null,
  place_id uuid,
  geojson jsonb not null,
  enter_m double precision not null default 80,
  exit_m double precision not null default 120,
  dwell_s integer not null default 60,
  active_calendar jsonb,
  archived_at timestamp with time zone,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  constraint geofences_pkey PRIMARY KEY (org_id, id),
  constraint geofences_is_geometry CHECK (((geojson ->> 'type'::text) = ANY (ARRAY['Point'::text, 'LineString'::text, 'Polygon'::text, 'MultiPolygon'::text]))),
  constraint geofences_kind_known CHECK ((kind = ANY (ARRAY['place'::text, 'corridor'::text, 'no_go'::text, 'depot'::text]))),
  constraint geofences_no_go_is_area CHECK (((kind <> 'no_go'::text) OR COALESCE((((geojson ->> 'type'::text) = 'Point'::text) OR (((geojson ->> 'type'::text) = 'Polygon'::text) AND (jsonb_array_length((geojson -> 'coordinates'::text)) = 1) AND ((jsonb_array_length(((geojson -> 'coordinates'::text) -> 0)) >= 4) AND (jsonb_array_length(((geojson -> 'coordinates'::text) -> 0)) <= 101)))), false))),
  constraint geofences_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id) ON DELETE CASCADE,
  constraint geofences_place_fk FOREIGN KEY (org_id, place_id) REFERENCES places(org_id, id),
  constraint geofences_radii_order CHECK (((enter_m > (0)::double precision) AND (enter_m < exit_m) AND (dwell_s >= 0)))
);
CREATE INDEX geofences_no_go ON public.geofences USING btree (org_id, name, id) WHERE ((kind = 'no_go'::text) AND (archived_at IS NULL));
alter table geofences enable row level security;
alter table geofences force row level security;
create policy organization on geofences for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
grant select on table geofences to app_own;
grant delete, insert, select, update on table geofences to app_user;
CREATE TRIGGER limit_no_go_areas BEFORE INSERT OR UPDATE OF kind, archived_at ON public.geofences FOR EACH ROW WHEN (((new.kind = 'no_go'::text) AND (new.archived_at IS NULL))) EXECUTE FUNCTION limit_no_go_areas();
CREATE TRIGGER record_delete AFTER DELETE ON public.geofences REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_insert AFTER INSERT ON public.geofences REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_update AFTER UPDATE ON public.geofences REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.geofences FOR EACH ROW EXECUTE FUNCTION touch_row();

create table guest_occasions (
  org_id text not null,
  id uuid not null,
  event text not null,
  booking_id uuid not null,
  departure_id uuid not null,
  occurrence text not null,
  at timestamp with time zone not null default app_now(),
  final_at timestamp with time zone not null default app_now(),
  said jsonb,
  said_before jsonb,
  local_date date,
  delay_minutes integer,
  expected_at timestamp with time zone,
  pax integer not null,
  owes boolean not null,
  constraint guest_occasions_pkey PRIMARY KEY (org_id, id),
  constraint guest_occasions_booking_fk FOREIGN KEY (org_id, booking_id) REFERENCES bookings(org_id, id) ON DELETE CASCADE,
  constraint guest_occasions_delay_complete CHECK ((num_nulls(local_date, delay_minutes, expected_at) = ANY (ARRAY[0, 3]))),
  constraint guest_occasions_departure_fk FOREIGN KEY (org_id, departure_id) REFERENCES departures(org_id, id) ON DELETE CASCADE,
  constraint guest_occasions_once UNIQUE (org_id, booking_id, event, occurrence)
);
comment on column guest_occasions.pax is 'Guests of the party at the time.';
comment on column guest_occasions.owes is 'Whether something was due of the booking at the time.';
CREATE INDEX guest_occasions_at ON public.guest_occasions USING btree (org_id, event, at);
CREATE INDEX guest_occasions_departure ON public.guest_occasions USING btree (org_id, departure_id);
alter table guest_occasions enable row level security;
alter table guest_occasions force row level security;
create policy organization on guest_occasions for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy own on guest_occasions as restrictive for all to app_own using ((departure_id = ANY (( SELECT own_departures() AS own_departures)::uuid[]))) with check ((departure_id = ANY (( SELECT own_departures() AS own_departures)::uuid[])));
grant delete, insert, select, update on table guest_occasions to app_own;
grant delete, insert, select, update on table guest_occasions to app_user;

create table headcounts (
  org_id text not null,
  id uuid not null,
  departure_stop_id uuid not null,
  expected integer not null,
  counted integer not null,
  reason text,
  by_staff_id uuid,
  by_user_id text,
  at timestamp with time zone not null default app_now(),
  constraint headcounts_pkey PRIMARY KEY (org_id, id),
  constraint headcounts_mismatch_has_reason CHECK (((expected = counted) OR (COALESCE(reason, ''::text) <> ''::text))),
  constraint headcounts_range CHECK (((expected >= 0) AND (counted >= 0))),
  constraint headcounts_staff_fk FOREIGN KEY (org_id, by_staff_id) REFERENCES field_staff(org_id, id),
  constraint headcounts_stop_fk FOREIGN KEY (org_id, departure_stop_id) REFERENCES departure_stops(org_id, id) ON DELETE CASCADE
);
CREATE INDEX headcounts_stop ON public.headcounts USING btree (org_id, departure_stop_id, at);
alter table headcounts enable row level security;
alter table headcounts force row level security;
create policy organization on headcounts for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy own on headcounts as restrictive for all to app_own using ((EXISTS ( SELECT
   FROM departure_stops s
  WHERE ((s.org_id = headcounts.org_id) AND (s.id = headcounts.departure_stop_id))))) with check ((EXISTS ( SELECT
   FROM departure_stops s
  WHERE ((s.org_id = headcounts.org_id) AND (s.id = headcounts.departure_stop_id)))));
grant insert, select on table headcounts to app_own;
grant insert, select on table headcounts to app_user;
CREATE TRIGGER record_delete AFTER DELETE ON public.headcounts REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_insert AFTER INSERT ON public.headcounts REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_update AFTER UPDATE ON public.headcounts REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');

create table idempotency_keys (
  org_id text not null,
  key text not null,
  callable text not null,
  user_id text,
  request_hash text not null,
  created_at timestamp with time zone not null default app_now(),
  answer bytea,
  answer_until timestamp with time zone,
  constraint idempotency_keys_pkey PRIMARY KEY (org_id, key),
  constraint idempotency_keys_key_length CHECK (((char_length(key) >= 8) AND (char_length(key) <= 200))),
  constraint idempotency_keys_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id) ON DELETE CASCADE
);
comment on column idempotency_keys.answer is 'What a repeated call is answered, encrypted.';
comment on column idempotency_keys.answer_until is 'When the answer holds a secret that is shown once, such as the token of a link: not kept after this.';
CREATE INDEX idempotency_keys_answer_until ON public.idempotency_keys USING btree (answer_until) WHERE (answer IS NOT NULL);
CREATE INDEX idempotency_keys_created_at ON public.idempotency_keys USING btree (created_at);
alter table idempotency_keys enable row level security;
alter table idempotency_keys force row level security;
create policy janitor on idempotency_keys for all to app_janitor using (true) with check (true);
create policy organization on idempotency_keys for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
grant delete, select, update on table idempotency_keys to app_janitor;
grant delete, insert, select, update on table idempotency_keys to app_own;
grant delete, insert, select, update on table idempotency_keys to app_user;

create table import_batches (
  org_id text not null,
  id uuid not null,
  kind text not null,
  file_id uuid,
  file_name text not null,
  sha256 bytea,
  mapping jsonb not null default '{}'::jsonb,
  options jsonb not null default '{}'::jsonb,
  status text not null default 'parsed'::text,
  counts jsonb not null default '{}'::jsonb,
  progress jsonb not null default '{}'::jsonb,
  errors jsonb not null default '[]'::jsonb,
  applied_at timestamp with time zone,
  undone_at timestamp with time zone,
  created_by text,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  constraint import_batches_pkey PRIMARY KEY (org_id, id),
  constraint import_batches_file_fk FOREIGN KEY (org_id, file_id) REFERENCES files(org_id, id),
  constraint import_batches_kind_known CHECK ((kind = ANY (ARRAY['manifest'::text, 'travelers'::text, 'rooming'::text, 'staff'::text, 'tours'::text]))),
  constraint import_batches_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id) ON DELETE CASCADE,
  constraint import_batches_status_known CHECK ((status = ANY (ARRAY['parsed'::text, 'previewed'::text, 'applied'::text, 'undone'::text, 'failed'::text])))
);
CREATE INDEX import_batches_created_at ON public.import_batches USING btree (org_id, created_at);
alter table import_batches enable row level security;
alter table import_batches force row level security;
create policy organization on import_batches for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
grant delete, insert, select, update on table import_batches to app_user;
CREATE TRIGGER machine_import_batches BEFORE INSERT OR UPDATE OF status ON public.import_batches FOR EACH ROW EXECUTE FUNCTION check_transition('import_batches', 'status');
CREATE TRIGGER record_delete AFTER DELETE ON public.import_batches REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_insert AFTER INSERT ON public.import_batches REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_update AFTER UPDATE ON public.import_batches REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.import_batches FOR EACH ROW EXECUTE FUNCTION touch_row();

create table import_corrections (
  org_id text not null,
  id uuid not null,
  batch_id uuid not null,
  line integer not null,
  place integer not null,
  everywhere boolean not null default false,
  cell bytea not null,
  cell_key text generated always as (sealing_key(cell)) stored,
  corrected_by text,
  corrected_at timestamp with time zone not null default app_now(),
  constraint import_corrections_pkey PRIMARY KEY (org_id, id),
  constraint import_corrections_batch_fk FOREIGN KEY (org_id, batch_id) REFERENCES import_batches(org_id, id) ON DELETE CASCADE,
  constraint import_corrections_cell_key_known FOREIGN KEY (cell_key) REFERENCES data_keys(id),
  constraint import_corrections_cell_unique UNIQUE (org_id, batch_id, line, place, everywhere),
  constraint import_corrections_line_range CHECK ((line > 0)),
  constraint import_corrections_place_range CHECK ((place >= 0))
);
comment on table import_corrections is 'Applied whenever the rows of the file are read; the file itself stays as it was uploaded.';
comment on column import_corrections.place is 'Column of the file, from 0.';
comment on column import_corrections.everywhere is 'Counts for every cell of the column that holds the same; the line is that of the first one.';
comment on column import_corrections.cell is 'What the file holds and what counts instead, sealed (platform/sealed-text.ts).';
alter table import_corrections enable row level security;
alter table import_corrections force row level security;
create policy janitor on import_corrections for select to app_janitor using (true);
create policy organization on import_corrections for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
grant select on table import_corrections to app_janitor;
grant delete, insert, select, update on table import_corrections to app_user;

create table import_departures (
  org_id text not null,
  departure_id uuid not null,
  batch_id uuid not null,
  tour_id uuid not null,
  revision_id uuid not null,
  code text not null,
  local_date date not null,
  local_start_time time without time zone not null,
  capacity integer not null,
  lines integer not null,
  stops uuid[] not null default '{}'::uuid[],
  is_made boolean not null default false,
  kept_because text,
  option_id uuid,
  constraint import_departures_pkey PRIMARY KEY (org_id, departure_id),
  constraint import_departures_batch_fk FOREIGN KEY (org_id, batch_id) REFERENCES import_batches(org_id, id) ON DELETE CASCADE,
  constraint import_departures_code_once UNIQUE (org_id, batch_id, code),
  constraint import_departures_counts_range CHECK (((capacity >= 0) AND (lines > 0))),
  constraint import_departures_kept_is_made CHECK (((kept_because IS NULL) OR is_made)),
  constraint import_departures_kept_known CHECK ((kept_because = ANY (ARRAY['bookings'::text, 'assignments'::text, 'changes'::text]))),
  constraint import_departures_option_fk FOREIGN KEY (org_id, option_id) REFERENCES tour_options(org_id, id) ON DELETE SET NULL (option_id),
  constraint import_departures_revision_fk FOREIGN KEY (org_id, tour_id, revision_id) REFERENCES tour_revisions(org_id, tour_id, id) ON DELETE CASCADE
);
comment on column import_departures.revision_id is 'The published tour that the check saw: of another one the departure would be another.';
comment on column import_departures.stops is 'Ids of its stops in their order, which guests of the plan refer to as their pickup.';
comment on column import_departures.kept_because is 'Why an undo left it.';
CREATE INDEX import_departures_option ON public.import_departures USING btree (org_id, option_id) WHERE (option_id IS NOT NULL);
alter table import_departures enable row level security;
alter table import_departures force row level security;
create policy organization on import_departures for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
grant delete, insert, select, update on table import_departures to app_user;

create table import_rows (
  org_id text not null,
  batch_id uuid not null,
  line integer not null,
  status text not null,
  reason text,
  raw jsonb not null default '{}'::jsonb,
  before jsonb,
  after jsonb,
  departure_id uuid,
  booking_id uuid,
  traveler_id uuid,
  manifest_entry_id uuid,
  created_entities jsonb not null default '[]'::jsonb,
  party integer not null default 0,
  passport_value_key text generated always as (staged_key(after, '{values,passport,sealed}'::text[])) stored,
  medical_value_key text generated always as (staged_key(after, '{values,medicalNote,sealed}'::text[])) stored,
  passport_set_key text generated always as (staged_key(after, '{write,passport,set,number_encrypted}'::text[])) stored,
  passport_was_key text generated always as (staged_key(after, '{write,passport,was,number_encrypted}'::text[])) stored,
  medical_set_key text generated always as (staged_key(after, '{write,private,set,medical_sealed}'::text[])) stored,
  medical_was_key text generated always as (staged_key(after, '{write,private,was,medical_sealed}'::text[])) stored,
  constraint import_rows_pkey PRIMARY KEY (org_id, batch_id, line),
  constraint import_rows_batch_fk FOREIGN KEY (org_id, batch_id) REFERENCES import_batches(org_id, id) ON DELETE CASCADE,
  constraint import_rows_line_range CHECK ((line > 0)),
  constraint import_rows_medical_note_encrypted CHECK ((jsonb_typeof((after #> '{values,medicalNote}'::text[])) IS DISTINCT FROM 'string'::text)),
  constraint import_rows_medical_set_key_known FOREIGN KEY (medical_set_key) REFERENCES data_keys(id),
  constraint import_rows_medical_value_key_known FOREIGN KEY (medical_value_key) REFERENCES data_keys(id),
  constraint import_rows_medical_was_key_known FOREIGN KEY (medical_was_key) REFERENCES data_keys(id),
  constraint import_rows_passport_set_key_known FOREIGN KEY (passport_set_key) REFERENCES data_keys(id),
  constraint import_rows_passport_value_key_known FOREIGN KEY (passport_value_key) REFERENCES data_keys(id),
  constraint import_rows_passport_was_key_known FOREIGN KEY (passport_was_key) REFERENCES data_keys(id),
  constraint import_rows_rejected_has_reason CHECK (((status <> 'rejected'::text) OR (COALESCE(reason, ''::text) <> ''::text))),
  constraint import_rows_status_known CHECK ((status = ANY (ARRAY['add'::text, 'change'::text, 'unchanged'::text, 'rejected'::text])))
);
comment on table import_rows is 'The ids are notes for undoing and carry no foreign key: what they name may be gone by then.';
comment on column import_rows.party is 'Line of the first row of the same booking: parties are taken or refused together, in the order of the file.';
CREATE INDEX import_rows_party ON public.import_rows USING btree (org_id, batch_id, party, line);
CREATE INDEX import_rows_status ON public.import_rows USING btree (org_id, batch_id, status, line);
CREATE INDEX import_rows_traveler ON public.import_rows USING btree (org_id, traveler_id) WHERE (traveler_id IS NOT NULL);
alter table import_rows enable row level security;
alter table import_rows force row level security;
create policy janitor on import_rows for select to app_janitor using (true);
create policy organization on import_rows for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
grant select on table import_rows to app_janitor;
grant delete, insert, select, update on table import_rows to app_user;

create table import_work (
  org_id text not null,
  batch_id uuid not null,
  analysis jsonb not null default '{}'::jsonb,
  kept jsonb not null default '[]'::jsonb,
  run_id uuid,
  job text,
  phase text,
  done integer not null default 0,
  total integer not null default 0,
  started_at timestamp with time zone,
  heartbeat_at timestamp with time zone,
  stop_requested boolean not null default false,
  samples bytea,
  samples_key text generated always as (sealing_key(samples)) stored,
  constraint import_work_pkey PRIMARY KEY (org_id, batch_id),
  constraint import_work_batch_fk FOREIGN KEY (org_id, batch_id) REFERENCES import_batches(org_id, id) ON DELETE CASCADE,
  constraint import_work_counts_range CHECK (((done >= 0) AND (total >= 0))),
  constraint import_work_job_known CHECK ((job = ANY (ARRAY['preview'::text, 'apply'::text, 'undo'::text]))),
  constraint import_work_samples_key_known FOREIGN KEY (samples_key) REFERENCES data_keys(id)
);
comment on column import_work.analysis is 'Columns of the file with what they hold in numbers, encoding and separator. No values.';
comment on column import_work.kept is 'Whom an undo left alone: name and departure.';
comment on column import_work.samples is 'First values of the columns and the first line, sealed (platform/sealed-text.ts).';
alter table import_work enable row level security;
alter table import_work force row level security;
create policy janitor on import_work for select to app_janitor using (true);
create policy organization on import_work for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
grant select on table import_work to app_janitor;
grant delete, insert, select, update on table import_work to app_user;

create table incident_entries (
  org_id text not null,
  id uuid not null,
  incident_id uuid not null,
  at timestamp with time zone not null default app_now(),
  author_id text,
  kind text not null,
  text text not null default ''::text,
  file_id uuid,
  constraint incident_entries_pkey PRIMARY KEY (org_id, id),
  constraint incident_entries_file_fk FOREIGN KEY (org_id, file_id) REFERENCES files(org_id, id),
  constraint incident_entries_file_has_line CHECK (((file_id IS NULL) OR (kind = 'file'::text))),
  constraint incident_entries_incident_fk FOREIGN KEY (org_id, incident_id) REFERENCES incidents(org_id, id) ON DELETE CASCADE,
  constraint incident_entries_kind_known CHECK ((kind = ANY (ARRAY['note'::text, 'call'::text, 'status'::text, 'file'::text, 'file_removed'::text, 'message'::text, 'task_done'::text, 'task_reopened'::text, 'task_removed'::text, 'merged'::text])))
);
CREATE INDEX incident_entries_incident ON public.incident_entries USING btree (org_id, incident_id, at);
CREATE UNIQUE INDEX incident_entries_line_of_file_unique ON public.incident_entries USING btree (org_id, file_id) WHERE (file_id IS NOT NULL);
alter table incident_entries enable row level security;
alter table incident_entries force row level security;
create policy organization on incident_entries for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy own on incident_entries as restrictive for all to app_own using ((EXISTS ( SELECT
   FROM incidents i
  WHERE ((i.org_id = incident_entries.org_id) AND (i.id = incident_entries.incident_id))))) with check ((EXISTS ( SELECT
   FROM incidents i
  WHERE ((i.org_id = incident_entries.org_id) AND (i.id = incident_entries.incident_id)))));
grant insert, select on table incident_entries to app_own;
grant insert, select on table incident_entries to app_user;
CREATE TRIGGER keep_incident_entry BEFORE UPDATE ON public.incident_entries FOR EACH ROW EXECUTE FUNCTION keep_incident_entry();
CREATE TRIGGER keep_merged_incident_whole BEFORE INSERT OR UPDATE ON public.incident_entries FOR EACH ROW EXECUTE FUNCTION keep_merged_incident_whole();
CREATE TRIGGER record_delete AFTER DELETE ON public.incident_entries REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_insert AFTER INSERT ON public.incident_entries REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_update AFTER UPDATE ON public.incident_entries REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');

create table incident_tasks (
  org_id text not null,
  id uuid not null,
  incident_id uuid not null,
  text text not null,
  assignee_id text,
  due_at timestamp with time zone,
  created_by text,
  done_at timestamp with time zone,
  done_by text,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  constraint incident_tasks_pkey PRIMARY KEY (org_id, id),
  constraint incident_tasks_assignee_fk FOREIGN KEY (org_id, assignee_id) REFERENCES members(org_id, user_id),
  constraint incident_tasks_done_by_fk FOREIGN KEY (org_id, done_by) REFERENCES members(org_id, user_id),
  constraint incident_tasks_done_whole CHECK (((done_at IS NULL) = (done_by IS NULL))),
  constraint incident_tasks_incident_fk FOREIGN KEY (org_id, incident_id) REFERENCES incidents(org_id, id) ON DELETE CASCADE,
  constraint incident_tasks_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id) ON DELETE CASCADE,
  constraint incident_tasks_text_length CHECK (((char_length(text) >= 1) AND (char_length(text) <= 200)))
);
CREATE INDEX incident_tasks_incident ON public.incident_tasks USING btree (org_id, incident_id);
alter table incident_tasks enable row level security;
alter table incident_tasks force row level security;
create policy organization on incident_tasks for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
grant delete, insert, select, update on table incident_tasks to app_user;
CREATE TRIGGER keep_merged_incident_whole BEFORE INSERT OR UPDATE ON public.incident_tasks FOR EACH ROW EXECUTE FUNCTION keep_merged_incident_whole();
CREATE TRIGGER record_delete AFTER DELETE ON public.incident_tasks REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_insert AFTER INSERT ON public.incident_tasks REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_update AFTER UPDATE ON public.incident_tasks REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.incident_tasks FOR EACH ROW EXECUTE FUNCTION touch_row();

create table incident_travelers (
  org_id text not null,
  incident_id uuid not null,
  traveler_id uuid not null,
  note text,
  constraint incident_travelers_pkey PRIMARY KEY (org_id, incident_id, traveler_id),
  constraint incident_travelers_incident_fk FOREIGN KEY (org_id, incident_id) REFERENCES incidents(org_id, id) ON DELETE CASCADE,
  constraint incident_travelers_traveler_fk FOREIGN KEY (org_id, traveler_id) REFERENCES travelers(org_id, id)
);
CREATE INDEX incident_travelers_traveler ON public.incident_travelers USING btree (org_id, traveler_id);
alter table incident_travelers enable row level security;
alter table incident_travelers force row level security;
create policy organization on incident_travelers for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy own on incident_travelers as restrictive for all to app_own using (((EXISTS ( SELECT
   FROM incidents i
  WHERE ((i.org_id = incident_travelers.org_id) AND (i.id = incident_travelers.incident_id)))) AND (traveler_id = ANY (( SELECT own_guests(false) AS own_guests)::uuid[])))) with check (((EXISTS ( SELECT
   FROM incidents i
  WHERE ((i.org_id = incident_travelers.org_id) AND (i.id = incident_travelers.incident_id)))) AND (traveler_id = ANY (( SELECT own_guests(false) AS own_guests)::uuid[]))));
grant insert, select on table incident_travelers to app_own;
grant delete, insert, select, update on table incident_travelers to app_user;
CREATE TRIGGER keep_merged_incident_whole BEFORE INSERT OR UPDATE ON public.incident_travelers FOR EACH ROW EXECUTE FUNCTION keep_merged_incident_whole();
CREATE TRIGGER record_delete AFTER DELETE ON public.incident_travelers REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('incident_id,traveler_id', '');
CREATE TRIGGER record_insert AFTER INSERT ON public.incident_travelers REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('incident_id,traveler_id', '');
CREATE TRIGGER record_update AFTER UPDATE ON public.incident_travelers REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('incident_id,traveler_id', '');

create table incidents (
  org_id text not null,
  id uuid not null,
  number text not null,
  title text not null default ''::text,
  category text not null,
  severity smallint not null,
  status text not null default 'reported'::text,
  departure_id uuid,
  place_id uuid,
  lat double precision,
  lng double precision,
  reported_by text,
  owner_user_id text,
  root_cause text,
  actions jsonb not null default '[]'::jsonb,
  closed_at timestamp with time zone,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  merged_into_id uuid,
  constraint incidents_pkey PRIMARY KEY (org_id, id),
  constraint incidents_category_known CHECK ((category = ANY (ARRAY['medical'::text, 'missing_person'::text, 'vehicle'::text, 'weather'::text, 'security'::text, 'supplier'::text, 'complaint'::text, 'lost_item'::text, 'near_miss'::text, 'other'::text]))),
  constraint incidents_coordinates_range CHECK ((((lat >= ('-90'::integer)::double precision) AND (lat <= (90)::double precision)) AND ((lng >= ('-180'::integer)::double precision) AND (lng <= (180)::double precision)))),
  constraint incidents_departure_fk FOREIGN KEY (org_id, departure_id) REFERENCES departures(org_id, id),
  constraint incidents_merged_into_fk FOREIGN KEY (org_id, merged_into_id) REFERENCES incidents(org_id, id),
  constraint incidents_merged_names_the_other CHECK (((status = 'merged'::text) = (merged_into_id IS NOT NULL))),
  constraint incidents_not_merged_into_itself CHECK ((merged_into_id <> id)),
  constraint incidents_number_unique UNIQUE (org_id, number),
  constraint incidents_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id) ON DELETE CASCADE,
  constraint incidents_owner_fk FOREIGN KEY (org_id, owner_user_id) REFERENCES members(org_id, user_id),
  constraint incidents_place_fk FOREIGN KEY (org_id, place_id) REFERENCES places(org_id, id),
  constraint incidents_severity_range CHECK (((severity >= 1) AND (severity <= 4))),
  constraint incidents_status_known CHECK ((status = ANY (ARRAY['reported'::text, 'triaged'::text, 'active'::text, 'stabilised'::text, 'resolved'::text, 'reviewed'::text, 'merged'::text])))
);
CREATE INDEX incidents_departure ON public.incidents USING btree (org_id, departure_id) WHERE (departure_id IS NOT NULL);
CREATE INDEX incidents_merged_into ON public.incidents USING btree (org_id, merged_into_id) WHERE (merged_into_id IS NOT NULL);
CREATE INDEX incidents_status ON public.incidents USING btree (org_id, status, created_at);
alter table incidents enable row level security;
alter table incidents force row level security;
create policy organization on incidents for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy own on incidents as restrictive for all to app_own using ((departure_id = ANY (( SELECT own_departures() AS own_departures)::uuid[]))) with check ((departure_id = ANY (( SELECT own_departures() AS own_departures)::uuid[])));
grant insert, select on table incidents to app_own;
grant delete, insert, select, update on table incidents to app_user;
CREATE TRIGGER keep_incident_merge BEFORE UPDATE ON public.incidents FOR EACH ROW EXECUTE FUNCTION keep_incident_merge();
CREATE TRIGGER machine_incidents BEFORE INSERT OR UPDATE OF status ON public.incidents FOR EACH ROW EXECUTE FUNCTION check_transition('incidents', 'status');
CREATE TRIGGER record_delete AFTER DELETE ON public.incidents REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_insert AFTER INSERT ON public.incidents REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_update AFTER UPDATE ON public.incidents REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.incidents FOR EACH ROW EXECUTE FUNCTION touch_row();

create table initial_statuses (
  machine text not null,
  status text not null,
  constraint initial_statuses_pkey PRIMARY KEY (machine, status)
);
grant select on table initial_statuses to app_own;
grant select on table initial_statuses to app_user;

create table invitations (
  org_id text not null,
  id uuid not null,
  email citext not null,
  role text not null,
  status text not null default 'pending'::text,
  staff_id uuid,
  locale text,
  message text,
  invited_by text,
  expires_at timestamp with time zone not null,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  constraint invitations_pkey PRIMARY KEY (org_id, id),
  constraint invitations_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id) ON DELETE CASCADE,
  constraint invitations_role_known CHECK ((role = ANY (ARRAY['admin'::text, 'operations_manager'::text, 'dispatcher'::text, 'tour_designer'::text, 'guide'::text, 'viewer'::text]))),
  constraint invitations_staff_fk FOREIGN KEY (org_id, staff_id) REFERENCES field_staff(org_id, id),
  constraint invitations_status_known CHECK ((status = ANY (ARRAY['pending'::text, 'accepted'::text, 'revoked'::text, 'expired'::text])))
);
CREATE UNIQUE INDEX invitations_one_pending_per_email ON public.invitations USING btree (org_id, email) WHERE (status = 'pending'::text);
alter table invitations enable row level security;
alter table invitations force row level security;
create policy organization on invitations for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
grant delete, insert, select, update on table invitations to app_user;
CREATE TRIGGER machine_invitations BEFORE INSERT OR UPDATE OF status ON public.invitations FOR EACH ROW EXECUTE FUNCTION check_transition('invitations', 'status');
CREATE TRIGGER record_delete AFTER DELETE ON public.invitations REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_insert AFTER INSERT ON public.invitations REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_update AFTER UPDATE ON public.invitations REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.invitations FOR EACH ROW EXECUTE FUNCTION touch_row();

create table latest_positions (
  org_id text not null,
  subject_id uuid not null generated always as (COALESCE(staff_id, vehicle_id)) stored,
  staff_id uuid,
  vehicle_id uuid,
  device_id uuid not null,
  duty_session_id uuid not null,
  recorded_at timestamp with time zone not null,
  received_at timestamp with time zone not null default app_now(),
  lat double precision not null,
  lng double precision not null,
  accuracy_m real,
  speed_mps real,
  heading_deg real,
  altitude_m real,
  battery_pct smallint,
  is_moving boolean,
  constraint latest_positions_pkey PRIMARY KEY (org_id, subject_id),
  constraint latest_positions_coordinates_range CHECK ((((lat >= ('-90'::integer)::double precision) AND (lat <= (90)::double precision)) AND ((lng >= ('-180'::integer)::double precision) AND (lng <= (180)::double precision)))),
  constraint latest_positions_device_fk FOREIGN KEY (org_id, device_id) REFERENCES devices(org_id, id) ON DELETE CASCADE,
  constraint latest_positions_duty_session_fk FOREIGN KEY (org_id, duty_session_id) REFERENCES duty_sessions(org_id, id) ON DELETE CASCADE,
  constraint latest_positions_one_subject CHECK ((num_nonnulls(staff_id, vehicle_id) = 1)),
  constraint latest_positions_staff_fk FOREIGN KEY (org_id, staff_id) REFERENCES field_staff(org_id, id) ON DELETE CASCADE,
  constraint latest_positions_vehicle_fk FOREIGN KEY (org_id, vehicle_id) REFERENCES vehicles(org_id, id) ON DELETE CASCADE
);
alter table latest_positions enable row level security;
alter table latest_positions force row level security;
create policy organization on latest_positions for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy own on latest_positions as restrictive for all to app_own using (((staff_id = ANY (( SELECT own_colleagues() AS own_colleagues)::uuid[])) OR (vehicle_id = ANY (( SELECT own_vehicles() AS own_vehicles)::uuid[])))) with check (((staff_id = ANY (( SELECT own_colleagues() AS own_colleagues)::uuid[])) OR (vehicle_id = ANY (( SELECT own_vehicles() AS own_vehicles)::uuid[]))));
grant select on table latest_positions to app_own;
grant delete, insert, select, update on table latest_positions to app_user;

create table legal_transitions (
  machine text not null,
  from_status text not null,
  to_status text not null,
  constraint legal_transitions_pkey PRIMARY KEY (machine, from_status, to_status)
);
grant select on table legal_transitions to app_own;
grant select on table legal_transitions to app_user;

create table link_accesses (
  org_id text not null,
  id uuid not null,
  link_id uuid not null,
  at timestamp with time zone not null default app_now(),
  ip_hash text,
  user_agent_family text,
  country text,
  is_wrong_passcode boolean not null default false,
  constraint link_accesses_pkey PRIMARY KEY (org_id, id),
  constraint link_accesses_link_fk FOREIGN KEY (org_id, link_id) REFERENCES shared_links(org_id, id) ON DELETE CASCADE
);
comment on column link_accesses.is_wrong_passcode is 'Somebody entered a wrong passcode and saw nothing.';
CREATE INDEX link_accesses_link ON public.link_accesses USING btree (org_id, link_id, at);
alter table link_accesses enable row level security;
alter table link_accesses force row level security;
create policy organization on link_accesses for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
grant insert, select on table link_accesses to app_user;
CREATE TRIGGER count_link_access AFTER INSERT ON public.link_accesses FOR EACH ROW WHEN ((NOT new.is_wrong_passcode)) EXECUTE FUNCTION count_link_access();

create table manifest_entries (
  org_id text not null,
  id uuid not null,
  departure_id uuid not null,
  booking_id uuid not null,
  traveler_id uuid not null,
  unit_type text not null default 'adult'::text,
  status text not null default 'expected'::text,
  seat_or_group text,
  assigned_staff_id uuid,
  pickup_stop_id uuid,
  waiver_signed_at timestamp with time zone,
  flags text[] not null default '{}'::text[],
  check_in_at timestamp with time zone,
  check_in_by text,
  import_batch_id uuid,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  details_confirmed_at timestamp with time zone,
  details_confirmed_version integer,
  note text,
  age integer,
  child_seat boolean not null default false,
  age_on date,
  trip_dietary text,
  trip_mobility text,
  constraint manifest_entries_pkey PRIMARY KEY (org_id, id),
  constraint manifest_entries_age_day CHECK (((age IS NULL) = (age_on IS NULL))),
  constraint manifest_entries_age_range CHECK (((age >= 0) AND (age <= 120))),
  constraint manifest_entries_booking_fk FOREIGN KEY (org_id, booking_id, departure_id) REFERENCES bookings(org_id, id, departure_id) ON UPDATE CASCADE ON DELETE CASCADE,
  constraint manifest_entries_departure_fk FOREIGN KEY (org_id, departure_id) REFERENCES departures(org_id, id),
  constraint manifest_entries_details_whole CHECK (((details_confirmed_at IS NULL) = (details_confirmed_version IS NULL))),
  constraint manifest_entries_import_batch_fk FOREIGN KEY (org_id, import_batch_id) REFERENCES import_batches(org_id, id),
  constraint manifest_entries_note_length CHECK (((char_length(note) >= 1) AND (char_length(note) <= 300))),
  constraint manifest_entries_on_departure_unique UNIQUE (org_id, departure_id, id),
  constraint manifest_entries_pickup_stop_fk FOREIGN KEY (org_id, pickup_stop_id) REFERENCES departure_stops(org_id, id),
  constraint manifest_entries_staff_fk FOREIGN KEY (org_id, assigned_staff_id) REFERENCES field_staff(org_id, id),
  constraint manifest_entries_status_known CHECK ((status = ANY (ARRAY['expected'::text, 'checked_in'::text, 'on_tour'::text, 'finished'::text, 'left_early'::text, 'missing'::text, 'no_show'::text, 'cancelled'::text]))),
  constraint manifest_entries_traveler_fk FOREIGN KEY (org_id, traveler_id) REFERENCES travelers(org_id, id),
  constraint manifest_entries_trip_dietary_known CHECK ((trip_dietary = ANY (ARRAY['vegetarian'::text, 'vegan'::text, 'halal'::text, 'kosher'::text, 'gluten_free'::text, 'dairy_free'::text, 'nut_allergy'::text, 'shellfish_allergy'::text, 'other'::text]))),
  constraint manifest_entries_trip_mobility_known CHECK ((trip_mobility = ANY (ARRAY['none'::text, 'cane'::text, 'wheelchair'::text, 'no_stairs'::text, 'other'::text]))),
  constraint manifest_entries_unit_type_known CHECK ((unit_type = ANY (ARRAY['adult'::text, 'youth'::text, 'child'::text, 'infant'::text, 'family'::text, 'senior'::text, 'student'::text, 'military'::text, 'other'::text])))
);
comment on column manifest_entries.details_confirmed_version is 'Version of the traveler that the guest confirmed.';
comment on column manifest_entries.age_on is 'Day of the departure for which the age was said; a party that moves keeps it.';
comment on column manifest_entries.trip_dietary is 'Needed on this trip besides the diets of the profile.';
comment on column manifest_entries.trip_mobility is 'Instead of that of the profile, on this trip; null: as in the profile.';
CREATE INDEX manifest_entries_booking ON public.manifest_entries USING btree (org_id, booking_id);
CREATE INDEX manifest_entries_departure ON public.manifest_entries USING btree (org_id, departure_id, status);
CREATE INDEX manifest_entries_import_batch ON public.manifest_entries USING btree (org_id, import_batch_id) WHERE (import_batch_id IS NOT NULL);
CREATE INDEX manifest_entries_pickup_stop ON public.manifest_entries USING btree (org_id, pickup_stop_id) WHERE (pickup_stop_id IS NOT NULL);
CREATE INDEX manifest_entries_traveler ON public.manifest_entries USING btree (org_id, traveler_id, departure_id);
CREATE UNIQUE INDEX manifest_entries_traveler_once ON public.manifest_entries USING btree (org_id, departure_id, traveler_id) WHERE (status <> 'cancelled'::text);
alter table manifest_entries enable row level security;
alter table manifest_entries force row level security;
create policy organization on manifest_entries for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy own on manifest_entries as restrictive for all to app_own using ((departure_id = ANY (( SELECT own_departures() AS own_departures)::uuid[]))) with check ((departure_id = ANY (( SELECT own_departures() AS own_departures)::uuid[])));
create policy search on manifest_entries for select to app_search using (true);
grant maintain on table manifest_entries to app_janitor;
grant select, update on table manifest_entries to app_own;
grant select on table manifest_entries to app_search;
grant delete, insert, select, update on table manifest_entries to app_user;
CREATE TRIGGER check_details_in_time BEFORE UPDATE OF details_confirmed_at ON public.manifest_entries FOR EACH ROW WHEN (((new.details_confirmed_at IS DISTINCT FROM old.details_confirmed_at) AND (new.details_confirmed_at IS NOT NULL))) EXECUTE FUNCTION check_details_in_time();
CREATE TRIGGER expect_where_moved BEFORE UPDATE OF departure_id ON public.manifest_entries FOR EACH ROW WHEN (((new.departure_id <> old.departure_id) AND (old.status = 'no_show'::text) AND (new.status = 'no_show'::text))) EXECUTE FUNCTION expect_where_moved();
CREATE TRIGGER machine_manifest_entries BEFORE INSERT OR UPDATE OF status ON public.manifest_entries FOR EACH ROW EXECUTE FUNCTION check_transition('manifest_entries', 'status');
CREATE TRIGGER mark_import BEFORE INSERT OR UPDATE ON public.manifest_entries FOR EACH ROW EXECUTE FUNCTION mark_import();
CREATE TRIGGER record_delete AFTER DELETE ON public.manifest_entries REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', 'note,age,age_on');
CREATE TRIGGER record_insert AFTER INSERT ON public.manifest_entries REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', 'note,age,age_on');
CREATE TRIGGER record_update AFTER UPDATE ON public.manifest_entries REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', 'note,age,age_on');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.manifest_entries FOR EACH ROW EXECUTE FUNCTION touch_row();

create table members (
  org_id text not null,
  user_id text not null,
  role text not null,
  status text not null default 'active'::text,
  email text,
  name text,
  image_url text,
  staff_id uuid,
  joined_at timestamp with time zone not null default app_now(),
  last_seen_at timestamp with time zone,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  constraint members_pkey PRIMARY KEY (org_id, user_id),
  constraint members_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id) ON DELETE CASCADE,
  constraint members_role_known CHECK ((role = ANY (ARRAY['admin'::text, 'operations_manager'::text, 'dispatcher'::text, 'tour_designer'::text, 'guide'::text, 'viewer'::text]))),
  constraint members_staff_fk FOREIGN KEY (org_id, staff_id) REFERENCES field_staff(org_id, id),
  constraint members_status_known CHECK ((status = ANY (ARRAY['active'::text, 'suspended'::text, 'removed'::text])))
);
CREATE UNIQUE INDEX members_staff_once ON public.members USING btree (org_id, staff_id) WHERE (staff_id IS NOT NULL);
CREATE INDEX members_user ON public.members USING btree (user_id);
alter table members enable row level security;
alter table members force row level security;
create policy directory on members for select to app_directory using (true);
create policy organization on members for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy search on members for select to app_search using (true);
grant select on table members to app_directory;
grant select on table members to app_own;
grant select on table members to app_search;
grant delete, insert, select, update on table members to app_user;
CREATE TRIGGER empty_inbox AFTER UPDATE OF status ON public.members FOR EACH ROW WHEN (((old.status = 'active'::text) AND (new.status <> 'active'::text))) EXECUTE FUNCTION empty_inbox();
CREATE TRIGGER follow_member_link AFTER INSERT OR UPDATE OF staff_id ON public.members FOR EACH ROW EXECUTE FUNCTION follow_member_link();
CREATE CONSTRAINT TRIGGER keep_an_admin AFTER DELETE OR UPDATE ON public.members DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION keep_an_admin();
CREATE TRIGGER record_delete AFTER DELETE ON public.members REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('user_id', '');
CREATE TRIGGER record_insert AFTER INSERT ON public.members REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('user_id', '');
CREATE TRIGGER record_update AFTER UPDATE ON public.members REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('user_id', '');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.members FOR EACH ROW EXECUTE FUNCTION touch_row();

create table message_templates (
  org_id text not null,
  id uuid not null,
  name text not null,
  channel text not null default 'email'::text,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  texts jsonb not null,
  constraint message_templates_pkey PRIMARY KEY (org_id, id),
  constraint message_templates_channel_known CHECK ((channel = ANY (ARRAY['in_app'::text, 'email'::text, 'sms'::text, 'whatsapp'::text, 'push'::text, 'webhook'::text]))),
  constraint message_templates_has_text CHECK (((jsonb_typeof(texts) = 'array'::text) AND ((jsonb_array_length(texts) >= 1) AND (jsonb_array_length(texts) <= 3)))),
  constraint message_templates_name_length CHECK (((char_length(name) >= 1) AND (char_length(name) <= 80))),
  constraint message_templates_name_unique UNIQUE (org_id, channel, name),
  constraint message_templates_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id) ON DELETE CASCADE
);
alter table message_templates enable row level security;
alter table message_templates force row level security;
create policy organization on message_templates for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
grant delete, insert, select, update on table message_templates to app_user;
CREATE TRIGGER record_delete AFTER DELETE ON public.message_templates REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_insert AFTER INSERT ON public.message_templates REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_update AFTER UPDATE ON public.message_templates REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.message_templates FOR EACH ROW EXECUTE FUNCTION touch_row();

create table messages (
  org_id text not null,
  id uuid not null,
  source text not null default 'manual'::text,
  status text not null default 'draft'::text,
  kind text not null default 'other'::text,
  rule_id uuid,
  subject_type text,
  subject_id text,
  occurrence text,
  departure_id uuid,
  incident_id uuid,
  template_id uuid,
  audience jsonb not null default '{}'::jsonb,
  subject text,
  body text not null default ''::text,
  locale text,
  scheduled_at timestamp with time zone,
  sent_at timestamp with time zone,
  counts jsonb not null default '{}'::jsonb,
  created_by text,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  said jsonb,
  said_before jsonb,
  texts jsonb,
  pax integer,
  owes boolean,
  link_id uuid,
  escalated_at timestamp with time zone,
  constraint messages_pkey PRIMARY KEY (org_id, id),
  constraint messages_departure_fk FOREIGN KEY (org_id, departure_id) REFERENCES departures(org_id, id),
  constraint messages_incident_fk FOREIGN KEY (org_id, incident_id) REFERENCES incidents(org_id, id),
  constraint messages_link_fk FOREIGN KEY (org_id, link_id) REFERENCES shared_links(org_id, id) ON DELETE SET NULL (link_id),
  constraint messages_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id) ON DELETE CASCADE,
  constraint messages_rule_fk FOREIGN KEY (org_id, rule_id) REFERENCES notification_rules(org_id, id),
  constraint messages_rule_names_occurrence CHECK (((rule_id IS NULL) OR (num_nulls(subject_type, subject_id, occurrence) = 0))),
  constraint messages_scheduled_has_time CHECK (((status <> 'scheduled'::text) OR (scheduled_at IS NOT NULL))),
  constraint messages_source_known CHECK ((source = ANY (ARRAY['rule'::text, 'manual'::text, 'incident'::text, 'system'::text]))),
  constraint messages_status_known CHECK ((status = ANY (ARRAY['draft'::text, 'scheduled'::text, 'sending'::text, 'sent'::text, 'partly_failed'::text, 'failed'::text, 'cancelled'::text]))),
  constraint messages_template_fk FOREIGN KEY (org_id, template_id) REFERENCES message_templates(org_id, id)
);
comment on column messages.pax is 'Guests of the party when it was written by a rule for guests.';
comment on column messages.owes is 'Whether something was due of the booking when it was written by a rule for guests.';
comment on column messages.escalated_at is 'When the role of its rule was notified that it has failed; once, also where it fails again after another try.';
CREATE INDEX messages_departure ON public.messages USING btree (org_id, departure_id) WHERE (departure_id IS NOT NULL);
CREATE INDEX messages_document ON public.messages USING btree (org_id, ((audience ->> 'documentId'::text))) WHERE ((audience ->> 'documentId'::text) IS NOT NULL);
CREATE INDEX messages_link ON public.messages USING btree (org_id, link_id) WHERE (link_id IS NOT NULL);
CREATE UNIQUE INDEX messages_once_per_occurrence ON public.messages USING btree (org_id, rule_id, subject_type, subject_id, occurrence) WHERE (rule_id IS NOT NULL);
CREATE INDEX messages_status ON public.messages USING btree (org_id, status, created_at);
CREATE INDEX messages_subject ON public.messages USING btree (org_id, subject_type, subject_id, created_at) WHERE (subject_id IS NOT NULL);
CREATE INDEX messages_written ON public.messages USING btree (org_id, created_at) WHERE (texts IS NOT NULL);
alter table messages enable row level security;
alter table messages force row level security;
create policy organization on messages for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy own on messages as restrictive for all to app_own using (((departure_id = ANY (( SELECT own_departures() AS own_departures)::uuid[])) OR ((departure_id IS NULL) AND (created_by = app_user_id())))) with check (((departure_id = ANY (( SELECT own_departures() AS own_departures)::uuid[])) OR ((departure_id IS NULL) AND (created_by = app_user_id()))));
grant insert, select, update on table messages to app_own;
grant delete, insert, select, update on table messages to app_user;
CREATE TRIGGER machine_messages BEFORE INSERT OR UPDATE OF status ON public.messages FOR EACH ROW EXECUTE FUNCTION check_transition('messages', 'status');
CREATE TRIGGER record_delete AFTER DELETE ON public.messages REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', 'body,texts');
CREATE TRIGGER record_insert AFTER INSERT ON public.messages REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', 'body,texts');
CREATE TRIGGER record_update AFTER UPDATE ON public.messages REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', 'body,texts');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.messages FOR EACH ROW EXECUTE FUNCTION touch_row();

create table notification_preferences (
  org_id text not null,
  id uuid not null,
  user_id text,
  staff_id uuid,
  traveler_id uuid,
  event text not null,
  channel text not null,
  enabled boolean not null,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  constraint notification_preferences_pkey PRIMARY KEY (org_id, id),
  constraint notification_preferences_channel_known CHECK ((channel = ANY (ARRAY['in_app'::text, 'email'::text, 'sms'::text, 'whatsapp'::text, 'push'::text, 'webhook'::text]))),
  constraint notification_preferences_member_fk FOREIGN KEY (org_id, user_id) REFERENCES members(org_id, user_id) ON DELETE CASCADE,
  constraint notification_preferences_once UNIQUE NULLS NOT DISTINCT (org_id, user_id, staff_id, traveler_id, event, channel),
  constraint notification_preferences_one_person CHECK ((num_nonnulls(user_id, staff_id, traveler_id) = 1)),
  constraint notification_preferences_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id) ON DELETE CASCADE,
  constraint notification_preferences_staff_fk FOREIGN KEY (org_id, staff_id) REFERENCES field_staff(org_id, id) ON DELETE CASCADE,
  constraint notification_preferences_traveler_fk FOREIGN KEY (org_id, traveler_id) REFERENCES travelers(org_id, id) ON DELETE CASCADE
);
CREATE INDEX notification_preferences_traveler ON public.notification_preferences USING btree (org_id, traveler_id) WHERE (traveler_id IS NOT NULL);
alter table notification_preferences enable row level security;
alter table notification_preferences force row level security;
create policy organization on notification_preferences for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
grant delete, insert, select, update on table notification_preferences to app_user;
CREATE TRIGGER record_delete AFTER DELETE ON public.notification_preferences REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_insert AFTER INSERT ON public.notification_preferences REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_update AFTER UPDATE ON public.notification_preferences REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.notification_preferences FOR EACH ROW EXECUTE FUNCTION touch_row();

create table notification_rules (
  org_id text not null,
  id uuid not null,
  name text not null default ''::text,
  event text not null,
  enabled boolean not null default false,
  conditions jsonb not null default '{}'::jsonb,
  audience text not null,
  audience_selector jsonb not null default '{}'::jsonb,
  channels text[] not null,
  template_id uuid,
  offset_min integer not null default 0,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  texts jsonb not null default '[]'::jsonb,
  texts_version integer not null default 0,
  escalate_to text,
  escalate_since timestamp with time zone,
  constraint notification_rules_pkey PRIMARY KEY (org_id, id),
  constraint notification_rules_audience_known CHECK ((audience = ANY (ARRAY['staff'::text, 'travelers'::text, 'members'::text, 'suppliers'::text]))),
  constraint notification_rules_channels_known CHECK (((cardinality(channels) > 0) AND (channels <@ ARRAY['in_app'::text, 'email'::text, 'sms'::text, 'whatsapp'::text, 'push'::text, 'webhook'::text]))),
  constraint notification_rules_conditions_known CHECK (are_rule_conditions(conditions)),
  constraint notification_rules_delay_step CHECK (((event <> 'delay_notice'::text) OR (offset_min = ANY (ARRAY[15, 30, 60, 120])))),
  constraint notification_rules_escalate_known CHECK ((escalate_to = ANY (ARRAY['dispatcher'::text, 'operations_manager'::text, 'admin'::text]))),
  constraint notification_rules_escalate_whole CHECK (((escalate_to IS NULL) = (escalate_since IS NULL))),
  constraint notification_rules_feedback_hours CHECK (((event <> 'feedback_request'::text) OR (((offset_min >= 60) AND (offset_min <= 2880)) AND ((offset_min % 60) = 0)))),
  constraint notification_rules_information_hours CHECK (((event <> 'pre_tour_info'::text) OR (((offset_min >= '-10080'::integer) AND (offset_min <= '-1440'::integer)) AND ((offset_min % 60) = 0)))),
  constraint notification_rules_last_minutes CHECK (((event <> 'last_reminder'::text) OR ((offset_min >= '-180'::integer) AND (offset_min <= '-10'::integer)))),
  constraint notification_rules_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id) ON DELETE CASCADE,
  constraint notification_rules_reminder_hour CHECK (((event <> 'pickup_reminder'::text) OR (((offset_min >= '-1080'::integer) AND (offset_min <= '-120'::integer)) AND ((offset_min % 60) = 0)))),
  constraint notification_rules_template_fk FOREIGN KEY (org_id, template_id) REFERENCES message_templates(org_id, id),
  constraint notification_rules_texts_known CHECK (((jsonb_typeof(texts) = 'array'::text) AND (jsonb_array_length(texts) <= 3)))
);
comment on column notification_rules.conditions is 'Of a rule for guests: atLeast, atMost (guests of the party) and owes (any, something, nothing).';
comment on column notification_rules.audience_selector is 'tourIds and channels: lists, of which an empty one is no limit.';
comment on column notification_rules.offset_min is 'When it is due: minutes from the beginning of the day of the departure (negative: the day before), from its start, from when guests are met, of delay, or after its end.';
comment on column notification_rules.escalate_to is 'Who is notified of a message of this rule that has failed for good; null: nobody, and the alert message_failed remains.';
CREATE UNIQUE INDEX notification_rules_guests_once ON public.notification_rules USING btree (org_id, event) WHERE (audience = 'travelers'::text);
CREATE UNIQUE INDEX notification_rules_suppliers_once ON public.notification_rules USING btree (org_id, event) WHERE (audience = 'suppliers'::text);
alter table notification_rules enable row level security;
alter table notification_rules force row level security;
create policy organization on notification_rules for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
grant delete, insert, select, update on table notification_rules to app_user;
CREATE TRIGGER record_delete AFTER DELETE ON public.notification_rules REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_insert AFTER INSERT ON public.notification_rules REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_update AFTER UPDATE ON public.notification_rules REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.notification_rules FOR EACH ROW EXECUTE FUNCTION touch_row();

create table number_series (
  org_id text not null,
  name text not null,
  last_value integer not null,
  constraint number_series_pkey PRIMARY KEY (org_id, name)
);
alter table number_series enable row level security;
alter table number_series force row level security;
create policy organization on number_series for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
grant insert, select, update on table number_series to app_own;
grant insert, select, update on table number_series to app_user;

create table opt_outs (
  org_id text not null,
  id uuid not null,
  channel text not null,
  address text not null,
  booking_id uuid,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  is_by_text boolean not null default false,
  constraint opt_outs_pkey PRIMARY KEY (org_id, id),
  constraint opt_outs_address_folded CHECK ((address = lower((address COLLATE "C")))),
  constraint opt_outs_booking_fk FOREIGN KEY (org_id, booking_id) REFERENCES bookings(org_id, id) ON DELETE SET NULL (booking_id),
  constraint opt_outs_channel_known CHECK ((channel = ANY (ARRAY['email'::text, 'sms'::text, 'whatsapp'::text]))),
  constraint opt_outs_once UNIQUE (org_id, channel, address),
  constraint opt_outs_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id) ON DELETE CASCADE
);
comment on table opt_outs is 'Addresses that get only what is needed for a booking, or, where their owner wrote STOP, nothing.';
comment on column opt_outs.is_by_text is 'The owner of the number wrote STOP, or another word for it.';
CREATE INDEX opt_outs_booking ON public.opt_outs USING btree (org_id, booking_id) WHERE (booking_id IS NOT NULL);
alter table opt_outs enable row level security;
alter table opt_outs force row level security;
create policy organization on opt_outs for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy own on opt_outs as restrictive for all to app_own using ((EXISTS ( SELECT
   FROM bookings b
  WHERE ((b.org_id = opt_outs.org_id) AND (b.id = opt_outs.booking_id))))) with check ((EXISTS ( SELECT
   FROM bookings b
  WHERE ((b.org_id = opt_outs.org_id) AND (b.id = opt_outs.booking_id)))));
grant select on table opt_outs to app_own;
grant delete, insert, select, update on table opt_outs to app_user;
CREATE TRIGGER record_delete AFTER DELETE ON public.opt_outs REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', 'address');
CREATE TRIGGER record_insert AFTER INSERT ON public.opt_outs REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', 'address');
CREATE TRIGGER record_update AFTER UPDATE ON public.opt_outs REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', 'address');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.opt_outs FOR EACH ROW EXECUTE FUNCTION touch_row();

create table org_settings (
  org_id text not null,
  time_zone text not null default 'UTC'::text,
  locale text not null default 'en'::text,
  week_start smallint not null default 1,
  currency text not null default 'EUR'::text,
  units text not null default 'metric'::text,
  map_center_lat double precision not null default 0,
  map_center_lng double precision not null default 0,
  map_zoom real not null default 2,
  map_style text not null default 'itinerary'::text,
  working_hours jsonb not null default '{"to": "18:00", "from": "08:00"}'::jsonb,
  positions_days integer not null default 90,
  tracks_days integer not null default 730,
  sensitive_days integer not null default 30,
  default_capacity integer not null default 16,
  default_min_pax integer not null default 1,
  default_cutoff_minutes integer not null default 60,
  default_overbook_limit integer not null default 0,
  hold_minutes integer not null default 1440,
  waitlist_offer_minutes integer not null default 1440,
  boarding_opens_minutes integer not null default 90,
  on_time_tolerance_minutes integer not null default 5,
  no_show_after_minutes integer not null default '-5'::integer,
  decide_by_days integer not null default 3,
  booking_ref_prefix text not null default 'TOR'::text,
  departure_code_pattern text not null default '{TOUR}-{YYMMDD}-{HHMM}'::text,
  thresholds jsonb not null default '{}'::jsonb,
  tour_rules jsonb not null default '{}'::jsonb,
  notification_rules jsonb not null default '{}'::jsonb,
  custom_fields jsonb not null default '[]'::jsonb,
  privacy_text text,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  general jsonb not null default '{}'::jsonb,
  second_factor_roles text[] not null default '{}'::text[],
  second_factor_from date,
  set_up_at timestamp with time zone,
  time_format text not null default '24h'::text,
  router_kind text,
  router_address text,
  router_silent_since timestamp with time zone,
  tiles_source text,
  tiles_address text,
  guest_changes_hours integer not null default 24,
  guest_occasions_from timestamp with time zone,
  constraint org_settings_pkey PRIMARY KEY (org_id),
  constraint org_settings_booking_ref_prefix_form CHECK ((booking_ref_prefix ~ '^[A-Z]{2,5}$'::text)),
  constraint org_settings_currency_code CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint org_settings_defaults_range CHECK (((default_capacity > 0) AND (default_min_pax >= 0) AND (default_cutoff_minutes >= 0) AND (default_overbook_limit >= 0) AND (hold_minutes > 0) AND (waitlist_offer_minutes > 0) AND (boarding_opens_minutes >= 0) AND (on_time_tolerance_minutes >= 0) AND (decide_by_days >= 0))),
  constraint org_settings_guest_changes_range CHECK (((guest_changes_hours >= 0) AND (guest_changes_hours <= 720))),
  constraint org_settings_map_center_range CHECK ((((map_center_lat >= ('-90'::integer)::double precision) AND (map_center_lat <= (90)::double precision)) AND ((map_center_lng >= ('-180'::integer)::double precision) AND (map_center_lng <= (180)::double precision)))),
  constraint org_settings_map_zoom_range CHECK (((map_zoom >= (0)::double precision) AND (map_zoom <= (22)::double precision))),
  constraint org_settings_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id) ON DELETE CASCADE,
  constraint org_settings_retention_range CHECK ((((positions_days >= 1) AND (positions_days <= 3650)) AND ((tracks_days >= 1) AND (tracks_days <= 3650)) AND ((sensitive_days >= 0) AND (sensitive_days <= 3650)))),
  constraint org_settings_router_kind_known CHECK ((router_kind = ANY (ARRAY['osrm'::text, 'valhalla'::text]))),
  constraint org_settings_router_silent CHECK (((router_silent_since IS NULL) OR (router_kind IS NOT NULL))),
  constraint org_settings_router_whole CHECK (((router_kind IS NULL) = (router_address IS NULL))),
  constraint org_settings_second_factor_complete CHECK (((second_factor_from IS NULL) = (second_factor_roles = '{}'::text[]))),
  constraint org_settings_second_factor_roles_known CHECK (((second_factor_roles <@ ARRAY['admin'::text, 'operations_manager'::text, 'dispatcher'::text, 'tour_designer'::text, 'guide'::text, 'viewer'::text]) AND (array_position(second_factor_roles, NULL::text) IS NULL))),
  constraint org_settings_tiles_source_known CHECK ((tiles_source = ANY (ARRAY['style'::text, 'pmtiles'::text]))),
  constraint org_settings_tiles_whole CHECK (((tiles_source IS NULL) = (tiles_address IS NULL))),
  constraint org_settings_time_format_known CHECK ((time_format = ANY (ARRAY['24h'::text, '12h'::text]))),
  constraint org_settings_units_known CHECK ((units = ANY (ARRAY['metric'::text, 'imperial'::text]))),
  constraint org_settings_week_start_range CHECK (((week_start >= 0) AND (week_start <= 6)))
);
comment on column org_settings.no_show_after_minutes is 'Minutes after the planned time from which a no-show may be marked; negative is before it (product description, 4.5).';
comment on column org_settings.thresholds is 'Alert kind to threshold where it differs from the default of the product description, 4.5.';
comment on column org_settings.second_factor_from is 'First day of the rule, by the clock of the organization.';
comment on column org_settings.set_up_at is 'When time zone and currency were chosen; null asks for them on the overview.';
comment on column org_settings.guest_changes_hours is 'Guests change names and diet until so many hours before the start.';
comment on column org_settings.guest_occasions_from is 'Since when occasions are noted; null: from the beginning.';
alter table org_settings enable row level security;
alter table org_settings force row level security;
create policy organization on org_settings for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
grant select on table org_settings to app_own;
grant delete, insert, select, update on table org_settings to app_user;
CREATE TRIGGER forget_road_ways AFTER UPDATE OF router_kind, router_address ON public.org_settings FOR EACH ROW WHEN (((old.router_kind IS DISTINCT FROM new.router_kind) OR (old.router_address IS DISTINCT FROM new.router_address))) EXECUTE FUNCTION forget_road_ways();
CREATE TRIGGER record_delete AFTER DELETE ON public.org_settings REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('org_id', '');
CREATE TRIGGER record_insert AFTER INSERT ON public.org_settings REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('org_id', '');
CREATE TRIGGER record_update AFTER UPDATE ON public.org_settings REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('org_id', '');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.org_settings FOR EACH ROW EXECUTE FUNCTION touch_row();

create table organizations (
  org_id text not null,
  name text not null,
  slug text,
  logo_url text,
  identity_kind text not null default 'embedded'::text,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  constraint organizations_pkey PRIMARY KEY (org_id),
  constraint organizations_identity_kind_known CHECK ((identity_kind = ANY (ARRAY['embedded'::text, 'clerk'::text]))),
  constraint organizations_name_length CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200)))
);
alter table organizations enable row level security;
alter table organizations force row level security;
create policy directory on organizations for all to app_directory using (true) with check (true);
create policy organization on organizations for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
grant select, update on table organizations to app_directory;
grant select on table organizations to app_own;
grant delete, insert, select, update on table organizations to app_user;
CREATE TRIGGER record_delete AFTER DELETE ON public.organizations REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('org_id', '');
CREATE TRIGGER record_insert AFTER INSERT ON public.organizations REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('org_id', '');
CREATE TRIGGER record_update AFTER UPDATE ON public.organizations REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('org_id', '');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.organizations FOR EACH ROW EXECUTE FUNCTION touch_row();

create table own_preferences (
  org_id text not null,
  user_id text not null,
  preferences jsonb not null default '{}'::jsonb,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  constraint own_preferences_pkey PRIMARY KEY (org_id, user_id),
  constraint own_preferences_member_fk FOREIGN KEY (org_id, user_id) REFERENCES members(org_id, user_id) ON DELETE CASCADE
);
alter table own_preferences enable row level security;
alter table own_preferences force row level security;
create policy organization on own_preferences for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
grant delete, insert, select, update on table own_preferences to app_own;
grant delete, insert, select, update on table own_preferences to app_user;
CREATE TRIGGER record_delete AFTER DELETE ON public.own_preferences REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('user_id', '');
CREATE TRIGGER record_insert AFTER INSERT ON public.own_preferences REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('user_id', '');
CREATE TRIGGER record_update AFTER UPDATE ON public.own_preferences REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('user_id', '');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.own_preferences FOR EACH ROW EXECUTE FUNCTION touch_row();

create table payments (
  org_id text not null,
  id uuid not null,
  booking_id uuid not null,
  kind text not null,
  method text,
  amount_minor bigint not null,
  currency text not null,
  received_at timestamp with time zone not null,
  reference text,
  note text,
  recorded_by text,
  voided_at timestamp with time zone,
  voided_by text,
  void_reason text,
  import_batch_id uuid,
  created_at timestamp with time zone not null default app_now(),
  constraint payments_pkey PRIMARY KEY (org_id, id),
  constraint payments_amount_range CHECK (((amount_minor >= 1) AND (amount_minor <= '1000000000000'::bigint))),
  constraint payments_booking_fk FOREIGN KEY (org_id, booking_id) REFERENCES bookings(org_id, id) ON DELETE CASCADE,
  constraint payments_currency_code CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint payments_kind_known CHECK ((kind = ANY (ARRAY['payment'::text, 'refund'::text]))),
  constraint payments_method_known CHECK ((method = ANY (ARRAY['cash'::text, 'card_terminal'::text, 'transfer'::text, 'agent_credit'::text, 'voucher'::text]))),
  constraint payments_note_length CHECK (((char_length(note) >= 1) AND (char_length(note) <= 500))),
  constraint payments_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id) ON DELETE CASCADE,
  constraint payments_reference_length CHECK (((char_length(reference) >= 1) AND (char_length(reference) <= 80))),
  constraint payments_void_has_reason CHECK (
CASE
    WHEN (voided_at IS NULL) THEN ((void_reason IS NULL) AND (voided_by IS NULL))
    ELSE ((import_batch_id IS NOT NULL) OR ((char_length(void_reason) >= 1) AND (char_length(void_reason) <= 200)))
END)
);
CREATE INDEX payments_booking ON public.payments USING btree (org_id, booking_id);
CREATE INDEX payments_import_batch ON public.payments USING btree (org_id, import_batch_id) WHERE (import_batch_id IS NOT NULL);
CREATE INDEX payments_received_at ON public.payments USING btree (org_id, received_at);
alter table payments enable row level security;
alter table payments force row level security;
create policy organization on payments for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy own on payments as restrictive for all to app_own using ((EXISTS ( SELECT
   FROM bookings b
  WHERE ((b.org_id = payments.org_id) AND (b.id = payments.booking_id))))) with check ((EXISTS ( SELECT
   FROM bookings b
  WHERE ((b.org_id = payments.org_id) AND (b.id = payments.booking_id)))));
grant maintain on table payments to app_janitor;
grant select on table payments to app_own;
grant insert, select on table payments to app_user;
CREATE TRIGGER count_paid_insert AFTER INSERT ON public.payments REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_paid();
CREATE TRIGGER count_paid_update AFTER UPDATE ON public.payments REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_paid();
CREATE TRIGGER keep_payment BEFORE UPDATE ON public.payments FOR EACH ROW EXECUTE FUNCTION keep_payment();
CREATE TRIGGER mark_import BEFORE INSERT ON public.payments FOR EACH ROW EXECUTE FUNCTION mark_import();
CREATE TRIGGER queue_webhooks_insert AFTER INSERT ON public.payments REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION queue_payment_webhooks();
CREATE TRIGGER queue_webhooks_update AFTER UPDATE ON public.payments REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION queue_payment_webhooks();
CREATE TRIGGER record_delete AFTER DELETE ON public.payments REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_insert AFTER INSERT ON public.payments REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_update AFTER UPDATE ON public.payments REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');

create table phone_channels (
  org_id text not null,
  id uuid not null,
  channel text not null,
  adapter text not null,
  address text,
  account text,
  sender text,
  secret bytea not null,
  channel_key text generated always as (sealing_key(secret)) stored,
  is_preferred boolean not null default false,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  constraint phone_channels_pkey PRIMARY KEY (org_id, id),
  constraint phone_channels_adapter_known CHECK ((adapter = ANY (ARRAY['webhook'::text, 'twilio'::text]))),
  constraint phone_channels_channel_known CHECK ((channel = ANY (ARRAY['sms'::text, 'whatsapp'::text]))),
  constraint phone_channels_channel_once UNIQUE (org_id, channel),
  constraint phone_channels_has_target CHECK (
CASE adapter
    WHEN 'webhook'::text THEN ((address IS NOT NULL) AND (num_nonnulls(account, sender) = 0))
    ELSE ((address IS NULL) AND (num_nulls(account, sender) = 0))
END),
  constraint phone_channels_key_known FOREIGN KEY (channel_key) REFERENCES data_keys(id),
  constraint phone_channels_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id) ON DELETE CASCADE,
  constraint phone_channels_text_length CHECK (((char_length(address) <= 500) AND (char_length(account) <= 64) AND (char_length(sender) <= 64)))
);
comment on column phone_channels.secret is 'What signs a webhook, or the token of the provider, sealed (platform/sealed-text.ts).';
comment on column phone_channels.is_preferred is 'The one by which guests are reached where both are set up.';
CREATE UNIQUE INDEX phone_channels_one_preferred ON public.phone_channels USING btree (org_id) WHERE is_preferred;
alter table phone_channels enable row level security;
alter table phone_channels force row level security;
create policy janitor on phone_channels for select to app_janitor using (true);
create policy organization on phone_channels for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
grant select on table phone_channels to app_janitor;
grant select on table phone_channels to app_own;
grant delete, insert, select, update on table phone_channels to app_user;
CREATE TRIGGER record_delete AFTER DELETE ON public.phone_channels REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', 'secret,address,account');
CREATE TRIGGER record_insert AFTER INSERT ON public.phone_channels REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', 'secret,address,account');
CREATE TRIGGER record_update AFTER UPDATE ON public.phone_channels REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT WHEN ((current_setting('app.resealing'::text, true) IS DISTINCT FROM 'on'::text)) EXECUTE FUNCTION record_changes('id', 'secret,address,account');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.phone_channels FOR EACH ROW WHEN ((current_setting('app.resealing'::text, true) IS DISTINCT FROM 'on'::text)) EXECUTE FUNCTION touch_row();

create table places (
  org_id text not null,
  id uuid not null,
  name text not null,
  kind text not null default 'other'::text,
  lat double precision not null,
  lng double precision not null,
  address text,
  time_zone text,
  phone text,
  opening_note text,
  photo_url text,
  enter_m integer not null default 80,
  exit_m integer not null default 120,
  dwell_s integer not null default 60,
  archived_at timestamp with time zone,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  constraint places_pkey PRIMARY KEY (org_id, id),
  constraint places_coordinates_range CHECK ((((lat >= ('-90'::integer)::double precision) AND (lat <= (90)::double precision)) AND ((lng >= ('-180'::integer)::double precision) AND (lng <= (180)::double precision)))),
  constraint places_geofence_order CHECK (((enter_m > 0) AND (enter_m < exit_m) AND (dwell_s >= 0))),
  constraint places_kind_known CHECK ((kind = ANY (ARRAY['meeting_point'::text, 'sight'::text, 'hotel'::text, 'restaurant'::text, 'airport'::text, 'viewpoint'::text, 'depot'::text, 'hospital'::text, 'camp'::text, 'other'::text]))),
  constraint places_name_length CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200))),
  constraint places_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id) ON DELETE CASCADE
);
CREATE INDEX places_name ON public.places USING btree (org_id, name COLLATE "und-x-icu");
alter table places enable row level security;
alter table places force row level security;
create policy organization on places for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
grant select on table places to app_own;
grant delete, insert, select, update on table places to app_user;
CREATE TRIGGER record_delete AFTER DELETE ON public.places REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_insert AFTER INSERT ON public.places REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_update AFTER UPDATE ON public.places REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.places FOR EACH ROW EXECUTE FUNCTION touch_row();

create table position_drops (
  org_id text not null,
  device_id uuid not null,
  day date not null,
  reason text not null,
  dropped integer not null default 0,
  constraint position_drops_pkey PRIMARY KEY (org_id, device_id, day, reason),
  constraint position_drops_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id) ON DELETE CASCADE,
  constraint position_drops_reason_known CHECK ((reason = ANY (ARRAY['outside_session'::text, 'foreign_session'::text, 'no_consent'::text, 'on_break'::text, 'too_old'::text, 'clock_wrong'::text, 'malformed'::text])))
);
alter table position_drops enable row level security;
alter table position_drops force row level security;
create policy organization on position_drops for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy own on position_drops as restrictive for all to app_own using ((EXISTS ( SELECT
   FROM devices d
  WHERE ((d.org_id = position_drops.org_id) AND (d.id = position_drops.device_id))))) with check ((EXISTS ( SELECT
   FROM devices d
  WHERE ((d.org_id = position_drops.org_id) AND (d.id = position_drops.device_id)))));
grant select on table position_drops to app_own;
grant insert, select, update on table position_drops to app_user;

create table positions (
  org_id text not null,
  device_id uuid not null,
  recorded_at timestamp with time zone not null,
  duty_session_id uuid not null,
  received_at timestamp with time zone not null default app_now(),
  lat double precision not null,
  lng double precision not null,
  accuracy_m real,
  speed_mps real,
  heading_deg real,
  altitude_m real,
  battery_pct smallint,
  is_moving boolean,
  source text not null default 'gps'::text,
  valid boolean not null default true,
  constraint positions_pkey PRIMARY KEY (org_id, device_id, recorded_at),
  constraint positions_battery_range CHECK (((battery_pct >= 0) AND (battery_pct <= 100))),
  constraint positions_coordinates_range CHECK ((((lat >= ('-90'::integer)::double precision) AND (lat <= (90)::double precision)) AND ((lng >= ('-180'::integer)::double precision) AND (lng <= (180)::double precision)))),
  constraint positions_duty_session_fk FOREIGN KEY (org_id, duty_session_id) REFERENCES duty_sessions(org_id, id) ON DELETE CASCADE,
  constraint positions_motion_range CHECK (((accuracy_m >= (0)::double precision) AND (speed_mps >= (0)::double precision) AND (heading_deg >= (0)::double precision) AND (heading_deg < (360)::double precision))),
  constraint positions_source_known CHECK ((source = ANY (ARRAY['gps'::text, 'network'::text, 'manual'::text])))
) partition by RANGE (recorded_at);
CREATE INDEX positions_received_at ON ONLY public.positions USING brin (received_at);
CREATE INDEX positions_session ON ONLY public.positions USING btree (org_id, duty_session_id, recorded_at);
alter table positions enable row level security;
alter table positions force row level security;
create policy organization on positions for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy own on positions as restrictive for all to app_own using ((EXISTS ( SELECT
   FROM duty_sessions u
  WHERE ((u.org_id = positions.org_id) AND (u.id = positions.duty_session_id))))) with check ((EXISTS ( SELECT
   FROM duty_sessions u
  WHERE ((u.org_id = positions.org_id) AND (u.id = positions.duty_session_id)))));
grant select on table positions to app_own;
grant insert, select on table positions to app_user;
CREATE TRIGGER keep_position_in_session BEFORE INSERT ON public.positions FOR EACH ROW EXECUTE FUNCTION keep_position_in_session();

create table proposals (
  org_id text not null,
  id uuid not null,
  booking_id uuid not null,
  from_departure_id uuid not null,
  to_departure_id uuid,
  seats integer not null,
  at_price_there boolean not null default false,
  amount_minor bigint,
  asked_at timestamp with time zone not null default app_now(),
  expires_at timestamp with time zone not null,
  outcome text,
  ended_at timestamp with time zone,
  answered_by text,
  constraint proposals_pkey PRIMARY KEY (org_id, id),
  constraint proposals_amount_of_departure CHECK (((amount_minor IS NOT NULL) = (to_departure_id IS NOT NULL))),
  constraint proposals_amount_range CHECK ((amount_minor >= 0)),
  constraint proposals_answered_by_known CHECK ((answered_by = ANY (ARRAY['guest'::text, 'office'::text]))),
  constraint proposals_booking_fk FOREIGN KEY (org_id, booking_id) REFERENCES bookings(org_id, id) ON DELETE CASCADE,
  constraint proposals_end_complete CHECK ((((outcome IS NULL) = (ended_at IS NULL)) AND ((COALESCE(outcome, ''::text) = ANY (ARRAY['moved'::text, 'refunded'::text])) = (answered_by IS NOT NULL)))),
  constraint proposals_expiry_after_question CHECK ((expires_at > asked_at)),
  constraint proposals_from_departure_fk FOREIGN KEY (org_id, from_departure_id) REFERENCES departures(org_id, id),
  constraint proposals_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id) ON DELETE CASCADE,
  constraint proposals_other_departure CHECK ((to_departure_id <> from_departure_id)),
  constraint proposals_outcome_known CHECK ((outcome = ANY (ARRAY['moved'::text, 'refunded'::text, 'expired'::text, 'withdrawn'::text]))),
  constraint proposals_seats_range CHECK ((seats > 0)),
  constraint proposals_to_departure_fk FOREIGN KEY (org_id, to_departure_id) REFERENCES departures(org_id, id)
);
comment on table proposals is 'What parties of cancelled departures were offered, and what they answered.';
CREATE INDEX proposals_from ON public.proposals USING btree (org_id, from_departure_id);
CREATE INDEX proposals_held ON public.proposals USING btree (org_id, COALESCE(to_departure_id, from_departure_id)) WHERE (outcome IS NULL);
CREATE UNIQUE INDEX proposals_open_once ON public.proposals USING btree (org_id, booking_id) WHERE (outcome IS NULL);
alter table proposals enable row level security;
alter table proposals force row level security;
create policy organization on proposals for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy own on proposals as restrictive for all to app_own using ((COALESCE(to_departure_id, from_departure_id) = ANY (( SELECT own_departures() AS own_departures)::uuid[]))) with check ((COALESCE(to_departure_id, from_departure_id) = ANY (( SELECT own_departures() AS own_departures)::uuid[])));
grant select on table proposals to app_own;
grant delete, insert, select, update on table proposals to app_user;
CREATE TRIGGER check_proposal BEFORE INSERT OR UPDATE ON public.proposals FOR EACH ROW EXECUTE FUNCTION check_proposal();
CREATE TRIGGER count_proposed_seats AFTER INSERT OR DELETE OR UPDATE OF outcome ON public.proposals FOR EACH ROW EXECUTE FUNCTION count_proposed_seats();
CREATE TRIGGER record_delete AFTER DELETE ON public.proposals REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_insert AFTER INSERT ON public.proposals REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_update AFTER UPDATE ON public.proposals REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');

create table push_subscriptions (
  org_id text not null,
  id uuid not null,
  user_id text not null,
  name text not null,
  endpoint text not null,
  p256dh text not null,
  auth text not null,
  created_at timestamp with time zone not null default app_now(),
  constraint push_subscriptions_pkey PRIMARY KEY (org_id, id),
  constraint push_subscriptions_endpoint_once UNIQUE (org_id, user_id, endpoint),
  constraint push_subscriptions_member_fk FOREIGN KEY (org_id, user_id) REFERENCES members(org_id, user_id) ON DELETE CASCADE,
  constraint push_subscriptions_text_length CHECK ((((char_length(name) >= 1) AND (char_length(name) <= 80)) AND (char_length(endpoint) <= 1000) AND (char_length(p256dh) = 87) AND (char_length(auth) = 22)))
);
comment on column push_subscriptions.name is 'Browser and system, as their owner reads it.';
comment on column push_subscriptions.endpoint is 'Address at the push service of the browser (RFC 8030).';
comment on column push_subscriptions.p256dh is 'Public key of the browser, in base64url; as the next a parameter of its encryption (RFC 8291).';
alter table push_subscriptions enable row level security;
alter table push_subscriptions force row level security;
create policy changer on push_subscriptions as restrictive for update to app_own using ((user_id = app_user_id())) with check ((user_id = app_user_id()));
create policy ender on push_subscriptions as restrictive for delete to app_own using ((user_id = app_user_id()));
create policy organization on push_subscriptions for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy writer on push_subscriptions as restrictive for insert to app_own with check ((user_id = app_user_id()));
grant delete, insert, select, update on table push_subscriptions to app_own;
grant delete, insert, select, update on table push_subscriptions to app_user;
CREATE TRIGGER record_delete AFTER DELETE ON public.push_subscriptions REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', 'endpoint,p256dh,auth');
CREATE TRIGGER record_insert AFTER INSERT ON public.push_subscriptions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', 'endpoint,p256dh,auth');
CREATE TRIGGER record_update AFTER UPDATE ON public.push_subscriptions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', 'endpoint,p256dh,auth');

create table report_runs (
  org_id text not null,
  id uuid not null,
  report text not null,
  params jsonb not null default '{}'::jsonb,
  params_hash text not null,
  as_of timestamp with time zone not null default app_now(),
  row_count integer not null default 0,
  totals jsonb not null default '{}'::jsonb,
  created_by text,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  constraint report_runs_pkey PRIMARY KEY (org_id, id),
  constraint report_runs_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id) ON DELETE CASCADE,
  constraint report_runs_row_count_range CHECK ((row_count >= 0))
);
CREATE INDEX report_runs_report ON public.report_runs USING btree (org_id, report, as_of);
alter table report_runs enable row level security;
alter table report_runs force row level security;
create policy organization on report_runs for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
grant delete, insert, select, update on table report_runs to app_user;
CREATE TRIGGER record_delete AFTER DELETE ON public.report_runs REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_insert AFTER INSERT ON public.report_runs REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_update AFTER UPDATE ON public.report_runs REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.report_runs FOR EACH ROW EXECUTE FUNCTION touch_row();

create table road_ways (
  org_id text not null,
  mode text not null,
  from_lat double precision not null,
  from_lng double precision not null,
  to_lat double precision not null,
  to_lng double precision not null,
  seconds integer,
  meters integer,
  asked_at timestamp with time zone not null default app_now(),
  constraint road_ways_pkey PRIMARY KEY (org_id, mode, from_lat, from_lng, to_lat, to_lng),
  constraint road_ways_mode_known CHECK ((mode = ANY (ARRAY['drive'::text, 'walk'::text]))),
  constraint road_ways_not_negative CHECK (((seconds >= 0) AND (meters >= 0))),
  constraint road_ways_org_id_fkey FOREIGN KEY (org_id) REFERENCES org_settings(org_id) ON DELETE CASCADE,
  constraint road_ways_whole CHECK (((seconds IS NULL) = (meters IS NULL)))
);
alter table road_ways enable row level security;
alter table road_ways force row level security;
create policy organization on road_ways for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
grant select on table road_ways to app_own;
grant delete, insert, select, update on table road_ways to app_user;

create table roll_call_responses (
  org_id text not null,
  id uuid not null,
  roll_call_id uuid not null,
  traveler_id uuid,
  staff_id uuid,
  answer text not null default 'no_answer'::text,
  answered_at timestamp with time zone,
  note text,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  answered_by text,
  constraint roll_call_responses_pkey PRIMARY KEY (org_id, id),
  constraint roll_call_responses_answer_known CHECK ((answer = ANY (ARRAY['safe'::text, 'need_help'::text, 'no_answer'::text]))),
  constraint roll_call_responses_answer_with_author CHECK (((answered_by IS NULL) = (answered_at IS NULL))),
  constraint roll_call_responses_answered_by_known CHECK ((answered_by = ANY (ARRAY['guest'::text, 'office'::text]))),
  constraint roll_call_responses_one_person CHECK ((num_nonnulls(traveler_id, staff_id) = 1)),
  constraint roll_call_responses_person_once UNIQUE NULLS NOT DISTINCT (org_id, roll_call_id, traveler_id, staff_id),
  constraint roll_call_responses_roll_call_fk FOREIGN KEY (org_id, roll_call_id) REFERENCES roll_calls(org_id, id) ON DELETE CASCADE,
  constraint roll_call_responses_staff_fk FOREIGN KEY (org_id, staff_id) REFERENCES field_staff(org_id, id),
  constraint roll_call_responses_traveler_fk FOREIGN KEY (org_id, traveler_id) REFERENCES travelers(org_id, id)
);
CREATE INDEX roll_call_responses_traveler ON public.roll_call_responses USING btree (org_id, traveler_id) WHERE (traveler_id IS NOT NULL);
alter table roll_call_responses enable row level security;
alter table roll_call_responses force row level security;
create policy organization on roll_call_responses for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
grant delete, insert, select, update on table roll_call_responses to app_user;
CREATE TRIGGER keep_merged_roll_call BEFORE INSERT OR UPDATE OF answer, answered_at, answered_by ON public.roll_call_responses FOR EACH ROW EXECUTE FUNCTION keep_merged_roll_call();
CREATE TRIGGER record_delete AFTER DELETE ON public.roll_call_responses REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_insert AFTER INSERT ON public.roll_call_responses REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_update AFTER UPDATE ON public.roll_call_responses REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.roll_call_responses FOR EACH ROW EXECUTE FUNCTION touch_row();

create table roll_calls (
  org_id text not null,
  id uuid not null,
  incident_id uuid,
  scope jsonb not null default '{}'::jsonb,
  question text,
  sent_at timestamp with time zone not null default app_now(),
  sent_by text,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  constraint roll_calls_pkey PRIMARY KEY (org_id, id),
  constraint roll_calls_incident_fk FOREIGN KEY (org_id, incident_id) REFERENCES incidents(org_id, id),
  constraint roll_calls_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id) ON DELETE CASCADE,
  constraint roll_calls_question_length CHECK ((char_length(question) <= 300))
);
CREATE UNIQUE INDEX roll_calls_one_per_incident ON public.roll_calls USING btree (org_id, incident_id);
alter table roll_calls enable row level security;
alter table roll_calls force row level security;
create policy organization on roll_calls for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
grant delete, insert, select, update on table roll_calls to app_user;
CREATE TRIGGER keep_merged_incident_whole BEFORE INSERT OR UPDATE ON public.roll_calls FOR EACH ROW WHEN ((new.incident_id IS NOT NULL)) EXECUTE FUNCTION keep_merged_incident_whole();
CREATE TRIGGER record_delete AFTER DELETE ON public.roll_calls REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_insert AFTER INSERT ON public.roll_calls REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_update AFTER UPDATE ON public.roll_calls REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.roll_calls FOR EACH ROW EXECUTE FUNCTION touch_row();

create table room_assignments (
  org_id text not null,
  room_id uuid not null,
  manifest_entry_id uuid not null,
  import_batch_id uuid,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  constraint room_assignments_pkey PRIMARY KEY (org_id, room_id, manifest_entry_id),
  constraint room_assignments_entry_fk FOREIGN KEY (org_id, manifest_entry_id) REFERENCES manifest_entries(org_id, id) ON DELETE CASCADE,
  constraint room_assignments_room_fk FOREIGN KEY (org_id, room_id) REFERENCES rooms(org_id, id) ON DELETE CASCADE
);
CREATE INDEX room_assignments_entry ON public.room_assignments USING btree (org_id, manifest_entry_id);
alter table room_assignments enable row level security;
alter table room_assignments force row level security;
create policy organization on room_assignments for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy own on room_assignments as restrictive for all to app_own using ((EXISTS ( SELECT
   FROM manifest_entries m
  WHERE ((m.org_id = room_assignments.org_id) AND (m.id = room_assignments.manifest_entry_id))))) with check ((EXISTS ( SELECT
   FROM manifest_entries m
  WHERE ((m.org_id = room_assignments.org_id) AND (m.id = room_assignments.manifest_entry_id)))));
grant select on table room_assignments to app_own;
grant delete, insert, select, update on table room_assignments to app_user;
CREATE TRIGGER mark_import BEFORE INSERT OR UPDATE ON public.room_assignments FOR EACH ROW EXECUTE FUNCTION mark_import();
CREATE TRIGGER record_delete AFTER DELETE ON public.room_assignments REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('room_id,manifest_entry_id', '');
CREATE TRIGGER record_insert AFTER INSERT ON public.room_assignments REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('room_id,manifest_entry_id', '');
CREATE TRIGGER record_update AFTER UPDATE ON public.room_assignments REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('room_id,manifest_entry_id', '');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.room_assignments FOR EACH ROW EXECUTE FUNCTION touch_row();

create table rooms (
  org_id text not null,
  id uuid not null,
  departure_id uuid not null,
  night_date date not null,
  place_id uuid,
  type text not null,
  room_key text,
  share_note text,
  import_batch_id uuid,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  constraint rooms_pkey PRIMARY KEY (org_id, id),
  constraint rooms_departure_fk FOREIGN KEY (org_id, departure_id) REFERENCES departures(org_id, id) ON DELETE CASCADE,
  constraint rooms_on_departure_unique UNIQUE (org_id, departure_id, id),
  constraint rooms_place_fk FOREIGN KEY (org_id, place_id) REFERENCES places(org_id, id),
  constraint rooms_type_known CHECK ((type = ANY (ARRAY['SGL'::text, 'DBL'::text, 'TWN'::text, 'TRP'::text, 'QUAD'::text, 'DORM'::text, 'TENT'::text])))
);
CREATE INDEX rooms_departure ON public.rooms USING btree (org_id, departure_id, night_date);
alter table rooms enable row level security;
alter table rooms force row level security;
create policy organization on rooms for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy own on rooms as restrictive for all to app_own using ((departure_id = ANY (( SELECT own_departures() AS own_departures)::uuid[]))) with check ((departure_id = ANY (( SELECT own_departures() AS own_departures)::uuid[])));
grant select on table rooms to app_own;
grant delete, insert, select, update on table rooms to app_user;
CREATE TRIGGER mark_import BEFORE INSERT OR UPDATE ON public.rooms FOR EACH ROW EXECUTE FUNCTION mark_import();
CREATE TRIGGER record_delete AFTER DELETE ON public.rooms REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_insert AFTER INSERT ON public.rooms REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_update AFTER UPDATE ON public.rooms REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.rooms FOR EACH ROW EXECUTE FUNCTION touch_row();

create table saved_views (
  org_id text not null,
  id uuid not null,
  user_id text not null,
  screen text not null,
  name text not null,
  filters jsonb not null default '{}'::jsonb,
  columns jsonb not null default '[]'::jsonb,
  shared boolean not null default false,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  constraint saved_views_pkey PRIMARY KEY (org_id, id),
  constraint saved_views_member_fk FOREIGN KEY (org_id, user_id) REFERENCES members(org_id, user_id) ON DELETE CASCADE,
  constraint saved_views_name_length CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100))),
  constraint saved_views_name_unique UNIQUE (org_id, user_id, screen, name),
  constraint saved_views_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id) ON DELETE CASCADE
);
alter table saved_views enable row level security;
alter table saved_views force row level security;
create policy organization on saved_views for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
grant delete, insert, select, update on table saved_views to app_own;
grant delete, insert, select, update on table saved_views to app_user;
CREATE TRIGGER record_delete AFTER DELETE ON public.saved_views REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_insert AFTER INSERT ON public.saved_views REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_update AFTER UPDATE ON public.saved_views REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.saved_views FOR EACH ROW EXECUTE FUNCTION touch_row();

create table shared_link_tokens (
  org_id text not null,
  id uuid not null,
  link_id uuid not null,
  token_hash bytea not null,
  token_hint text not null,
  issued_at timestamp with time zone not null default app_now(),
  issued_by text,
  revoked_at timestamp with time zone,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  constraint shared_link_tokens_pkey PRIMARY KEY (org_id, id),
  constraint shared_link_tokens_hash_is_sha256 CHECK ((octet_length(token_hash) = 32)),
  constraint shared_link_tokens_hash_unique UNIQUE (org_id, token_hash),
  constraint shared_link_tokens_hint_length CHECK ((char_length(token_hint) <= 4)),
  constraint shared_link_tokens_link_fk FOREIGN KEY (org_id, link_id) REFERENCES shared_links(org_id, id) ON DELETE CASCADE
);
CREATE INDEX shared_link_tokens_hash ON public.shared_link_tokens USING btree (token_hash);
CREATE INDEX shared_link_tokens_link ON public.shared_link_tokens USING btree (org_id, link_id);
alter table shared_link_tokens enable row level security;
alter table shared_link_tokens force row level security;
create policy directory on shared_link_tokens for select to app_directory using (true);
create policy organization on shared_link_tokens for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
grant select on table shared_link_tokens to app_directory;
grant delete, insert, select, update on table shared_link_tokens to app_user;
CREATE TRIGGER record_delete AFTER DELETE ON public.shared_link_tokens REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', 'token_hash');
CREATE TRIGGER record_insert AFTER INSERT ON public.shared_link_tokens REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', 'token_hash');
CREATE TRIGGER record_update AFTER UPDATE ON public.shared_link_tokens REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', 'token_hash');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.shared_link_tokens FOR EACH ROW EXECUTE FUNCTION touch_row();

create table shared_links (
  org_id text not null,
  id uuid not null,
  kind text not null,
  subject_id text not null,
  departure_id uuid,
  label text not null default ''::text,
  scopes jsonb not null default '{}'::jsonb,
  location_delay_s integer not null default 0,
  blur_m integer not null default 0,
  passcode_hash text,
  locale text,
  starts_at timestamp with time zone not null default app_now(),
  expires_at timestamp with time zone not null,
  max_views integer,
  status text not null default 'active'::text,
  created_by text,
  view_count integer not null default 0,
  last_viewed_at timestamp with time zone,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  ends_with_departure boolean not null default false,
  supplier_id uuid,
  traveler_id uuid,
  tour_id uuid,
  report text,
  report_days integer,
  report_from date,
  report_to date,
  report_compare text,
  constraint shared_links_pkey PRIMARY KEY (org_id, id),
  constraint shared_links_blur_known CHECK ((blur_m = ANY (ARRAY[0, 100, 500]))),
  constraint shared_links_departure_fk FOREIGN KEY (org_id, departure_id) REFERENCES departures(org_id, id),
  constraint shared_links_expires_after_start CHECK ((expires_at > starts_at)),
  constraint shared_links_expires_within_400_days CHECK ((expires_at <= (created_at + '400 days'::interval))),
  constraint shared_links_kind_known CHECK ((kind = ANY (ARRAY['departure_guest'::text, 'booking_guest'::text, 'traveler'::text, 'staff_runsheet'::text, 'supplier_manifest'::text, 'live_map'::text, 'report'::text, 'roll_call'::text]))),
  constraint shared_links_location_delay_known CHECK ((location_delay_s = ANY (ARRAY[0, 60, 300, 900]))),
  constraint shared_links_manifest_of_departure CHECK (((kind <> 'supplier_manifest'::text) OR ((departure_id IS NOT NULL) AND (subject_id = (departure_id)::text)))),
  constraint shared_links_map_of_tours CHECK (
CASE
    WHEN (kind = 'live_map'::text) THEN ((subject_id = COALESCE((tour_id)::text, 'all'::text)) AND (departure_id IS NULL))
    ELSE (tour_id IS NULL)
END),
  constraint shared_links_no_passcode_on_phones CHECK (((passcode_hash IS NULL) OR (kind <> 'staff_runsheet'::text) OR (COALESCE((scopes ->> 'checkin'::text), 'false'::text) <> 'true'::text))),
  constraint shared_links_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id) ON DELETE CASCADE,
  constraint shared_links_position_blurred CHECK (((COALESCE((scopes ->> 'position'::text), 'false'::text) <> 'true'::text) OR ((location_delay_s >= 60) AND (blur_m >= 100)))),
  constraint shared_links_report_compare_known CHECK ((report_compare = ANY (ARRAY['none'::text, 'previous'::text, 'last_year'::text]))),
  constraint shared_links_report_known CHECK ((report = ANY (ARRAY['tour-performance'::text, 'traveler-insights'::text]))),
  constraint shared_links_report_period CHECK (
CASE
    WHEN (report IS NULL) THEN true
    WHEN (report_days IS NOT NULL) THEN (((report_days >= 1) AND (report_days <= 731)) AND (num_nonnulls(report_from, report_to) = 0))
    ELSE ((num_nonnulls(report_from, report_to) = 2) AND ((report_to >= report_from) AND (report_to <= (report_from + 730))))
END),
  constraint shared_links_report_whole CHECK (
CASE
    WHEN (kind = 'report'::text) THEN ((report IS NOT NULL) AND (subject_id = report) AND (report_compare IS NOT NULL) AND (departure_id IS NULL))
    ELSE (num_nonnulls(report, report_days, report_from, report_to, report_compare) = 0)
END),
  constraint shared_links_status_known CHECK ((status = ANY (ARRAY['scheduled'::text, 'active'::text, 'paused'::text, 'expired'::text, 'revoked'::text]))),
  constraint shared_links_supplier_fk FOREIGN KEY (org_id, supplier_id) REFERENCES suppliers(org_id, id),
  constraint shared_links_supplier_of_manifest CHECK (((supplier_id IS NULL) OR (kind = 'supplier_manifest'::text))),
  constraint shared_links_tour_fk FOREIGN KEY (org_id, tour_id) REFERENCES tours(org_id, id),
  constraint shared_links_traveler_fk FOREIGN KEY (org_id, traveler_id) REFERENCES travelers(org_id, id),
  constraint shared_links_traveler_is_subject CHECK (
CASE
    WHEN (kind = 'traveler'::text) THEN ((traveler_id IS NOT NULL) AND (subject_id = (traveler_id)::text) AND (departure_id IS NULL))
    ELSE (traveler_id IS NULL)
END),
  constraint shared_links_views_range CHECK (((view_count >= 0) AND ((max_views IS NULL) OR (max_views > 0))))
);
comment on column shared_links.ends_with_departure is 'Whether nobody chose the end: expires_at is then the earliest end, and shared_link_end() the end.';
comment on column shared_links.supplier_id is 'Of a supplier manifest: for whom it is. Without services on the departure it shows nothing of the guests.';
comment on column shared_links.traveler_id is 'Of the link of a traveler: whose it is. It has no departure of its own: it shows where the traveler has a seat by now.';
comment on column shared_links.tour_id is 'Of a live map: the tour that it shows; null for all of them.';
comment on column shared_links.report is 'Of the kind report: which one. Never that of the staff.';
comment on column shared_links.report_days is 'The period is the last days until today by the calendar of the organization; null where it is from report_from to report_to.';
CREATE INDEX shared_links_departure ON public.shared_links USING btree (org_id, departure_id) WHERE (departure_id IS NOT NULL);
CREATE INDEX shared_links_status ON public.shared_links USING btree (org_id, status, expires_at);
CREATE INDEX shared_links_supplier ON public.shared_links USING btree (org_id, supplier_id) WHERE (supplier_id IS NOT NULL);
CREATE INDEX shared_links_tour ON public.shared_links USING btree (org_id, tour_id) WHERE (tour_id IS NOT NULL);
CREATE INDEX shared_links_traveler ON public.shared_links USING btree (org_id, traveler_id) WHERE (traveler_id IS NOT NULL);
alter table shared_links enable row level security;
alter table shared_links force row level security;
create policy directory on shared_links for select to app_directory using (true);
create policy organization on shared_links for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy search on shared_links for select to app_search using (true);
grant select on table shared_links to app_directory;
grant select on table shared_links to app_search;
grant delete, insert, select, update on table shared_links to app_user;
CREATE TRIGGER machine_shared_links BEFORE INSERT OR UPDATE OF status ON public.shared_links FOR EACH ROW EXECUTE FUNCTION check_transition('shared_links', 'status');
CREATE TRIGGER record_delete AFTER DELETE ON public.shared_links REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', 'passcode_hash');
CREATE TRIGGER record_insert AFTER INSERT ON public.shared_links REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', 'passcode_hash');
CREATE TRIGGER record_update AFTER UPDATE ON public.shared_links REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', 'passcode_hash');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.shared_links FOR EACH ROW WHEN ((pg_trigger_depth() = 0)) EXECUTE FUNCTION touch_row();

create table shift_notes (
  org_id text not null,
  id uuid not null,
  text text not null,
  written_by text,
  written_at timestamp with time zone not null default app_now(),
  acknowledged_by text,
  acknowledged_at timestamp with time zone,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  constraint shift_notes_pkey PRIMARY KEY (org_id, id),
  constraint shift_notes_acknowledged_whole CHECK (((acknowledged_by IS NULL) = (acknowledged_at IS NULL))),
  constraint shift_notes_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id) ON DELETE CASCADE,
  constraint shift_notes_text_length CHECK (((char_length(text) >= 1) AND (char_length(text) <= 2000)))
);
CREATE INDEX shift_notes_newest ON public.shift_notes USING btree (org_id, written_at DESC);
alter table shift_notes enable row level security;
alter table shift_notes force row level security;
create policy organization on shift_notes for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
grant delete, insert, select, update on table shift_notes to app_user;
CREATE TRIGGER record_delete AFTER DELETE ON public.shift_notes REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_insert AFTER INSERT ON public.shift_notes REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_update AFTER UPDATE ON public.shift_notes REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.shift_notes FOR EACH ROW EXECUTE FUNCTION touch_row();

create table staff_calendar_entries (
  org_id text not null,
  id uuid not null,
  staff_id uuid not null,
  during tstzrange not null,
  kind text not null,
  status text not null default 'tentative'::text,
  note text,
  blocking boolean not null generated always as ((((kind = 'assignment'::text) AND (status = 'confirmed'::text)) OR ((kind = 'time_off'::text) AND (status = 'approved'::text)) OR ((kind = 'rest'::text) AND (status <> 'cancelled'::text)))) stored,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  note_sealed bytea,
  note_key text generated always as (sealing_key(note_sealed)) stored,
  constraint staff_calendar_entries_pkey PRIMARY KEY (org_id, id),
  constraint staff_calendar_entries_during_bounded CHECK (((NOT isempty(during)) AND (NOT lower_inf(during)) AND (NOT upper_inf(during)))),
  constraint staff_calendar_entries_kind_known CHECK ((kind = ANY (ARRAY['assignment'::text, 'open_shift'::text, 'time_off'::text, 'rest'::text, 'training'::text, 'external_busy'::text]))),
  constraint staff_calendar_entries_no_overlap EXCLUDE USING gist (org_id WITH =, staff_id WITH =, during WITH &&) WHERE (blocking),
  constraint staff_calendar_entries_note_encrypted CHECK ((note IS NULL)) NOT VALID,
  constraint staff_calendar_entries_note_key_known FOREIGN KEY (note_key) REFERENCES data_keys(id),
  constraint staff_calendar_entries_of_staff_unique UNIQUE (org_id, id, staff_id),
  constraint staff_calendar_entries_staff_fk FOREIGN KEY (org_id, staff_id) REFERENCES field_staff(org_id, id),
  constraint staff_calendar_entries_status_known CHECK ((status = ANY (ARRAY['tentative'::text, 'requested'::text, 'confirmed'::text, 'approved'::text, 'declined'::text, 'cancelled'::text])))
);
comment on column staff_calendar_entries.note is 'From before notes were encrypted; empty once the server has started.';
CREATE INDEX staff_calendar_entries_during ON public.staff_calendar_entries USING gist (org_id, during);
CREATE INDEX staff_calendar_entries_staff ON public.staff_calendar_entries USING btree (org_id, staff_id, lower(during));
CREATE INDEX staff_calendar_entries_unsealed ON public.staff_calendar_entries USING btree (org_id) WHERE (note IS NOT NULL);
alter table staff_calendar_entries enable row level security;
alter table staff_calendar_entries force row level security;
create policy janitor on staff_calendar_entries for select to app_janitor using (true);
create policy organization on staff_calendar_entries for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy own on staff_calendar_entries as restrictive for all to app_own using (((staff_id = ( SELECT own_staff_id() AS own_staff_id)) OR (id = ANY (( SELECT own_duties() AS own_duties)::uuid[])))) with check (((staff_id = ( SELECT own_staff_id() AS own_staff_id)) OR (id = ANY (( SELECT own_duties() AS own_duties)::uuid[]))));
create policy search on staff_calendar_entries for select to app_search using (true);
grant select on table staff_calendar_entries to app_janitor;
grant select, update on table staff_calendar_entries to app_own;
grant select on table staff_calendar_entries to app_search;
grant delete, insert, select, update on table staff_calendar_entries to app_user;
CREATE TRIGGER record_delete AFTER DELETE ON public.staff_calendar_entries REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', 'note,note_sealed');
CREATE TRIGGER record_insert AFTER INSERT ON public.staff_calendar_entries REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', 'note,note_sealed');
CREATE TRIGGER record_update AFTER UPDATE ON public.staff_calendar_entries REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT WHEN ((current_setting('app.resealing'::text, true) IS DISTINCT FROM 'on'::text)) EXECUTE FUNCTION record_changes('id', 'note,note_sealed');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.staff_calendar_entries FOR EACH ROW WHEN ((current_setting('app.resealing'::text, true) IS DISTINCT FROM 'on'::text)) EXECUTE FUNCTION touch_row();

create table staff_certificates (
  org_id text not null,
  id uuid not null,
  staff_id uuid not null,
  kind text not null,
  number text,
  issued_on date,
  valid_until date,
  file_id uuid,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  constraint staff_certificates_pkey PRIMARY KEY (org_id, id),
  constraint staff_certificates_dates_order CHECK (((valid_until IS NULL) OR (issued_on IS NULL) OR (valid_until >= issued_on))),
  constraint staff_certificates_file_fk FOREIGN KEY (org_id, file_id) REFERENCES files(org_id, id),
  constraint staff_certificates_kind_known CHECK ((kind = ANY (ARRAY['first_aid'::text, 'wilderness_first_aid'::text, 'national_guide_licence'::text, 'driving_D1'::text, 'driving_D'::text, 'mountain_guide'::text, 'lifeguard'::text, 'other'::text]))),
  constraint staff_certificates_staff_fk FOREIGN KEY (org_id, staff_id) REFERENCES field_staff(org_id, id) ON DELETE CASCADE
);
CREATE INDEX staff_certificates_staff ON public.staff_certificates USING btree (org_id, staff_id);
CREATE INDEX staff_certificates_valid_until ON public.staff_certificates USING btree (org_id, valid_until);
alter table staff_certificates enable row level security;
alter table staff_certificates force row level security;
create policy organization on staff_certificates for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy own on staff_certificates as restrictive for all to app_own using ((staff_id = ( SELECT own_staff_id() AS own_staff_id))) with check ((staff_id = ( SELECT own_staff_id() AS own_staff_id)));
grant select on table staff_certificates to app_own;
grant delete, insert, select, update on table staff_certificates to app_user;
CREATE TRIGGER record_delete AFTER DELETE ON public.staff_certificates REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', 'number');
CREATE TRIGGER record_insert AFTER INSERT ON public.staff_certificates REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', 'number');
CREATE TRIGGER record_update AFTER UPDATE ON public.staff_certificates REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', 'number');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.staff_certificates FOR EACH ROW EXECUTE FUNCTION touch_row();

create table suppliers (
  org_id text not null,
  id uuid not null,
  name text not null,
  kind text not null default 'other'::text,
  contacts jsonb not null default '[]'::jsonb,
  emergency_phone text,
  notes text,
  archived_at timestamp with time zone,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  language text,
  constraint suppliers_pkey PRIMARY KEY (org_id, id),
  constraint suppliers_kind_known CHECK ((kind = ANY (ARRAY['hotel'::text, 'restaurant'::text, 'transport'::text, 'attraction'::text, 'dmc'::text, 'guide_agency'::text, 'other'::text]))),
  constraint suppliers_language_known CHECK ((language = ANY (ARRAY['en'::text, 'de'::text, 'es'::text]))),
  constraint suppliers_name_length CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200))),
  constraint suppliers_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id) ON DELETE CASCADE
);
alter table suppliers enable row level security;
alter table suppliers force row level security;
create policy organization on suppliers for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
grant select on table suppliers to app_own;
grant delete, insert, select, update on table suppliers to app_user;
CREATE TRIGGER record_delete AFTER DELETE ON public.suppliers REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_insert AFTER INSERT ON public.suppliers REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_update AFTER UPDATE ON public.suppliers REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.suppliers FOR EACH ROW EXECUTE FUNCTION touch_row();

create table tour_options (
  org_id text not null,
  id uuid not null,
  tour_id uuid not null,
  name text not null,
  start_times_local time without time zone[] not null default '{}'::time without time zone[],
  language text,
  private boolean not null default false,
  archived_at timestamp with time zone,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  prices jsonb not null default '{}'::jsonb,
  constraint tour_options_pkey PRIMARY KEY (org_id, id),
  constraint tour_options_name_unique UNIQUE (org_id, tour_id, name),
  constraint tour_options_of_tour_unique UNIQUE (org_id, tour_id, id),
  constraint tour_options_prices_sound CHECK (option_prices_are_sound(prices)),
  constraint tour_options_tour_fk FOREIGN KEY (org_id, tour_id) REFERENCES tours(org_id, id) ON DELETE CASCADE
);
alter table tour_options enable row level security;
alter table tour_options force row level security;
create policy organization on tour_options for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy own on tour_options as restrictive for all to app_own using ((tour_id = ANY (( SELECT own_tours() AS own_tours)::uuid[]))) with check ((tour_id = ANY (( SELECT own_tours() AS own_tours)::uuid[])));
grant select on table tour_options to app_own;
grant delete, insert, select, update on table tour_options to app_user;
CREATE TRIGGER record_delete AFTER DELETE ON public.tour_options REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_insert AFTER INSERT ON public.tour_options REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_update AFTER UPDATE ON public.tour_options REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.tour_options FOR EACH ROW EXECUTE FUNCTION touch_row();

create table tour_revisions (
  org_id text not null,
  id uuid not null,
  tour_id uuid not null,
  number integer not null,
  note text,
  content jsonb not null,
  published_at timestamp with time zone,
  published_by text,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  constraint tour_revisions_pkey PRIMARY KEY (org_id, id),
  constraint tour_revisions_number_range CHECK ((number > 0)),
  constraint tour_revisions_number_unique UNIQUE (org_id, tour_id, number),
  constraint tour_revisions_of_tour_unique UNIQUE (org_id, tour_id, id),
  constraint tour_revisions_tour_fk FOREIGN KEY (org_id, tour_id) REFERENCES tours(org_id, id) ON DELETE CASCADE
);
alter table tour_revisions enable row level security;
alter table tour_revisions force row level security;
create policy organization on tour_revisions for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy own on tour_revisions as restrictive for all to app_own using ((tour_id = ANY (( SELECT own_tours() AS own_tours)::uuid[]))) with check ((tour_id = ANY (( SELECT own_tours() AS own_tours)::uuid[])));
grant select on table tour_revisions to app_own;
grant delete, insert, select, update on table tour_revisions to app_user;
CREATE TRIGGER keep_published_revision BEFORE DELETE OR UPDATE ON public.tour_revisions FOR EACH ROW EXECUTE FUNCTION keep_published_revision();
CREATE TRIGGER record_delete AFTER DELETE ON public.tour_revisions REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_insert AFTER INSERT ON public.tour_revisions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_update AFTER UPDATE ON public.tour_revisions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.tour_revisions FOR EACH ROW EXECUTE FUNCTION touch_row();

create table tours (
  org_id text not null,
  id uuid not null,
  code text not null,
  name text not null,
  kind text not null default 'day'::text,
  status text not null default 'draft'::text,
  category text,
  summary text,
  time_zone text not null default 'UTC'::text,
  duration_min integer,
  duration_days integer,
  difficulty text not null default 'easy'::text,
  languages text[] not null default '{}'::text[],
  default_capacity integer not null default 16,
  min_pax integer not null default 1,
  overbook_limit integer not null default 0,
  cutoff_minutes integer not null default 60,
  release_days integer not null default 0,
  decide_by_days integer,
  guide_ratio integer,
  required_roles jsonb not null default '[]'::jsonb,
  required_skills text[] not null default '{}'::text[],
  vehicle_class text,
  inclusions text[] not null default '{}'::text[],
  exclusions text[] not null default '{}'::text[],
  what_to_bring text,
  cancellation_policy text,
  color text,
  cover_url text,
  thresholds jsonb not null default '{}'::jsonb,
  wizard_state jsonb not null default '{}'::jsonb,
  current_revision_id uuid,
  archived_at timestamp with time zone,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  cancellation_steps jsonb not null default '[]'::jsonb,
  constraint tours_pkey PRIMARY KEY (org_id, id),
  constraint tours_cancellation_steps_form CHECK (are_cancellation_steps(cancellation_steps)),
  constraint tours_capacity_range CHECK (((default_capacity > 0) AND (min_pax >= 0) AND (overbook_limit >= 0) AND (min_pax <= (default_capacity + overbook_limit)))),
  constraint tours_code_form CHECK ((code ~ '^[A-Z0-9][A-Z0-9_-]{1,15}$'::text)),
  constraint tours_code_unique UNIQUE (org_id, code),
  constraint tours_current_revision_fk FOREIGN KEY (org_id, id, current_revision_id) REFERENCES tour_revisions(org_id, tour_id, id) DEFERRABLE INITIALLY DEFERRED,
  constraint tours_difficulty_known CHECK ((difficulty = ANY (ARRAY['easy'::text, 'moderate'::text, 'demanding'::text, 'expert'::text]))),
  constraint tours_duration_range CHECK ((((duration_min IS NULL) OR (duration_min > 0)) AND ((duration_days IS NULL) OR (duration_days > 0)))),
  constraint tours_kind_known CHECK ((kind = ANY (ARRAY['day'::text, 'multi_day'::text, 'walking'::text, 'transfer'::text, 'private'::text]))),
  constraint tours_name_length CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200))),
  constraint tours_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id) ON DELETE CASCADE,
  constraint tours_published_has_revision CHECK (((status <> 'published'::text) OR (current_revision_id IS NOT NULL))),
  constraint tours_rules_range CHECK (((cutoff_minutes >= 0) AND (release_days >= 0) AND ((decide_by_days IS NULL) OR (decide_by_days >= 0)) AND ((guide_ratio IS NULL) OR (guide_ratio > 0)))),
  constraint tours_status_known CHECK ((status = ANY (ARRAY['draft'::text, 'published'::text, 'archived'::text])))
);
CREATE INDEX tours_status ON public.tours USING btree (org_id, status, name COLLATE "und-x-icu");
alter table tours enable row level security;
alter table tours force row level security;
create policy organization on tours for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy own on tours as restrictive for all to app_own using ((id = ANY (( SELECT own_tours() AS own_tours)::uuid[]))) with check ((id = ANY (( SELECT own_tours() AS own_tours)::uuid[])));
create policy search on tours for select to app_search using (true);
grant select on table tours to app_own;
grant select on table tours to app_search;
grant delete, insert, select, update on table tours to app_user;
CREATE TRIGGER machine_tours BEFORE INSERT OR UPDATE OF status ON public.tours FOR EACH ROW EXECUTE FUNCTION check_transition('tours', 'status');
CREATE TRIGGER record_delete AFTER DELETE ON public.tours REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_insert AFTER INSERT ON public.tours REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_update AFTER UPDATE ON public.tours REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.tours FOR EACH ROW EXECUTE FUNCTION touch_row();

create table traveler_counts (
  org_id text not null,
  id uuid not null default gen_random_uuid(),
  nationality text not null,
  difference bigint not null,
  constraint traveler_counts_pkey PRIMARY KEY (org_id, id)
);
comment on column traveler_counts.nationality is 'Empty for those without one.';
CREATE INDEX traveler_counts_nationality ON public.traveler_counts USING btree (org_id, nationality) INCLUDE (difference);
alter table traveler_counts enable row level security;
alter table traveler_counts force row level security;
create policy organization on traveler_counts for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy search on traveler_counts for all to app_search using (true) with check (true);
grant delete, insert, select on table traveler_counts to app_search;

create table traveler_documents (
  org_id text not null,
  id uuid not null,
  traveler_id uuid not null,
  kind text not null,
  number_encrypted bytea,
  number_last4 text,
  country text,
  expires_on date,
  file_id uuid,
  verified_at timestamp with time zone,
  import_batch_id uuid,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  number_key text generated always as (sealing_key(number_encrypted)) stored,
  constraint traveler_documents_pkey PRIMARY KEY (org_id, id),
  constraint traveler_documents_country_code CHECK ((country ~ '^[A-Z]{2}$'::text)),
  constraint traveler_documents_file_fk FOREIGN KEY (org_id, file_id) REFERENCES files(org_id, id),
  constraint traveler_documents_kind_known CHECK ((kind = ANY (ARRAY['passport'::text, 'id'::text, 'visa'::text, 'insurance'::text]))),
  constraint traveler_documents_last4_length CHECK ((char_length(number_last4) <= 4)),
  constraint traveler_documents_number_key_known FOREIGN KEY (number_key) REFERENCES data_keys(id),
  constraint traveler_documents_traveler_fk FOREIGN KEY (org_id, traveler_id) REFERENCES travelers(org_id, id) ON DELETE CASCADE
);
CREATE INDEX traveler_documents_identity ON public.traveler_documents USING btree (org_id, traveler_id) INCLUDE (kind, expires_on) WHERE (kind = ANY (ARRAY['passport'::text, 'id'::text]));
CREATE INDEX traveler_documents_last4 ON public.traveler_documents USING btree (org_id, number_last4);
CREATE INDEX traveler_documents_nameless ON public.traveler_documents USING btree (org_id) WHERE ((number_encrypted IS NOT NULL) AND (number_key IS NULL));
CREATE INDEX traveler_documents_traveler ON public.traveler_documents USING btree (org_id, traveler_id);
alter table traveler_documents enable row level security;
alter table traveler_documents force row level security;
create policy janitor on traveler_documents for select to app_janitor using (true);
create policy organization on traveler_documents for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy own on traveler_documents as restrictive for all to app_own using ((traveler_id = ANY (( SELECT own_guests(false) AS own_guests)::uuid[]))) with check ((traveler_id = ANY (( SELECT own_guests(false) AS own_guests)::uuid[])));
create policy search on traveler_documents for select to app_search using (true);
grant maintain, select on table traveler_documents to app_janitor;
grant select on table traveler_documents to app_own;
grant select on table traveler_documents to app_search;
grant delete, insert, select, update on table traveler_documents to app_user;
CREATE TRIGGER mark_import BEFORE INSERT OR UPDATE ON public.traveler_documents FOR EACH ROW EXECUTE FUNCTION mark_import();
CREATE TRIGGER record_delete AFTER DELETE ON public.traveler_documents REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', 'number_encrypted,number_last4');
CREATE TRIGGER record_insert AFTER INSERT ON public.traveler_documents REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', 'number_encrypted,number_last4');
CREATE TRIGGER record_update AFTER UPDATE ON public.traveler_documents REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT WHEN ((current_setting('app.resealing'::text, true) IS DISTINCT FROM 'on'::text)) EXECUTE FUNCTION record_changes('id', 'number_encrypted,number_last4');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.traveler_documents FOR EACH ROW WHEN ((current_setting('app.resealing'::text, true) IS DISTINCT FROM 'on'::text)) EXECUTE FUNCTION touch_row();

create table traveler_private (
  org_id text not null,
  traveler_id uuid not null,
  date_of_birth date,
  medical_note text,
  keep_by_consent boolean not null default false,
  import_batch_id uuid,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  medical_sealed bytea,
  medical_key text generated always as (sealing_key(medical_sealed)) stored,
  constraint traveler_private_pkey PRIMARY KEY (org_id, traveler_id),
  constraint traveler_private_birth_range CHECK (((date_of_birth >= '1900-01-01'::date) AND (date_of_birth <= '2200-01-01'::date))),
  constraint traveler_private_medical_key_known FOREIGN KEY (medical_key) REFERENCES data_keys(id),
  constraint traveler_private_medical_note_encrypted CHECK ((medical_note IS NULL)) NOT VALID,
  constraint traveler_private_traveler_fk FOREIGN KEY (org_id, traveler_id) REFERENCES travelers(org_id, id) ON DELETE CASCADE
);
comment on column traveler_private.medical_note is 'From before notes were encrypted; empty once the server has started.';
CREATE INDEX traveler_private_birth ON public.traveler_private USING btree (org_id, date_of_birth) WHERE (date_of_birth IS NOT NULL);
CREATE INDEX traveler_private_unsealed ON public.traveler_private USING btree (org_id) WHERE (medical_note IS NOT NULL);
alter table traveler_private enable row level security;
alter table traveler_private force row level security;
create policy janitor on traveler_private for select to app_janitor using (true);
create policy organization on traveler_private for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy own on traveler_private as restrictive for all to app_own using ((traveler_id = ANY (( SELECT own_guests(false) AS own_guests)::uuid[]))) with check ((traveler_id = ANY (( SELECT own_guests(false) AS own_guests)::uuid[])));
create policy search on traveler_private for select to app_search using (true);
grant maintain, select on table traveler_private to app_janitor;
grant select on table traveler_private to app_own;
grant select on table traveler_private to app_search;
grant delete, insert, select, update on table traveler_private to app_user;
CREATE TRIGGER mark_import BEFORE INSERT OR UPDATE ON public.traveler_private FOR EACH ROW EXECUTE FUNCTION mark_import();
CREATE TRIGGER record_delete AFTER DELETE ON public.traveler_private REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('traveler_id', 'date_of_birth,medical_note,medical_sealed');
CREATE TRIGGER record_insert AFTER INSERT ON public.traveler_private REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('traveler_id', 'date_of_birth,medical_note,medical_sealed');
CREATE TRIGGER record_update AFTER UPDATE ON public.traveler_private REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT WHEN ((current_setting('app.resealing'::text, true) IS DISTINCT FROM 'on'::text)) EXECUTE FUNCTION record_changes('traveler_id', 'date_of_birth,medical_note,medical_sealed');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.traveler_private FOR EACH ROW WHEN ((current_setting('app.resealing'::text, true) IS DISTINCT FROM 'on'::text)) EXECUTE FUNCTION touch_row();

create table travelers (
  org_id text not null,
  id uuid not null,
  first_name text not null default ''::text,
  last_name text not null default ''::text,
  preferred_name text,
  gender text,
  nationality text,
  residence_country text,
  languages text[] not null default '{}'::text[],
  email text,
  phone text,
  dietary text[] not null default '{}'::text[],
  dietary_note text,
  mobility text not null default 'none'::text,
  mobility_note text,
  emergency_name text,
  emergency_relation text,
  emergency_phone text,
  tags text[] not null default '{}'::text[],
  marketing_consent boolean not null default false,
  lifetime_tours integer not null default 0,
  lifetime_last_at timestamp with time zone,
  merged_into_id uuid,
  anonymised_at timestamp with time zone,
  archived_at timestamp with time zone,
  import_batch_id uuid,
  search_text text not null generated always as ((((((' '::text || searchable(((((first_name || ' '::text) || last_name) ||
CASE
    WHEN (octet_length(last_name) > char_length(last_name)) THEN ((' '::text || last_name) || first_name)
    ELSE ''::text
END) || COALESCE((' '::text || preferred_name), ''::text)))) || ' '::text) || COALESCE(digits_of(phone), ''::text)) || ' '::text) || COALESCE(lower((email COLLATE "C")), ''::text))) stored,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  constraint travelers_pkey PRIMARY KEY (org_id, id),
  constraint travelers_country_codes CHECK (((nationality ~ '^[A-Z]{2}$'::text) AND (residence_country ~ '^[A-Z]{2}$'::text))),
  constraint travelers_dietary_known CHECK ((dietary <@ ARRAY['vegetarian'::text, 'vegan'::text, 'halal'::text, 'kosher'::text, 'gluten_free'::text, 'dairy_free'::text, 'nut_allergy'::text, 'shellfish_allergy'::text, 'other'::text])),
  constraint travelers_have_a_name CHECK (((first_name <> ''::text) OR (last_name <> ''::text))),
  constraint travelers_import_batch_fk FOREIGN KEY (org_id, import_batch_id) REFERENCES import_batches(org_id, id),
  constraint travelers_merged_into_fk FOREIGN KEY (org_id, merged_into_id) REFERENCES travelers(org_id, id),
  constraint travelers_mobility_known CHECK ((mobility = ANY (ARRAY['none'::text, 'cane'::text, 'wheelchair'::text, 'no_stairs'::text, 'other'::text]))),
  constraint travelers_name_length CHECK (((char_length(first_name) <= 100) AND (char_length(last_name) <= 100))),
  constraint travelers_not_merged_into_itself CHECK ((merged_into_id <> id)),
  constraint travelers_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id) ON DELETE CASCADE
);
comment on column travelers.search_text is 'Name, phone digits and e-mail, as searchable() has them; begins with a space so that word starts can be asked for.';
CREATE INDEX travelers_created_at ON public.travelers USING btree (org_id, created_at, id) WHERE ((merged_into_id IS NULL) AND (archived_at IS NULL));
CREATE INDEX travelers_email ON public.travelers USING btree (org_id, lower((email COLLATE "C"))) WHERE (email IS NOT NULL);
CREATE INDEX travelers_email_as_written ON public.travelers USING btree (org_id, email) WHERE (email IS NOT NULL);
CREATE INDEX travelers_first_name ON public.travelers USING btree (org_id, first_name COLLATE "und-x-icu", last_name COLLATE "und-x-icu", id) WHERE ((merged_into_id IS NULL) AND (archived_at IS NULL));
CREATE INDEX travelers_import_batch ON public.travelers USING btree (org_id, import_batch_id) WHERE (import_batch_id IS NOT NULL);
CREATE INDEX travelers_last_name ON public.travelers USING btree (org_id, last_name COLLATE "und-x-icu", first_name COLLATE "und-x-icu", id) WHERE ((merged_into_id IS NULL) AND (archived_at IS NULL));
CREATE INDEX travelers_lifetime_tours ON public.travelers USING btree (org_id, lifetime_tours, id) WHERE ((merged_into_id IS NULL) AND (archived_at IS NULL));
CREATE INDEX travelers_merged_into ON public.travelers USING btree (org_id, merged_into_id) WHERE (merged_into_id IS NOT NULL);
CREATE INDEX travelers_nationality ON public.travelers USING btree (org_id, nationality, last_name COLLATE "und-x-icu", first_name COLLATE "und-x-icu", id) WHERE ((merged_into_id IS NULL) AND (archived_at IS NULL));
CREATE INDEX travelers_phone ON public.travelers USING btree (org_id, phone) WHERE (phone IS NOT NULL);
CREATE INDEX travelers_search ON public.travelers USING gin (search_text gin_trgm_ops);
CREATE INDEX travelers_tags ON public.travelers USING gin (tags);
alter table travelers enable row level security;
alter table travelers force row level security;
create policy organization on travelers for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy own on travelers as restrictive for all to app_own using ((id = ANY (( SELECT own_guests(true) AS own_guests)::uuid[]))) with check ((id = ANY (( SELECT own_guests(true) AS own_guests)::uuid[])));
create policy search on travelers for select to app_search using (true);
grant maintain on table travelers to app_janitor;
grant select on table travelers to app_own;
grant select on table travelers to app_search;
grant delete, insert, select, update on table travelers to app_user;
CREATE TRIGGER count_listed_delete AFTER DELETE ON public.travelers REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_listed_travelers();
CREATE TRIGGER count_listed_insert AFTER INSERT ON public.travelers REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_listed_travelers();
CREATE TRIGGER count_listed_update AFTER UPDATE ON public.travelers REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_listed_travelers();
CREATE TRIGGER mark_import BEFORE INSERT OR UPDATE ON public.travelers FOR EACH ROW EXECUTE FUNCTION mark_import();
CREATE TRIGGER record_delete AFTER DELETE ON public.travelers REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', 'emergency_name,emergency_relation,emergency_phone,dietary_note,mobility_note');
CREATE TRIGGER record_insert AFTER INSERT ON public.travelers REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', 'emergency_name,emergency_relation,emergency_phone,dietary_note,mobility_note');
CREATE TRIGGER record_update AFTER UPDATE ON public.travelers REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', 'emergency_name,emergency_relation,emergency_phone,dietary_note,mobility_note');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.travelers FOR EACH ROW EXECUTE FUNCTION touch_row();

create table untold_suppliers (
  org_id text not null,
  departure_id uuid not null,
  supplier_id uuid not null,
  constraint untold_suppliers_pkey PRIMARY KEY (org_id, departure_id, supplier_id),
  constraint untold_suppliers_departure_fk FOREIGN KEY (org_id, departure_id) REFERENCES departures(org_id, id) ON DELETE CASCADE,
  constraint untold_suppliers_supplier_fk FOREIGN KEY (org_id, supplier_id) REFERENCES suppliers(org_id, id) ON DELETE CASCADE
);
alter table untold_suppliers enable row level security;
alter table untold_suppliers force row level security;
create policy organization on untold_suppliers for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy own on untold_suppliers as restrictive for all to app_own using ((EXISTS ( SELECT
   FROM departures d
  WHERE ((d.org_id = untold_suppliers.org_id) AND (d.id = untold_suppliers.departure_id))))) with check ((EXISTS ( SELECT
   FROM departures d
  WHERE ((d.org_id = untold_suppliers.org_id) AND (d.id = untold_suppliers.departure_id)))));
grant select on table untold_suppliers to app_own;
grant delete, insert, select on table untold_suppliers to app_user;

create table vehicle_assignments (
  org_id text not null,
  calendar_entry_id uuid not null,
  departure_id uuid not null,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  constraint vehicle_assignments_pkey PRIMARY KEY (org_id, calendar_entry_id, departure_id),
  constraint vehicle_assignments_calendar_entry_fk FOREIGN KEY (org_id, calendar_entry_id) REFERENCES vehicle_calendar_entries(org_id, id) ON DELETE CASCADE,
  constraint vehicle_assignments_departure_fk FOREIGN KEY (org_id, departure_id) REFERENCES departures(org_id, id)
);
CREATE INDEX vehicle_assignments_departure ON public.vehicle_assignments USING btree (org_id, departure_id);
alter table vehicle_assignments enable row level security;
alter table vehicle_assignments force row level security;
create policy organization on vehicle_assignments for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy own on vehicle_assignments as restrictive for all to app_own using ((departure_id = ANY (( SELECT own_departures() AS own_departures)::uuid[]))) with check ((departure_id = ANY (( SELECT own_departures() AS own_departures)::uuid[])));
create policy search on vehicle_assignments for select to app_search using (true);
grant select on table vehicle_assignments to app_own;
grant select on table vehicle_assignments to app_search;
grant delete, insert, select, update on table vehicle_assignments to app_user;
CREATE TRIGGER note_crew_of_vehicle BEFORE INSERT ON public.vehicle_assignments FOR EACH ROW EXECUTE FUNCTION note_crew_of_vehicle();
CREATE TRIGGER record_delete AFTER DELETE ON public.vehicle_assignments REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('calendar_entry_id,departure_id', '');
CREATE TRIGGER record_insert AFTER INSERT ON public.vehicle_assignments REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('calendar_entry_id,departure_id', '');
CREATE TRIGGER record_update AFTER UPDATE ON public.vehicle_assignments REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('calendar_entry_id,departure_id', '');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.vehicle_assignments FOR EACH ROW EXECUTE FUNCTION touch_row();

create table vehicle_calendar_entries (
  org_id text not null,
  id uuid not null,
  vehicle_id uuid not null,
  during tstzrange not null,
  kind text not null,
  status text not null default 'confirmed'::text,
  driver_staff_id uuid,
  note text,
  blocking boolean not null generated always as (((kind = ANY (ARRAY['departure'::text, 'maintenance'::text, 'hire'::text])) AND (status = 'confirmed'::text))) stored,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  constraint vehicle_calendar_entries_pkey PRIMARY KEY (org_id, id),
  constraint vehicle_calendar_entries_driver_fk FOREIGN KEY (org_id, driver_staff_id) REFERENCES field_staff(org_id, id),
  constraint vehicle_calendar_entries_during_bounded CHECK (((NOT isempty(during)) AND (NOT lower_inf(during)) AND (NOT upper_inf(during)))),
  constraint vehicle_calendar_entries_kind_known CHECK ((kind = ANY (ARRAY['departure'::text, 'pickup'::text, 'drop_off'::text, 'cleaning'::text, 'maintenance'::text, 'hire'::text]))),
  constraint vehicle_calendar_entries_no_overlap EXCLUDE USING gist (org_id WITH =, vehicle_id WITH =, during WITH &&) WHERE (blocking),
  constraint vehicle_calendar_entries_status_known CHECK ((status = ANY (ARRAY['tentative'::text, 'confirmed'::text, 'cancelled'::text]))),
  constraint vehicle_calendar_entries_vehicle_fk FOREIGN KEY (org_id, vehicle_id) REFERENCES vehicles(org_id, id)
);
CREATE INDEX vehicle_calendar_entries_during ON public.vehicle_calendar_entries USING gist (org_id, during);
CREATE INDEX vehicle_calendar_entries_vehicle ON public.vehicle_calendar_entries USING btree (org_id, vehicle_id, lower(during));
alter table vehicle_calendar_entries enable row level security;
alter table vehicle_calendar_entries force row level security;
create policy organization on vehicle_calendar_entries for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy own on vehicle_calendar_entries as restrictive for all to app_own using ((id = ANY (( SELECT own_vehicle_entries() AS own_vehicle_entries)::uuid[]))) with check ((id = ANY (( SELECT own_vehicle_entries() AS own_vehicle_entries)::uuid[])));
create policy search on vehicle_calendar_entries for select to app_search using (true);
grant select on table vehicle_calendar_entries to app_own;
grant select on table vehicle_calendar_entries to app_search;
grant delete, insert, select, update on table vehicle_calendar_entries to app_user;
CREATE TRIGGER note_crew_of_freed_vehicle BEFORE DELETE ON public.vehicle_calendar_entries FOR EACH ROW EXECUTE FUNCTION note_crew_of_vehicle_entry();
CREATE TRIGGER note_crew_of_vehicle_entry BEFORE UPDATE OF status, vehicle_id ON public.vehicle_calendar_entries FOR EACH ROW WHEN ((((new.status = 'cancelled'::text) IS DISTINCT FROM (old.status = 'cancelled'::text)) OR (new.vehicle_id IS DISTINCT FROM old.vehicle_id))) EXECUTE FUNCTION note_crew_of_vehicle_entry();
CREATE TRIGGER record_delete AFTER DELETE ON public.vehicle_calendar_entries REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_insert AFTER INSERT ON public.vehicle_calendar_entries REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_update AFTER UPDATE ON public.vehicle_calendar_entries REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.vehicle_calendar_entries FOR EACH ROW EXECUTE FUNCTION touch_row();

create table vehicles (
  org_id text not null,
  id uuid not null,
  plate text not null,
  label text not null,
  class text not null default 'minibus'::text,
  seats integer not null,
  wheelchair_places integer not null default 0,
  status text not null default 'active'::text,
  inspection_valid_until date,
  archived_at timestamp with time zone,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  child_seats integer not null default 0,
  constraint vehicles_pkey PRIMARY KEY (org_id, id),
  constraint vehicles_child_seats_range CHECK (((child_seats >= 0) AND (child_seats <= 50))),
  constraint vehicles_class_known CHECK ((class = ANY (ARRAY['minibus'::text, 'coach'::text, '4x4'::text, 'van'::text, 'boat'::text, 'other'::text]))),
  constraint vehicles_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id) ON DELETE CASCADE,
  constraint vehicles_plate_unique UNIQUE (org_id, plate),
  constraint vehicles_seats_range CHECK (((seats > 0) AND ((wheelchair_places >= 0) AND (wheelchair_places <= seats)))),
  constraint vehicles_status_known CHECK ((status = ANY (ARRAY['active'::text, 'maintenance'::text, 'retired'::text])))
);
comment on column vehicles.child_seats is 'Seats for children that stay in the vehicle; others are equipment.';
alter table vehicles enable row level security;
alter table vehicles force row level security;
create policy organization on vehicles for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy own on vehicles as restrictive for all to app_own using ((id = ANY (( SELECT own_vehicles() AS own_vehicles)::uuid[]))) with check ((id = ANY (( SELECT own_vehicles() AS own_vehicles)::uuid[])));
grant select on table vehicles to app_own;
grant delete, insert, select, update on table vehicles to app_user;
CREATE TRIGGER record_delete AFTER DELETE ON public.vehicles REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_insert AFTER INSERT ON public.vehicles REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_update AFTER UPDATE ON public.vehicles REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.vehicles FOR EACH ROW EXECUTE FUNCTION touch_row();

create table weather_sources (
  org_id text not null,
  id uuid not null,
  token_hash bytea not null,
  token_hint text not null,
  issued_at timestamp with time zone not null default app_now(),
  issued_by text,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  constraint weather_sources_pkey PRIMARY KEY (org_id, id),
  constraint weather_sources_hint_length CHECK ((char_length(token_hint) <= 4)),
  constraint weather_sources_of_org_unique UNIQUE (org_id),
  constraint weather_sources_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id) ON DELETE CASCADE,
  constraint weather_sources_token_is_sha256 CHECK ((octet_length(token_hash) = 32)),
  constraint weather_sources_token_unique UNIQUE (org_id, token_hash)
);
CREATE INDEX weather_sources_token ON public.weather_sources USING btree (token_hash);
alter table weather_sources enable row level security;
alter table weather_sources force row level security;
create policy directory on weather_sources for select to app_directory using (true);
create policy organization on weather_sources for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
grant select on table weather_sources to app_directory;
grant delete, insert, select, update on table weather_sources to app_user;
CREATE TRIGGER record_delete AFTER DELETE ON public.weather_sources REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', 'token_hash');
CREATE TRIGGER record_insert AFTER INSERT ON public.weather_sources REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', 'token_hash');
CREATE TRIGGER record_update AFTER UPDATE ON public.weather_sources REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', 'token_hash');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.weather_sources FOR EACH ROW EXECUTE FUNCTION touch_row();

create table weather_warning_targets (
  org_id text not null,
  id uuid not null,
  warning_id uuid not null,
  tour_id uuid,
  departure_id uuid,
  constraint weather_warning_targets_pkey PRIMARY KEY (org_id, id),
  constraint weather_warning_targets_departure_fk FOREIGN KEY (org_id, departure_id) REFERENCES departures(org_id, id) ON DELETE CASCADE,
  constraint weather_warning_targets_names_one CHECK ((num_nonnulls(tour_id, departure_id) = 1)),
  constraint weather_warning_targets_tour_fk FOREIGN KEY (org_id, tour_id) REFERENCES tours(org_id, id) ON DELETE CASCADE,
  constraint weather_warning_targets_warning_fk FOREIGN KEY (org_id, warning_id) REFERENCES weather_warnings(org_id, id) ON DELETE CASCADE
);
CREATE INDEX weather_warning_targets_departure ON public.weather_warning_targets USING btree (org_id, departure_id) WHERE (departure_id IS NOT NULL);
CREATE INDEX weather_warning_targets_tour ON public.weather_warning_targets USING btree (org_id, tour_id) WHERE (tour_id IS NOT NULL);
CREATE INDEX weather_warning_targets_warning ON public.weather_warning_targets USING btree (org_id, warning_id);
alter table weather_warning_targets enable row level security;
alter table weather_warning_targets force row level security;
create policy organization on weather_warning_targets for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
grant delete, insert, select, update on table weather_warning_targets to app_user;
CREATE TRIGGER record_delete AFTER DELETE ON public.weather_warning_targets REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_insert AFTER INSERT ON public.weather_warning_targets REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_update AFTER UPDATE ON public.weather_warning_targets REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');

create table weather_warnings (
  org_id text not null,
  id uuid not null,
  title text not null,
  message text not null,
  severity text not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  reach text not null,
  zones text[] not null default '{}'::text[],
  geojson jsonb,
  radius_m double precision,
  stated_by text,
  external_id text,
  ended_at timestamp with time zone,
  ended_by text,
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  constraint weather_warnings_pkey PRIMARY KEY (org_id, id),
  constraint weather_warnings_area_form CHECK ((((reach = 'area'::text) = (geojson IS NOT NULL)) AND ((geojson IS NULL) = (radius_m IS NULL)) AND COALESCE((((geojson ->> 'type'::text) = ANY (ARRAY['Point'::text, 'Polygon'::text])) AND (radius_m > (0)::double precision)), true))),
  constraint weather_warnings_bases_form CHECK (((reach = 'bases'::text) = (cardinality(zones) > 0))),
  constraint weather_warnings_external_length CHECK (((char_length(external_id) >= 1) AND (char_length(external_id) <= 200))),
  constraint weather_warnings_has_origin CHECK (((stated_by IS NOT NULL) OR (external_id IS NOT NULL))),
  constraint weather_warnings_message_length CHECK (((char_length(message) >= 1) AND (char_length(message) <= 2000))),
  constraint weather_warnings_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id) ON DELETE CASCADE,
  constraint weather_warnings_reach_known CHECK ((reach = ANY (ARRAY['everything'::text, 'bases'::text, 'tours'::text, 'departures'::text, 'area'::text]))),
  constraint weather_warnings_severity_known CHECK ((severity = ANY (ARRAY['info'::text, 'warning'::text, 'critical'::text]))),
  constraint weather_warnings_times_range CHECK ((ends_at > starts_at)),
  constraint weather_warnings_title_length CHECK (((char_length(title) >= 1) AND (char_length(title) <= 120)))
);
CREATE INDEX weather_warnings_current ON public.weather_warnings USING btree (org_id, ends_at) WHERE (ended_at IS NULL);
CREATE UNIQUE INDEX weather_warnings_external_once ON public.weather_warnings USING btree (org_id, external_id) WHERE (external_id IS NOT NULL);
alter table weather_warnings enable row level security;
alter table weather_warnings force row level security;
create policy organization on weather_warnings for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
grant delete, insert, select, update on table weather_warnings to app_user;
CREATE TRIGGER record_delete AFTER DELETE ON public.weather_warnings REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_insert AFTER INSERT ON public.weather_warnings REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_update AFTER UPDATE ON public.weather_warnings REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.weather_warnings FOR EACH ROW EXECUTE FUNCTION touch_row();

create table webhook_deliveries (
  org_id text not null,
  id uuid not null default gen_random_uuid(),
  endpoint_id uuid not null,
  event_id uuid not null default gen_random_uuid(),
  seq bigint not null generated always as identity,
  kind text not null,
  body jsonb not null,
  status text not null default 'queued'::text,
  attempts smallint not null default 0,
  next_attempt_at timestamp with time zone not null default app_now(),
  attempted_at timestamp with time zone,
  answer_status smallint,
  answer_body text,
  fault text,
  duration_ms integer,
  created_at timestamp with time zone not null default app_now(),
  constraint webhook_deliveries_pkey PRIMARY KEY (org_id, id),
  constraint webhook_deliveries_attempts_range CHECK ((attempts >= 0)),
  constraint webhook_deliveries_endpoint_fk FOREIGN KEY (org_id, endpoint_id) REFERENCES webhook_endpoints(org_id, id) ON DELETE CASCADE,
  constraint webhook_deliveries_event_once UNIQUE (org_id, endpoint_id, event_id),
  constraint webhook_deliveries_fault_known CHECK ((fault = ANY (ARRAY['private'::text, 'silent'::text, 'unsigned'::text]))),
  constraint webhook_deliveries_status_known CHECK ((status = ANY (ARRAY['queued'::text, 'delivered'::text, 'failed'::text])))
);
comment on table webhook_deliveries is 'The queue and the log of webhooks. A row is deleted 30 days after the event.';
comment on column webhook_deliveries.event_id is 'The same in every attempt and for every endpoint, so that a receiver leaves out what it has.';
CREATE INDEX webhook_deliveries_attempted ON public.webhook_deliveries USING btree (org_id, endpoint_id, attempted_at DESC) WHERE (attempted_at IS NOT NULL);
CREATE INDEX webhook_deliveries_log ON public.webhook_deliveries USING btree (org_id, created_at DESC, id);
CREATE INDEX webhook_deliveries_queued ON public.webhook_deliveries USING btree (org_id, endpoint_id, seq) WHERE (status = 'queued'::text);
alter table webhook_deliveries enable row level security;
alter table webhook_deliveries force row level security;
create policy directory on webhook_deliveries for select to app_directory using (true);
create policy organization on webhook_deliveries for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy recorder on webhook_deliveries for insert to app_recorder with check (true);
grant select on table webhook_deliveries to app_directory;
grant insert on table webhook_deliveries to app_recorder;
grant delete, insert, select, update on table webhook_deliveries to app_user;

create table webhook_endpoints (
  org_id text not null,
  id uuid not null,
  url text not null,
  description text,
  event_kinds text[] not null,
  is_on boolean not null default true,
  off_reason text,
  secret_hint text not null,
  secret_made_at timestamp with time zone not null default app_now(),
  version integer not null default 1,
  created_at timestamp with time zone not null default app_now(),
  updated_at timestamp with time zone not null default app_now(),
  constraint webhook_endpoints_pkey PRIMARY KEY (org_id, id),
  constraint webhook_endpoints_description_length CHECK (((char_length(description) >= 1) AND (char_length(description) <= 200))),
  constraint webhook_endpoints_event_kinds_known CHECK ((event_kinds <@ ARRAY['booking.created'::text, 'booking.changed'::text, 'booking.cancelled'::text, 'payment.recorded'::text, 'payment.voided'::text, 'departure.created'::text, 'departure.changed'::text, 'departure.cancelled'::text, 'departure.departed'::text, 'departure.completed'::text, 'stop.arrived'::text, 'stop.departed'::text, 'alert.opened'::text, 'alert.resolved'::text, 'check_in.recorded'::text, 'message.failed'::text])),
  constraint webhook_endpoints_event_kinds_length CHECK ((cardinality(event_kinds) >= 1)),
  constraint webhook_endpoints_off_has_reason CHECK (((off_reason IS NULL) OR (NOT is_on))),
  constraint webhook_endpoints_off_reason_known CHECK ((off_reason = ANY (ARRAY['gone'::text, 'failing'::text]))),
  constraint webhook_endpoints_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id) ON DELETE CASCADE,
  constraint webhook_endpoints_secret_hint_length CHECK ((char_length(secret_hint) <= 4)),
  constraint webhook_endpoints_url_length CHECK (((char_length(url) >= 1) AND (char_length(url) <= 500)))
);
comment on table webhook_endpoints is 'Addresses of an operator''s own systems, and of which events each is notified.';
alter table webhook_endpoints enable row level security;
alter table webhook_endpoints force row level security;
create policy directory on webhook_endpoints for select to app_directory using (true);
create policy organization on webhook_endpoints for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
create policy recorder on webhook_endpoints for select to app_recorder using (true);
grant select on table webhook_endpoints to app_directory;
grant select on table webhook_endpoints to app_recorder;
grant delete, insert, select, update on table webhook_endpoints to app_user;
CREATE TRIGGER record_delete AFTER DELETE ON public.webhook_endpoints REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_insert AFTER INSERT ON public.webhook_endpoints REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER record_update AFTER UPDATE ON public.webhook_endpoints REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('id', '');
CREATE TRIGGER touch_row BEFORE UPDATE ON public.webhook_endpoints FOR EACH ROW EXECUTE FUNCTION touch_row();

create table webhook_queues (
  org_id text not null,
  endpoint_id uuid not null,
  secrets_sealed bytea not null,
  secrets_key text generated always as (sealing_key(secrets_sealed)) stored,
  failing_since timestamp with time zone,
  paused_until timestamp with time zone,
  taken_by uuid,
  taken_until timestamp with time zone,
  constraint webhook_queues_pkey PRIMARY KEY (org_id, endpoint_id),
  constraint webhook_queues_endpoint_fk FOREIGN KEY (org_id, endpoint_id) REFERENCES webhook_endpoints(org_id, id) ON DELETE CASCADE,
  constraint webhook_queues_secrets_key_known FOREIGN KEY (secrets_key) REFERENCES data_keys(id),
  constraint webhook_queues_taken_whole CHECK (((taken_by IS NULL) = (taken_until IS NULL)))
);
comment on table webhook_queues is 'How sending to an endpoint is going.';
comment on column webhook_queues.secrets_sealed is 'What signs, and until when the former secret signs too, sealed (platform/sealed-text.ts).';
comment on column webhook_queues.failing_since is 'The first of the attempts that have failed without a success between them.';
comment on column webhook_queues.paused_until is 'Nothing is sent before: the endpoint did not take what came first.';
comment on column webhook_queues.taken_by is 'Who sends now. Another one may from taken_until on: then this one was killed.';
alter table webhook_queues enable row level security;
alter table webhook_queues force row level security;
create policy directory on webhook_queues for select to app_directory using (true);
create policy janitor on webhook_queues for select to app_janitor using (true);
create policy organization on webhook_queues for all to public using ((org_id = app_org_id())) with check ((org_id = app_org_id()));
grant select on table webhook_queues to app_directory;
grant select on table webhook_queues to app_janitor;
grant delete, insert, select, update on table webhook_queues to app_user;

create table feed.cursors (
  name text not null,
  tx xid8,
  seq bigint,
  moved_at timestamp with time zone not null default clock_timestamp(),
  seen pg_snapshot not null,
  upto pg_snapshot,
  constraint cursors_pkey PRIMARY KEY (name),
  constraint cursors_place_within_read CHECK ((num_nulls(upto, tx, seq) = ANY (ARRAY[0, 3])))
);
comment on table feed.cursors is 'One row per place that live documents are published to. Whoever publishes holds its row locked, so that versions arrive in order.';
comment on column feed.cursors.seen is 'Everything visible in it is published.';
comment on column feed.cursors.upto is 'While a read that is too long for one batch goes on: its end. tx and seq are the last row of it that is published.';
grant select, update on table feed.cursors to app_user;

create table feed.position_documents (
  org_id text not null,
  document_id uuid not null,
  constraint position_documents_pkey PRIMARY KEY (org_id, document_id),
  constraint position_documents_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(org_id) ON DELETE CASCADE
);
comment on table feed.position_documents is 'Documents with positions in the hosted database: one for each departure that is seen, and one for each person or vehicle without one.';
comment on column feed.position_documents.document_id is 'Of a departure, a staff member or a vehicle.';
grant delete, insert, select on table feed.position_documents to app_user;

create table identity.account (
  id text not null,
  "accountId" text not null,
  "providerId" text not null,
  "userId" text not null,
  "accessToken" text,
  "refreshToken" text,
  "idToken" text,
  "accessTokenExpiresAt" timestamp with time zone,
  "refreshTokenExpiresAt" timestamp with time zone,
  scope text,
  password text,
  "createdAt" timestamp with time zone not null default CURRENT_TIMESTAMP,
  "updatedAt" timestamp with time zone not null,
  constraint account_pkey PRIMARY KEY (id),
  constraint "account_userId_fkey" FOREIGN KEY ("userId") REFERENCES identity."user"(id) ON DELETE CASCADE
);
CREATE INDEX "account_userId_idx" ON identity.account USING btree ("userId");
CREATE TRIGGER follow_password AFTER UPDATE OF password ON identity.account FOR EACH ROW EXECUTE FUNCTION identity.follow_account();
CREATE TRIGGER forget_devices AFTER UPDATE OF password ON identity.account FOR EACH ROW EXECUTE FUNCTION identity.forget_devices();

create table identity.backend_refresh_tokens (
  token_hash text not null,
  backend_session_id uuid not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  replaced_at timestamp with time zone,
  constraint backend_refresh_tokens_pkey PRIMARY KEY (token_hash),
  constraint backend_refresh_tokens_backend_session_id_fkey FOREIGN KEY (backend_session_id) REFERENCES identity.backend_sessions(id) ON DELETE CASCADE
);
CREATE INDEX backend_refresh_tokens_by_session ON identity.backend_refresh_tokens USING btree (backend_session_id);

create table identity.backend_sessions (
  id uuid not null,
  user_id text not null,
  email text,
  name text,
  org_id text,
  identity_session_id text,
  created_at timestamp with time zone not null default clock_timestamp(),
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  constraint backend_sessions_pkey PRIMARY KEY (id)
);
CREATE INDEX backend_sessions_by_identity ON identity.backend_sessions USING btree (identity_session_id);
CREATE INDEX backend_sessions_by_user ON identity.backend_sessions USING btree (user_id);
CREATE INDEX backend_sessions_expired ON identity.backend_sessions USING btree (expires_at);
CREATE TRIGGER announce_end AFTER UPDATE OF revoked_at ON identity.backend_sessions FOR EACH ROW WHEN (((old.revoked_at IS NULL) AND (new.revoked_at IS NOT NULL))) EXECUTE FUNCTION announce_ended_session();

create table identity.events (
  id bigint not null generated always as identity,
  at timestamp with time zone not null default clock_timestamp(),
  kind text not null,
  user_id text,
  email text,
  org_id text,
  ip text,
  user_agent text,
  detail jsonb not null default '{}'::jsonb,
  constraint events_pkey PRIMARY KEY (id)
);
CREATE INDEX events_by_org ON identity.events USING btree (org_id, at DESC) WHERE (org_id IS NOT NULL);
CREATE INDEX events_by_user ON identity.events USING btree (user_id, at DESC);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON identity.events FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table identity.invitation (
  id text not null,
  "organizationId" text not null,
  email text not null,
  role text,
  status text not null,
  "expiresAt" timestamp with time zone not null,
  "createdAt" timestamp with time zone not null default CURRENT_TIMESTAMP,
  "inviterId" text not null,
  message text,
  locale text,
  "fieldStaffId" uuid,
  "sentAt" timestamp with time zone not null default CURRENT_TIMESTAMP,
  "serviceId" text,
  constraint invitation_pkey PRIMARY KEY (id),
  constraint invitation_email_check CHECK ((email = lower(email))),
  constraint invitation_email_length CHECK ((char_length(email) <= 320)) NOT VALID,
  constraint "invitation_inviterId_fkey" FOREIGN KEY ("inviterId") REFERENCES identity."user"(id) ON DELETE CASCADE,
  constraint "invitation_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES identity.organization(id) ON DELETE CASCADE,
  constraint invitation_role CHECK ((role = ANY (ARRAY['admin'::text, 'operations_manager'::text, 'dispatcher'::text, 'tour_designer'::text, 'guide'::text, 'viewer'::text]))),
  constraint "invitation_serviceId_key" UNIQUE ("serviceId"),
  constraint invitation_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'accepted'::text, 'rejected'::text, 'canceled'::text])))
);
CREATE INDEX "invitation_organizationId_idx" ON identity.invitation USING btree ("organizationId");
CREATE INDEX invitation_email_idx ON identity.invitation USING btree (email);
CREATE UNIQUE INDEX invitation_pending_once ON identity.invitation USING btree ("organizationId", email) WHERE (status = 'pending'::text);
alter table identity.invitation enable row level security;
create policy organization on identity.invitation for all to app_user using (("organizationId" = app_org_id())) with check (("organizationId" = app_org_id()));
grant insert, select on table identity.invitation to app_user;
CREATE TRIGGER mirror_invitation AFTER INSERT OR UPDATE ON identity.invitation FOR EACH ROW EXECUTE FUNCTION identity.mirror_invitation();

create table identity.jwks (
  id text not null,
  "publicKey" text not null,
  "privateKey" text not null,
  "createdAt" timestamp with time zone not null,
  "expiresAt" timestamp with time zone,
  alg text,
  crv text,
  constraint jwks_pkey PRIMARY KEY (id)
);

create table identity.mails (
  id text not null,
  kind text not null,
  recipient text not null,
  subject text not null,
  body text not null,
  status text not null default 'queued'::text,
  error text,
  attempts integer not null default 0,
  "createdAt" timestamp with time zone not null default CURRENT_TIMESTAMP,
  "nextAttemptAt" timestamp with time zone not null default CURRENT_TIMESTAMP,
  "sentAt" timestamp with time zone,
  constraint mails_pkey PRIMARY KEY (id),
  constraint mails_recipient_check CHECK ((recipient = lower(recipient))),
  constraint mails_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'sent'::text, 'failed'::text])))
);
CREATE INDEX mails_queued ON identity.mails USING btree ("nextAttemptAt") WHERE (status = 'queued'::text);
CREATE INDEX mails_recipient ON identity.mails USING btree (recipient, "createdAt" DESC);
alter table identity.mails enable row level security;
create policy own_letters on identity.mails for insert to app_user with check (true);
grant insert on table identity.mails to app_user;
CREATE TRIGGER tell_outbox AFTER INSERT ON identity.mails FOR EACH STATEMENT EXECUTE FUNCTION identity.tell_outbox();

create table identity.member (
  id text not null,
  "organizationId" text not null,
  "userId" text not null,
  role text not null,
  "createdAt" timestamp with time zone not null,
  status text not null default 'active'::text,
  constraint member_pkey PRIMARY KEY (id),
  constraint member_once UNIQUE ("organizationId", "userId"),
  constraint "member_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES identity.organization(id) ON DELETE CASCADE,
  constraint member_role CHECK ((role = ANY (ARRAY['admin'::text, 'operations_manager'::text, 'dispatcher'::text, 'tour_designer'::text, 'guide'::text, 'viewer'::text]))),
  constraint member_status CHECK ((status = ANY (ARRAY['active'::text, 'suspended'::text]))),
  constraint "member_userId_fkey" FOREIGN KEY ("userId") REFERENCES identity."user"(id) ON DELETE CASCADE
);
CREATE INDEX "member_organizationId_idx" ON identity.member USING btree ("organizationId");
CREATE INDEX "member_userId_idx" ON identity.member USING btree ("userId");
alter table identity.member enable row level security;
create policy organization on identity.member for all to app_user using (("organizationId" = app_org_id())) with check (("organizationId" = app_org_id()));
grant delete, select on table identity.member to app_user;
CREATE TRIGGER mirror_member AFTER INSERT OR DELETE OR UPDATE ON identity.member FOR EACH ROW EXECUTE FUNCTION identity.mirror_member();

create table identity.organization (
  id text not null,
  name text not null,
  slug text not null,
  logo text,
  "createdAt" timestamp with time zone not null,
  metadata text,
  "updatedAt" timestamp with time zone,
  constraint organization_pkey PRIMARY KEY (id),
  constraint organization_metadata_length CHECK ((char_length(metadata) <= 10000)) NOT VALID,
  constraint organization_name_check CHECK ((name <> ''::text)),
  constraint organization_slug_check CHECK ((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text)),
  constraint organization_slug_key UNIQUE (slug),
  constraint organization_slug_length CHECK ((char_length(slug) <= 200)) NOT VALID
);
alter table identity.organization enable row level security;
create policy organization on identity.organization for all to app_user using ((id = app_org_id())) with check ((id = app_org_id()));
grant select on table identity.organization to app_user;
CREATE TRIGGER clip_organization BEFORE INSERT OR UPDATE OF name, logo ON identity.organization FOR EACH ROW EXECUTE FUNCTION identity.clip_organization();
CREATE TRIGGER mirror_organization AFTER INSERT OR UPDATE ON identity.organization FOR EACH ROW EXECUTE FUNCTION identity.mirror_organization();
CREATE TRIGGER touch_organization BEFORE INSERT OR UPDATE ON identity.organization FOR EACH ROW EXECUTE FUNCTION identity.touch_organization();

create table identity.organization_uses (
  "userId" text not null,
  "organizationId" text not null,
  at timestamp with time zone not null default clock_timestamp(),
  constraint organization_uses_pkey PRIMARY KEY ("userId", "organizationId"),
  constraint "organization_uses_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES identity.organization(id) ON DELETE CASCADE,
  constraint "organization_uses_userId_fkey" FOREIGN KEY ("userId") REFERENCES identity."user"(id) ON DELETE CASCADE
);
CREATE INDEX organization_uses_by_organization ON identity.organization_uses USING btree ("organizationId");
alter table identity.organization_uses enable row level security;
create policy organization on identity.organization_uses for select to app_user using (("organizationId" = app_org_id()));
grant select on table identity.organization_uses to app_user;

create table identity.passkey (
  id text not null,
  name text,
  "publicKey" text not null,
  "userId" text not null,
  "credentialID" text not null,
  counter integer not null,
  "deviceType" text not null,
  "backedUp" boolean not null,
  transports text,
  "createdAt" timestamp with time zone,
  aaguid text,
  constraint passkey_pkey PRIMARY KEY (id),
  constraint "passkey_credentialID_key" UNIQUE ("credentialID"),
  constraint passkey_name_length CHECK ((char_length(name) <= 80)),
  constraint "passkey_userId_fkey" FOREIGN KEY ("userId") REFERENCES identity."user"(id) ON DELETE CASCADE
);
CREATE INDEX "passkey_credentialID_idx" ON identity.passkey USING btree ("credentialID");
CREATE INDEX "passkey_userId_idx" ON identity.passkey USING btree ("userId");
CREATE TRIGGER follow_passkey AFTER INSERT OR DELETE ON identity.passkey FOR EACH ROW EXECUTE FUNCTION identity.follow_factor();

create table identity."rateLimit" (
  id text not null,
  key text not null,
  count integer not null,
  "lastRequest" bigint not null,
  constraint "rateLimit_pkey" PRIMARY KEY (id),
  constraint "rateLimit_key_key" UNIQUE (key)
);

create table identity.service_events (
  id text not null,
  received_at timestamp with time zone not null default clock_timestamp(),
  constraint service_events_pkey PRIMARY KEY (id)
);
CREATE INDEX service_events_received ON identity.service_events USING btree (received_at);

create table identity.session (
  id text not null,
  "expiresAt" timestamp with time zone not null,
  token text not null,
  "createdAt" timestamp with time zone not null default CURRENT_TIMESTAMP,
  "updatedAt" timestamp with time zone not null,
  "ipAddress" text,
  "userAgent" text,
  "userId" text not null,
  "activeOrganizationId" text,
  "secondFactor" text,
  "confirmedAt" timestamp with time zone,
  constraint session_pkey PRIMARY KEY (id),
  constraint session_second_factor CHECK (("secondFactor" = ANY (ARRAY['totp'::text, 'recovery_code'::text, 'passkey'::text, 'trusted_device'::text]))),
  constraint session_token_key UNIQUE (token),
  constraint "session_userId_fkey" FOREIGN KEY ("userId") REFERENCES identity."user"(id) ON DELETE CASCADE
);
CREATE INDEX "session_userId_idx" ON identity.session USING btree ("userId");
CREATE TRIGGER begin_session BEFORE INSERT ON identity.session FOR EACH ROW EXECUTE FUNCTION identity.begin_session();
CREATE TRIGGER clip_session BEFORE INSERT OR UPDATE OF "userAgent" ON identity.session FOR EACH ROW EXECUTE FUNCTION identity.clip_session();
CREATE TRIGGER follow_session AFTER INSERT OR DELETE OR UPDATE ON identity.session FOR EACH ROW EXECUTE FUNCTION identity.follow_session();
CREATE TRIGGER note_organization_use AFTER INSERT OR UPDATE OF "activeOrganizationId", "updatedAt" ON identity.session FOR EACH ROW WHEN ((new."activeOrganizationId" IS NOT NULL)) EXECUTE FUNCTION identity.note_organization_use();

create table identity.sign_in_attempts (
  key text not null,
  failures integer not null,
  last_at timestamp with time zone not null,
  wait_until timestamp with time zone not null,
  constraint sign_in_attempts_pkey PRIMARY KEY (key)
);
CREATE INDEX sign_in_attempts_last ON identity.sign_in_attempts USING btree (last_at);

create table identity."twoFactor" (
  id text not null,
  secret text not null,
  "backupCodes" text not null,
  "userId" text not null,
  verified boolean,
  "failedVerificationCount" integer,
  "lockedUntil" timestamp with time zone,
  constraint "twoFactor_pkey" PRIMARY KEY (id),
  constraint "twoFactor_userId_fkey" FOREIGN KEY ("userId") REFERENCES identity."user"(id) ON DELETE CASCADE,
  constraint "twoFactor_userId_key" UNIQUE ("userId")
);
CREATE INDEX "twoFactor_secret_idx" ON identity."twoFactor" USING btree (secret);
CREATE INDEX "twoFactor_userId_idx" ON identity."twoFactor" USING btree ("userId");
CREATE TRIGGER follow_two_factor AFTER DELETE OR UPDATE ON identity."twoFactor" FOR EACH ROW EXECUTE FUNCTION identity.follow_factor();

create table identity.used_codes (
  user_id text not null,
  code text not null,
  used_at timestamp with time zone not null default clock_timestamp(),
  constraint used_codes_pkey PRIMARY KEY (user_id, code),
  constraint used_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES identity."user"(id) ON DELETE CASCADE
);

create table identity."user" (
  id text not null,
  name text not null,
  email text not null,
  "emailVerified" boolean not null,
  image text,
  "createdAt" timestamp with time zone not null default CURRENT_TIMESTAMP,
  "updatedAt" timestamp with time zone not null default CURRENT_TIMESTAMP,
  "firstName" text,
  "lastName" text,
  "lastSignInAt" timestamp with time zone,
  "lastOrganizationId" text,
  "twoFactorEnabled" boolean,
  constraint user_pkey PRIMARY KEY (id),
  constraint user_email_check CHECK ((email = lower(email))),
  constraint user_email_key UNIQUE (email),
  constraint user_email_length CHECK ((char_length(email) <= 320)) NOT VALID
);
alter table identity."user" enable row level security;
create policy colleagues on identity."user" for select to app_user using (((id = app_user_id()) OR (EXISTS ( SELECT
   FROM identity.member m
  WHERE ((m."userId" = "user".id) AND (m."organizationId" = app_org_id()))))));
CREATE TRIGGER clip_user BEFORE INSERT OR UPDATE OF name, "firstName", "lastName", image ON identity."user" FOR EACH ROW EXECUTE FUNCTION identity.clip_user();
CREATE TRIGGER end_waiting AFTER INSERT ON identity."user" FOR EACH ROW EXECUTE FUNCTION identity.end_waiting();
CREATE TRIGGER follow_user AFTER INSERT OR UPDATE OF "emailVerified" ON identity."user" FOR EACH ROW EXECUTE FUNCTION identity.follow_account();
CREATE TRIGGER mirror_person AFTER UPDATE ON identity."user" FOR EACH ROW EXECUTE FUNCTION identity.mirror_person();

create table identity.verification (
  id text not null,
  identifier text not null,
  value text not null,
  "expiresAt" timestamp with time zone not null,
  "createdAt" timestamp with time zone not null default CURRENT_TIMESTAMP,
  "updatedAt" timestamp with time zone not null default CURRENT_TIMESTAMP,
  constraint verification_pkey PRIMARY KEY (id)
);
CREATE INDEX verification_identifier_idx ON identity.verification USING btree (identifier);
CREATE INDEX verification_reset_links ON identity.verification USING btree (value) WHERE (identifier ~~ 'reset-link:%'::text);
CREATE TRIGGER keep_one_reset_link BEFORE INSERT ON identity.verification FOR EACH ROW WHEN ((new.identifier ~~ 'reset-link:%'::text)) EXECUTE FUNCTION identity.keep_one_reset_link();

create table identity.waitlist (
  id text not null,
  email text not null,
  status text not null default 'pending'::text,
  "createdAt" timestamp with time zone not null default CURRENT_TIMESTAMP,
  "decidedAt" timestamp with time zone,
  "decidedBy" text,
  constraint waitlist_pkey PRIMARY KEY (id),
  constraint waitlist_email_check CHECK ((email = lower(email))),
  constraint waitlist_email_key UNIQUE (email),
  constraint waitlist_email_length CHECK ((char_length(email) <= 320)),
  constraint waitlist_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'approved'::text, 'rejected'::text])))
);
alter table identity.waitlist enable row level security;
create policy home_organization on identity.waitlist for all to app_user using (identity.is_home_organization()) with check (identity.is_home_organization());
grant select on table identity.waitlist to app_user;
CREATE TRIGGER follow_waitlist AFTER INSERT OR UPDATE OF status ON identity.waitlist FOR EACH ROW EXECUTE FUNCTION identity.follow_account();

create table identity."walletAddress" (
  id text not null,
  "userId" text not null,
  address text not null,
  "chainId" integer not null,
  "isPrimary" boolean not null,
  "createdAt" timestamp with time zone not null,
  constraint "walletAddress_pkey" PRIMARY KEY (id),
  constraint "walletAddress_userId_fkey" FOREIGN KEY ("userId") REFERENCES identity."user"(id) ON DELETE CASCADE,
  constraint wallet_address_once UNIQUE (address, "chainId")
);
CREATE INDEX "walletAddress_userId_idx" ON identity."walletAddress" USING btree ("userId");
CREATE TRIGGER follow_wallet AFTER INSERT ON identity."walletAddress" FOR EACH ROW EXECUTE FUNCTION identity.follow_account();

create table installation.facts (
  name text not null,
  value jsonb not null default '{}'::jsonb,
  at timestamp with time zone not null default clock_timestamp(),
  constraint facts_pkey PRIMARY KEY (name),
  constraint facts_name_check CHECK ((name <> ''::text))
);
comment on table installation.facts is 'One row per fact: "demo" while accounts with the published password are here, "live" after they were removed.';

-- Functions

CREATE OR REPLACE FUNCTION public.announce_changes(p_topic text, p_entity_ids text[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  insert into changes (org_id, topic, entity_id, op) select app_org_id(), p_topic, entity_id, 'event' from unnest(p_entity_ids) as entity_id;
  if current_setting('app.notify', true) is distinct from 'off' then perform pg_notify('changes', ''); end if;
end $function$;
alter function announce_changes(text,text[]) owner to app_recorder;
grant execute on function announce_changes(text,text[]) to app_own;
grant execute on function announce_changes(text,text[]) to app_user;

CREATE OR REPLACE FUNCTION public.announce_ended_session()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  insert into changes (org_id, topic, entity_id, op) values ('users/' || new.user_id, 'sessions', new.id::text, 'event');
  perform pg_notify('changes', '');
  return null;
end $function$;
alter function announce_ended_session() owner to app_recorder;
grant execute on function announce_ended_session() to app_user;

CREATE OR REPLACE FUNCTION public.app_import_batch_id()
 RETURNS uuid
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (NULLIF(current_setting('app.import_batch_id'::text, true), ''::text))::uuid;

CREATE OR REPLACE FUNCTION public.app_now()
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN CASE WHEN (NULLIF(current_setting('app.now'::text, true), ''::text) IS NULL) THEN now() ELSE (current_setting('app.now'::text, true))::timestamp with time zone END;
comment on function app_now() is 'The clock of the request: tests and the demo seed set app.now, everyone else gets the transaction time.';

CREATE OR REPLACE FUNCTION public.app_org_id()
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN NULLIF(current_setting('app.org_id'::text, true), ''::text);
comment on function app_org_id() is 'The organization of the transaction; null means no rows.';

CREATE OR REPLACE FUNCTION public.app_restored_booking_id()
 RETURNS uuid
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (NULLIF(current_setting('app.restored_booking_id'::text, true), ''::text))::uuid;
comment on function app_restored_booking_id() is 'The booking whose cancellation the transaction undoes.';

CREATE OR REPLACE FUNCTION public.app_restored_departure_id()
 RETURNS uuid
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (NULLIF(current_setting('app.restored_departure_id'::text, true), ''::text))::uuid;
comment on function app_restored_departure_id() is 'The departure whose combination with another one the transaction undoes.';

CREATE OR REPLACE FUNCTION public.app_undone_batch_id()
 RETURNS uuid
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (NULLIF(current_setting('app.undone_batch_id'::text, true), ''::text))::uuid;
comment on function app_undone_batch_id() is 'The import that the transaction undoes.';

CREATE OR REPLACE FUNCTION public.app_user_id()
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN NULLIF(current_setting('app.user_id'::text, true), ''::text);

CREATE OR REPLACE FUNCTION public.are_cancellation_steps(p_steps jsonb)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN ((jsonb_typeof(p_steps) <> 'array'::text) OR (jsonb_array_length(p_steps) > 8)) THEN false ELSE (NOT (EXISTS (SELECT FROM (SELECT s.days, s.percent, lag(s.days) OVER steps AS days_above, lag(s.percent) OVER steps AS percent_above FROM ROWS FROM(jsonb_to_recordset(are_cancellation_steps.p_steps) AS ("daysBefore" integer, "refundPercent" integer)) WITH ORDINALITY s(days, percent, place) WINDOW steps AS (ORDER BY s.place)) step WHERE ((NOT COALESCE((((step.days >= 0) AND (step.days <= 365)) AND ((step.percent >= 0) AND (step.percent <= 100))), false)) OR (step.days >= step.days_above) OR (step.percent > step.percent_above))))) END;
comment on function are_cancellation_steps(jsonb) is 'Whether days before the start fall from step to step, and what goes back does not rise.';

CREATE OR REPLACE FUNCTION public.are_rule_conditions(p_conditions jsonb)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (jsonb_typeof(p_conditions) <> 'object'::text) THEN false WHEN (EXISTS (SELECT FROM jsonb_each(are_rule_conditions.p_conditions) c(key, value) WHERE (NOT CASE WHEN (c.key = 'owes'::text) THEN (c.value = ANY (ARRAY['"any"'::jsonb, '"something"'::jsonb, '"nothing"'::jsonb])) WHEN (c.key <> ALL (ARRAY['atLeast'::text, 'atMost'::text])) THEN false WHEN (jsonb_typeof(c.value) = 'number'::text) THEN ((((c.value)::numeric >= (1)::numeric) AND ((c.value)::numeric <= (999)::numeric)) AND (((c.value)::numeric % (1)::numeric) = (0)::numeric)) ELSE (jsonb_typeof(c.value) = 'null'::text) END))) THEN false ELSE COALESCE((((p_conditions ->> 'atLeast'::text))::integer <= ((p_conditions ->> 'atMost'::text))::integer), true) END;

CREATE OR REPLACE FUNCTION public.booking_at(p_booking bookings, p_at timestamp with time zone)
 RETURNS bookings
 LANGUAGE sql
 STABLE PARALLEL SAFE
BEGIN ATOMIC
 SELECT jsonb_populate_record(booking_at.p_booking, COALESCE(jsonb_object_agg(first.key, first.value), '{}'::jsonb)) AS jsonb_populate_record
    FROM ( SELECT DISTINCT ON (c.key) c.key,
             (c.value -> 0) AS value
            FROM (audit_entries a
              CROSS JOIN LATERAL jsonb_each(a.diff) c(key, value))
           WHERE ((a.org_id = (booking_at.p_booking).org_id) AND (a.entity_type = 'bookings'::text) AND (a.entity_id = ((booking_at.p_booking).id)::text) AND (a.op = 'update'::text) AND (a.at > booking_at.p_at) AND (c.key = ANY (ARRAY['pax'::text, 'status'::text, 'payment_status'::text, 'amount_total_minor'::text, 'amount_paid_minor'::text, 'cancellation_fee_minor'::text])))
           ORDER BY c.key, a.id) first;
END;

CREATE OR REPLACE FUNCTION public.calendar_feed_of_token(p_token_hash bytea)
 RETURNS TABLE(org_id text, id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select f.org_id, f.id from calendar_feeds f where f.token_hash = p_token_hash
$function$;
alter function calendar_feed_of_token(bytea) owner to app_directory;
grant execute on function calendar_feed_of_token(bytea) to app_user;

CREATE OR REPLACE FUNCTION public.changes_are_kept_since(p_seen pg_snapshot)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select coalesce(pg_snapshot_xmin(p_seen) > (select c.tx from changes c order by c.tx, c.seq limit 1), true)
$function$;
alter function changes_are_kept_since(pg_snapshot) owner to app_feed;
grant execute on function changes_are_kept_since(pg_snapshot) to app_user;

CREATE OR REPLACE FUNCTION public.changes_of(p_owners text[], p_seen pg_snapshot, p_limit integer)
 RETURNS TABLE(tx xid8, seq bigint, org_id text, topic text, entity_id text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select found.* from unnest(p_owners) as owner cross join lateral (
    (select c.tx, c.seq, c.org_id, c.topic, c.entity_id from changes c
     where c.org_id = owner and c.tx = any (array(select pg_snapshot_xip(p_seen)))
     order by c.tx, c.seq limit p_limit)
    union all
    (select c.tx, c.seq, c.org_id, c.topic, c.entity_id from changes c
     where c.org_id = owner and c.tx >= pg_snapshot_xmax(p_seen)
     order by c.tx, c.seq limit p_limit)
  ) as found
  order by 1, 2 limit p_limit
$function$;
alter function changes_of(text[],pg_snapshot,integer) owner to app_feed;
grant execute on function changes_of(text[],pg_snapshot,integer) to app_user;

CREATE OR REPLACE FUNCTION public.changes_seen_now()
 RETURNS pg_snapshot
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select format('%s:%s:%s', coalesce(min(running), behind_newest), behind_newest, string_agg(running::text, ',' order by running))::pg_snapshot
  from (select coalesce((select c.tx::text::numeric from changes c order by c.tx desc, c.seq desc limit 1), 0) + 1 as behind_newest) as log
  left join (select x::text::numeric as running from pg_snapshot_xip(pg_current_snapshot()) as x) as present on running < behind_newest
  group by behind_newest
$function$;
alter function changes_seen_now() owner to app_feed;
grant execute on function changes_seen_now() to app_user;

CREATE OR REPLACE FUNCTION public.check_booking()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.status = 'on_hold' and (tg_op = 'INSERT' or old.status <> 'on_hold') and new.expires_at <= app_now() then
    raise exception 'A hold must end in the future.' using errcode = 'check_violation', constraint = 'bookings_hold_ends_in_future', table = 'bookings', column = 'expires_at';
  end if;
  if tg_op = 'UPDATE' and old.status = 'on_hold' and new.status = 'confirmed' and old.expires_at <= app_now() then
    raise exception 'The hold has run out.' using errcode = 'check_violation', constraint = 'bookings_hold_not_expired', table = 'bookings';
  end if;
  if new.status = 'confirmed' and new.confirmed_at is null then new.confirmed_at := app_now(); end if;
  if new.status = 'cancelled' and new.cancelled_at is null then new.cancelled_at := app_now(); end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.check_departure()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    new.seats_confirmed := 0; new.seats_held := 0; new.waitlist_count := 0;
    return new;
  end if;
  if pg_trigger_depth() = 1 and (new.seats_confirmed, new.seats_held, new.waitlist_count) is distinct from (old.seats_confirmed, old.seats_held, old.waitlist_count) then
    raise exception 'Seat counters follow from the bookings.' using errcode = 'restrict_violation', constraint = 'departures_counters_are_derived', table = 'departures';
  end if;
  if old.status = 'completed' and new.status = 'in_progress' and old.actual_end_at < app_now() - interval '2 hours' then
    raise exception 'A departure can be reopened for two hours after its end.' using errcode = 'check_violation', constraint = 'departures_reopen_within_two_hours', table = 'departures';
  end if;
  if old.sales_status = 'closed' and new.sales_status = 'open' and new.starts_at <= app_now() then
    raise exception 'Sales can be reopened only before the start.' using errcode = 'check_violation', constraint = 'departures_sales_reopen_while_future', table = 'departures';
  end if;
  if old.status = 'in_progress' and new.status = 'completed' and exists (
    select from manifest_entries m where m.org_id = new.org_id and m.departure_id = new.id and m.status in ('expected', 'missing')) then
    raise exception 'Somebody is still expected or missing.' using errcode = 'check_violation', constraint = 'departures_everyone_accounted_for', table = 'departures';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.check_details_in_time()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select from departures d where d.org_id = new.org_id and d.id = new.departure_id and app_now() < guest_details_until(d)) then
    raise exception 'Details of this departure are closed.' using errcode = 'check_violation', constraint = 'manifest_entries_details_in_time',
      table = tg_table_name, column = 'details_confirmed_at';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.check_discount_tours()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (select count(*) from tours t where t.org_id = new.org_id and t.id = any (new.tour_ids)) < (select count(distinct id) from unnest(new.tour_ids) id) then
    raise exception 'A tour of the code does not exist.' using errcode = 'foreign_key_violation', constraint = 'discount_codes_tours_known',
      table = 'discount_codes', column = 'tour_ids';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.check_equipment_quantity()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if equipment_out(new.org_id, new.id, tstzrange(app_now(), null)) > new.quantity then
    raise exception 'More of this equipment is issued than there would be.' using errcode = 'check_violation',
      constraint = 'equipment_quantity_covers_issued', table = 'equipment', column = 'quantity';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.check_issued()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  there int;
begin
  -- whoever comes second waits here and then counts what the first one took
  select quantity into there from equipment where org_id = new.org_id and id = new.equipment_id for no key update;
  if equipment_out(new.org_id, new.equipment_id, new.during) > there then
    raise exception 'More of this equipment would be out than there is.' using errcode = 'check_violation',
      constraint = 'equipment_issues_within_quantity', table = 'equipment_issues';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.check_paid_at_once()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from new_rows n cross join lateral paid_by_ledger(n.org_id, n.id) l where n.amount_paid_minor <> 0 and l.paid <> n.amount_paid_minor) then
    raise exception 'What was paid is recorded as a payment.' using errcode = 'check_violation',
      constraint = 'bookings_paid_is_derived', table = 'bookings';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.check_private_departure()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform require_one_party(new.org_id, new.id);
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.check_proposal()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' then
    if old.outcome is not null and new.outcome is distinct from old.outcome then
      raise exception 'A proposal ends once.' using errcode = 'check_violation', constraint = 'proposals_end_once', table = 'proposals';
    end if;
    return new;
  end if;
  if new.outcome is null and not exists (select from bookings b join departures d on d.org_id = b.org_id and d.id = b.departure_id
    where b.org_id = new.org_id and b.id = new.booking_id and b.departure_id = new.from_departure_id and b.status = 'confirmed' and b.pax = new.seats
      and d.status = 'cancelled') then
    raise exception 'Proposals are for confirmed parties of a cancelled departure.' using errcode = 'check_violation',
      constraint = 'proposals_stranded_party', table = 'proposals';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.check_transition()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
<<checked>>
declare
  machine constant text := tg_argv[0];
  target text;
  source text;
begin
  if tg_argv[1] = 'status' then target := new.status; else target := to_jsonb(new) ->> tg_argv[1]; end if;
  if tg_op = 'INSERT' then
    if not exists (select from initial_statuses i where i.machine = checked.machine and i.status = target) then
      raise exception '% cannot begin as %', machine, target using errcode = 'check_violation', constraint = machine || '_initial',
        table = tg_table_name, column = tg_argv[1];
    end if;
    return new;
  end if;
  if tg_argv[1] = 'status' then source := old.status; else source := to_jsonb(old) ->> tg_argv[1]; end if;
  if source is distinct from target
    and not exists (select from legal_transitions l where l.machine = checked.machine and l.from_status = source and l.to_status = target)
    -- what a cancellation leaves behind: sales are closed with it, crew is released or no longer asked
    and not (source in ('cancelled', 'closed', 'released', 'withdrawn') and undoes_cancellation(tg_table_name, to_jsonb(old)))
    and not undoes_status(tg_table_name, source, target, to_jsonb(old)) then
    raise exception '% cannot go from % to %', machine, source, target using errcode = 'check_violation', constraint = machine || '_transition',
      table = tg_table_name, column = tg_argv[1], detail = jsonb_build_object('from', source, 'to', target)::text;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.count_link_access()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update shared_links set view_count = view_count + 1, last_viewed_at = new.at where org_id = new.org_id and id = new.link_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.count_listed_travelers()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if tg_op = 'INSERT' then
    insert into traveler_counts (org_id, nationality, difference)
    select org_id, coalesce(nationality, ''), count(*) from new_rows where merged_into_id is null and archived_at is null group by 1, 2;
  elsif tg_op = 'DELETE' then
    insert into traveler_counts (org_id, nationality, difference)
    select org_id, coalesce(nationality, ''), -count(*) from old_rows where merged_into_id is null and archived_at is null group by 1, 2;
  else
    insert into traveler_counts (org_id, nationality, difference)
    select org_id, nationality, sum(one) from (
      select org_id, coalesce(nationality, '') as nationality, 1 as one from new_rows where merged_into_id is null and archived_at is null
      union all
      select org_id, coalesce(nationality, ''), -1 from old_rows where merged_into_id is null and archived_at is null
    ) as moved group by 1, 2 having sum(one) <> 0;
  end if;
  return null;
end $function$;
alter function count_listed_travelers() owner to app_search;

CREATE OR REPLACE FUNCTION public.count_paid()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  touched record;
begin
  for touched in select org_id, array_agg(distinct booking_id) as ids from new_rows group by org_id loop
    perform from bookings where org_id = touched.org_id and id = any (touched.ids) order by id for no key update;
    if exists (
      select booking_id, currency from new_rows where org_id = touched.org_id
      except select id, currency from bookings where org_id = touched.org_id and id = any (touched.ids)
    ) then
      raise exception 'A payment is in the currency of its booking.' using errcode = 'check_violation',
        constraint = 'payments_currency_of_booking', table = 'payments';
    end if;
    if exists (select from unnest(touched.ids) as one (id) cross join paid_by_ledger(touched.org_id, one.id) l where l.paid < 0) then
      raise exception 'No more is paid back than was paid.' using errcode = 'check_violation',
        constraint = 'payments_refund_within_paid', table = 'payments';
    end if;
    update bookings b set amount_paid_minor = l.paid, payment_status = payment_status_of(b, b.payment_status, l.paid, l.refunded)
    from unnest(touched.ids) as one (id) cross join paid_by_ledger(touched.org_id, one.id) l
    where b.org_id = touched.org_id and b.id = any (touched.ids) and b.id = one.id
      -- paid and paid back again changes the status and not the amount
      and (b.amount_paid_minor, b.payment_status) is distinct from (l.paid, payment_status_of(b, b.payment_status, l.paid, l.refunded));
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.count_proposed_seats()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  touched record;
begin
  if tg_op = 'DELETE' then touched := old; else touched := new; end if;
  if touched.to_departure_id is not null then perform count_seats_of(touched.org_id, array[touched.to_departure_id]); end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.count_seats()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  touched record;
begin
  if tg_op = 'INSERT' then
    for touched in select org_id, array_agg(distinct departure_id) as ids from new_rows group by org_id loop
      perform count_seats_of(touched.org_id, touched.ids);
    end loop;
  elsif tg_op = 'DELETE' then
    for touched in select org_id, array_agg(distinct departure_id) as ids from old_rows group by org_id loop
      perform count_seats_of(touched.org_id, touched.ids);
    end loop;
  else
    for touched in
      select n.org_id, array_agg(distinct moved.departure_id) as ids
      from old_rows o join new_rows n on n.org_id = o.org_id and n.id = o.id, unnest(array[o.departure_id, n.departure_id]) as moved (departure_id)
      where (o.departure_id, o.status, o.pax) is distinct from (n.departure_id, n.status, n.pax)
      group by n.org_id
    loop
      perform count_seats_of(touched.org_id, touched.ids);
    end loop;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.count_seats_in_forms()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    perform count_seats_of(new.org_id, array[new.departure_id]);
  elsif tg_op = 'DELETE' then
    perform count_seats_of(old.org_id, array[old.departure_id]);
  elsif (old.departure_id, old.seats) is distinct from (new.departure_id, new.seats) then
    perform count_seats_of(new.org_id, array(select distinct unnest(array[old.departure_id, new.departure_id])));
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.count_seats_of(p_org_id text, p_departure_ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  v_private_id uuid;
begin
  -- one order for everyone, so that two bulk writes wait instead of deadlocking
  perform from departures where org_id = p_org_id and id = any (p_departure_ids) order by id for no key update;
  if exists (
    select from departures d where d.org_id = p_org_id and d.id = any (p_departure_ids) and (d.capacity + d.overbook_limit < (
      select coalesce(sum(b.pax), 0) from bookings b
      where b.org_id = p_org_id and b.departure_id = d.id and b.status in ('on_hold', 'confirmed', 'completed'))
      + proposed_seats(p_org_id, d.id) + seats_in_forms(p_org_id, d.id)
      or d.private and seated_parties(p_org_id, d.id) > 1)
  ) then
    update bookings set status = 'expired'
    where org_id = p_org_id and departure_id = any (p_departure_ids) and status = 'on_hold' and expires_at <= app_now();
    update proposals set outcome = 'expired', ended_at = app_now()
    where org_id = p_org_id and coalesce(to_departure_id, from_departure_id) = any (p_departure_ids) and outcome is null and expires_at <= app_now();
    delete from form_holds where org_id = p_org_id and departure_id = any (p_departure_ids) and expires_at <= app_now();
  end if;
  -- under the lock, so that of two parties at the same moment the second is seen
  for v_private_id in select d.id from departures d where d.org_id = p_org_id and d.id = any (p_departure_ids) and d.private loop
    perform require_one_party(p_org_id, v_private_id);
  end loop;
  update departures d set seats_confirmed = s.confirmed, seats_held = s.held, waitlist_count = s.waiting
  from (
    select d2.id,
      coalesce(sum(b.pax) filter (where b.status in ('confirmed', 'completed')), 0)::int as confirmed,
      coalesce(sum(b.pax) filter (where b.status = 'on_hold'), 0)::int + proposed_seats(p_org_id, d2.id) + seats_in_forms(p_org_id, d2.id) as held,
      (count(*) filter (where b.status = 'waitlisted'))::int as waiting
    from unnest(p_departure_ids) as d2 (id) left join bookings b on b.org_id = p_org_id and b.departure_id = d2.id
    group by d2.id
  ) s
  where d.org_id = p_org_id and d.id = s.id
    and (d.seats_confirmed, d.seats_held, d.waitlist_count) is distinct from (s.confirmed, s.held, s.waiting);
end $function$;

CREATE OR REPLACE FUNCTION public.count_travelers(p_filters jsonb DEFAULT '{}'::jsonb)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
 SET random_page_cost TO '1.1'
 SET jit TO 'off'
 SET max_parallel_workers_per_gather TO '0'
AS $function$
declare
  counted bigint;
begin
  counted := known_traveler_count(coalesce(p_filters, '{}'));
  if counted is null then
    execute format('select count(*) from travelers t where %s', traveler_filter(coalesce(p_filters, '{}'), is_own_reach()))
    into counted using app_org_id(), p_filters;
  end if;
  return counted;
end $function$;
alter function count_travelers(jsonb) owner to app_search;
grant execute on function count_travelers(jsonb) to app_own;
grant execute on function count_travelers(jsonb) to app_user;

CREATE OR REPLACE FUNCTION public.crew_state(p_status text, p_departure_status text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN ((p_status = 'offered'::text) AND (p_departure_status <> 'cancelled'::text)) THEN 'offered'::text WHEN ((p_status = ANY (ARRAY['accepted'::text, 'on_duty'::text, 'completed'::text])) AND (p_departure_status <> ALL (ARRAY['draft'::text, 'cancelled'::text]))) THEN 'assigned'::text ELSE 'none'::text END;

CREATE OR REPLACE FUNCTION public.crew_view(a assignments)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
RETURN (SELECT jsonb_build_object('state', crew_state((crew_view.a).status, d.status), 'startsAt', utc_text(d.starts_at), 'endsAt', utc_text(d.ends_at), 'reportAt', utc_text((crew_view.a).report_at), 'language', d.language, 'revision', r.number, 'weatherNote', NULLIF(btrim(d.weather_note), ''::text), 'vehicles', (SELECT COALESCE(jsonb_agg(v.label ORDER BY v.label, v.id), '[]'::jsonb) AS "coalesce" FROM ((vehicle_assignments va JOIN vehicle_calendar_entries e ON (((e.org_id = va.org_id) AND (e.id = va.calendar_entry_id) AND (e.status <> 'cancelled'::text)))) JOIN vehicles v ON (((v.org_id = e.org_id) AND (v.id = e.vehicle_id)))) WHERE ((va.org_id = d.org_id) AND (va.departure_id = d.id)))) AS jsonb_build_object FROM (departures d LEFT JOIN tour_revisions r ON (((r.org_id = d.org_id) AND (r.id = d.revision_id)))) WHERE ((d.org_id = (crew_view.a).org_id) AND (d.id = (crew_view.a).departure_id)));

CREATE OR REPLACE FUNCTION public.data_key_uses()
 RETURNS TABLE(key_id text, place text, n bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select coalesce(number_key, 'nameless'), 'passport numbers', count(*) from traveler_documents where number_encrypted is not null group by 1
  union all select medical_key, 'medical notes', count(*) from traveler_private where medical_sealed is not null group by 1
  union all select note_key, 'reasons of time off', count(*) from staff_calendar_entries where note_sealed is not null group by 1
  union all select key, 'lines of imports', count(*) from import_rows, unnest(array[passport_value_key, medical_value_key, passport_set_key,
    passport_was_key, medical_set_key, medical_was_key]) as key where key is not null group by 1
  union all select coalesce(sealing_key(samples), 'nameless'), 'samples of imports', count(*) from import_work where samples is not null group by 1
  union all select coalesce(cell_key, 'nameless'), 'corrections of imports', count(*) from import_corrections group by 1
  union all select content_key, 'files of imports', count(*) from files where content_key is not null group by 1
  union all select coalesce(channel_key, 'nameless'), 'secrets of SMS and WhatsApp', count(*) from phone_channels group by 1
  union all select coalesce(secrets_key, 'nameless'), 'secrets of webhooks', count(*) from webhook_queues group by 1
$function$;
alter function data_key_uses() owner to app_janitor;
grant execute on function data_key_uses() to app_user;

CREATE OR REPLACE FUNCTION public.departure_ahead_condition()
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (('(d.status not in (''cancelled'', ''aborted'') and not '::text || departure_over_condition()) || ')'::text);

CREATE OR REPLACE FUNCTION public.departure_out_condition()
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN '(d.status in (''boarding'', ''in_progress'') and d.ends_at > app_now() - interval ''60 days'')'::text;

CREATE OR REPLACE FUNCTION public.departure_over_condition()
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (('(d.status = ''completed'' or d.ends_at <= app_now() and not '::text || departure_out_condition()) || ')'::text);

CREATE OR REPLACE FUNCTION public.derive_calendar_status()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update staff_calendar_entries e set status = s.status
  from (
    select touched.org_id, touched.calendar_entry_id, case
      when bool_or(a.status in ('accepted', 'on_duty', 'completed', 'replaced')) then 'confirmed'
      when bool_or(a.status in ('draft', 'offered')) then 'tentative'
      else 'cancelled' end as status
    from (
      select new.org_id, new.calendar_entry_id where tg_op <> 'DELETE'
      union select old.org_id, old.calendar_entry_id where tg_op <> 'INSERT'
    ) touched left join assignments a on a.org_id = touched.org_id and a.calendar_entry_id = touched.calendar_entry_id
    group by touched.org_id, touched.calendar_entry_id
  ) s
  where e.org_id = s.org_id and e.id = s.calendar_entry_id and e.kind = 'assignment' and e.status <> s.status;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.device_of_pairing(p_pairing_hash bytea)
 RETURNS TABLE(org_id text, id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select d.org_id, d.id from devices d
  where d.pairing_hash = p_pairing_hash and d.pairing_expires_at > app_now() and d.archived_at is null
$function$;
alter function device_of_pairing(bytea) owner to app_directory;
grant execute on function device_of_pairing(bytea) to app_user;

CREATE OR REPLACE FUNCTION public.device_of_token(p_token_hash bytea)
 RETURNS TABLE(org_id text, id uuid, staff_id uuid, vehicle_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select d.org_id, d.id, d.staff_id, d.vehicle_id from devices d
  where d.token_hash = p_token_hash and d.token_expires_at > app_now() and d.archived_at is null
$function$;
alter function device_of_token(bytea) owner to app_directory;
grant execute on function device_of_token(bytea) to app_user;

CREATE OR REPLACE FUNCTION public.dietary_on_trip(profile text[], trip text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when trip is null or trip = any (profile) then profile else profile || trip end
$function$;
comment on function dietary_on_trip(text[],text) is 'What a kitchen has to know of a guest on a departure; an allergy of the profile is never lost.';

CREATE OR REPLACE FUNCTION public.diff_of(before_json jsonb, after_json jsonb, masked text[], left_out text[])
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (SELECT jsonb_object_agg(jsonb_each.key, CASE WHEN (jsonb_each.key = ANY (diff_of.masked)) THEN '["***", "***"]'::jsonb ELSE jsonb_build_array((diff_of.before_json -> jsonb_each.key), jsonb_each.value) END) AS jsonb_object_agg FROM jsonb_each(diff_of.after_json) jsonb_each(key, value) WHERE ((jsonb_each.value IS DISTINCT FROM (diff_of.before_json -> jsonb_each.key)) AND (jsonb_each.key <> ALL (diff_of.left_out))));

CREATE OR REPLACE FUNCTION public.digits_of(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN regexp_replace(value, '[^0-9]'::text, ''::text, 'g'::text);

CREATE OR REPLACE FUNCTION public.drop_position_days(p_before date)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  old_day text;
  dropped int := 0;
begin
  for old_day in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'public.positions'::regclass and c.relname ~ '^positions_\d{8}$' and to_date(right(c.relname, 8), 'YYYYMMDD') < p_before
  loop
    execute format('drop table public.%I', old_day);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $function$;
alter function drop_position_days(date) owner to app_positions;
grant execute on function drop_position_days(date) to app_user;

CREATE OR REPLACE FUNCTION public.due_minor(p_booking bookings)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN ((p_booking).payment_status = ANY (ARRAY['unpaid'::text, 'deposit'::text])) THEN GREATEST((0)::bigint, (owed_minor((p_booking).status, (p_booking).amount_total_minor, (p_booking).cancellation_fee_minor) - (p_booking).amount_paid_minor)) ELSE (0)::bigint END;

CREATE OR REPLACE FUNCTION public.empty_inbox()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  delete from documents d
  where d.user_id = new.user_id and starts_with(d.path, 'users/' || new.user_id || '/inbox/') and d.data ->> 'orgId' = new.org_id;
  return null;
end $function$;
alter function empty_inbox() owner to app_recorder;
grant execute on function empty_inbox() to app_user;

CREATE OR REPLACE FUNCTION public.end_of_token(p_token_hash bytea)
 RETURNS TABLE(ended text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select case when d.archived_at is null then 'by_other_phone' else 'by_office' end from devices d where d.past_token_hash = p_token_hash
$function$;
alter function end_of_token(bytea) owner to app_directory;
grant execute on function end_of_token(bytea) to app_user;

CREATE OR REPLACE FUNCTION public.ensure_position_days(p_from date, p_to date)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  day date := p_from;
  made int := 0;
begin
  if p_to - p_from > 800 then raise exception 'At most 800 days at once.' using errcode = 'invalid_parameter_value'; end if;
  perform pg_advisory_xact_lock(hashtext('positions.days'));
  while day <= p_to loop
    if to_regclass('public.positions_' || to_char(day, 'YYYYMMDD')) is null then
      execute format('create table public.%I partition of public.positions for values from (%L) to (%L)', 'positions_' || to_char(day, 'YYYYMMDD'),
        day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
      made := made + 1;
    end if;
    day := day + 1;
  end loop;
  return made;
end $function$;
alter function ensure_position_days(date,date) owner to app_positions;
grant execute on function ensure_position_days(date,date) to app_user;

CREATE OR REPLACE FUNCTION public.equipment_out(p_org_id text, p_equipment_id uuid, p_during tstzrange, p_without uuid DEFAULT NULL::uuid)
 RETURNS integer
 LANGUAGE sql
 STABLE
AS $function$
  -- the number out changes upwards only where an issue begins
  select coalesce(max(out.quantity), 0)::int from (
    select sum(other.quantity) as quantity
    from equipment_issues start join equipment_issues other on other.org_id = start.org_id and other.equipment_id = start.equipment_id
      and other.during @> greatest(lower(start.during), lower(p_during))
    where start.org_id = p_org_id and start.equipment_id = p_equipment_id and start.during && p_during
      and start.departure_id is distinct from p_without and other.departure_id is distinct from p_without
    group by start.departure_id) as out
$function$;
comment on function equipment_out(text,uuid,tstzrange,uuid) is 'The most pieces of a kind of equipment that are out at the same moment of a time, without those of one departure.';

CREATE OR REPLACE FUNCTION public.expect_where_moved()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.status := 'expected';
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.fold_traveler_counts()
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  with folded as (
    delete from traveler_counts where org_id = app_org_id() and nationality in (
      select nationality from traveler_counts where org_id = app_org_id() group by nationality having count(*) > 1)
    returning nationality, difference
  )
  insert into traveler_counts (org_id, nationality, difference)
  select app_org_id(), nationality, sum(difference) from folded group by nationality having sum(difference) <> 0
$function$;
alter function fold_traveler_counts() owner to app_search;
grant execute on function fold_traveler_counts() to app_user;

CREATE OR REPLACE FUNCTION public.follow_member_link()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  update field_staff set member_user_id = null
  where org_id = new.org_id and member_user_id = new.user_id and id is distinct from new.staff_id;
  update field_staff set member_user_id = new.user_id
  where org_id = new.org_id and id = new.staff_id and member_user_id is distinct from new.user_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.follow_payments()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  ledger record;
begin
  -- what is kept of a booking is at most what it costs
  new.cancellation_fee_minor := least(new.cancellation_fee_minor, new.amount_total_minor);
  if tg_op = 'INSERT' then
    new.payment_status := payment_status_of(new, nullif(new.payment_status, 'refunded'), new.amount_paid_minor, false);
    return new;
  end if;
  select * into ledger from paid_by_ledger(new.org_id, new.id);
  if new.amount_paid_minor <> ledger.paid or (new.currency <> old.currency and (ledger.paid <> 0 or ledger.refunded)) then
    raise exception 'What was paid is recorded as a payment.' using errcode = 'check_violation',
      constraint = 'bookings_paid_is_derived', table = 'bookings';
  end if;
  new.payment_status := payment_status_of(new,
    case when new.payment_status = 'agent_credit' then new.payment_status when old.payment_status <> 'agent_credit' then old.payment_status end,
    ledger.paid, ledger.refunded);
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.follow_staff_link()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  update members set staff_id = null
  where org_id = new.org_id and staff_id = new.id and user_id is distinct from new.member_user_id;
  update members set staff_id = new.id
  where org_id = new.org_id and user_id = new.member_user_id and status <> 'removed' and staff_id is distinct from new.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.forget_position_day(p_day date)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  forgotten int;
begin
  delete from public.positions where org_id = public.app_org_id()
    and recorded_at >= p_day::timestamp at time zone 'UTC' and recorded_at < (p_day + 1)::timestamp at time zone 'UTC';
  get diagnostics forgotten = row_count;
  return forgotten;
end $function$;
alter function forget_position_day(date) owner to app_positions;
grant execute on function forget_position_day(date) to app_user;

CREATE OR REPLACE FUNCTION public.forget_road_ways()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from road_ways where org_id = new.org_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.forget_secret_answers(p_now timestamp with time zone)
 RETURNS bigint
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  with gone as (update idempotency_keys set answer = null where answer is not null and answer_until < p_now returning 1) select count(*) from gone
$function$;
alter function forget_secret_answers(timestamp with time zone) owner to app_janitor;
grant execute on function forget_secret_answers(timestamp with time zone) to app_user;

CREATE OR REPLACE FUNCTION public.give_function(p_signature text, p_owner text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  -- a new owner needs CREATE on the schema at the moment of the change, and never again
  execute format('grant create on schema public to %I', p_owner);
  execute format('alter function %s owner to %I', p_signature, p_owner);
  execute format('revoke create on schema public from %I', p_owner);
  execute format('revoke execute on function %s from public', p_signature);
  execute format('grant execute on function %s to app_user', p_signature);
end $function$;

CREATE OR REPLACE FUNCTION public.guard_sealed(p_table text, p_keys text, p_masked text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  as_edit constant text := 'when (current_setting(''app.resealing'', true) is distinct from ''on'')';
begin
  execute format('create or replace trigger touch_row before update on %I for each row %s execute function touch_row()', p_table, as_edit);
  execute format('create or replace trigger record_insert after insert on %I referencing new table as new_rows for each statement execute function record_changes(%L, %L)',
    p_table, p_keys, p_masked);
  execute format('create or replace trigger record_update after update on %I referencing old table as old_rows new table as new_rows for each statement %s execute function record_changes(%L, %L)',
    p_table, as_edit, p_keys, p_masked);
  execute format('create or replace trigger record_delete after delete on %I referencing old table as old_rows for each statement execute function record_changes(%L, %L)',
    p_table, p_keys, p_masked);
end $function$;
comment on function guard_sealed(text,text,text) is 'Called once for every table with encrypted columns, after guard_table.';

CREATE OR REPLACE FUNCTION public.guard_status(p_table text, p_machine text, p_column text DEFAULT 'status'::text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  execute format('create trigger %I before insert or update of %I on %I for each row execute function check_transition(%L, %L)',
    'machine_' || p_machine, p_column, p_table, p_machine, p_column);
end $function$;

CREATE OR REPLACE FUNCTION public.guard_table(p_table text, p_keys text DEFAULT 'id'::text, p_masked text DEFAULT ''::text, p_recorded boolean DEFAULT true, p_grants text DEFAULT 'select, insert, update, delete'::text, p_derives boolean DEFAULT false)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  has_version constant boolean := exists (select from pg_attribute
    where attrelid = p_table::regclass and attname = 'version' and not attisdropped);
begin
  execute format('alter table %I enable row level security', p_table);
  execute format('alter table %I force row level security', p_table);
  execute format('create policy organization on %I using (org_id = app_org_id()) with check (org_id = app_org_id())', p_table);
  execute format('grant %s on %I to app_user', p_grants, p_table);
  if has_version then
    execute format('create trigger touch_row before update on %I for each row %s execute function touch_row()', p_table,
      -- counters that a trigger derives are no edit by a person and must not make theirs conflict
      case when p_derives then 'when (pg_trigger_depth() = 0)' else '' end);
  end if;
  if p_recorded then
    execute format('create trigger record_insert after insert on %I referencing new table as new_rows for each statement execute function record_changes(%L, %L)',
      p_table, p_keys, p_masked);
    execute format('create trigger record_update after update on %I referencing old table as old_rows new table as new_rows for each statement execute function record_changes(%L, %L)',
      p_table, p_keys, p_masked);
    execute format('create trigger record_delete after delete on %I referencing old table as old_rows for each statement execute function record_changes(%L, %L)',
      p_table, p_keys, p_masked);
  end if;
end $function$;
comment on function guard_table(text,text,text,boolean,text,boolean) is 'Called once for every business table. Unrecorded are those that are a log or a transport themselves.';

CREATE OR REPLACE FUNCTION public.guest_details_until(d departures)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN CASE WHEN ((d).status = ANY (ARRAY['scheduled'::text, 'guaranteed'::text])) THEN ((d).starts_at - make_interval(hours => (SELECT s.guest_changes_hours FROM org_settings s WHERE (s.org_id = (guest_details_until.d).org_id)))) ELSE NULL::timestamp with time zone END;
comment on function guest_details_until(departures) is 'Until when guests may change names and diet, by the setting. Null once a departure boards or is cancelled.';

CREATE OR REPLACE FUNCTION public.has_webhooks()
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select exists (select from webhook_endpoints where org_id = app_org_id() and is_on)
$function$;
alter function has_webhooks() owner to app_recorder;
comment on function has_webhooks() is 'Whether anybody is notified at all: the whole cost of webhooks where nobody is.';
grant execute on function has_webhooks() to app_own;
grant execute on function has_webhooks() to app_user;

CREATE OR REPLACE FUNCTION public.hide_columns(row_json jsonb, masked text[])
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (row_json || (SELECT COALESCE(jsonb_object_agg(name.name, '***'), '{}'::jsonb) AS "coalesce" FROM unnest(hide_columns.masked) name(name) WHERE (hide_columns.row_json ? name.name)));

CREATE OR REPLACE FUNCTION public.in_audience(p_audience jsonb, p_tour_id uuid, p_channel text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select (coalesce(jsonb_array_length(p_audience -> 'tourIds'), 0) = 0 or p_audience -> 'tourIds' ? p_tour_id::text)
    and (coalesce(jsonb_array_length(p_audience -> 'channels'), 0) = 0 or p_audience -> 'channels' ? p_channel)
$function$;

CREATE OR REPLACE FUNCTION public.is_own_reach()
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN COALESCE((current_setting('role'::text, true) = 'app_own'::text), false);
comment on function is_own_reach() is 'Whether the transaction has taken the role of a caller with scope own; true inside of definer functions as well.';

CREATE OR REPLACE FUNCTION public.is_rule_for(p_audience jsonb, p_conditions jsonb, p_tour_id uuid, p_channel text, p_pax integer, p_owes boolean)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select in_audience(p_audience, p_tour_id, p_channel)
    and coalesce((p_conditions ->> 'atLeast') is null or p_pax >= (p_conditions ->> 'atLeast')::int, false)
    and coalesce((p_conditions ->> 'atMost') is null or p_pax <= (p_conditions ->> 'atMost')::int, false)
    and coalesce(case p_conditions ->> 'owes' when 'something' then p_owes when 'nothing' then not p_owes else true end, false)
$function$;

CREATE OR REPLACE FUNCTION public.issue_document()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  sold record;
begin
  select status, cancellation_fee_minor as fee, owed_minor(status, amount_total_minor, cancellation_fee_minor) as owed, currency into sold
  from bookings where org_id = new.org_id and id = new.booking_id for no key update;
  -- out of reach: no number, and the row is refused for that
  if not found then return new; end if;
  if new.kind = 'invoice' then
    if sold.status not in ('confirmed', 'completed') and not (sold.status = 'cancelled' and sold.fee > 0) then
      raise exception 'An invoice is of a confirmed booking, or of the fee of a cancelled one.' using errcode = 'check_violation',
        constraint = 'billing_documents_sold', table = 'billing_documents';
    end if;
    if (new.total_minor, new.currency) is distinct from (sold.owed, sold.currency) then
      raise exception 'An invoice is over what its booking costs.' using errcode = 'check_violation',
        constraint = 'billing_documents_total_of_booking', table = 'billing_documents';
    end if;
    if exists (select from billing_documents d where d.org_id = new.org_id and d.booking_id = new.booking_id and d.kind = 'invoice'
      and not exists (select from billing_documents c where c.org_id = d.org_id and c.cancels_id = d.id)) then
      raise exception 'A booking has one invoice in force.' using errcode = 'check_violation',
        constraint = 'billing_documents_one_in_force', table = 'billing_documents';
    end if;
  elsif new.kind = 'credit_note' then
    if not exists (select from billing_documents d where d.org_id = new.org_id and d.id = new.cancels_id and d.kind = 'invoice'
      and (d.booking_id, d.currency, -d.total_minor) = (new.booking_id, new.currency, new.total_minor)) then
      raise exception 'A credit note mirrors its invoice.' using errcode = 'check_violation',
        constraint = 'billing_documents_mirrors_invoice', table = 'billing_documents';
    end if;
  elsif not exists (select from payments p where p.org_id = new.org_id and p.id = new.payment_id and p.voided_at is null
    and (p.booking_id, p.currency, case p.kind when 'payment' then p.amount_minor else -p.amount_minor end) = (new.booking_id, new.currency, new.total_minor)) then
    raise exception 'A receipt is of a payment that counts.' using errcode = 'check_violation',
      constraint = 'billing_documents_of_payment', table = 'billing_documents';
  end if;
  new.sequence := next_number('billing-' || new.kind);
  -- whoever sets the series by hand leaves no gap either
  if new.sequence > 1 and not exists (select from billing_documents d
    where d.org_id = new.org_id and d.kind = new.kind and d.sequence = new.sequence - 1) then
    raise exception 'Numbers of documents have no gaps.' using errcode = 'check_violation',
      constraint = 'billing_documents_no_gap', table = 'billing_documents';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_an_admin()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  kind text;
begin
  if old.role <> 'admin' or old.status <> 'active' then return null; end if;
  if tg_op = 'UPDATE' and new.role = 'admin' and new.status = 'active' then return null; end if;
  select identity_kind into kind from organizations where org_id = old.org_id for no key update;
  -- not found: the organization itself is going away. Other identity services keep this rule themselves.
  if kind is distinct from 'embedded' then return null; end if;
  if not exists (select from members where org_id = old.org_id and role = 'admin' and status = 'active') then
    raise exception 'The organization needs at least one active administrator.' using errcode = 'check_violation',
      constraint = 'members_organization_keeps_an_admin', table = 'members';
  end if;
  return null;
end $function$;
alter function keep_an_admin() owner to app_directory;
grant execute on function keep_an_admin() to app_user;

CREATE OR REPLACE FUNCTION public.keep_document()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'A document that was issued does not change.' using errcode = 'check_violation',
    constraint = 'billing_documents_final', table = 'billing_documents';
end $function$;

CREATE OR REPLACE FUNCTION public.keep_duty_times()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.break_started_at is not null and new.status = 'closed' then
    new.breaks := new.breaks + tstzmultirange(tstzrange(new.break_started_at, greatest(new.break_started_at, new.ended_at)));
    new.break_started_at := null;
  end if;
  if new.consent_version is null then
    new.tracked_from := null;
  elsif new.tracked_from is null then
    new.tracked_from := case tg_op when 'INSERT' then new.started_at else app_now() end;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_incident_entry()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.file_id is not null or (to_jsonb(new) - 'file_id') <> (to_jsonb(old) - 'file_id') then
    raise exception 'of a line of the log only the file is removed' using errcode = 'check_violation',
      constraint = 'incident_entries_append_only', table = 'incident_entries';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_incident_merge()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  target text;
begin
  if old.status = 'merged' then
    raise exception 'a merged incident does not change' using errcode = 'check_violation', constraint = 'incidents_merged_is_final',
      table = 'incidents';
  end if;
  if new.merged_into_id is not null then
    select i.status into target from incidents i where i.org_id = new.org_id and i.id = new.merged_into_id for share;
    if target in ('resolved', 'reviewed', 'merged') then
      raise exception 'an incident is merged into an open one' using errcode = 'check_violation', constraint = 'incidents_merged_into_open',
        table = 'incidents';
    end if;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_merged_incident_whole()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from incidents i where i.org_id = new.org_id and i.id = new.incident_id and i.status = 'merged') then
    raise exception 'a merged incident does not change' using errcode = 'check_violation', constraint = 'incidents_merged_is_final',
      table = tg_table_name;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_merged_roll_call()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from roll_calls c join incidents i on i.org_id = c.org_id and i.id = c.incident_id
    where c.org_id = new.org_id and c.id = new.roll_call_id and i.status = 'merged') then
    raise exception 'a merged incident does not change' using errcode = 'check_violation', constraint = 'incidents_merged_is_final',
      table = tg_table_name;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_past_token()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  new.past_token_hash := coalesce(old.token_hash, old.past_token_hash);
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_payment()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  ours constant text[] := array['voided_at', 'voided_by', 'void_reason'];
begin
  if old.voided_at is not null or new.voided_at is null or (to_jsonb(new) - ours) <> (to_jsonb(old) - ours) then
    raise exception 'A payment is voided once and changed in no other way.' using errcode = 'check_violation',
      constraint = 'payments_final', table = 'payments';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_position_ask()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.asked_at is null or tg_op = 'UPDATE' and new.asked_at is not distinct from old.asked_at then return new; end if;
  if new.status <> 'open' or new.staff_id is null or new.tracked_from is null or new.break_started_at is not null then
    raise exception 'only somebody on duty who agrees to be seen, and has no break, is asked for a position' using errcode = 'check_violation',
      constraint = 'duty_sessions_ask_is_seen', table = 'duty_sessions';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_position_in_session()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  session record;
  refused text;
begin
  select s.started_at, s.ended_at, s.tracked_from, s.breaks, s.break_started_at into session
  from duty_sessions s join devices d on d.org_id = s.org_id and (d.staff_id = s.staff_id or d.vehicle_id = s.vehicle_id)
  where s.org_id = new.org_id and s.id = new.duty_session_id and d.id = new.device_id;
  if not found then
    refused := 'foreign_session';
  elsif new.recorded_at < session.started_at - interval '5 minutes' or new.recorded_at > session.ended_at + interval '5 minutes' then
    refused := 'outside_session';
  elsif session.tracked_from is null or new.recorded_at < session.tracked_from - interval '5 minutes' then
    refused := 'no_consent';
  elsif new.recorded_at >= session.break_started_at or session.breaks @> new.recorded_at then
    refused := 'on_break';
  end if;
  if refused is null then return new; end if;
  insert into position_drops as drops (org_id, device_id, day, reason, dropped)
  values (new.org_id, new.device_id, (new.recorded_at at time zone 'UTC')::date, refused, 1)
  on conflict (org_id, device_id, day, reason) do update set dropped = drops.dropped + 1;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_published_revision()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.published_at is not null and (tg_op = 'DELETE'
    or (new.org_id, new.id, new.tour_id, new.number, new.content, new.published_at) is distinct from (old.org_id, old.id, old.tour_id, old.number, old.content, old.published_at)) then
    raise exception 'A published revision does not change; publish a new one.' using errcode = 'restrict_violation',
      constraint = 'tour_revisions_published_is_final', table = 'tour_revisions';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $function$;

CREATE OR REPLACE FUNCTION public.known_traveler_count(p_filters jsonb)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if is_own_reach() or p_filters - 'nationality' not in ('{}', '{"view": "all"}') then
    return null;
  elsif p_filters ? 'nationality' then
    return (select coalesce(sum(difference), 0) from traveler_counts
      where org_id = app_org_id() and nationality = any (array(select jsonb_array_elements_text(p_filters -> 'nationality'))));
  end if;
  return (select coalesce(sum(difference), 0) from traveler_counts where org_id = app_org_id());
end $function$;
alter function known_traveler_count(jsonb) owner to app_search;
grant execute on function known_traveler_count(jsonb) to app_user;

CREATE OR REPLACE FUNCTION public.limit_discount_uses()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  most int;
begin
  select max_uses into most from discount_codes where org_id = new.org_id and id = new.discount_code_id for no key update;
  if most > 0 and most < (select count(*) from bookings b
    where b.org_id = new.org_id and b.discount_code_id = new.discount_code_id and uses_discount(b.status)) then
    raise exception 'This discount code is used up.' using errcode = 'check_violation', constraint = 'discount_codes_uses_within_limit',
      table = 'discount_codes';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.limit_drafts()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  perform pg_advisory_xact_lock(hashtextextended('drafts:' || new.user_id, 0));
  if (select count(*) from documents d where d.user_id = new.user_id and starts_with(d.path, 'users/' || new.user_id || '/drafts/')) >= 100
    and not exists (select from documents d where d.path = new.path)
  then
    raise exception 'a person keeps at most 100 drafts' using errcode = 'check_violation', constraint = 'documents_drafts_per_person';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.limit_no_go_areas()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  perform pg_advisory_xact_lock(hashtextextended('no-go-areas:' || new.org_id, 0));
  if (select count(*) from geofences g where g.org_id = new.org_id and g.id <> new.id and g.kind = 'no_go' and g.archived_at is null) >= 200 then
    raise exception 'an organization has at most 200 no-go areas' using errcode = 'check_violation',
      constraint = 'geofences_no_go_areas_per_organization', table = 'geofences';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.lines_total(lines jsonb)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (SELECT (COALESCE(sum(((line.value ->> 'amountMinor'::text))::bigint), (0)::numeric))::bigint AS "coalesce" FROM jsonb_array_elements(lines_total.lines) line(value));

CREATE OR REPLACE FUNCTION public.mark_import()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if app_import_batch_id() is not null then new.import_batch_id := app_import_batch_id(); end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.message_status(p_org_id text, p_message_id uuid)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select case when count(*) filter (where d.status = 'queued') > 0 then 'sending'
    when count(*) filter (where d.status = 'failed') = 0 then 'sent'
    when count(*) filter (where d.status = 'failed') = count(*) then 'failed' else 'partly_failed' end
  from deliveries d where d.org_id = p_org_id and d.message_id = p_message_id having count(*) > 0
$function$;
comment on function message_status(text,uuid) is 'Sending while a delivery waits, then sent, partly_failed or failed; null without deliveries. Whoever writes by it locks the message first.';

CREATE OR REPLACE FUNCTION public.mirror_taxes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select from billing_documents d where d.org_id = new.org_id and d.id = new.cancels_id and d.tax_scheme = new.tax_scheme
    and new.taxes = (select coalesce(jsonb_agg(one || jsonb_build_object('netMinor', -(one ->> 'netMinor')::bigint,
      'taxMinor', -(one ->> 'taxMinor')::bigint, 'grossMinor', -(one ->> 'grossMinor')::bigint) order by place), '[]')
      from jsonb_array_elements(d.taxes) with ordinality as each (one, place))) then
    raise exception 'A credit note mirrors the tax of its invoice.' using errcode = 'check_violation',
      constraint = 'billing_documents_mirrors_invoice', table = 'billing_documents';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.move_duties()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  earlier constant interval := new.starts_at - old.starts_at;
  later constant interval := new.ends_at - old.ends_at;
begin
  update staff_calendar_entries e set during = tstzrange(lower(e.during) + earlier, upper(e.during) + later)
    from assignments a where a.org_id = new.org_id and a.departure_id = new.id and a.status in ('draft', 'offered', 'accepted', 'on_duty')
      and e.org_id = a.org_id and e.id = a.calendar_entry_id and e.kind = 'assignment';
  update assignments set report_at = report_at + earlier, release_at = release_at + later
    where org_id = new.org_id and departure_id = new.id and status in ('draft', 'offered', 'accepted', 'on_duty')
      and (report_at is not null or release_at is not null);
  update vehicle_calendar_entries e set during = tstzrange(lower(e.during) + earlier, upper(e.during) + later)
    from vehicle_assignments va where va.org_id = new.org_id and va.departure_id = new.id
      and e.org_id = va.org_id and e.id = va.calendar_entry_id and e.status <> 'cancelled';
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.move_issues()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update equipment_issues set during = tstzrange(new.starts_at, new.ends_at) where org_id = new.org_id and departure_id = new.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.narrow_own(p_table text, p_condition text, p_rights text DEFAULT 'select'::text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  execute format('grant %s on %s to app_own', p_rights, p_table::regclass);
  if p_condition <> 'true' then
    execute format('create policy own on %s as restrictive for all to app_own using (%s) with check (%s)', p_table::regclass, p_condition, p_condition);
  end if;
end $function$;
comment on function narrow_own(text,text,text) is 'Called once for each table that callers with scope own may reach, with the condition of their rows (true where no row is anybody''s). A table without it is closed to them.';

CREATE OR REPLACE FUNCTION public.next_number(p_name text)
 RETURNS integer
 LANGUAGE sql
AS $function$
  insert into number_series as series (org_id, name, last_value) values (app_org_id(), p_name, 1)
  on conflict (org_id, name) do update set last_value = series.last_value + 1 returning last_value
$function$;
comment on function next_number(text) is 'The next number of a series; the row lock makes two transactions wait for each other, and a rollback leaves no gap.';

CREATE OR REPLACE FUNCTION public.normalize_search(value text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
 SET search_path TO 'pg_catalog', 'public'
AS $function$
begin
  -- Case by the Unicode rules, whatever the database's locale; NFKD then splits accents off and makes full width
  -- narrow; the marks of Latin, Hebrew and Arabic go; unaccent knows the letters that do not split (ø, ł, ß).
  return btrim(unaccent('public.unaccent'::regdictionary, regexp_replace(regexp_replace(
    normalize(lower(value collate "und-x-icu"), NFKD), '[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670]', '', 'g'),
    '[\s\u200b-\u200f''’.,;-]+', ' ', 'g')));
end $function$;
comment on function normalize_search(text) is 'Lower case, without diacritics and punctuation, single spaces; other alphabets stay themselves.';

CREATE OR REPLACE FUNCTION public.note_crew_change(p_org_id text, p_assignment_id uuid, p_was jsonb)
 RETURNS void
 LANGUAGE sql
BEGIN ATOMIC
 INSERT INTO crew_notices AS n (org_id, assignment_id, was, changed_at)
   VALUES (note_crew_change.p_org_id, note_crew_change.p_assignment_id, note_crew_change.p_was, app_now()) ON CONFLICT(org_id, assignment_id) DO UPDATE SET was = COALESCE(n.was, excluded.was), changed_at = excluded.changed_at;
END;

CREATE OR REPLACE FUNCTION public.note_crew_of_assignment()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  before constant text := case when tg_op = 'INSERT' then 'draft' else old.status end;
begin
  if new.status in ('expired', 'draft') or before = 'draft' and new.status = 'offered' or new.staff_id = (select own_staff_id()) then return null; end if;
  perform note_crew_change(new.org_id, new.id, crew_view(new) || jsonb_build_object('state', crew_state(before, d.status)))
  from departures d where d.org_id = new.org_id and d.id = new.departure_id and crew_state(before, d.status) <> crew_state(new.status, d.status);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_crew_of_departure()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform note_crew_change(a.org_id, a.id, crew_view(a)) from assignments a
  where a.org_id = new.org_id and a.departure_id = new.id and a.status in ('offered', 'accepted', 'on_duty') order by a.id;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.note_crew_of_vehicle()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform note_crew_change(a.org_id, a.id, crew_view(a)) from assignments a
  where a.org_id = new.org_id and a.departure_id = new.departure_id and a.status in ('offered', 'accepted', 'on_duty') order by a.id;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.note_crew_of_vehicle_entry()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform note_crew_change(a.org_id, a.id, crew_view(a)) from vehicle_assignments va
    join assignments a on a.org_id = va.org_id and a.departure_id = va.departure_id and a.status in ('offered', 'accepted', 'on_duty')
  where va.org_id = old.org_id and va.calendar_entry_id = old.id order by a.id;
  return case when tg_op = 'DELETE' then old else new end;
end $function$;

CREATE OR REPLACE FUNCTION public.note_feedback_due()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into departure_notices as n (org_id, departure_id, feedback_from) values (new.org_id, new.id, app_now())
  on conflict (org_id, departure_id) do update set feedback_from = excluded.feedback_from;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.option_prices_are_sound(p_prices jsonb)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select jsonb_typeof(p_prices) = 'object' and not exists (
    select from jsonb_each(p_prices) p
     where p.key not in ('adult', 'youth', 'child', 'infant', 'family', 'senior', 'student', 'military', 'other')
        or jsonb_typeof(p.value) <> 'number' or p.value::numeric <> trunc(p.value::numeric) or p.value::numeric not between 0 and 1000000000000)
$function$;

CREATE OR REPLACE FUNCTION public.organization_ids()
 RETURNS TABLE(org_id text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select o.org_id from organizations o order by o.org_id
$function$;
alter function organization_ids() owner to app_directory;
grant execute on function organization_ids() to app_user;

CREATE OR REPLACE FUNCTION public.organizations_of(p_user_id text)
 RETURNS TABLE(org_id text, name text, slug text, logo_url text, role text, status text, staff_id uuid, last_seen_at timestamp with time zone, member_count bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select o.org_id, o.name, o.slug, o.logo_url, m.role, m.status, m.staff_id, m.last_seen_at,
    (select count(*) from members c where c.org_id = o.org_id and c.status = 'active')
  from members m join organizations o using (org_id) where m.user_id = p_user_id and m.status <> 'removed'
  order by o.name collate "und-x-icu", o.org_id
$function$;
alter function organizations_of(text) owner to app_directory;
grant execute on function organizations_of(text) to app_user;

CREATE OR REPLACE FUNCTION public.organizations_to_evaluate(p_now timestamp with time zone, p_heartbeat interval)
 RETURNS TABLE(org_id text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select o.org_id from organizations o left join alert_evaluations e on e.org_id = o.org_id
  where e.seen is null or e.evaluated_at <= p_now - p_heartbeat
    or exists (select from alert_dues u where u.org_id = o.org_id and u.due_at <= p_now)
    or exists (select from alert_dues u where u.org_id = o.org_id and u.all_due_at is not null)
    or exists (select from changes c where c.org_id = o.org_id and c.tx >= split_part(e.seen, ':', 1)::xid8
      and not pg_visible_in_snapshot(c.tx, split_part(e.seen, '@', 1)::pg_snapshot) and c.topic <> 'documents')
  order by o.org_id
$function$;
alter function organizations_to_evaluate(timestamp with time zone,interval) owner to app_directory;
grant execute on function organizations_to_evaluate(timestamp with time zone,interval) to app_user;

CREATE OR REPLACE FUNCTION public.organizations_to_seal()
 RETURNS TABLE(org_id text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select org_id from traveler_documents where number_encrypted is not null and number_key is null
  union select org_id from traveler_private where medical_note is not null
  union select org_id from staff_calendar_entries where note is not null
$function$;
alter function organizations_to_seal() owner to app_janitor;
grant execute on function organizations_to_seal() to app_user;

CREATE OR REPLACE FUNCTION public.owed_minor(p_status text, p_total bigint, p_fee bigint)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (p_status = ANY (ARRAY['cancelled'::text, 'expired'::text, 'rejected'::text])) THEN p_fee ELSE p_total END;
comment on function owed_minor(text,bigint,bigint) is 'What a booking costs by now: its price, and what was kept of it when it has ended without a tour.';

CREATE OR REPLACE FUNCTION public.own_assignment_departures()
 RETURNS TABLE(org_id text, id uuid, code text, tour_code text, tour_name text, local_date date, starts_at timestamp with time zone, ends_at timestamp with time zone, time_zone text, status text, language text, actual_start_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select d.org_id, d.id, d.code, t.code, t.name, d.local_date, d.starts_at, d.ends_at, d.time_zone, d.status, d.language, d.actual_start_at
  from departures d join tours t on t.org_id = d.org_id and t.id = d.tour_id
  where d.org_id = app_org_id() and d.id in (
    select a.departure_id from assignments a where a.org_id = app_org_id() and a.staff_id = (select own_staff_id()))
$function$;
alter function own_assignment_departures() owner to app_search;
grant execute on function own_assignment_departures() to app_own;
grant execute on function own_assignment_departures() to app_user;

CREATE OR REPLACE FUNCTION public.own_assignment_statuses(p_with_offers boolean)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN CASE WHEN p_with_offers THEN ARRAY['offered'::text, 'accepted'::text, 'on_duty'::text, 'completed'::text] ELSE ARRAY['accepted'::text, 'on_duty'::text, 'completed'::text] END;

CREATE OR REPLACE FUNCTION public.own_colleagues()
 RETURNS uuid[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select coalesce(array_agg(staff_id), '{}') from (
    select own_staff_id() as staff_id
    union select staff_id from assignments where org_id = app_org_id() and departure_id = any ((select own_departures())::uuid[])
    union select driver_staff_id from vehicle_calendar_entries where org_id = app_org_id() and id = any ((select own_vehicle_entries())::uuid[])
  ) crew where staff_id is not null
$function$;
alter function own_colleagues() owner to app_search;
comment on function own_colleagues() is 'Oneself, and whoever is or was on the crew of an own departure or drives there.';
grant execute on function own_colleagues() to app_own;
grant execute on function own_colleagues() to app_user;

CREATE OR REPLACE FUNCTION public.own_departures()
 RETURNS uuid[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select coalesce(array_agg(departure_id), '{}') from (
    select departure_id from assignments
    where org_id = app_org_id() and staff_id = (select own_staff_id())
      and status = any (own_assignment_statuses(coalesce(current_setting('app.own_offers', true) = 'on', false)))
    union all
    select departure_id from shared_links
    where current_setting('app.actor_kind', true) = 'guest_link' and org_id = app_org_id() and id::text = app_user_id()
      and kind = 'staff_runsheet' and status in ('active', 'scheduled') and scopes ->> 'checkin' = 'true' and departure_id is not null
  ) own
$function$;
alter function own_departures() owner to app_search;
comment on function own_departures() is 'My departures. Offered ones are among them where the permission of the call opens them (app.own_offers, openWithOffer of the contract).';
grant execute on function own_departures() to app_own;
grant execute on function own_departures() to app_user;

CREATE OR REPLACE FUNCTION public.own_duties()
 RETURNS uuid[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select coalesce(array_agg(calendar_entry_id), '{}') from assignments
  where org_id = app_org_id() and departure_id = any ((select own_departures())::uuid[])
$function$;
alter function own_duties() owner to app_search;
comment on function own_duties() is 'Calendar entries of the crew of own departures.';
grant execute on function own_duties() to app_own;
grant execute on function own_duties() to app_user;

CREATE OR REPLACE FUNCTION public.own_entry_condition()
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN 'm.departure_id = any ((select own_departures())::uuid[])'::text;
comment on function own_entry_condition() is 'Whether a manifest entry m is one of an own departure, for functions that look past row-level security.';

CREATE OR REPLACE FUNCTION public.own_guests(p_with_cancelled boolean)
 RETURNS uuid[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select coalesce(array_agg(distinct traveler_id), '{}') from manifest_entries
  where org_id = app_org_id() and departure_id = any ((select own_departures())::uuid[]) and (p_with_cancelled or status <> 'cancelled')
$function$;
alter function own_guests(boolean) owner to app_search;
comment on function own_guests(boolean) is 'Travelers on the manifests of own departures. Names of those whose entry was cancelled stay readable on their booking, and nothing else of them.';
grant execute on function own_guests(boolean) to app_own;
grant execute on function own_guests(boolean) to app_user;

CREATE OR REPLACE FUNCTION public.own_staff_id()
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select staff_id from members where org_id = app_org_id() and user_id = app_user_id() and status = 'active'
$function$;
alter function own_staff_id() owner to app_search;
comment on function own_staff_id() is 'The staff record of the person of the transaction; null without one, and then nothing is one''s own.';
grant execute on function own_staff_id() to app_own;
grant execute on function own_staff_id() to app_user;

CREATE OR REPLACE FUNCTION public.own_tours()
 RETURNS uuid[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select coalesce(array_agg(distinct tour_id), '{}') from departures where org_id = app_org_id() and id = any ((select own_departures())::uuid[])
$function$;
alter function own_tours() owner to app_search;
grant execute on function own_tours() to app_own;
grant execute on function own_tours() to app_user;

CREATE OR REPLACE FUNCTION public.own_vehicle_entries()
 RETURNS uuid[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select coalesce(array_agg(calendar_entry_id), '{}') from vehicle_assignments
  where org_id = app_org_id() and departure_id = any ((select own_departures())::uuid[])
$function$;
alter function own_vehicle_entries() owner to app_search;
grant execute on function own_vehicle_entries() to app_own;
grant execute on function own_vehicle_entries() to app_user;

CREATE OR REPLACE FUNCTION public.own_vehicles()
 RETURNS uuid[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select coalesce(array_agg(distinct vehicle_id), '{}') from vehicle_calendar_entries
  where org_id = app_org_id() and id = any ((select own_vehicle_entries())::uuid[]) and status <> 'cancelled'
$function$;
alter function own_vehicles() owner to app_search;
grant execute on function own_vehicles() to app_own;
grant execute on function own_vehicles() to app_user;

CREATE OR REPLACE FUNCTION public.page_of_travelers(p_sort jsonb, p_nationalities text[], p_limit integer, p_offset bigint)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
 SET random_page_cost TO '1.1'
 SET jit TO 'off'
 SET max_parallel_workers_per_gather TO '0'
AS $function$
declare
  org constant text := app_org_id();
  wanted constant text := case jsonb_array_length(p_sort) when 0 then 'lastName asc'
    when 1 then concat(p_sort #>> '{0,by}', case when (p_sort #>> '{0,descending}')::boolean then ' desc' else ' asc' end) end;
begin
  if wanted is null then
    return null;
  elsif wanted = 'lastName asc' and p_nationalities is not null then
    return array(
      select t.id from (select distinct unnest(p_nationalities)) as one (nationality) cross join lateral (
        select t.id, t.last_name, t.first_name from travelers t where t.org_id = org and t.merged_into_id is null and t.archived_at is null and t.nationality = one.nationality order by t.last_name collate "und-x-icu" asc, t.first_name collate "und-x-icu" asc, t.id asc limit p_limit + p_offset) t
      order by t.last_name collate "und-x-icu" asc, t.first_name collate "und-x-icu" asc, t.id asc limit p_limit offset p_offset);
  elsif wanted = 'lastName asc' and p_nationalities is null then
    return array(select t.id from travelers t where t.org_id = org and t.merged_into_id is null and t.archived_at is null order by t.last_name collate "und-x-icu" asc, t.first_name collate "und-x-icu" asc, t.id asc limit p_limit offset p_offset);
  elsif wanted = 'lastName desc' and p_nationalities is not null then
    return array(
      select t.id from (select distinct unnest(p_nationalities)) as one (nationality) cross join lateral (
        select t.id, t.last_name, t.first_name from travelers t where t.org_id = org and t.merged_into_id is null and t.archived_at is null and t.nationality = one.nationality order by t.last_name collate "und-x-icu" desc, t.first_name collate "und-x-icu" desc, t.id desc limit p_limit + p_offset) t
      order by t.last_name collate "und-x-icu" desc, t.first_name collate "und-x-icu" desc, t.id desc limit p_limit offset p_offset);
  elsif wanted = 'lastName desc' and p_nationalities is null then
    return array(select t.id from travelers t where t.org_id = org and t.merged_into_id is null and t.archived_at is null order by t.last_name collate "und-x-icu" desc, t.first_name collate "und-x-icu" desc, t.id desc limit p_limit offset p_offset);
  elsif wanted = 'name asc' and p_nationalities is null then
    return array(select t.id from travelers t where t.org_id = org and t.merged_into_id is null and t.archived_at is null order by t.first_name collate "und-x-icu" asc, t.last_name collate "und-x-icu" asc, t.id asc limit p_limit offset p_offset);
  elsif wanted = 'name desc' and p_nationalities is null then
    return array(select t.id from travelers t where t.org_id = org and t.merged_into_id is null and t.archived_at is null order by t.first_name collate "und-x-icu" desc, t.last_name collate "und-x-icu" desc, t.id desc limit p_limit offset p_offset);
  elsif wanted = 'nationality asc' and p_nationalities is null then
    return array(select t.id from travelers t where t.org_id = org and t.merged_into_id is null and t.archived_at is null order by t.nationality asc nulls last, t.last_name collate "und-x-icu", t.first_name collate "und-x-icu", t.id asc limit p_limit offset p_offset);
  elsif wanted = 'toursTaken asc' and p_nationalities is null then
    return array(select t.id from travelers t where t.org_id = org and t.merged_into_id is null and t.archived_at is null order by t.lifetime_tours asc, t.id asc limit p_limit offset p_offset);
  elsif wanted = 'toursTaken desc' and p_nationalities is null then
    return array(select t.id from travelers t where t.org_id = org and t.merged_into_id is null and t.archived_at is null order by t.lifetime_tours desc, t.id desc limit p_limit offset p_offset);
  elsif wanted = 'createdAt asc' and p_nationalities is null then
    return array(select t.id from travelers t where t.org_id = org and t.merged_into_id is null and t.archived_at is null order by t.created_at asc, t.id asc limit p_limit offset p_offset);
  elsif wanted = 'createdAt desc' and p_nationalities is null then
    return array(select t.id from travelers t where t.org_id = org and t.merged_into_id is null and t.archived_at is null order by t.created_at desc, t.id desc limit p_limit offset p_offset);
  end if;
  return null;
end $function$;
alter function page_of_travelers(jsonb,text[],integer,bigint) owner to app_search;
grant execute on function page_of_travelers(jsonb,text[],integer,bigint) to app_user;

CREATE OR REPLACE FUNCTION public.paid_by_ledger(p_org_id text, p_booking_id uuid, OUT paid bigint, OUT refunded boolean)
 RETURNS record
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(sum(case kind when 'payment' then amount_minor else -amount_minor end), 0)::bigint, coalesce(bool_or(kind = 'refund'), false)
  from payments where org_id = p_org_id and booking_id = p_booking_id and voided_at is null
$function$;

CREATE OR REPLACE FUNCTION public.payment_status_of(p_booking bookings, p_current text, p_paid bigint, p_refunded boolean)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN payment_status_of(p_current, COALESCE(NULLIF(owed_minor((p_booking).status, (p_booking).amount_total_minor, (p_booking).cancellation_fee_minor), 0), (p_booking).amount_total_minor), p_paid, p_refunded);

CREATE OR REPLACE FUNCTION public.payment_status_of(p_current text, p_total bigint, p_paid bigint, p_refunded boolean)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (p_current = 'agent_credit'::text) THEN p_current WHEN ((p_paid = 0) AND (p_refunded OR (p_current = 'refunded'::text))) THEN 'refunded'::text WHEN (p_paid >= p_total) THEN 'paid'::text WHEN (p_paid > 0) THEN 'deposit'::text ELSE 'unpaid'::text END;
comment on function payment_status_of(text,bigint,bigint,boolean) is 'What a booking says of its payment. See docs/domain.md, "Payments".';

CREATE OR REPLACE FUNCTION public.proposed_seats(p_org_id text, p_departure_id uuid)
 RETURNS integer
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(sum(seats), 0)::int from proposals
  where org_id = p_org_id and coalesce(to_departure_id, from_departure_id) = p_departure_id and to_departure_id is not null and outcome is null
$function$;

CREATE OR REPLACE FUNCTION public.prune_changes(p_before timestamp with time zone)
 RETURNS bigint
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  with mark as (select c.tx, c.seq from changes c where c.at < p_before order by c.tx desc, c.seq desc limit 1),
  gone as (delete from changes c using mark where (c.tx, c.seq) < (mark.tx, mark.seq) returning 1)
  select count(*) from gone
$function$;
alter function prune_changes(timestamp with time zone) owner to app_janitor;
grant execute on function prune_changes(timestamp with time zone) to app_user;

CREATE OR REPLACE FUNCTION public.prune_idempotency_keys(p_before timestamp with time zone)
 RETURNS bigint
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  with gone as (delete from idempotency_keys where created_at < p_before returning 1) select count(*) from gone
$function$;
alter function prune_idempotency_keys(timestamp with time zone) owner to app_janitor;
grant execute on function prune_idempotency_keys(timestamp with time zone) to app_user;

CREATE OR REPLACE FUNCTION public.put_inbox_message(p_user_id text, p_message_id text, p_data jsonb)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  insert into documents as d (path, user_id, data) values ('users/' || p_user_id || '/inbox/' || p_message_id, p_user_id, p_data)
  on conflict (path) do update set data = excluded.data, version = d.version + 1, update_time = clock_timestamp()
$function$;
alter function put_inbox_message(text,text,jsonb) owner to app_recorder;
grant execute on function put_inbox_message(text,text,jsonb) to app_own;
grant execute on function put_inbox_message(text,text,jsonb) to app_user;

CREATE OR REPLACE FUNCTION public.queue_alert_webhooks()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not has_webhooks() then return null; end if;
  if tg_op = 'INSERT' then
    perform queue_webhooks((select jsonb_agg(jsonb_build_object('kind', 'alert.opened', 'data', webhook_alert(n))) from new_rows n));
  else
    perform queue_webhooks((
      select jsonb_agg(jsonb_build_object('kind', 'alert.resolved', 'data', webhook_alert(n)))
      from new_rows n join old_rows o on o.org_id = n.org_id and o.id = n.id where n.status = 'resolved' and o.status <> 'resolved'));
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.queue_booking_webhooks()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not has_webhooks() then return null; end if;
  if tg_op = 'INSERT' then
    perform queue_webhooks((select jsonb_agg(jsonb_build_object('kind', 'booking.created', 'data', webhook_booking(n))) from new_rows n));
  else
    perform queue_webhooks((
      select jsonb_agg(jsonb_build_object('kind', case when n.status = 'cancelled' and o.status <> 'cancelled' then 'booking.cancelled' else 'booking.changed' end, 'data', webhook_booking(n)))
      from new_rows n join old_rows o on o.org_id = n.org_id and o.id = n.id where webhook_booking(n) <> webhook_booking(o)));
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.queue_check_in_webhooks()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not has_webhooks() then return null; end if;
  perform queue_webhooks((select jsonb_agg(jsonb_build_object('kind', 'check_in.recorded', 'data', webhook_check_in(n))) from new_rows n));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.queue_departure_webhooks()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not has_webhooks() then return null; end if;
  if tg_op = 'INSERT' then
    perform queue_webhooks((select jsonb_agg(jsonb_build_object('kind', 'departure.created', 'data', webhook_departure(n))) from new_rows n));
  else
    perform queue_webhooks((
      select jsonb_agg(jsonb_build_object('kind', case when n.status = o.status then 'departure.changed' when n.status = 'cancelled' then 'departure.cancelled'
        when n.status = 'in_progress' and o.status = 'boarding' then 'departure.departed' when n.status = 'completed' then 'departure.completed' else 'departure.changed' end,
        'data', webhook_departure(n)))
      from new_rows n join old_rows o on o.org_id = n.org_id and o.id = n.id where webhook_departure(n) <> webhook_departure(o)));
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.queue_message_webhooks()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not has_webhooks() then return null; end if;
  perform queue_webhooks((
    select jsonb_agg(jsonb_build_object('kind', 'message.failed', 'data', webhook_message(n)))
    from new_rows n join old_rows o on o.org_id = n.org_id and o.id = n.id where n.status = 'failed' and o.status <> 'failed'));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.queue_payment_webhooks()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not has_webhooks() then return null; end if;
  if tg_op = 'INSERT' then
    perform queue_webhooks((select jsonb_agg(jsonb_build_object('kind', 'payment.recorded', 'data', webhook_payment(n))) from new_rows n));
  else
    perform queue_webhooks((
      select jsonb_agg(jsonb_build_object('kind', 'payment.voided', 'data', webhook_payment(n)))
      from new_rows n join old_rows o on o.org_id = n.org_id and o.id = n.id where n.voided_at is not null and o.voided_at is null));
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.queue_stop_webhooks()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not has_webhooks() then return null; end if;
  perform queue_webhooks((
    select jsonb_agg(jsonb_build_object('kind', e.kind, 'data', webhook_stop(n)) order by e.kind)
    from new_rows n join old_rows o on o.org_id = n.org_id and o.id = n.id
    cross join lateral (values ('stop.arrived', n.actual_arrive_at is not null and o.actual_arrive_at is null),
      ('stop.departed', n.actual_depart_at is not null and o.actual_depart_at is null)) as e (kind, happened)
    where e.happened));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.queue_webhooks(p_events jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  queued bigint;
begin
  if p_events is null then return; end if;
  with events as materialized (
    select gen_random_uuid() as event_id, e.kind, e.data, n from rows from (jsonb_to_recordset(p_events) as (kind text, data jsonb)) with ordinality as e (kind, data, n)
  )
  insert into webhook_deliveries (org_id, endpoint_id, event_id, kind, body)
  select w.org_id, w.id, e.event_id, e.kind, jsonb_build_object('id', e.event_id, 'type', e.kind, 'version', 1, 'timestamp', utc_text(app_now()), 'data', e.data)
  from events e join webhook_endpoints w on w.org_id = app_org_id() and w.is_on and e.kind = any (w.event_kinds) order by e.n, w.id;
  get diagnostics queued = row_count;
  if queued > 0 then perform pg_notify('webhooks', ''); end if;
end $function$;
alter function queue_webhooks(jsonb) owner to app_recorder;
grant execute on function queue_webhooks(jsonb) to app_own;
grant execute on function queue_webhooks(jsonb) to app_user;

CREATE OR REPLACE FUNCTION public.read_changes(p_seen pg_snapshot, p_upto pg_snapshot, p_after_tx xid8, p_after_seq bigint, p_limit integer)
 RETURNS TABLE(tx xid8, seq bigint, org_id text, topic text, entity_id text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select found.* from (
    (select c.tx, c.seq, c.org_id, c.topic, c.entity_id from changes c
     where c.tx = p_after_tx and c.seq > p_after_seq
     order by c.tx, c.seq limit p_limit)
    union all
    (select c.tx, c.seq, c.org_id, c.topic, c.entity_id from changes c
     where c.tx = any (array(select ended from pg_snapshot_xip(p_seen) as ended where ended > p_after_tx and pg_visible_in_snapshot(ended, p_upto)))
     order by c.tx, c.seq limit p_limit)
    union all
    (select c.tx, c.seq, c.org_id, c.topic, c.entity_id from changes c
     where c.tx >= pg_snapshot_xmax(p_seen) and c.tx > p_after_tx and c.tx < pg_snapshot_xmax(p_upto) and pg_visible_in_snapshot(c.tx, p_upto)
     order by c.tx, c.seq limit p_limit)
  ) as found
  order by found.tx, found.seq limit p_limit
$function$;
alter function read_changes(pg_snapshot,pg_snapshot,xid8,bigint,integer) owner to app_feed;
grant execute on function read_changes(pg_snapshot,pg_snapshot,xid8,bigint,integer) to app_user;

CREATE OR REPLACE FUNCTION public.read_documents(p_paths text[])
 RETURNS TABLE(path text, data jsonb, create_time timestamp with time zone, update_time timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select d.path, d.data, d.create_time, d.update_time from documents d where d.path = any (p_paths)
$function$;
alter function read_documents(text[]) owner to app_feed;
grant execute on function read_documents(text[]) to app_user;

CREATE OR REPLACE FUNCTION public.recent_changes(p_owner text, p_topics text[], p_seconds integer)
 RETURNS TABLE(tx xid8, seq bigint, topic text, entity_id text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select latest.tx, latest.seq, latest.topic, latest.entity_id from (
    select c.tx, c.seq, c.topic, c.entity_id, c.at from changes c
    where c.org_id = p_owner order by c.tx desc, c.seq desc limit 1000
  ) as latest
  where latest.at > clock_timestamp() - make_interval(secs => p_seconds) and latest.topic = any (p_topics)
  order by latest.tx, latest.seq
$function$;
alter function recent_changes(text,text[],integer) owner to app_feed;
grant execute on function recent_changes(text,text[],integer) to app_user;

CREATE OR REPLACE FUNCTION public.record_changes()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  keys constant text[] := string_to_array(tg_argv[0], ',');
  -- most tables have one key column, and then no function need be called per row
  key constant text := case when cardinality(keys) = 1 then keys[1] end;
  masked constant text[] := string_to_array(tg_argv[1], ',');
  left_out constant text[] := array['org_id', 'version', 'created_at', 'updated_at', 'search_text', 'import_batch_id', 'number_key', 'medical_key', 'note_key', 'content_key', 'content_key_sealed', 'channel_key'];
  kind constant text := lower(tg_op);
  the_actor_id constant text := app_user_id();
  the_actor_kind constant text := coalesce(nullif(current_setting('app.actor_kind', true), ''), 'system');
  the_action constant text := coalesce(nullif(current_setting('app.action', true), ''), tg_table_name || '.' || kind);
  the_request_id constant text := nullif(current_setting('app.request_id', true), '');
  the_ip constant text := nullif(current_setting('app.ip', true), '');
  touched bigint;
begin
  if kind = 'insert' then
    with written as materialized (
      select j ->> 'org_id' as org_id, coalesce(j ->> key, row_key(j, keys)) as entity_id, jsonb_strip_nulls(j - left_out) as diff
      from (select to_jsonb(n) as j from new_rows n offset 0) n
    ), logged as (
      insert into audit_entries (org_id, actor_id, actor_kind, action, op, entity_type, entity_id, diff, request_id, ip)
      select org_id, the_actor_id, the_actor_kind, the_action, kind, tg_table_name, entity_id,
        case when diff ?| masked then hide_columns(diff, masked) else diff end, the_request_id, the_ip
      from written returning audit_entries.org_id, audit_entries.entity_id
    )
    insert into changes (org_id, topic, entity_id, op) select org_id, tg_table_name, entity_id, kind from logged;
  elsif kind = 'delete' then
    with written as materialized (
      select j ->> 'org_id' as org_id, coalesce(j ->> key, row_key(j, keys)) as entity_id, jsonb_strip_nulls(j - left_out) as diff
      from (select to_jsonb(o) as j from old_rows o offset 0) o
    ), logged as (
      insert into audit_entries (org_id, actor_id, actor_kind, action, op, entity_type, entity_id, diff, request_id, ip)
      select org_id, the_actor_id, the_actor_kind, the_action, kind, tg_table_name, entity_id,
        case when diff ?| masked then hide_columns(diff, masked) else diff end, the_request_id, the_ip
      from written returning audit_entries.org_id, audit_entries.entity_id
    )
    insert into changes (org_id, topic, entity_id, op) select org_id, tg_table_name, entity_id, kind from logged;
  else
    with former as (
      select j ->> 'org_id' as org_id, coalesce(j ->> key, row_key(j, keys)) as entity_id, j from (select to_jsonb(o) as j from old_rows o offset 0) o
    ), latter as (
      select j ->> 'org_id' as org_id, coalesce(j ->> key, row_key(j, keys)) as entity_id, j from (select to_jsonb(n) as j from new_rows n offset 0) n
    ), written as materialized (
      select org_id, entity_id, diff_of(former.j, latter.j, masked, left_out) as diff from former join latter using (org_id, entity_id)
    ), logged as (
      insert into audit_entries (org_id, actor_id, actor_kind, action, op, entity_type, entity_id, diff, request_id, ip)
      select org_id, the_actor_id, the_actor_kind, the_action, kind, tg_table_name, entity_id, diff, the_request_id, the_ip
      from written where diff is not null returning audit_entries.org_id, audit_entries.entity_id
    )
    insert into changes (org_id, topic, entity_id, op) select org_id, tg_table_name, entity_id, kind from logged;
  end if;
  get diagnostics touched = row_count;
  -- equal notifications of one transaction are sent once, at commit; pollers switch it off
  if touched > 0 and current_setting('app.notify', true) is distinct from 'off' then perform pg_notify('changes', ''); end if;
  return null;
end $function$;
alter function record_changes() owner to app_recorder;
grant execute on function record_changes() to app_user;

CREATE OR REPLACE FUNCTION public.record_documents()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if tg_op = 'DELETE' then
    insert into changes (org_id, topic, entity_id, op)
    select coalesce(org_id, 'users/' || user_id), 'documents', path, 'delete' from old_rows;
  else
    insert into changes (org_id, topic, entity_id, op)
    select coalesce(org_id, 'users/' || user_id), 'documents', path, lower(tg_op) from new_rows;
  end if;
  if found and current_setting('app.notify', true) is distinct from 'off' then perform pg_notify('changes', ''); end if;
  return null;
end $function$;
alter function record_documents() owner to app_recorder;
comment on function record_documents() is 'Every write of a live document enters the outbox with its path; what it says is read when it is sent.';
grant execute on function record_documents() to app_user;

CREATE OR REPLACE FUNCTION public.record_estimates()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  estimates constant text[] := array['eta_at', 'eta_computed_at', 'delay_seconds'];
begin
  if exists (select from new_rows n join old_rows o using (org_id, id) where to_jsonb(n) - estimates <> to_jsonb(o) - estimates) then
    raise exception 'Only estimates may be written without a version and an audit entry.';
  end if;
  insert into changes (org_id, topic, entity_id, op) select org_id, tg_table_name, id::text, 'update' from new_rows;
  if found and current_setting('app.notify', true) is distinct from 'off' then perform pg_notify('changes', ''); end if;
  return null;
end $function$;
alter function record_estimates() owner to app_recorder;
comment on function record_estimates() is 'Stands in for record_changes and touch_row while app.estimating is on.';
grant execute on function record_estimates() to app_user;

CREATE OR REPLACE FUNCTION public.record_event(p_action text, p_entity_type text, p_entity_id text, p_diff jsonb DEFAULT '{}'::jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  insert into audit_entries (org_id, actor_id, actor_kind, action, op, entity_type, entity_id, diff, request_id, ip)
  values (app_org_id(), app_user_id(), coalesce(nullif(current_setting('app.actor_kind', true), ''), 'system'), p_action, 'event',
    p_entity_type, p_entity_id, p_diff, nullif(current_setting('app.request_id', true), ''), nullif(current_setting('app.ip', true), ''));
end $function$;
alter function record_event(text,text,text,jsonb) owner to app_recorder;
comment on function record_event(text,text,text,jsonb) is 'For what changes no row and must be seen later: a look at a passport, an export, a sign-in.';
grant execute on function record_event(text,text,text,jsonb) to app_own;
grant execute on function record_event(text,text,text,jsonb) to app_user;

CREATE OR REPLACE FUNCTION public.refresh_statistics(p_written integer)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  grown text;
begin
  -- the share of a table from which PostgreSQL looks again by itself
  for grown in
    select relname from pg_class where relnamespace = 'public'::regnamespace and p_written > 50 + 0.1 * reltuples
      and relname in ('travelers', 'traveler_private', 'traveler_documents', 'bookings', 'payments', 'manifest_entries', 'audit_entries', 'changes')
  loop
    execute format('analyze (skip_locked) %I', grown);
  end loop;
end $function$;
alter function refresh_statistics(integer) owner to app_janitor;
comment on function refresh_statistics(integer) is 'Lets the planner see what was written in bulk. Shows nothing.';
grant execute on function refresh_statistics(integer) to app_user;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation', constraint = tg_table_name || '_append_only',
    table = tg_table_name;
end $function$;

CREATE OR REPLACE FUNCTION public.require_one_party(p_org_id text, p_departure_id uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if seated_parties(p_org_id, p_departure_id) > 1 then
    raise exception 'A private departure takes one party.' using errcode = 'check_violation', constraint = 'departures_private_one_party', table = 'departures';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.row_key(row_json jsonb, keys text[])
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (SELECT string_agg((row_key.row_json ->> part.key), ':'::text ORDER BY part.place) AS string_agg FROM unnest(row_key.keys) WITH ORDINALITY part(key, place));

CREATE OR REPLACE FUNCTION public.sealing_key(value bytea)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN CASE WHEN (SUBSTRING(value FROM 1 FOR 4) = '\x00534b01'::bytea) THEN encode(SUBSTRING(value FROM 5 FOR 8), 'hex'::text) ELSE NULL::text END;
comment on function sealing_key(bytea) is 'The id of the key that sealed a value; null for one from before keys had ids.';

CREATE OR REPLACE FUNCTION public.search_bookings(p_query text, p_limit integer DEFAULT 200)
 RETURNS TABLE(id uuid)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  return query execute format(
    'select b.id from bookings b where b.org_id = $1 and %s %s order by b.booking_ref = upper($2) desc, b.created_at desc, b.id limit $3',
    search_condition('b.search_text', btrim(p_query)),
    case when is_own_reach() then 'and b.departure_id = any ((select own_departures())::uuid[])' end)
  using app_org_id(), btrim(p_query), p_limit;
end $function$;
alter function search_bookings(text,integer) owner to app_search;
comment on function search_bookings(text,integer) is 'Bookings by reference, contact and external reference; with scope own those of own departures.';
grant execute on function search_bookings(text,integer) to app_own;
grant execute on function search_bookings(text,integer) to app_user;

CREATE OR REPLACE FUNCTION public.search_condition(p_column text, p_query text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
 SET search_path TO 'pg_catalog', 'public'
AS $function$
declare
  digits constant text := regexp_replace(digits_of(p_query), '^0+', '');
  words text[];
begin
  if p_query ~ '^[-+0-9()/. ]+$' and length(digits) >= 3 then
    words := array[digits];
  elsif position('@' in p_query) > 0 then
    words := array[lower(btrim(p_query))];
  else
    words := string_to_array(searchable(p_query), ' ');
  end if;
  return (
    select coalesce(string_agg(format('%s like %L', p_column,
      case when length(word) >= 3 then '%' else '% ' end || regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%'), ' and '), 'false')
    from unnest(words) as word where word <> ''
  );
end $function$;

CREATE OR REPLACE FUNCTION public.search_travelers(p_query text DEFAULT ''::text, p_filters jsonb DEFAULT '{}'::jsonb, p_sort jsonb DEFAULT '[]'::jsonb, p_limit integer DEFAULT 100, p_offset bigint DEFAULT 0, p_total bigint DEFAULT NULL::bigint)
 RETURNS TABLE(total bigint, ids uuid[])
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
 SET random_page_cost TO '1.1'
 SET jit TO 'off'
 SET max_parallel_workers_per_gather TO '0'
AS $function$
declare
  org constant text := app_org_id();
  wanted constant text := btrim(coalesce(p_query, ''));
  known bigint;
  page uuid[];
  conditions text;
  ordering text;
  booked uuid[];
  matches text;
  trip text;
begin
  if wanted = '' then
    known := known_traveler_count(coalesce(p_filters, '{}'));
    if known is not null then
      page := page_of_travelers(coalesce(p_sort, '[]'),
        case when p_filters ? 'nationality' then array(select jsonb_array_elements_text(p_filters -> 'nationality')) end, p_limit, p_offset);
      if page is not null then
        return query select known, page;
        return;
      end if;
    end if;
  end if;
  conditions := traveler_filter(coalesce(p_filters, '{}'), is_own_reach());
  ordering := traveler_order(coalesce(p_sort, '[]'));
  trip := case when position('trip.' in ordering) = 0 then '' else
    ' left join (select m.traveler_id, coalesce(min(d.starts_at) filter (where not ' || departure_over_condition() || '), max(d.starts_at)) as starts_at
       from manifest_entries m join departures d on d.org_id = m.org_id and d.id = m.departure_id
       where m.org_id = $1 and m.status <> ''cancelled''' || case when is_own_reach() then ' and ' || own_entry_condition() else '' end ||
    ' group by m.traveler_id) trip on trip.traveler_id = t.id' end;
  if wanted <> '' then
    matches := search_condition('t.search_text', wanted);
    -- looks like a reference: a number in it, or letters, a hyphen and more
    if wanted ~ '^[A-Za-z0-9-]{3,}$' and wanted ~ '[0-9]|^[A-Za-z]{2,5}-[A-Za-z0-9]{2}' then
      select array_agg(distinct m.traveler_id) into booked from bookings b
      join manifest_entries m on m.org_id = b.org_id and m.booking_id = b.id
      where b.org_id = org and b.search_text like '% ' || searchable(wanted) || '%' and (not is_own_reach() or m.departure_id = any ((select own_departures())::uuid[]));
    end if;
    conditions := conditions || case when booked is null then format(' and %s', matches)
      else format(' and ((%s) or (t.org_id = $1 and t.id = any ($3)))', matches) end;
    -- few rows: found once, counted and sorted in memory
    return query execute format(
      'with hit as materialized (select t.id, t.first_name, t.last_name, t.nationality, t.lifetime_tours, t.created_at from travelers t where %s)
       select (select count(*) from hit), array(select t.id from hit t%s order by %s limit $4 offset $5)',
      conditions, trip, ordering)
    using org, p_filters, booked, p_limit, p_offset;
  else
    -- many rows: the page comes in order from an index, the number from another look
    return query execute format(
      'select coalesce($6, (select count(*) from travelers t where %s)), array(select t.id from travelers t%s where %s order by %s limit $4 offset $5)',
      conditions, trip, conditions, ordering)
    using org, p_filters, booked, p_limit, p_offset, coalesce(known, p_total);
  end if;
end $function$;
alter function search_travelers(text,jsonb,jsonb,integer,bigint,bigint) owner to app_search;
grant execute on function search_travelers(text,jsonb,jsonb,integer,bigint,bigint) to app_own;
grant execute on function search_travelers(text,jsonb,jsonb,integer,bigint,bigint) to app_user;

CREATE OR REPLACE FUNCTION public.searchable(value text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
 SET search_path TO 'pg_catalog', 'public'
AS $function$
declare
  plain constant text := normalize_search(value);
begin
  if octet_length(plain) = char_length(plain) then return plain; end if;
  return (
    select string_agg(case when code is null then letter
      else chr(97 + code % 26) || lpad((code / 26 % 100)::text, 2, '0') || chr(97 + code / 2600) end, '' order by place)
    from (
      select letter, place, case when ascii(letter) > 127 then (ascii(letter)::bigint * 41231 % 67600)::int end as code
      from unnest(string_to_array(plain, null)) with ordinality as letters (letter, place)
    ) as coded
  );
end $function$;
comment on function searchable(text) is 'normalize_search() in ASCII only: what columns for searching hold and what is looked for in them.';

CREATE OR REPLACE FUNCTION public.seated_parties(p_org_id text, p_departure_id uuid)
 RETURNS integer
 LANGUAGE sql
 STABLE
AS $function$
  select ((select count(*) from bookings b where b.org_id = p_org_id and b.departure_id = p_departure_id
      and b.status in ('on_hold', 'confirmed', 'completed'))
    + (select count(*) from proposals p where p.org_id = p_org_id and p.to_departure_id = p_departure_id and p.outcome is null)
    + (select count(*) from form_holds f where f.org_id = p_org_id and f.departure_id = p_departure_id))::int
$function$;

CREATE OR REPLACE FUNCTION public.seats_in_forms(p_org_id text, p_departure_id uuid)
 RETURNS integer
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(sum(seats), 0)::int from form_holds where org_id = p_org_id and departure_id = p_departure_id
$function$;

CREATE OR REPLACE FUNCTION public.seats_left(p_places integer, p_taken integer, p_private boolean)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case when p_private and p_taken > 0 then 0 else greatest(0, p_places - p_taken) end
$function$;

CREATE OR REPLACE FUNCTION public.second_factor_due_at(p_settings org_settings, p_role text, p_is_proven boolean)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
RETURN CASE WHEN ((p_role = ANY ((p_settings).second_factor_roles)) AND (p_is_proven IS NOT TRUE)) THEN (((p_settings).second_factor_from)::timestamp without time zone AT TIME ZONE (p_settings).time_zone) ELSE NULL::timestamp with time zone END;
comment on function second_factor_due_at(org_settings,text,boolean) is 'From when on a session is refused for want of a second factor; null when it is not.';

CREATE OR REPLACE FUNCTION public.set_issue_time()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  select tstzrange(d.starts_at, d.ends_at) into new.during from departures d where d.org_id = new.org_id and d.id = new.departure_id;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.shared_link_end(l shared_links, d departures)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
AS $function$
  select case when l.ends_with_departure and d.id is not null then least(l.created_at + interval '400 days', greatest(l.expires_at,
    case when (d.status in ('boarding', 'in_progress') and d.ends_at > app_now() - interval '60 days') then app_now() else coalesce(d.actual_end_at, d.ends_at) end + interval '2 hours')) else l.expires_at end
$function$;
comment on function shared_link_end(shared_links,departures) is 'When a shared link with this departure ends; never before expires_at, and never after the 400 days that a link may live.';

CREATE OR REPLACE FUNCTION public.shared_link_of_token(p_token_hash bytea)
 RETURNS TABLE(org_id text, link_id uuid, status text, starts_at timestamp with time zone, expires_at timestamp with time zone, token_revoked boolean)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select l.org_id, l.id, l.status, l.starts_at, l.expires_at, t.revoked_at is not null
  from shared_link_tokens t join shared_links l on l.org_id = t.org_id and l.id = t.link_id where t.token_hash = p_token_hash
$function$;
alter function shared_link_of_token(bytea) owner to app_directory;
grant execute on function shared_link_of_token(bytea) to app_user;

CREATE OR REPLACE FUNCTION public.similar_travelers(p_name text, p_email text, p_phone text, p_except uuid DEFAULT NULL::uuid, p_limit integer DEFAULT 10)
 RETURNS TABLE(id uuid, same_email boolean, same_phone boolean, name_similarity real)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  wanted constant text := searchable(coalesce(p_name, ''));
begin
  perform set_config('pg_trgm.word_similarity_threshold', '0.75', true);
  return query
    select t.id, coalesce(lower(t.email collate "C") = lower(p_email collate "C"), false), coalesce(t.phone = p_phone, false), word_similarity(wanted, t.search_text)
    from travelers t
    where t.org_id = app_org_id() and t.merged_into_id is null and t.archived_at is null and t.id is distinct from p_except
      and (lower(t.email collate "C") = lower(p_email collate "C") or t.phone = p_phone or (length(wanted) >= 3 and wanted <% t.search_text))
    order by 2 desc, 3 desc, 4 desc, t.id limit p_limit;
end $function$;
alter function similar_travelers(text,text,text,uuid,integer) owner to app_search;
grant execute on function similar_travelers(text,text,text,uuid,integer) to app_user;

CREATE OR REPLACE FUNCTION public.staff_busy(p_during tstzrange, p_staff_ids uuid[] DEFAULT NULL::uuid[], p_blocking_only boolean DEFAULT true)
 RETURNS TABLE(id uuid, staff_id uuid, kind text, status text, blocking boolean, from_at timestamp with time zone, to_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select e.id, e.staff_id, e.kind, e.status, e.blocking, lower(e.during), upper(e.during) from staff_calendar_entries e
  where e.org_id = app_org_id() and (not is_own_reach() or e.staff_id = (select own_staff_id())) and e.during && p_during and e.status not in ('cancelled', 'declined')
    and (p_staff_ids is null or e.staff_id = any (p_staff_ids)) and (e.blocking or not p_blocking_only)
  order by lower(e.during), e.id
$function$;
alter function staff_busy(tstzrange,uuid[],boolean) owner to app_search;
grant execute on function staff_busy(tstzrange,uuid[],boolean) to app_own;
grant execute on function staff_busy(tstzrange,uuid[],boolean) to app_user;

CREATE OR REPLACE FUNCTION public.staged_key(after jsonb, place text[])
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN "substring"((after #>> place), '^(?:\\x)?00534b01([0-9a-f]{16})'::text);
comment on function staged_key(jsonb,text[]) is 'The id of the key that sealed a value of a staged line; null where there is none.';

CREATE OR REPLACE FUNCTION public.taxes_agree(taxes jsonb, total bigint)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (SELECT ((COALESCE(sum(amounts.gross), (0)::numeric) = (taxes_agree.total)::numeric) AND COALESCE(bool_and(COALESCE((((amounts.rate >= 0) AND (amounts.rate <= 10000)) AND ((amounts.net + amounts.tax) = amounts.gross) AND ((amounts.tax)::numeric = round((((amounts.gross)::numeric * (amounts.rate)::numeric) / ((10000 + amounts.rate))::numeric)))), false)), true)) FROM jsonb_array_elements(taxes_agree.taxes) one(value), LATERAL (SELECT ((one.value ->> 'rateBp'::text))::integer AS rate, ((one.value ->> 'netMinor'::text))::bigint AS net, ((one.value ->> 'taxMinor'::text))::bigint AS tax, ((one.value ->> 'grossMinor'::text))::bigint AS gross) amounts);

CREATE OR REPLACE FUNCTION public.touch_row()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new is distinct from old then
    new.version := old.version + 1;
    new.updated_at := app_now();
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.traveler_filter(p_filters jsonb, p_own boolean)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
  list constant text := '(select jsonb_array_elements_text($2 -> %L))';
  conditions text[] := array['t.org_id = $1', 't.merged_into_id is null', 't.archived_at is null'];
  -- entries of the traveler that count, with their departure; for a guide no filter looks at trips with somebody else
  trips constant text := 'exists (select from manifest_entries m join departures d on d.org_id = m.org_id and d.id = m.departure_id
    where m.org_id = t.org_id and m.traveler_id = t.id and m.status <> ''cancelled'' and %s'
    || case when p_own then ' and ' || own_entry_condition() || ')' else ')' end;
  -- the same as the flag possible_duplicate, for all rows at once (100,000 probes took 2 s, this 0.1 s)
  shared constant text := '%1$s in (select %1$s from travelers t where t.org_id = $1 and %1$s is not null and t.merged_into_id is null
    and t.archived_at is null group by 1 having count(*) > 1)';
  duplicates constant text := format('(%s or %s)', format(shared, 'lower(t.email collate "C")'), format(shared, 't.phone'));
  flag text;
  flags text[] := '{}';
  has_span constant boolean := p_filters ?| array['from', 'to'];
begin
  if p_own then
    conditions := conditions || 't.id = any ((select own_guests(false))::uuid[])'::text;
  end if;
  case p_filters ->> 'view'
    when 'on_tour' then conditions := conditions || format(trips, departure_out_condition() || ' and m.status in (''expected'', ''checked_in'', ''on_tour'', ''missing'')');
    when 'arriving' then conditions := conditions || format(trips, 'd.starts_at > app_now() and d.starts_at <= app_now() + interval ''7 days'' and d.status in (''scheduled'', ''guaranteed'', ''boarding'')');
    when 'missing_data' then conditions := conditions || '(t.nationality is null or (t.email is null and t.phone is null) or t.first_name = '''')'::text;
    when 'duplicates' then conditions := conditions || duplicates;
    else null;
  end case;
  if p_filters ? 'nationality' then conditions := conditions || format('t.nationality = any (array%s)', format(list, 'nationality')); end if;
  if p_filters ? 'language' then conditions := conditions || format('t.languages && array%s', format(list, 'language')); end if;
  if p_filters ? 'tag' then conditions := conditions || format('t.tags && array%s', format(list, 'tag')); end if;
  if p_filters ? 'importBatchId' then conditions := conditions || format('t.import_batch_id = any (array%s::uuid[])', format(list, 'importBatchId')); end if;
  if p_filters ? 'departureId' then conditions := conditions || format(trips, format('m.departure_id = any (array%s::uuid[])', format(list, 'departureId'))); end if;
  if p_filters ? 'tourId' or has_span then
    conditions := conditions || format(trips, concat_ws(' and ',
      case when p_filters ? 'tourId' then format('d.tour_id = any (array%s::uuid[])', format(list, 'tourId')) end,
      case when p_filters ? 'from' then 'd.local_date >= ($2 ->> ''from'')::date' end,
      case when p_filters ? 'to' then 'd.local_date <= ($2 ->> ''to'')::date' end));
  end if;
  if p_filters ? 'flag' then
    for flag in select jsonb_array_elements_text(p_filters -> 'flag') loop
      flags := flags || format('(%s)', case flag when 'possible_duplicate' then duplicates else traveler_flag_condition(flag) end);
    end loop;
    conditions := conditions || format('(%s)', coalesce(nullif(array_to_string(flags, ' or '), ''), 'false'));
  end if;
  return array_to_string(conditions, ' and ');
end $function$;

CREATE OR REPLACE FUNCTION public.traveler_flag_condition(p_flag text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN CASE WHEN (p_flag = ANY (ARRAY['vegetarian'::text, 'vegan'::text, 'halal'::text, 'kosher'::text, 'gluten_free'::text, 'dairy_free'::text, 'nut_allergy'::text, 'shellfish_allergy'::text])) THEN format('%L = any (t.dietary)'::text, p_flag) WHEN (p_flag = 'other_diet'::text) THEN '''other'' = any (t.dietary)'::text WHEN (p_flag = ANY (ARRAY['cane'::text, 'wheelchair'::text, 'no_stairs'::text])) THEN format('t.mobility = %L'::text, p_flag) WHEN (p_flag = 'other_mobility'::text) THEN 't.mobility = ''other'''::text WHEN (p_flag = 'medical'::text) THEN 'exists (select from traveler_private p where p.org_id = t.org_id and p.traveler_id = t.id and p.medical_sealed is not null)'::text WHEN (p_flag = 'document_missing'::text) THEN (('exists (select from manifest_entries m join departures d on d.org_id = m.org_id and d.id = m.departure_id
       join tours u on u.org_id = d.org_id and u.id = d.tour_id
       where m.org_id = t.org_id and m.traveler_id = t.id and m.status = ''expected'' and '::text || departure_ahead_condition()) || ' and u.kind = ''multi_day'')
     and not exists (select from traveler_documents i where i.org_id = t.org_id and i.traveler_id = t.id and i.kind in (''passport'', ''id''))'::text) WHEN (p_flag = 'document_expiring'::text) THEN (('exists (select from traveler_documents i join manifest_entries m on m.org_id = i.org_id and m.traveler_id = i.traveler_id
       join departures d on d.org_id = m.org_id and d.id = m.departure_id
       where i.org_id = t.org_id and i.traveler_id = t.id and m.status <> ''cancelled'' and '::text || departure_ahead_condition()) || '
         and i.expires_on < (d.ends_at + interval ''6 months'')::date)'::text) WHEN (p_flag = 'possible_duplicate'::text) THEN '(exists (select from travelers o where o.org_id = t.org_id and lower(o.email collate "C") = lower(t.email collate "C") and o.id <> t.id and o.merged_into_id is null and o.archived_at is null)
     or exists (select from travelers o where o.org_id = t.org_id and o.phone = t.phone and o.id <> t.id and o.merged_into_id is null and o.archived_at is null))'::text ELSE 'false'::text END;

CREATE OR REPLACE FUNCTION public.traveler_flags(p_ids uuid[])
 RETURNS TABLE(traveler_id uuid, flags text[])
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
 SET random_page_cost TO '1.1'
 SET jit TO 'off'
 SET max_parallel_workers_per_gather TO '0'
AS $function$
declare
  org constant text := app_org_id();
begin
  return query select t.id, array_remove(array[
    case when 'vegetarian' = any (t.dietary) then 'vegetarian' end,
    case when 'vegan' = any (t.dietary) then 'vegan' end,
    case when 'halal' = any (t.dietary) then 'halal' end,
    case when 'kosher' = any (t.dietary) then 'kosher' end,
    case when 'gluten_free' = any (t.dietary) then 'gluten_free' end,
    case when 'dairy_free' = any (t.dietary) then 'dairy_free' end,
    case when 'nut_allergy' = any (t.dietary) then 'nut_allergy' end,
    case when 'shellfish_allergy' = any (t.dietary) then 'shellfish_allergy' end,
    case when 'other' = any (t.dietary) then 'other_diet' end,
    case when t.mobility = 'cane' then 'cane' end,
    case when t.mobility = 'wheelchair' then 'wheelchair' end,
    case when t.mobility = 'no_stairs' then 'no_stairs' end,
    case when t.mobility = 'other' then 'other_mobility' end,
    case when exists (select from traveler_private p where p.org_id = t.org_id and p.traveler_id = t.id and p.medical_sealed is not null) then 'medical' end,
    case when exists (select from manifest_entries m join departures d on d.org_id = m.org_id and d.id = m.departure_id
       join tours u on u.org_id = d.org_id and u.id = d.tour_id
       where m.org_id = t.org_id and m.traveler_id = t.id and m.status = 'expected' and (d.status not in ('cancelled', 'aborted') and not (d.status = 'completed' or d.ends_at <= app_now() and not (d.status in ('boarding', 'in_progress') and d.ends_at > app_now() - interval '60 days'))) and u.kind = 'multi_day')
     and not exists (select from traveler_documents i where i.org_id = t.org_id and i.traveler_id = t.id and i.kind in ('passport', 'id')) then 'document_missing' end,
    case when exists (select from traveler_documents i join manifest_entries m on m.org_id = i.org_id and m.traveler_id = i.traveler_id
       join departures d on d.org_id = m.org_id and d.id = m.departure_id
       where i.org_id = t.org_id and i.traveler_id = t.id and m.status <> 'cancelled' and (d.status not in ('cancelled', 'aborted') and not (d.status = 'completed' or d.ends_at <= app_now() and not (d.status in ('boarding', 'in_progress') and d.ends_at > app_now() - interval '60 days')))
         and i.expires_on < (d.ends_at + interval '6 months')::date) then 'document_expiring' end,
    case when (exists (select from travelers o where o.org_id = t.org_id and lower(o.email collate "C") = lower(t.email collate "C") and o.id <> t.id and o.merged_into_id is null and o.archived_at is null)
     or exists (select from travelers o where o.org_id = t.org_id and o.phone = t.phone and o.id <> t.id and o.merged_into_id is null and o.archived_at is null)) then 'possible_duplicate' end]::text[], null) from travelers t where t.org_id = org and t.id = any (p_ids) and (not is_own_reach() or t.id = any ((select own_guests(false))::uuid[]));
end $function$;
alter function traveler_flags(uuid[]) owner to app_search;
grant execute on function traveler_flags(uuid[]) to app_own;
grant execute on function traveler_flags(uuid[]) to app_user;

CREATE OR REPLACE FUNCTION public.traveler_order(p_sort jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (SELECT ((COALESCE((string_agg(format(CASE sorts.by_name WHEN 'name'::text THEN 't.first_name collate "und-x-icu" %1$s, t.last_name collate "und-x-icu" %1$s'::text WHEN 'nationality'::text THEN 't.nationality %1$s nulls last, t.last_name collate "und-x-icu", t.first_name collate "und-x-icu"'::text WHEN 'toursTaken'::text THEN 't.lifetime_tours %1$s'::text WHEN 'createdAt'::text THEN 't.created_at %1$s'::text WHEN 'trip'::text THEN 'trip.starts_at %1$s nulls last'::text ELSE 't.last_name collate "und-x-icu" %1$s, t.first_name collate "und-x-icu" %1$s'::text END, sorts.direction), ', '::text ORDER BY sorts.place) || ', '::text), 't.last_name collate "und-x-icu", t.first_name collate "und-x-icu", '::text) || 't.id '::text) || COALESCE((array_agg(sorts.direction ORDER BY sorts.place))[1], 'asc'::text)) FROM (SELECT (element.item ->> 'by'::text) AS by_name, CASE WHEN ((element.item ->> 'descending'::text))::boolean THEN 'desc'::text ELSE 'asc'::text END AS direction, element.place FROM jsonb_array_elements(traveler_order.p_sort) WITH ORDINALITY element(item, place)) sorts);

CREATE OR REPLACE FUNCTION public.undoes_cancellation(p_table text, p_old jsonb)
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (COALESCE((((p_old ->> 'import_batch_id'::text))::uuid = app_undone_batch_id()), false) OR COALESCE(CASE p_table WHEN 'bookings'::text THEN ((((p_old ->> 'id'::text))::uuid = app_restored_booking_id()) AND (((p_old ->> 'cancelled_at'::text))::timestamp with time zone > (app_now() - '00:15:00'::interval))) WHEN 'manifest_entries'::text THEN (((p_old ->> 'booking_id'::text))::uuid = app_restored_booking_id()) WHEN 'departures'::text THEN ((((p_old ->> 'id'::text))::uuid = app_restored_departure_id()) AND ((p_old ->> 'cancel_reason'::text) = 'combined'::text) AND (((p_old ->> 'updated_at'::text))::timestamp with time zone > (app_now() - '00:15:00'::interval))) WHEN 'departure_services'::text THEN ((((p_old ->> 'departure_id'::text))::uuid = app_restored_departure_id()) AND (((p_old ->> 'updated_at'::text))::timestamp with time zone > (app_now() - '00:15:00'::interval))) WHEN 'assignments'::text THEN ((((p_old ->> 'departure_id'::text))::uuid = app_restored_departure_id()) AND (((p_old ->> 'updated_at'::text))::timestamp with time zone > (app_now() - '00:15:00'::interval))) ELSE NULL::boolean END, false));
comment on function undoes_cancellation(text,jsonb) is 'Whether the transaction makes a row what it was: that of an import that is undone, of a booking that is restored in time, or of a departure whose combination is undone in time.';

CREATE OR REPLACE FUNCTION public.undoes_status(p_table text, p_source text, p_target text, p_old jsonb)
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN COALESCE(((p_table = 'bookings'::text) AND (((p_old ->> 'id'::text))::uuid = app_restored_booking_id()) AND (((((p_source = 'confirmed'::text) AND (p_target = 'on_hold'::text)) OR ((p_source = 'confirmed'::text) AND (p_target = 'requested'::text))) OR ((p_source = 'rejected'::text) AND (p_target = 'requested'::text))) OR ((p_source = 'on_hold'::text) AND (p_target = 'waitlisted'::text))) AND (((p_old ->> 'updated_at'::text))::timestamp with time zone > (app_now() - '00:15:00'::interval))), false);
comment on function undoes_status(text,text,text,jsonb) is 'Whether the transaction makes a booking what it was before it was confirmed, rejected or offered seats, in time.';

CREATE OR REPLACE FUNCTION public.units_are_sound(units jsonb)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((jsonb_typeof(units) = 'array'::text) AND (NOT (EXISTS (SELECT FROM jsonb_array_elements(units_are_sound.units) unit(value) WHERE ((COALESCE((unit.value ->> 'unitType'::text), ''::text) <> ALL (ARRAY['adult'::text, 'youth'::text, 'child'::text, 'infant'::text, 'family'::text, 'senior'::text, 'student'::text, 'military'::text, 'other'::text])) OR (COALESCE(((unit.value ->> 'qty'::text))::integer, 0) <= 0) OR (COALESCE(((unit.value ->> 'paxCount'::text))::integer, 1) < 0) OR (COALESCE(((unit.value ->> 'priceMinor'::text))::bigint, (0)::bigint) < 0))))));

CREATE OR REPLACE FUNCTION public.units_pax(units jsonb)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (SELECT (COALESCE(sum((((unit.value ->> 'qty'::text))::integer * COALESCE(((unit.value ->> 'paxCount'::text))::integer, 1))), (0)::bigint))::integer AS "coalesce" FROM jsonb_array_elements(units_pax.units) unit(value));
comment on function units_pax(jsonb) is 'Persons counted for capacity: quantity times paxCount of the unit as sold.';

CREATE OR REPLACE FUNCTION public.uses_discount(p_status text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (p_status <> ALL (ARRAY['cancelled'::text, 'expired'::text, 'rejected'::text]));
comment on function uses_discount(text) is 'Whether a booking in this status counts as a use of its discount code; what has ended gives it back.';

CREATE OR REPLACE FUNCTION public.utc_text(p_at timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN to_char((p_at AT TIME ZONE 'UTC'::text), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'::text);

CREATE OR REPLACE FUNCTION public.vehicles_busy(p_during tstzrange, p_vehicle_ids uuid[] DEFAULT NULL::uuid[], p_blocking_only boolean DEFAULT true)
 RETURNS TABLE(id uuid, vehicle_id uuid, kind text, status text, blocking boolean, from_at timestamp with time zone, to_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select e.id, e.vehicle_id, e.kind, e.status, e.blocking, lower(e.during), upper(e.during) from vehicle_calendar_entries e
  where e.org_id = app_org_id() and (not is_own_reach() or e.vehicle_id = any ((select own_vehicles())::uuid[])) and e.during && p_during and e.status <> 'cancelled'
    and (p_vehicle_ids is null or e.vehicle_id = any (p_vehicle_ids)) and (e.blocking or not p_blocking_only)
  order by lower(e.during), e.id
$function$;
alter function vehicles_busy(tstzrange,uuid[],boolean) owner to app_search;
grant execute on function vehicles_busy(tstzrange,uuid[],boolean) to app_own;
grant execute on function vehicles_busy(tstzrange,uuid[],boolean) to app_user;

CREATE OR REPLACE FUNCTION public.weather_source_of_token(p_token_hash bytea)
 RETURNS TABLE(org_id text, id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select w.org_id, w.id from weather_sources w where w.token_hash = p_token_hash
$function$;
alter function weather_source_of_token(bytea) owner to app_directory;
grant execute on function weather_source_of_token(bytea) to app_user;

CREATE OR REPLACE FUNCTION public.webhook_alert(a alerts)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
RETURN jsonb_build_object('id', (a).id, 'kind', (a).kind, 'severity', (a).severity, 'status', (a).status, 'subjectType', (a).subject_type, 'subjectId', (a).subject_id, 'departureId', (a).departure_id, 'openedAt', utc_text((a).opened_at), 'resolvedAt', utc_text((a).resolved_at), 'resolution', (a).resolution);

CREATE OR REPLACE FUNCTION public.webhook_booking(b bookings)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
RETURN jsonb_build_object('id', (b).id, 'reference', (b).booking_ref, 'externalReference', (b).external_ref, 'departureId', (b).departure_id, 'status', (b).status, 'kind', (b).kind, 'channel', (b).channel, 'guests', (b).pax, 'currency', (b).currency, 'totalMinor', (b).amount_total_minor, 'paidMinor', (b).amount_paid_minor, 'cancellationFeeMinor', (b).cancellation_fee_minor, 'paymentStatus', (b).payment_status, 'pickupPlaceId', (b).pickup_place_id, 'pickupAt', utc_text((b).pickup_at));

CREATE OR REPLACE FUNCTION public.webhook_check_in(c check_ins)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
RETURN (SELECT jsonb_build_object('id', (webhook_check_in.c).id, 'kind', (webhook_check_in.c).kind, 'method', (webhook_check_in.c).method, 'at', utc_text((webhook_check_in.c).at), 'manifestEntryId', (webhook_check_in.c).manifest_entry_id, 'departureId', m.departure_id, 'bookingId', m.booking_id, 'stopId', (webhook_check_in.c).departure_stop_id) AS jsonb_build_object FROM manifest_entries m WHERE ((m.org_id = (webhook_check_in.c).org_id) AND (m.id = (webhook_check_in.c).manifest_entry_id)));

CREATE OR REPLACE FUNCTION public.webhook_departure(d departures)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
RETURN jsonb_build_object('id', (d).id, 'code', (d).code, 'tourId', (d).tour_id, 'status', (d).status, 'salesStatus', (d).sales_status, 'startsAt', utc_text((d).starts_at), 'endsAt', utc_text((d).ends_at), 'timeZone', (d).time_zone, 'localDate', (d).local_date, 'language', (d).language, 'capacity', (d).capacity, 'cancelReason', (d).cancel_reason, 'startedAt', utc_text((d).actual_start_at), 'endedAt', utc_text((d).actual_end_at));

CREATE OR REPLACE FUNCTION public.webhook_message(d deliveries)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
RETURN jsonb_build_object('id', (d).id, 'messageId', (d).message_id, 'channel', (d).channel, 'bookingId', (d).booking_id, 'attempts', (d).attempts);

CREATE OR REPLACE FUNCTION public.webhook_payment(p payments)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
RETURN jsonb_build_object('id', (p).id, 'bookingId', (p).booking_id, 'kind', (p).kind, 'method', (p).method, 'amountMinor', (p).amount_minor, 'currency', (p).currency, 'receivedAt', utc_text((p).received_at), 'voidedAt', utc_text((p).voided_at));

CREATE OR REPLACE FUNCTION public.webhook_queues_due(p_now timestamp with time zone)
 RETURNS TABLE(org_id text, endpoint_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select q.org_id, q.endpoint_id from webhook_queues q join webhook_endpoints w on w.org_id = q.org_id and w.id = q.endpoint_id and w.is_on
  where coalesce(q.paused_until, p_now) <= p_now and coalesce(q.taken_until, p_now) <= p_now
    and exists (select from webhook_deliveries d where d.org_id = q.org_id and d.endpoint_id = q.endpoint_id and d.status = 'queued' and d.next_attempt_at <= p_now)
$function$;
alter function webhook_queues_due(timestamp with time zone) owner to app_directory;
comment on function webhook_queues_due(timestamp with time zone) is 'Queues in which something is due and that nobody works on. Shows ids only.';
grant execute on function webhook_queues_due(timestamp with time zone) to app_user;

CREATE OR REPLACE FUNCTION public.webhook_stop(s departure_stops)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
RETURN jsonb_build_object('id', (s).id, 'departureId', (s).departure_id, 'placeId', (s).place_id, 'order', (s).stop_order, 'plannedArriveAt', utc_text((s).planned_arrive_at), 'plannedDepartAt', utc_text((s).planned_depart_at), 'arrivedAt', utc_text((s).actual_arrive_at), 'departedAt', utc_text((s).actual_depart_at));

CREATE OR REPLACE FUNCTION public.withdraw_proposals()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update proposals set outcome = 'withdrawn', ended_at = app_now()
  where org_id = new.org_id and booking_id = new.id and outcome is null;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION identity.backend_session_is_live(p_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select exists (select from identity.backend_sessions s where s.id = p_id and s.revoked_at is null and s.expires_at > clock_timestamp())
$function$;
grant execute on function identity.backend_session_is_live(uuid) to app_user;

CREATE OR REPLACE FUNCTION identity.begin_attempt(p_keys text[], p_free integer[], p_longest_seconds integer[], OUT wait_seconds integer, OUT failures integer)
 RETURNS record
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  v_now constant timestamptz := clock_timestamp();
begin
  insert into identity.sign_in_attempts as a (key, failures, last_at, wait_until)
  select key, 0, v_now, v_now from unnest(p_keys) as key order by key on conflict do nothing;
  perform from identity.sign_in_attempts a where a.key = any (p_keys) order by a.key for update;
  update identity.sign_in_attempts a set failures = 0
  where a.key = any (p_keys) and a.last_at < v_now - interval '1 day' and a.wait_until <= v_now;
  select coalesce(ceil(extract(epoch from max(a.wait_until) - v_now)), 0)::int into wait_seconds
  from identity.sign_in_attempts a where a.key = any (p_keys) and a.wait_until > v_now;
  if wait_seconds = 0 then
    update identity.sign_in_attempts a
    set failures = a.failures + 1, last_at = v_now,
      wait_until = case when a.failures + 1 < given.free then v_now
        else v_now + make_interval(secs => least(given.longest, 5 * 2 ^ least(a.failures + 1 - given.free, 20))) end
    from unnest(p_keys, p_free, p_longest_seconds) as given (key, free, longest)
    where a.key = given.key;
  end if;
  select a.failures into failures from identity.sign_in_attempts a where a.key = p_keys[1];
end $function$;

CREATE OR REPLACE FUNCTION identity.begin_session()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if new."activeOrganizationId" is null then
    new."activeOrganizationId" := (
      select m."organizationId" from identity.member m join identity."user" u on u.id = m."userId"
      where m."userId" = new."userId" and m.status = 'active'
      order by m."organizationId" is not distinct from u."lastOrganizationId" desc, m."createdAt", m.id limit 1);
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION identity.clip_organization()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  new.name := identity.one_line(new.name, 200);
  if char_length(new.logo) > 2000 then new.logo := null; end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION identity.clip_session()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  new."userAgent" := left(new."userAgent", 500);
  return new;
end $function$;

CREATE OR REPLACE FUNCTION identity.clip_user()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  new.name := identity.one_line(new.name, 200);
  new."firstName" := identity.one_line(new."firstName", 100);
  new."lastName" := identity.one_line(new."lastName", 100);
  if char_length(new.image) > 2000 then new.image := null; end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION identity.emails_to_newcomers()
 RETURNS TABLE(id text, kind text, recipient text, subject text, body text, status text, error text, attempts integer, created_at timestamp with time zone, sent_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select m.id, m.kind, m.recipient, m.subject, m.body, m.status, m.error, m.attempts, m."createdAt", m."sentAt"
  from identity.mails m
  where identity.is_home_organization() and not exists (
    select from identity.member me join identity."user" u on u.id = me."userId" where u.email = m.recipient)
$function$;
grant execute on function identity.emails_to_newcomers() to app_user;

CREATE OR REPLACE FUNCTION identity.end_attempt(p_keys text[], p_own_key text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  perform from identity.sign_in_attempts where key = any (p_keys) order by key for update;
  update identity.sign_in_attempts set failures = greatest(failures - 1, 0), wait_until = clock_timestamp()
  where key = any (p_keys) and key <> p_own_key;
  delete from identity.sign_in_attempts where key = p_own_key;
end $function$;

CREATE OR REPLACE FUNCTION identity.end_waiting()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  delete from identity.waitlist where email = new.email;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION identity.enter(p_org_id text, p_user_id text, p_action text)
 RETURNS text[]
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  former constant text[] := array[coalesce(current_setting('app.org_id', true), ''), coalesce(current_setting('app.user_id', true), ''),
    coalesce(current_setting('app.actor_kind', true), ''), coalesce(current_setting('app.action', true), '')];
begin
  perform set_config('app.org_id', p_org_id, true);
  -- a verb has said already who acts; the identity service has not
  if former[2] = '' and p_user_id is not null then
    perform set_config('app.user_id', p_user_id, true), set_config('app.actor_kind', 'user', true);
  end if;
  if former[4] = '' then perform set_config('app.action', p_action, true); end if;
  return former;
end $function$;

CREATE OR REPLACE FUNCTION identity.follow_account()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if tg_table_name = 'user' then
    if tg_op = 'INSERT' then
      perform identity.log_event('signed_up', new.id, new.email, null, null, null);
    elsif new."emailVerified" and not old."emailVerified" then
      perform identity.log_event('email_verified', new.id, new.email, null, null, null);
    end if;
  elsif tg_table_name = 'account' then
    if new.password is distinct from old.password then
      perform identity.log_event('password_changed', new."userId", null, null, null, null);
    end if;
  elsif tg_table_name = 'walletAddress' then
    perform identity.log_event('wallet_added', new."userId", null, null, null, null, jsonb_build_object('address', new.address));
  elsif tg_op = 'INSERT' then
    perform identity.log_event('waitlist_joined', null, new.email, null, null, null);
  else
    perform identity.log_event('waitlist_' || new.status, new."decidedBy", new.email, null, null, null);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION identity.follow_factor()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  person constant text := coalesce(new."userId", old."userId");
  org text;
  former text[];
begin
  if tg_table_name = 'passkey' then
    if tg_op = 'INSERT' then
      perform identity.log_factor('passkey_added', person, jsonb_build_object('name', new.name));
    else
      perform identity.log_factor('passkey_removed', person, jsonb_build_object('name', old.name));
    end if;
  elsif tg_op = 'UPDATE' then
    if new.verified and old.verified is distinct from true then
      perform identity.log_factor('authenticator_added', person);
    elsif new."backupCodes" is distinct from old."backupCodes" and new.verified then
      perform identity.log_factor('recovery_codes_changed', person);
      return null;
    else
      return null;
    end if;
  else
    delete from identity.verification where identifier like 'trust-device-%' and value = person;
    if old.verified is not true then return null; end if;
    perform identity.log_factor('authenticator_removed', person);
  end if;
  if tg_op = 'DELETE' and not identity.has_factor(person) then
    update identity.session s set "secondFactor" = null where s."userId" = person and s."secondFactor" is not null;
  end if;
  for org in select m."organizationId" from identity.member m where m."userId" = person loop
    former := identity.enter(org, person, 'second-factor');
    perform announce_changes('members', array[person]);
    perform identity.leave(former);
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION identity.follow_session()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  ended record;
begin
  if tg_op = 'INSERT' then
    if identity.is_unfinished(new) then
      perform identity.log_event('second_factor_asked', new."userId", null, new."activeOrganizationId", new."ipAddress", new."userAgent");
      return null;
    end if;
    update identity."user" set "lastSignInAt" = new."createdAt" where id = new."userId";
    perform identity.log_event('signed_in', new."userId", null, new."activeOrganizationId", new."ipAddress", new."userAgent",
      case when new."secondFactor" is null then '{}' else jsonb_build_object('secondFactor', new."secondFactor") end);
  elsif tg_op = 'UPDATE' then
    if new."activeOrganizationId" is not null and new."activeOrganizationId" is distinct from old."activeOrganizationId" then
      update identity."user" set "lastOrganizationId" = new."activeOrganizationId" where id = new."userId";
    end if;
    if new."secondFactor" = 'trusted_device' and old."secondFactor" is null then
      update identity."user" set "lastSignInAt" = new."createdAt" where id = new."userId";
      perform identity.log_event('signed_in', new."userId", null, new."activeOrganizationId", new."ipAddress", new."userAgent",
        jsonb_build_object('secondFactor', new."secondFactor"));
    end if;
  else
    -- signing out of the identity service ends what was signed in with that session, wherever it is used
    for ended in
      update identity.backend_sessions set revoked_at = clock_timestamp()
      where identity_session_id = old.id and revoked_at is null returning id
    loop
      perform pg_notify('backend_session', ended.id::text);
    end loop;
    if not identity.is_unfinished(old) then
      perform identity.log_event('signed_out', old."userId", null, old."activeOrganizationId", old."ipAddress", old."userAgent");
    end if;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION identity.forget_devices()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if new.password is distinct from old.password then
    delete from identity.verification where identifier like 'trust-device-%' and value = new."userId";
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION identity.has_factor(p_user_id text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select exists (select from identity.passkey p where p."userId" = p_user_id)
    or exists (select from identity."twoFactor" t where t."userId" = p_user_id and t.verified)
$function$;

CREATE OR REPLACE FUNCTION identity.has_proven_factor(p_backend_session_id text)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select exists (
    select from identity.backend_sessions b join identity.session s on s.id = b.identity_session_id
    where b.id = case when p_backend_session_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then p_backend_session_id::uuid end
      and s."secondFactor" is not null)
$function$;
grant execute on function identity.has_proven_factor(text) to app_own;
grant execute on function identity.has_proven_factor(text) to app_user;

CREATE OR REPLACE FUNCTION identity.is_home_organization()
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select app_org_id() = (select id from identity.organization order by "createdAt", id limit 1)
$function$;
grant execute on function identity.is_home_organization() to app_user;

CREATE OR REPLACE FUNCTION identity.is_unfinished(p_session identity.session)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select p_session."secondFactor" is null
    and exists (select from identity."user" u where u.id = p_session."userId" and u."twoFactorEnabled")
$function$;

CREATE OR REPLACE FUNCTION identity.keep_one_reset_link()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  perform pg_advisory_xact_lock(hashtextextended('reset-link:' || new.value, 0));
  delete from identity.verification where identifier like 'reset-link:%' and value = new.value;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION identity.leave(p_former text[])
 RETURNS void
 LANGUAGE sql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select set_config('app.org_id', p_former[1], true), set_config('app.user_id', p_former[2], true),
    set_config('app.actor_kind', p_former[3], true), set_config('app.action', p_former[4], true)
$function$;

CREATE OR REPLACE FUNCTION identity.letters()
 RETURNS TABLE(id text, kind text, recipient text, subject text, body text, status text, error text, attempts integer, created_at timestamp with time zone, sent_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select m.id, m.kind, m.recipient, m.subject, case when not known.elsewhere then m.body end, m.status, m.error, m.attempts, m."createdAt", m."sentAt"
  from identity.mails m
  cross join lateral (
    select coalesce(bool_or(me."organizationId" = app_org_id()), false) as here, coalesce(bool_or(me."organizationId" <> app_org_id()), false) as elsewhere
    from identity.member me join identity."user" u on u.id = me."userId" where u.email = m.recipient) known
  where app_org_id() is not null and known.here
$function$;
grant execute on function identity.letters() to app_user;

CREATE OR REPLACE FUNCTION identity.log_event(p_kind text, p_user_id text, p_email text, p_org_id text, p_ip text, p_user_agent text, p_detail jsonb DEFAULT '{}'::jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  former text[];
  former_ip constant text := coalesce(current_setting('app.ip', true), '');
begin
  insert into identity.events (kind, user_id, email, org_id, ip, user_agent, detail)
  values (p_kind, p_user_id, p_email, p_org_id, p_ip, p_user_agent, p_detail);
  if p_org_id is null or not exists (select from identity.organization o where o.id = p_org_id) then return; end if;
  former := identity.enter(p_org_id, p_user_id, 'identity');
  perform set_config('app.ip', coalesce(p_ip, ''), true);
  perform record_event(p_kind, 'account', coalesce(p_user_id, p_email, ''), p_detail);
  perform set_config('app.ip', former_ip, true), identity.leave(former);
end $function$;

CREATE OR REPLACE FUNCTION identity.log_factor(p_kind text, p_user_id text, p_detail jsonb DEFAULT '{}'::jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  org text;
begin
  -- the account itself is going
  if not exists (select from identity."user" where id = p_user_id) then return; end if;
  if not exists (select from identity.member where "userId" = p_user_id) then
    perform identity.log_event(p_kind, p_user_id, null, null, null, null, p_detail);
  end if;
  for org in select m."organizationId" from identity.member m where m."userId" = p_user_id loop
    perform identity.log_event(p_kind, p_user_id, null, org, null, null, p_detail);
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION identity.members_with_factor()
 RETURNS TABLE(user_id text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select m."userId" from identity.member m where m."organizationId" = app_org_id() and identity.has_factor(m."userId")
$function$;
grant execute on function identity.members_with_factor() to app_user;

CREATE OR REPLACE FUNCTION identity.mirror_invitation()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  former text[];
begin
  if tg_op = 'INSERT' then
    former := identity.enter(new."organizationId", new."inviterId", 'members-invite');
    insert into invitations (org_id, id, email, role, status, staff_id, locale, message, invited_by, expires_at)
    values (new."organizationId", new.id::uuid, new.email, new.role, new.status, new."fieldStaffId", new.locale, new.message,
      new."inviterId", new."expiresAt");
  else
    former := identity.enter(new."organizationId", null, 'invitation-update');
    -- accepting is mirrored with the membership it makes: the identity service takes an acceptance back when that fails
    update invitations set role = new.role, expires_at = new."expiresAt", staff_id = new."fieldStaffId",
      status = case when new.status in ('canceled', 'rejected') then 'revoked' else status end, version = version + 1, updated_at = app_now()
    where org_id = new."organizationId" and id = new.id::uuid
      and (old.role, old."expiresAt", old."fieldStaffId", old.status) is distinct from (new.role, new."expiresAt", new."fieldStaffId", new.status);
  end if;
  perform identity.leave(former);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION identity.mirror_member()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  former text[];
  person record;
  invited record;
begin
  if tg_op = 'DELETE' then
    former := identity.enter(old."organizationId", old."userId", 'organization-leave');
    update members set status = 'removed', staff_id = null, version = version + 1, updated_at = app_now() where org_id = old."organizationId" and user_id = old."userId";
    perform identity.leave(former), identity.tell_membership(old."organizationId", old."userId", 'removed');
    update identity.session set "activeOrganizationId" = null
    where "userId" = old."userId" and "activeOrganizationId" = old."organizationId";
    return null;
  end if;
  former := identity.enter(new."organizationId", new."userId", 'organization-join');
  if tg_op = 'UPDATE' then
    update members set role = new.role, status = new.status, version = version + 1, updated_at = app_now() where org_id = new."organizationId" and user_id = new."userId";
    perform identity.leave(former), identity.tell_membership(new."organizationId", new."userId", new.status);
    return null;
  end if;
  select u.name, u.email, u.image into person from identity."user" u where u.id = new."userId";
  select i.id, i."fieldStaffId" as staff_id into invited from identity.invitation i
  where i."organizationId" = new."organizationId" and i.email = person.email and i.status = 'accepted'
  order by i."createdAt" desc limit 1;
  -- a record linked to somebody else meanwhile is left to them
  if invited.staff_id is not null and exists (
    select from members m where m.org_id = new."organizationId" and m.staff_id = invited.staff_id and m.user_id <> new."userId"
  ) then invited.staff_id := null; end if;
  insert into members as m (org_id, user_id, role, status, email, name, image_url, staff_id, joined_at)
  values (new."organizationId", new."userId", new.role, new.status, person.email, person.name, person.image, invited.staff_id, app_now())
  on conflict (org_id, user_id) do update set role = excluded.role, status = excluded.status, email = excluded.email, name = excluded.name,
    image_url = excluded.image_url, staff_id = excluded.staff_id, joined_at = excluded.joined_at, version = m.version + 1, updated_at = app_now();
  update invitations set status = 'accepted', version = version + 1, updated_at = app_now()
  where org_id = new."organizationId" and id::text = invited.id and status = 'pending';
  perform identity.leave(former), identity.tell_membership(new."organizationId", new."userId", new.status);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION identity.mirror_organization()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  former text[];
begin
  if tg_op = 'INSERT' then
    former := identity.enter(new.id, null, 'organization-create');
    insert into organizations (org_id, name, slug, logo_url, created_at, updated_at)
    values (new.id, new.name, new.slug, new.logo, new."createdAt", new."createdAt");
    insert into org_settings (org_id) values (new.id) on conflict do nothing;
  else
    former := identity.enter(new.id, null, 'organization-update');
    update organizations set name = new.name, slug = new.slug, logo_url = new.logo, version = version + 1, updated_at = app_now()
    where org_id = new.id and (name, slug, logo_url) is distinct from (new.name, new.slug, new.logo);
  end if;
  perform identity.leave(former);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION identity.mirror_person()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  former text[];
  org text;
begin
  if (old.name, old.email, old.image) is not distinct from (new.name, new.email, new.image) then return null; end if;
  for org in select m."organizationId" from identity.member m where m."userId" = new.id loop
    former := identity.enter(org, new.id, 'profile-update');
    update members set name = new.name, email = new.email, image_url = new.image, version = version + 1, updated_at = app_now()
    where org_id = org and user_id = new.id;
    perform identity.leave(former);
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION identity.must_prove_factor(p_user_id text)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  org text;
begin
  if not identity.has_factor(p_user_id) then return false; end if;
  for org in select m."organizationId" from identity.member m where m."userId" = p_user_id and m.status = 'active' loop
    if identity.second_factor_due_at(org, p_user_id, false) is not null then return true; end if;
  end loop;
  return false;
end $function$;

CREATE OR REPLACE FUNCTION identity.note_organization_use()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  insert into identity.organization_uses ("userId", "organizationId", at)
  select new."userId", o.id, clock_timestamp() from identity.organization o where o.id = new."activeOrganizationId"
  on conflict ("userId", "organizationId") do update set at = excluded.at;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION identity.one_line(p_text text, p_length integer)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select btrim(left(regexp_replace(p_text, '[[:cntrl:]\u2028\u2029]+', ' ', 'g'), p_length))
$function$;

CREATE OR REPLACE FUNCTION identity.remove_factors(p_user_id text)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if not identity.has_factor(p_user_id) then return false; end if;
  delete from identity.passkey where "userId" = p_user_id;
  delete from identity."twoFactor" where "userId" = p_user_id;
  update identity."user" set "twoFactorEnabled" = false where id = p_user_id;
  delete from identity.session where "userId" = p_user_id;
  perform identity.log_factor('second_factor_reset', p_user_id);
  return true;
end $function$;

CREATE OR REPLACE FUNCTION identity.reset_second_factor(p_user_id text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if not exists (select from identity.member m where m."organizationId" = app_org_id() and m."userId" = p_user_id) then
    return 'not_a_member';
  end if;
  if exists (select from identity.member m where m."organizationId" <> app_org_id() and m."userId" = p_user_id) then
    return 'member_elsewhere';
  end if;
  return case when identity.remove_factors(p_user_id) then 'done' else 'no_factor' end;
end $function$;
grant execute on function identity.reset_second_factor(text) to app_user;

CREATE OR REPLACE FUNCTION identity.second_factor_due_at(p_org_id text, p_user_id text, p_is_proven boolean)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  former constant text[] := identity.enter(p_org_id, p_user_id, 'second-factor');
  due timestamptz;
begin
  select public.second_factor_due_at(s, m.role, p_is_proven) into due
  from members m join org_settings s on s.org_id = m.org_id
  where m.org_id = p_org_id and m.user_id = p_user_id and m.status = 'active';
  perform identity.leave(former);
  return due;
end $function$;

CREATE OR REPLACE FUNCTION identity.tell_membership(p_org_id text, p_user_id text, p_status text)
 RETURNS void
 LANGUAGE sql
AS $function$
  select pg_notify('membership', json_build_object('orgId', p_org_id, 'userId', p_user_id, 'status', p_status)::text)
$function$;

CREATE OR REPLACE FUNCTION identity.tell_outbox()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('outbox', '');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION identity.touch_organization()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new."updatedAt" := current_timestamp;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION identity.use_code(p_user_id text, p_code text)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  delete from identity.used_codes where user_id = p_user_id and used_at < clock_timestamp() - interval '2 minutes';
  insert into identity.used_codes (user_id, code) values (p_user_id, p_code) on conflict do nothing;
  return found;
end $function$;

CREATE OR REPLACE FUNCTION identity.without_tokens(p_body text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select regexp_replace(p_body, '([?&]token=)[^[:space:]&]+', '\1…', 'g')
$function$;
