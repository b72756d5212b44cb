-- A departure whose times move takes its people and vehicles along: until now their calendars, report and release times kept the old ones,
-- so that somebody could be given a second duty while the first was still running. Who is taken by then is refused by the exclusion
-- constraints of both calendars. Equipment follows by move_issues().
create function move_duties() returns trigger language plpgsql as $$
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
end $$;
create trigger move_duties after update of starts_at, ends_at on departures for each row
  when ((new.starts_at, new.ends_at) is distinct from (old.starts_at, old.ends_at)) execute function move_duties();
