-- What a member of the crew is still to be told of an assignment. It is noted here, wherever the change comes from, so that no path of the code
-- can forget it. `was` is what they knew before the first change; what is told is the difference once the changes have rested.
-- See docs/decisions/0155.
create table crew_notices (
  org_id text not null,
  assignment_id uuid not null,
  was jsonb,
  changed_at timestamptz,
  revision_number int,
  told_at timestamptz,
  reported_at timestamptz,
  primary key (org_id, assignment_id),
  constraint crew_notices_assignment_fk foreign key (org_id, assignment_id) references assignments on delete cascade,
  constraint crew_notices_change_has_before check ((was is null) = (changed_at is null)),
  constraint crew_notices_revision_told check ((revision_number is null) = (told_at is null)),
  constraint crew_notices_reported_once_told check (reported_at is null or told_at is not null),
  constraint crew_notices_has_purpose check (was is not null or revision_number is not null)
);
comment on column crew_notices.was is 'crew_view() before the first change that they have not been told of; null where they have been told of all.';
comment on column crew_notices.changed_at is 'When the last of these changes was made.';
comment on column crew_notices.revision_number is 'Revision of the itinerary that they were told of and have not opened; null where there is none.';
comment on column crew_notices.reported_at is 'When the office was notified that it has not been opened.';
create index crew_notices_changed on crew_notices (org_id, changed_at) where changed_at is not null;
create index crew_notices_told on crew_notices (org_id, told_at) where told_at is not null and reported_at is null;
select guard_table('crew_notices', 'assignment_id', p_recorded => false);
-- a guide accepts, and the offers to others end
select narrow_own('crew_notices', 'exists (select from assignments a where a.org_id = crew_notices.org_id and a.id = crew_notices.assignment_id)', 'select, insert, update');

-- For whom the reminder of a day has been decided: sent, or nothing to remind of. Written in the transaction that sends.
create table crew_reminders (
  org_id text not null,
  user_id text not null,
  local_date date not null,
  decided_at timestamptz not null default app_now(),
  primary key (org_id, user_id, local_date),
  constraint crew_reminders_member_fk foreign key (org_id, user_id) references members on delete cascade
);
comment on column crew_reminders.local_date is 'The day of the departures, by the clocks of their tours.';
select guard_table('crew_reminders', 'user_id', p_recorded => false, p_grants => 'select, insert, delete');

-- What an assignment is to the person: a duty, an offer, or nothing.
create function crew_state(p_status text, p_departure_status text) returns text language sql immutable parallel safe
return case
  when p_status = 'offered' and p_departure_status <> 'cancelled' then 'offered'
  when p_status in ('accepted', 'on_duty', 'completed') and p_departure_status not in ('draft', 'cancelled') then 'assigned'
  else 'none' end;

-- What the person has to know of it. Of the vehicles those that the departure has now.
create function crew_view(a assignments) returns jsonb language sql stable
return (
  select jsonb_build_object('state', crew_state(a.status, d.status), 'startsAt', utc_text(d.starts_at), 'endsAt', utc_text(d.ends_at),
    'reportAt', utc_text(a.report_at), 'language', d.language, 'revision', r.number,
    'vehicles', (select coalesce(jsonb_agg(v.label order by v.label, v.id), '[]') from vehicle_assignments va
      join vehicle_calendar_entries e on e.org_id = va.org_id and e.id = va.calendar_entry_id and e.status <> 'cancelled'
      join vehicles v on v.org_id = e.org_id and v.id = e.vehicle_id
      where va.org_id = d.org_id and va.departure_id = d.id))
  from departures d left join tour_revisions r on r.org_id = d.org_id and r.id = d.revision_id
  where d.org_id = a.org_id and d.id = a.departure_id);

-- What was known before the first change stays; every further one lets the notice rest anew.
create function note_crew_change(p_org_id text, p_assignment_id uuid, p_was jsonb) returns void language sql
begin atomic
  insert into crew_notices as n (org_id, assignment_id, was, changed_at) values (p_org_id, p_assignment_id, p_was, app_now())
  on conflict (org_id, assignment_id) do update set was = coalesce(n.was, excluded.was), changed_at = excluded.changed_at;
end;

-- Nobody is told what they did themselves, and of an offer they are told at once.
create function note_crew_of_assignment() returns trigger language plpgsql as $$
declare
  before constant text := case when tg_op = 'INSERT' then 'draft' else old.status end;
begin
  if new.status in ('expired', 'draft') or before = 'draft' and new.status = 'offered' or new.staff_id = (select own_staff_id()) then return null; end if;
  perform note_crew_change(new.org_id, new.id, crew_view(new) || jsonb_build_object('state', crew_state(before, d.status)))
  from departures d where d.org_id = new.org_id and d.id = new.departure_id and crew_state(before, d.status) <> crew_state(new.status, d.status);
  return null;
end $$;
create trigger note_crew_of_new_assignment after insert on assignments for each row execute function note_crew_of_assignment();
create trigger note_crew_of_assignment after update of status on assignments for each row when (new.status <> old.status)
  execute function note_crew_of_assignment();

-- Before the row is written, so that the view is the one from before.
create function note_crew_of_departure() returns trigger language plpgsql as $$
begin
  perform note_crew_change(a.org_id, a.id, crew_view(a)) from assignments a
  where a.org_id = new.org_id and a.departure_id = new.id and a.status in ('offered', 'accepted', 'on_duty') order by a.id;
  return new;
end $$;
create trigger note_crew_of_departure before update of status, starts_at, ends_at, revision_id, language on departures for each row
  when ((new.starts_at, new.ends_at, new.revision_id, new.language, new.status in ('draft', 'cancelled'))
    is distinct from (old.starts_at, old.ends_at, old.revision_id, old.language, old.status in ('draft', 'cancelled')))
  execute function note_crew_of_departure();

create function note_crew_of_vehicle() returns trigger language plpgsql as $$
begin
  perform note_crew_change(a.org_id, a.id, crew_view(a)) from assignments a
  where a.org_id = new.org_id and a.departure_id = new.departure_id and a.status in ('offered', 'accepted', 'on_duty') order by a.id;
  return new;
end $$;
create trigger note_crew_of_vehicle before insert on vehicle_assignments for each row execute function note_crew_of_vehicle();

create function note_crew_of_vehicle_entry() returns trigger language plpgsql as $$
begin
  perform note_crew_change(a.org_id, a.id, crew_view(a)) from vehicle_assignments va
    join assignments a on a.org_id = va.org_id and a.departure_id = va.departure_id and a.status in ('offered', 'accepted', 'on_duty')
  where va.org_id = old.org_id and va.calendar_entry_id = old.id order by a.id;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
create trigger note_crew_of_vehicle_entry before update of status, vehicle_id on vehicle_calendar_entries for each row
  when ((new.status = 'cancelled', new.vehicle_id) is distinct from (old.status = 'cancelled', old.vehicle_id))
  execute function note_crew_of_vehicle_entry();
-- the row that joins it with its departure goes with it, and is there until then
create trigger note_crew_of_freed_vehicle before delete on vehicle_calendar_entries for each row execute function note_crew_of_vehicle_entry();
