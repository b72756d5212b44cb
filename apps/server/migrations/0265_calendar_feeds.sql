-- Calendar feeds: departures of a person, a vehicle or the organization at a secret address, for calendars that cannot sign in.

-- One address for each subject. A new address takes the place of the one before, so that ending it needs no search.
create table calendar_feeds (
  org_id text not null references organizations on delete cascade,
  id uuid not null,
  staff_id uuid,
  vehicle_id uuid,
  token_hash bytea not null,
  token_hint text not null,
  issued_at timestamptz not null default app_now(),
  issued_by text,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint calendar_feeds_staff_fk foreign key (org_id, staff_id) references field_staff,
  constraint calendar_feeds_vehicle_fk foreign key (org_id, vehicle_id) references vehicles,
  constraint calendar_feeds_subject_once unique nulls not distinct (org_id, staff_id, vehicle_id),
  constraint calendar_feeds_one_subject check (num_nonnulls(staff_id, vehicle_id) <= 1),
  constraint calendar_feeds_token_unique unique (org_id, token_hash),
  constraint calendar_feeds_token_is_sha256 check (octet_length(token_hash) = 32),
  constraint calendar_feeds_hint_length check (char_length(token_hint) <= 4)
);
create index calendar_feeds_token on calendar_feeds (token_hash);
select guard_table('calendar_feeds', 'id', 'token_hash');
-- guides make and end the address of their own calendar
select narrow_own('calendar_feeds', 'staff_id = (select own_staff_id())', 'select, insert, update, delete');

create policy directory on calendar_feeds for select to app_directory using (true);
grant select on calendar_feeds to app_directory;

create function calendar_feed_of_token(p_token_hash bytea) returns table (org_id text, id uuid)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select f.org_id, f.id from calendar_feeds f where f.token_hash = p_token_hash
$$;
select give_function('calendar_feed_of_token(bytea)', 'app_directory');
