-- Who may see what, in the database: the transaction of a caller with scope `own` (guides) takes the role app_own, which has restrictive
-- policies on every table that hangs on a departure, a traveler or a staff member. app_user, which everybody else's transactions take, has
-- none of them and is planned as before. See docs/decisions/0039.

do $$
begin
  if not exists (select from pg_roles where rolname = 'app_own') then
    begin
      create role app_own nologin;
    exception when duplicate_object or unique_violation then
      -- roles belong to all databases of the server: another one is being made at the same moment
      null;
    end;
  end if;
end $$;

grant usage on schema public, identity to app_own;

-- ---------------------------------------------------------------------------------------------------------------
-- What is one's own. These functions are the only definition; policies, searches and verbs ask them.

grant select on members, vehicle_assignments to app_search;
create policy search on members for select to app_search using (true);
create policy search on vehicle_assignments for select to app_search using (true);

create function own_staff_id() returns uuid language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select staff_id from members where org_id = app_org_id() and user_id = app_user_id() and status = 'active'
$$;
comment on function own_staff_id() is 'The staff record of the person of the transaction; null without one, and then nothing is one''s own.';

create function own_departures() returns uuid[] language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select coalesce(array_agg(departure_id), '{}') from assignments
  where org_id = app_org_id() and staff_id = (select own_staff_id())
    and status = any (own_assignment_statuses(coalesce(current_setting('app.own_offers', true) = 'on', false)))
$$;
comment on function own_departures() is
  'My departures. Offered ones are among them where the permission of the call opens them (app.own_offers, openWithOffer of the contract).';

create function own_guests(p_with_cancelled boolean) returns uuid[] language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select coalesce(array_agg(distinct traveler_id), '{}') from manifest_entries
  where org_id = app_org_id() and departure_id = any ((select own_departures())::uuid[]) and (p_with_cancelled or status <> 'cancelled')
$$;
comment on function own_guests(boolean) is
  'Travelers on the manifests of own departures. Names of those whose entry was cancelled stay readable on their booking, and nothing else of them.';

create function own_tours() returns uuid[] language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select coalesce(array_agg(distinct tour_id), '{}') from departures where org_id = app_org_id() and id = any ((select own_departures())::uuid[])
$$;

create function own_vehicle_entries() returns uuid[] language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select coalesce(array_agg(calendar_entry_id), '{}') from vehicle_assignments
  where org_id = app_org_id() and departure_id = any ((select own_departures())::uuid[])
$$;

create function own_vehicles() returns uuid[] language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select coalesce(array_agg(distinct vehicle_id), '{}') from vehicle_calendar_entries
  where org_id = app_org_id() and id = any ((select own_vehicle_entries())::uuid[]) and status <> 'cancelled'
$$;

create function own_colleagues() returns uuid[] language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select coalesce(array_agg(staff_id), '{}') from (
    select own_staff_id() as staff_id
    union select staff_id from assignments where org_id = app_org_id() and departure_id = any ((select own_departures())::uuid[])
    union select driver_staff_id from vehicle_calendar_entries where org_id = app_org_id() and id = any ((select own_vehicle_entries())::uuid[])
  ) crew where staff_id is not null
$$;
comment on function own_colleagues() is 'Oneself, and whoever is or was on the crew of an own departure or drives there.';

create function own_duties() returns uuid[] language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select coalesce(array_agg(calendar_entry_id), '{}') from assignments
  where org_id = app_org_id() and departure_id = any ((select own_departures())::uuid[])
$$;
comment on function own_duties() is 'Calendar entries of the crew of own departures.';

-- What the list of one's own assignments says of their departures, those that were declined or taken back included.
create function own_assignment_departures() returns table (org_id text, id uuid, code text, tour_code text, tour_name text, local_date date,
  starts_at timestamptz, ends_at timestamptz, time_zone text, status text, language text, actual_start_at timestamptz)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select d.org_id, d.id, d.code, t.code, t.name, d.local_date, d.starts_at, d.ends_at, d.time_zone, d.status, d.language, d.actual_start_at
  from departures d join tours t on t.org_id = d.org_id and t.id = d.tour_id
  where d.org_id = app_org_id() and d.id in (
    select a.departure_id from assignments a where a.org_id = app_org_id() and a.staff_id = (select own_staff_id()))
$$;

-- Functions that look past row-level security ask this one whose rows they may tell.
create function is_own_reach() returns boolean language sql stable parallel safe return coalesce(current_setting('role', true) = 'app_own', false);
comment on function is_own_reach() is 'Whether the transaction has taken the role of a caller with scope own; true inside of definer functions as well.';

create function staff_in_reach(p_staff_id uuid) returns uuid language sql stable parallel restricted
return case when is_own_reach() then coalesce(own_staff_id(), '00000000-0000-0000-0000-000000000000') else p_staff_id end;
comment on function staff_in_reach(uuid) is 'Whose guests a search may find: with scope own those of the caller, whatever was asked for; null for everybody.';

select give_function(f, 'app_search') from unnest(array['own_staff_id()', 'own_departures()', 'own_guests(boolean)', 'own_tours()',
  'own_vehicle_entries()', 'own_vehicles()', 'own_colleagues()', 'own_duties()', 'own_assignment_departures()']) as f;

-- ---------------------------------------------------------------------------------------------------------------
-- Rights of the role: on the tables that guides have to do with, and on no other

-- For a table that is one's own in part: what may be done there, and the condition that every row fulfils that is read or written.
create function narrow_own(p_table text, p_condition text, p_rights text default 'select') returns void language plpgsql as $$
begin
  execute format('grant %s on %s to app_own', p_rights, p_table::regclass);
  if p_condition <> 'true' then
    execute format('create policy own on %s as restrictive for all to app_own using (%s) with check (%s)', p_table::regclass, p_condition, p_condition);
  end if;
end $$;
comment on function narrow_own is
  'Called once for each table that callers with scope own may reach, with the condition of their rows (true where no row is anybody''s). A table without it is closed to them.';
revoke execute on function narrow_own from public;

select narrow_own(name, condition, concat_ws(', ', 'select', rights)) from (values
  ('departures', 'id = any ((select own_departures())::uuid[])', 'update'),
  ('departure_stops', 'departure_id = any ((select own_departures())::uuid[])', 'update'),
  ('departure_services', 'departure_id = any ((select own_departures())::uuid[])', null),
  ('vehicle_assignments', 'departure_id = any ((select own_departures())::uuid[])', null),
  ('rooms', 'departure_id = any ((select own_departures())::uuid[])', null),
  ('bookings', 'departure_id = any ((select own_departures())::uuid[])', null),
  ('manifest_entries', 'departure_id = any ((select own_departures())::uuid[])', 'update'),
  ('feedback', 'departure_id = any ((select own_departures())::uuid[])', null),
  ('alerts', 'departure_id = any ((select own_departures())::uuid[])', 'insert, update'),
  ('incidents', 'departure_id = any ((select own_departures())::uuid[])', 'insert'),
  ('headcounts', 'exists (select from departure_stops s where s.org_id = headcounts.org_id and s.id = headcounts.departure_stop_id)', 'insert'),
  ('check_ins', 'exists (select from manifest_entries m where m.org_id = check_ins.org_id and m.id = check_ins.manifest_entry_id)', 'insert'),
  ('room_assignments', 'exists (select from manifest_entries m where m.org_id = room_assignments.org_id and m.id = room_assignments.manifest_entry_id)', null),
  ('incident_entries', 'exists (select from incidents i where i.org_id = incident_entries.org_id and i.id = incident_entries.incident_id)', 'insert'),
  ('incident_travelers', 'exists (select from incidents i where i.org_id = incident_travelers.org_id and i.id = incident_travelers.incident_id)
    and traveler_id = any ((select own_guests(false))::uuid[])', 'insert'),
  ('deliveries', 'exists (select from messages m where m.org_id = deliveries.org_id and m.id = deliveries.message_id)', 'insert, update'),
  ('travelers', 'id = any ((select own_guests(true))::uuid[])', null),
  ('traveler_private', 'traveler_id = any ((select own_guests(false))::uuid[])', null),
  ('traveler_documents', 'traveler_id = any ((select own_guests(false))::uuid[])', null),
  ('assignments', 'staff_id = (select own_staff_id()) or departure_id = any ((select own_departures())::uuid[])', 'update'),
  ('field_staff', 'id = any ((select own_colleagues())::uuid[])', null),
  ('staff_calendar_entries', 'staff_id = (select own_staff_id()) or id = any ((select own_duties())::uuid[])', 'update'),
  ('staff_certificates', 'staff_id = (select own_staff_id())', null),
  ('devices', 'staff_id = (select own_staff_id())', null),
  ('duty_sessions', 'staff_id = (select own_staff_id())', null),
  ('vehicle_calendar_entries', 'id = any ((select own_vehicle_entries())::uuid[])', null),
  ('vehicles', 'id = any ((select own_vehicles())::uuid[])', null),
  ('latest_positions', 'staff_id = any ((select own_colleagues())::uuid[]) or vehicle_id = any ((select own_vehicles())::uuid[])', null),
  ('tours', 'id = any ((select own_tours())::uuid[])', null),
  ('tour_options', 'tour_id = any ((select own_tours())::uuid[])', null),
  ('tour_revisions', 'tour_id = any ((select own_tours())::uuid[])', null),
  -- live documents of a phone's position are its owner's
  ('documents', 'path not like ''orgs/%/positions/%'' or path like ''orgs/%/positions/'' || (select own_staff_id())::text', 'insert, update, delete'),
  -- names of colleagues are on every screen; e-mail addresses are guarded by the verbs (memberName)
  ('members', 'true', null),
  ('organizations', 'true', null), ('org_settings', 'true', null), ('own_preferences', 'true', 'insert, update, delete'), ('saved_views', 'true', 'insert, update, delete'), ('idempotency_keys', 'true', 'insert, update, delete'),
  ('number_series', 'true', 'insert, update'), ('places', 'true', null), ('suppliers', 'true', null),
  ('initial_statuses', 'true', null), ('legal_transitions', 'true', null), ('files', 'public', null)
) as reach (name, condition, rights);

-- What the history of an own departure shows, and what the caller has asked for; written by triggers only.
select narrow_own('audit_entries', 'case entity_type
    when ''departures'' then entity_id = any ((select own_departures())::text[])
    when ''departure_stops'' then exists (select from departure_stops s where s.org_id = audit_entries.org_id and s.id = entity_id::uuid)
    when ''departure_services'' then exists (select from departure_services s where s.org_id = audit_entries.org_id and s.id = entity_id::uuid)
    when ''bookings'' then exists (select from bookings b where b.org_id = audit_entries.org_id and b.id = entity_id::uuid)
    when ''manifest_entries'' then exists (select from manifest_entries m where m.org_id = audit_entries.org_id and m.id = entity_id::uuid)
    when ''assignments'' then exists (select from assignments a where a.org_id = audit_entries.org_id and a.id = entity_id::uuid)
    when ''permission'' then actor_id = app_user_id()
    else false end');

-- Messages of own departures. A notice to a colleague (somebody asks for access) is about no departure: its sender writes it and its delivery.
select narrow_own('messages', 'departure_id = any ((select own_departures())::uuid[]) or departure_id is null and created_by = app_user_id()',
  'select, insert, update');

-- ---------------------------------------------------------------------------------------------------------------
-- Functions that look past row-level security and are open to the role: they tell the same rows as the policies

create function pg_temp.replace_in(p_function regprocedure, p_old text, p_new text) returns void language plpgsql as $$
declare
  body constant text := pg_get_functiondef(p_function);
begin
  if position(p_old in body) = 0 then raise exception '% has no "%"', p_function, p_old; end if;
  execute replace(body, p_old, p_new);
end $$;

select pg_temp.replace_in('search_travelers(text, jsonb, jsonb, int, bigint, uuid, bigint)', E'begin\n  if wanted = '''' then',
  E'begin\n  p_staff_id := staff_in_reach(p_staff_id);\n  if wanted = '''' then');
select pg_temp.replace_in('count_travelers(jsonb, uuid)', E'  counted bigint := known_traveler_count(coalesce(p_filters, ''{}''), p_staff_id);\nbegin',
  E'  counted bigint;\nbegin\n  p_staff_id := staff_in_reach(p_staff_id);\n  counted := known_traveler_count(coalesce(p_filters, ''{}''), p_staff_id);');
select pg_temp.replace_in('search_bookings(text, int, uuid)', E'begin\n  return', E'begin\n  p_staff_id := staff_in_reach(p_staff_id);\n  return');
select pg_temp.replace_in('traveler_flags(uuid[])', 't.org_id = org and t.id = any (p_ids)',
  't.org_id = org and t.id = any (p_ids) and (not is_own_reach() or t.id = any ((select own_guests(false))::uuid[]))');
select pg_temp.replace_in('staff_busy(tstzrange, uuid[], boolean)', 'where e.org_id = app_org_id()',
  'where e.org_id = app_org_id() and (not is_own_reach() or e.staff_id = (select own_staff_id()))');
select pg_temp.replace_in('vehicles_busy(tstzrange, uuid[], boolean)', 'where e.org_id = app_org_id()',
  'where e.org_id = app_org_id() and (not is_own_reach() or e.vehicle_id = any ((select own_vehicles())::uuid[]))');

drop function pg_temp.replace_in(regprocedure, text, text);

grant execute on function search_travelers(text, jsonb, jsonb, int, bigint, uuid, bigint), count_travelers(jsonb, uuid),
  search_bookings(text, int, uuid), traveler_flags(uuid[]), staff_busy(tstzrange, uuid[], boolean), vehicles_busy(tstzrange, uuid[], boolean),
  own_staff_id(), own_departures(), own_guests(boolean), own_tours(), own_vehicle_entries(), own_vehicles(), own_colleagues(),
  own_duties(), own_assignment_departures(), record_event(text, text, text, jsonb), announce_changes(text, text[]),
  put_inbox_message(text, text, jsonb), identity.has_proven_factor(text) to app_own;
