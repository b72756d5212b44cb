-- Phones are paired with a code that works once, duty has breaks, and positions are refused without consent and during breaks.

-- ---------------------------------------------------------------------------------------------------------------
-- Pairing: the office makes a code, the phone turns it into a token. Of both only hashes stay.

alter table devices
  add column pairing_hash bytea,
  add column pairing_expires_at timestamptz,
  add constraint devices_pairing_unique unique (org_id, pairing_hash),
  add constraint devices_pairing_is_sha256 check (octet_length(pairing_hash) = 32),
  add constraint devices_pairing_expires check ((pairing_hash is null) = (pairing_expires_at is null));

create index devices_pairing on devices (pairing_hash) where pairing_hash is not null;

-- the log and the outbox must not hold the hash of a code either: it is short
drop trigger record_insert on devices;
drop trigger record_update on devices;
drop trigger record_delete on devices;
create trigger record_insert after insert on devices referencing new table as new_rows
  for each statement execute function record_changes('id', 'token_hash,pairing_hash');
create trigger record_update after update on devices referencing old table as old_rows new table as new_rows
  for each statement execute function record_changes('id', 'token_hash,pairing_hash');
create trigger record_delete after delete on devices referencing old table as old_rows
  for each statement execute function record_changes('id', 'token_hash,pairing_hash');

create function device_of_pairing(p_pairing_hash bytea) returns table (org_id text, id uuid)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select d.org_id, d.id from devices d
  where d.pairing_hash = p_pairing_hash and d.pairing_expires_at > app_now() and d.archived_at is null
$$;
select give_function('device_of_pairing(bytea)', 'app_directory');

-- What a device last said about itself: written with its positions, so neither logged nor announced, as they are not.
alter table devices drop column last_seen_at, drop column battery_pct, drop column app_version;
create table device_signals (
  org_id text not null references organizations on delete cascade,
  device_id uuid not null,
  last_seen_at timestamptz not null default app_now(),
  protocol text not null,
  battery_pct smallint,
  -- the device's clock less ours
  clock_skew_s int,
  primary key (org_id, device_id),
  constraint device_signals_device_fk foreign key (org_id, device_id) references devices on delete cascade,
  constraint device_signals_protocol_known check (protocol in ('osmand', 'owntracks', 'duty_page')),
  constraint device_signals_battery_range check (battery_pct between 0 and 100)
) with (fillfactor = 85);
select guard_table('device_signals', 'device_id', p_recorded => false);
select narrow_own('device_signals', 'exists (select from devices d where d.org_id = device_signals.org_id and d.id = device_signals.device_id)');
select narrow_own('position_drops', 'exists (select from devices d where d.org_id = position_drops.org_id and d.id = position_drops.device_id)');

-- ---------------------------------------------------------------------------------------------------------------
-- Duty: hours count without consent, positions do not

alter table duty_sessions
  alter column consent_version drop not null,
  add column breaks tstzmultirange not null default '{}',
  add column break_started_at timestamptz,
  -- since when positions are taken; null where the person has not agreed
  add column tracked_from timestamptz,
  add constraint duty_sessions_break_is_open check (break_started_at is null or status = 'open'),
  add constraint duty_sessions_ended_by_known check (ended_by in ('person', 'dispatcher', 'departure', 'limit'));

-- Guides begin and end their own duty (the policy of 0161 holds for writes too), and say whether their position may be seen.
grant insert, update on duty_sessions to app_own;
grant update (tracking_consent_at, tracking_consent_version) on field_staff to app_own;
create policy own_consent on field_staff as restrictive for update to app_own using (id = (select own_staff_id()));

-- A break ends with the duty. Ranges that end before they begin are a clock's mistake and no reason to fail. Consent counts from the moment
-- at which it is given: what a phone recorded before, and sends now, is not taken.
create function keep_duty_times() returns trigger language plpgsql as $$
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
end $$;
create trigger keep_duty_times before insert or update on duty_sessions for each row execute function keep_duty_times();

-- ---------------------------------------------------------------------------------------------------------------
-- I9. The server counts what it drops before it comes here; this refuses what anybody else would write.

alter table position_drops drop constraint position_drops_reason_known,
  add constraint position_drops_reason_known check (reason in
    ('outside_session', 'foreign_session', 'no_consent', 'on_break', 'too_old', 'clock_wrong', 'malformed'));

create or replace function keep_position_in_session() returns trigger language plpgsql as $$
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
end $$;
