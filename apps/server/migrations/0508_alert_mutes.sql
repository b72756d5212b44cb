-- A rule that keeps quiet about a departure: its alerts are not opened there, until the end of a day or as long as the departure lasts. What gets
-- graver than it was comes through. See docs/decisions/0160.
create table alert_mutes (
  org_id text not null references organizations on delete cascade,
  id uuid not null,
  departure_id uuid not null,
  kind text not null,
  severity text not null,
  reason text not null,
  ends_at timestamptz,
  muted_by text not null,
  muted_at timestamptz not null default app_now(),
  ended_by text,
  ended_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint alert_mutes_departure_fk foreign key (org_id, departure_id) references departures on delete cascade,
  constraint alert_mutes_muter_fk foreign key (org_id, muted_by) references members,
  constraint alert_mutes_ender_fk foreign key (org_id, ended_by) references members,
  constraint alert_mutes_severity_known check (severity in ('critical', 'warning', 'info')),
  constraint alert_mutes_reason_length check (char_length(reason) between 1 and 300),
  constraint alert_mutes_never_about_people check (kind not in ('sos', 'headcount_mismatch')),
  constraint alert_mutes_ended_whole check ((ended_by is null) = (ended_at is null))
);
comment on column alert_mutes.severity is 'Of the alert when it was muted; a graver one is opened all the same.';
comment on column alert_mutes.ends_at is 'Null: as long as the departure lasts.';
create unique index alert_mutes_one_at_once on alert_mutes (org_id, departure_id, kind) where ended_at is null;
select guard_table('alert_mutes', 'id');

alter table alerts drop constraint alerts_resolution_known,
  add constraint alerts_resolution_known check (resolution in ('auto', 'manual', 'merged', 'false_alarm', 'muted'));
