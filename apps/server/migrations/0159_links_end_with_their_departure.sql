-- A link that nobody gave an end to ends two hours after its departure, and not after the departure's planned end: while guests are out,
-- their page stays. When that is can only be said when somebody asks, so it is judged and not stored.
alter table shared_links add column ends_with_departure boolean not null default false;
comment on column shared_links.ends_with_departure is 'Whether nobody chose the end: expires_at is then the earliest end, and shared_link_end() the end.';

-- The owner of a table is bound by its policies too, while they are forced.
alter table shared_links no force row level security;
alter table departures no force row level security;
update shared_links l set ends_with_departure = true
from departures d
where d.org_id = l.org_id and d.id = l.departure_id and l.status in ('scheduled', 'active', 'paused') and l.expires_at = d.ends_at + interval '2 hours';
alter table shared_links force row level security;
alter table departures force row level security;

do $write$
begin
  execute format($function$
create function shared_link_end(l shared_links) returns timestamptz language sql stable as $body$
  select coalesce((
    select least(l.created_at + interval '400 days', greatest(l.expires_at,
      case when %s then app_now() else coalesce(d.actual_end_at, d.ends_at) end + interval '2 hours'))
    from departures d where l.ends_with_departure and d.org_id = l.org_id and d.id = coalesce(
      -- a party may have been moved to another departure since
      (select b.departure_id from bookings b where b.org_id = l.org_id and b.id = case when l.kind = 'booking_guest' then l.subject_id::uuid end),
      l.departure_id)
  ), l.expires_at)
$body$$function$, departure_out_condition());
end $write$;
comment on function shared_link_end is 'When a shared link ends; never before expires_at, and never after the 400 days that a link may live.';
