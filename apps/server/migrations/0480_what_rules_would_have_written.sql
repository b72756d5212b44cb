-- What happened that a rule for guests would have written about, and did not: it is switched off, or set to later. From this a rule says what it
-- would have written in the last days. See docs/decisions/0147.
create table guest_occasions (
  org_id text not null,
  id uuid not null,
  event text not null,
  booking_id uuid not null,
  departure_id uuid not null,
  -- as of messages (I14): the same thing is noted once
  occurrence text not null,
  at timestamptz not null default app_now(),
  -- until then it may be undone, and would have told nobody
  final_at timestamptz not null default app_now(),
  -- what the guest would know then, and knew before
  said jsonb,
  said_before jsonb,
  -- of a delay
  local_date date,
  delay_minutes int,
  expected_at timestamptz,
  primary key (org_id, id),
  constraint guest_occasions_booking_fk foreign key (org_id, booking_id) references bookings on delete cascade,
  constraint guest_occasions_departure_fk foreign key (org_id, departure_id) references departures on delete cascade,
  constraint guest_occasions_once unique (org_id, booking_id, event, occurrence),
  constraint guest_occasions_delay_complete check (num_nulls(local_date, delay_minutes, expected_at) in (0, 3))
);
-- a week of an event is counted; what is older is deleted every night
create index guest_occasions_at on guest_occasions (org_id, event, at);
create index guest_occasions_departure on guest_occasions (org_id, departure_id);
select guard_table('guest_occasions', p_recorded => false);
-- whoever may change a booking of their departure may make an occasion
select narrow_own('guest_occasions', 'departure_id = any ((select own_departures())::uuid[])', 'select, insert, update, delete');

-- Organizations that are older than this do not know what happened before it.
alter table org_settings add column guest_occasions_from timestamptz default app_now();
alter table org_settings alter column guest_occasions_from drop default;
comment on column org_settings.guest_occasions_from is 'Since when occasions are noted; null: from the beginning.';
