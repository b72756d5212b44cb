-- The guide's phone: what it sent, each event once, and notes that guides write on the way.

-- ---------------------------------------------------------------------------------------------------------------
-- A log of its own: what the events changed is in the audit log of the changed rows, and what was refused is only here.

create table duty_events (
  org_id text not null references organizations on delete cascade,
  -- made by the phone, once for each tap: unique among those of one author, since two phones know nothing of each other
  id uuid not null,
  kind text not null,
  departure_id uuid,
  -- whose phone it was: a person's, or that of a run sheet link
  by_user_id text,
  by_link_id uuid,
  author text not null generated always as (coalesce(by_user_id, by_link_id::text)) stored,
  -- by the phone's clock, and the same put right by the difference to ours
  device_at timestamptz not null,
  at timestamptz not null,
  received_at timestamptz not null default app_now(),
  -- what was done, without its stamp
  event jsonb not null,
  -- as it was answered, so that it is answered the same when it comes again
  answer jsonb not null,
  primary key (org_id, author, id),
  constraint duty_events_departure_fk foreign key (org_id, departure_id) references departures,
  constraint duty_events_link_fk foreign key (org_id, by_link_id) references shared_links,
  constraint duty_events_have_an_author check (num_nonnulls(by_user_id, by_link_id) = 1),
  constraint duty_events_kind_length check (char_length(kind) <= 40),
  constraint duty_events_size check (pg_column_size(event) <= 20000 and pg_column_size(answer) <= 8000)
);
create index duty_events_departure on duty_events (org_id, departure_id, received_at);
select guard_table('duty_events', 'author,id', p_recorded => false, p_grants => 'select, insert');
-- Those that are refused can name a departure that is not one's own: they are found by their author.
select narrow_own('duty_events', 'author = app_user_id()', 'select, insert');

-- ---------------------------------------------------------------------------------------------------------------

create table departure_notes (
  org_id text not null references organizations on delete cascade,
  id uuid not null,
  departure_id uuid not null,
  at timestamptz not null default app_now(),
  by_user_id text,
  by_link_id uuid,
  -- as they were called then: of a person their name, of a link its label
  by_name text not null,
  text text not null,
  primary key (org_id, id),
  constraint departure_notes_departure_fk foreign key (org_id, departure_id) references departures,
  constraint departure_notes_link_fk foreign key (org_id, by_link_id) references shared_links,
  constraint departure_notes_have_an_author check (num_nonnulls(by_user_id, by_link_id) = 1),
  constraint departure_notes_text_length check (char_length(text) between 1 and 500)
);
create index departure_notes_departure on departure_notes (org_id, departure_id, at);
select guard_table('departure_notes', p_grants => 'select, insert');
select narrow_own('departure_notes', 'departure_id = any ((select own_departures())::uuid[])', 'select, insert');

-- ---------------------------------------------------------------------------------------------------------------
-- The duty page of a person's phone sends positions as a device of its own, one for each person.

alter table devices add column is_duty_page boolean not null default false;
create unique index devices_one_duty_page on devices (org_id, staff_id) where is_duty_page and archived_at is null;

-- ---------------------------------------------------------------------------------------------------------------
-- A run sheet link that opens check-in works as the narrow role, with its one departure as its own.

grant select on shared_links to app_search;
create policy search on shared_links for select to app_search using (true);

create or replace function own_departures() returns uuid[] language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select coalesce(array_agg(departure_id), '{}') from (
    select departure_id from assignments
    where org_id = app_org_id() and staff_id = (select own_staff_id())
      and status = any (own_assignment_statuses(coalesce(current_setting('app.own_offers', true) = 'on', false)))
    union all
    select departure_id from shared_links
    where current_setting('app.actor_kind', true) = 'guest_link' and org_id = app_org_id() and id::text = app_user_id()
      and kind = 'staff_runsheet' and status in ('active', 'scheduled') and scopes ->> 'checkin' = 'true' and departure_id is not null
  ) own
$$;
