-- A crew is told of another weather note of their departure, as of another time. See docs/decisions/0155.
create or replace function crew_view(a assignments) returns jsonb language sql stable
return (
  select jsonb_build_object('state', crew_state(a.status, d.status), 'startsAt', utc_text(d.starts_at), 'endsAt', utc_text(d.ends_at),
    'reportAt', utc_text(a.report_at), 'language', d.language, 'revision', r.number, 'weatherNote', nullif(btrim(d.weather_note), ''),
    'vehicles', (select coalesce(jsonb_agg(v.label order by v.label, v.id), '[]') from vehicle_assignments va
      join vehicle_calendar_entries e on e.org_id = va.org_id and e.id = va.calendar_entry_id and e.status <> 'cancelled'
      join vehicles v on v.org_id = e.org_id and v.id = e.vehicle_id
      where va.org_id = d.org_id and va.departure_id = d.id))
  from departures d left join tour_revisions r on r.org_id = d.org_id and r.id = d.revision_id
  where d.org_id = a.org_id and d.id = a.departure_id);

drop trigger note_crew_of_departure on departures;
create trigger note_crew_of_departure before update of status, starts_at, ends_at, revision_id, language, weather_note on departures for each row
  when ((new.starts_at, new.ends_at, new.revision_id, new.language, new.weather_note, new.status in ('draft', 'cancelled'))
    is distinct from (old.starts_at, old.ends_at, old.revision_id, old.language, old.weather_note, old.status in ('draft', 'cancelled')))
  execute function note_crew_of_departure();

-- What waits to be told says nothing of weather: it is as it is now.
alter table crew_notices no force row level security;
update crew_notices n set was = n.was || jsonb_build_object('weatherNote', crew_view(a) -> 'weatherNote')
from assignments a where a.org_id = n.org_id and a.id = n.assignment_id and n.was is not null;
alter table crew_notices force row level security;
