-- What whoever leaves the office tells whoever comes: the newest note stands over the board of alerts until somebody has read it.
create table shift_notes (
  org_id text not null references organizations on delete cascade,
  id uuid not null,
  text text not null,
  written_by text,
  written_at timestamptz not null default app_now(),
  acknowledged_by text,
  acknowledged_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint shift_notes_text_length check (char_length(text) between 1 and 2000),
  constraint shift_notes_acknowledged_whole check ((acknowledged_by is null) = (acknowledged_at is null))
);
create index shift_notes_newest on shift_notes (org_id, written_at desc);
select guard_table('shift_notes', 'id');

-- A snoozed alert comes back when the departure has reached this stop, at the latest at `snoozed_until`. With the name that the stop had, so that
-- boards need not look at stops.
alter table alerts
  add column snoozed_stop_id uuid,
  add column snoozed_stop_name text,
  add constraint alerts_snoozed_stop_fk foreign key (org_id, snoozed_stop_id) references departure_stops on delete set null (snoozed_stop_id);
create index alerts_snoozed_stop on alerts (org_id, snoozed_stop_id) where snoozed_stop_id is not null;
