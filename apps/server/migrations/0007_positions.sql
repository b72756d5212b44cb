-- Tracking: devices, duty sessions, positions by day, the latest of each subject, geofences.

create table devices (
  org_id text not null references organizations on delete cascade,
  id uuid not null,
  kind text not null default 'phone',
  external_id text,
  label text not null,
  staff_id uuid,
  vehicle_id uuid,
  token_hash bytea,
  token_expires_at timestamptz,
  report_interval_s int not null default 15,
  last_seen_at timestamptz,
  battery_pct smallint,
  app_version text,
  archived_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint devices_external_id_unique unique (org_id, external_id),
  constraint devices_token_unique unique (org_id, token_hash),
  constraint devices_staff_fk foreign key (org_id, staff_id) references field_staff,
  constraint devices_vehicle_fk foreign key (org_id, vehicle_id) references vehicles,
  constraint devices_kind_known check (kind in ('phone', 'tracker', 'vehicle_unit')),
  constraint devices_one_subject check (num_nonnulls(staff_id, vehicle_id) <= 1),
  constraint devices_token_is_sha256 check (octet_length(token_hash) = 32),
  constraint devices_token_expires check (token_hash is null or token_expires_at is not null),
  constraint devices_interval_range check (report_interval_s > 0),
  constraint devices_battery_range check (battery_pct between 0 and 100)
);
create index devices_token on devices (token_hash) where token_hash is not null;
create index devices_staff on devices (org_id, staff_id) where staff_id is not null;
create index devices_vehicle on devices (org_id, vehicle_id) where vehicle_id is not null;
select guard_table('devices', 'id', 'token_hash');

create table duty_sessions (
  org_id text not null references organizations on delete cascade,
  id uuid not null,
  staff_id uuid,
  vehicle_id uuid,
  departure_id uuid,
  status text not null default 'open',
  started_at timestamptz not null default app_now(),
  ended_at timestamptz,
  ended_by text,
  source text not null default 'app',
  consent_version text not null,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint duty_sessions_staff_fk foreign key (org_id, staff_id) references field_staff,
  constraint duty_sessions_vehicle_fk foreign key (org_id, vehicle_id) references vehicles,
  constraint duty_sessions_departure_fk foreign key (org_id, departure_id) references departures,
  constraint duty_sessions_one_subject check (num_nonnulls(staff_id, vehicle_id) = 1),
  constraint duty_sessions_status_known check (status in ('open', 'closed')),
  constraint duty_sessions_source_known check (source in ('app', 'dispatcher', 'auto')),
  constraint duty_sessions_end_matches_status check ((status = 'closed') = (ended_at is not null)),
  constraint duty_sessions_end_after_start check (ended_at >= started_at)
);
create unique index duty_sessions_one_open_per_staff on duty_sessions (org_id, staff_id) where status = 'open' and staff_id is not null;
create unique index duty_sessions_one_open_per_vehicle on duty_sessions (org_id, vehicle_id) where status = 'open' and vehicle_id is not null;
create index duty_sessions_started_at on duty_sessions (org_id, started_at);
create index duty_sessions_departure on duty_sessions (org_id, departure_id) where departure_id is not null;
select guard_table('duty_sessions');
select guard_status('duty_sessions', 'duty_sessions');

-- Not in the audit log nor the outbox: six million a day. Days are dropped, not deleted.
create table positions (
  org_id text not null,
  device_id uuid not null,
  recorded_at timestamptz not null,
  duty_session_id uuid not null,
  received_at timestamptz not null default app_now(),
  lat double precision not null,
  lng double precision not null,
  accuracy_m real,
  speed_mps real,
  heading_deg real,
  altitude_m real,
  battery_pct smallint,
  is_moving boolean,
  source text not null default 'gps',
  valid boolean not null default true,
  primary key (org_id, device_id, recorded_at),
  constraint positions_coordinates_range check (lat between -90 and 90 and lng between -180 and 180),
  constraint positions_motion_range check (accuracy_m >= 0 and speed_mps >= 0 and heading_deg >= 0 and heading_deg < 360),
  constraint positions_battery_range check (battery_pct between 0 and 100),
  constraint positions_source_known check (source in ('gps', 'network', 'manual'))
) partition by range (recorded_at);
create index positions_session on positions (org_id, duty_session_id, recorded_at);
alter table positions add constraint positions_duty_session_fk foreign key (org_id, duty_session_id) references duty_sessions on delete cascade;
select guard_table('positions', p_recorded => false, p_grants => 'select, insert');

-- Fixes that were refused leave only a number
create table position_drops (
  org_id text not null references organizations on delete cascade,
  device_id uuid not null,
  day date not null,
  reason text not null,
  dropped int not null default 0,
  primary key (org_id, device_id, day, reason),
  constraint position_drops_reason_known check (reason in ('outside_session', 'foreign_session'))
);
select guard_table('position_drops', p_recorded => false, p_grants => 'select, insert, update');

-- I9. Grace of five minutes on both ends for clocks and buffers.
create function keep_position_in_session() returns trigger language plpgsql as $$
declare
  session duty_sessions%rowtype;
  refused text;
begin
  select * into session from duty_sessions s where s.org_id = new.org_id and s.id = new.duty_session_id;
  if session.id is null or not exists (
    select from devices d where d.org_id = new.org_id and d.id = new.device_id and (d.staff_id = session.staff_id or d.vehicle_id = session.vehicle_id)) then
    refused := 'foreign_session';
  elsif new.recorded_at < session.started_at - interval '5 minutes' or new.recorded_at > coalesce(session.ended_at, 'infinity') + interval '5 minutes' then
    refused := 'outside_session';
  end if;
  if refused is null then return new; end if;
  insert into position_drops as drops (org_id, device_id, day, reason, dropped)
  values (new.org_id, new.device_id, (new.recorded_at at time zone 'UTC')::date, refused, 1)
  on conflict (org_id, device_id, day, reason) do update set dropped = drops.dropped + 1;
  return null;
end $$;
create trigger keep_position_in_session before insert on positions for each row execute function keep_position_in_session();

-- changed often: room for the next version on the same page spares the indexes
create table latest_positions (
  org_id text not null,
  subject_id uuid not null generated always as (coalesce(staff_id, vehicle_id)) stored,
  staff_id uuid,
  vehicle_id uuid,
  device_id uuid not null,
  duty_session_id uuid not null,
  recorded_at timestamptz not null,
  received_at timestamptz not null default app_now(),
  lat double precision not null,
  lng double precision not null,
  accuracy_m real,
  speed_mps real,
  heading_deg real,
  altitude_m real,
  battery_pct smallint,
  is_moving boolean,
  primary key (org_id, subject_id),
  constraint latest_positions_staff_fk foreign key (org_id, staff_id) references field_staff on delete cascade,
  constraint latest_positions_vehicle_fk foreign key (org_id, vehicle_id) references vehicles on delete cascade,
  constraint latest_positions_device_fk foreign key (org_id, device_id) references devices on delete cascade,
  constraint latest_positions_duty_session_fk foreign key (org_id, duty_session_id) references duty_sessions on delete cascade,
  constraint latest_positions_one_subject check (num_nonnulls(staff_id, vehicle_id) = 1),
  constraint latest_positions_coordinates_range check (lat between -90 and 90 and lng between -180 and 180)
) with (fillfactor = 85);
select guard_table('latest_positions', 'subject_id', p_recorded => false);

create table geofences (
  org_id text not null references organizations on delete cascade,
  id uuid not null,
  name text not null,
  kind text not null,
  place_id uuid,
  geojson jsonb not null,
  enter_m int not null default 80,
  exit_m int not null default 120,
  dwell_s int not null default 60,
  active_calendar jsonb,
  archived_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint geofences_place_fk foreign key (org_id, place_id) references places,
  constraint geofences_kind_known check (kind in ('place', 'corridor', 'no_go', 'depot')),
  constraint geofences_radii_order check (enter_m > 0 and enter_m < exit_m and dwell_s >= 0),
  constraint geofences_is_geometry check (geojson ->> 'type' in ('Point', 'LineString', 'Polygon', 'MultiPolygon'))
);
select guard_table('geofences');

-- Days are made and dropped by the owner of `positions`, a role that can do nothing else. Nobody gets a grant on a
-- day itself: reading it directly would skip the policy of the whole.
create function ensure_position_days(p_from date, p_to date) returns int
language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
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
end $$;
create function drop_position_days(p_before date) returns int
language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
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
end $$;
-- app_positions stays able to create tables: that is its work
grant create on schema public to app_positions;
grant references on duty_sessions to app_positions;
alter table positions owner to app_positions;
alter function ensure_position_days(date, date) owner to app_positions;
alter function drop_position_days(date) owner to app_positions;
revoke execute on function ensure_position_days(date, date), drop_position_days(date) from public;
grant execute on function ensure_position_days(date, date), drop_position_days(date) to app_user;
select ensure_position_days(current_date - 2, current_date + 14);

-- A device signs in with nothing but its token
create policy directory on devices for select to app_directory using (true);
grant select on devices to app_directory;
create function device_of_token(p_token_hash bytea)
returns table (org_id text, id uuid, staff_id uuid, vehicle_id uuid)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select d.org_id, d.id, d.staff_id, d.vehicle_id from devices d
  where d.token_hash = p_token_hash and d.token_expires_at > app_now() and d.archived_at is null
$$;
select give_function('device_of_token(bytea)', 'app_directory');
