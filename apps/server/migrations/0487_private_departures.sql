-- A private departure carries one party: it takes this from its option when it is made, and can be changed by itself.
alter table departures add column private boolean not null default false;
-- The owner of a table is bound by its policies too, while they are forced.
alter table departures no force row level security;
alter table tour_options no force row level security;
alter table bookings no force row level security;
update departures d set private = true from tour_options o
where o.org_id = d.org_id and o.id = d.option_id and o.private and d.starts_at > app_now() and d.status in ('draft', 'scheduled', 'confirmed')
  and (select count(*) from bookings b where b.org_id = d.org_id and b.departure_id = d.id and b.status in ('on_hold', 'confirmed', 'completed')) <= 1;
alter table departures force row level security;
alter table tour_options force row level security;
alter table bookings force row level security;
comment on column departures.private is 'One party only: with its first seat nobody else is sold one.';

-- Seats that another party can get
create function seats_left(p_places int, p_taken int, p_private boolean) returns int language sql immutable as $$
  select case when p_private and p_taken > 0 then 0 else greatest(0, p_places - p_taken) end
$$;

-- Parties that have, hold or are proposed seats
create function seated_parties(p_org_id text, p_departure_id uuid) returns int language sql stable as $$
  select ((select count(*) from bookings b where b.org_id = p_org_id and b.departure_id = p_departure_id
      and b.status in ('on_hold', 'confirmed', 'completed'))
    + (select count(*) from proposals p where p.org_id = p_org_id and p.to_departure_id = p_departure_id and p.outcome is null)
    + (select count(*) from form_holds f where f.org_id = p_org_id and f.departure_id = p_departure_id))::int
$$;

create function require_one_party(p_org_id text, p_departure_id uuid) returns void language plpgsql as $$
begin
  if seated_parties(p_org_id, p_departure_id) > 1 then
    raise exception 'A private departure takes one party.' using errcode = 'check_violation', constraint = 'departures_private_one_party', table = 'departures';
  end if;
end $$;

create or replace function count_seats_of(p_org_id text, p_departure_ids uuid[]) returns void language plpgsql as $$
declare
  v_private_id uuid;
begin
  -- one order for everyone, so that two bulk writes wait instead of deadlocking
  perform from departures where org_id = p_org_id and id = any (p_departure_ids) order by id for no key update;
  if exists (
    select from departures d where d.org_id = p_org_id and d.id = any (p_departure_ids) and (d.capacity + d.overbook_limit < (
      select coalesce(sum(b.pax), 0) from bookings b
      where b.org_id = p_org_id and b.departure_id = d.id and b.status in ('on_hold', 'confirmed', 'completed'))
      + proposed_seats(p_org_id, d.id) + seats_in_forms(p_org_id, d.id)
      or d.private and seated_parties(p_org_id, d.id) > 1)
  ) then
    update bookings set status = 'expired'
    where org_id = p_org_id and departure_id = any (p_departure_ids) and status = 'on_hold' and expires_at <= app_now();
    update proposals set outcome = 'expired', ended_at = app_now()
    where org_id = p_org_id and coalesce(to_departure_id, from_departure_id) = any (p_departure_ids) and outcome is null and expires_at <= app_now();
    delete from form_holds where org_id = p_org_id and departure_id = any (p_departure_ids) and expires_at <= app_now();
  end if;
  -- under the lock, so that of two parties at the same moment the second is seen
  for v_private_id in select d.id from departures d where d.org_id = p_org_id and d.id = any (p_departure_ids) and d.private loop
    perform require_one_party(p_org_id, v_private_id);
  end loop;
  update departures d set seats_confirmed = s.confirmed, seats_held = s.held, waitlist_count = s.waiting
  from (
    select d2.id,
      coalesce(sum(b.pax) filter (where b.status in ('confirmed', 'completed')), 0)::int as confirmed,
      coalesce(sum(b.pax) filter (where b.status = 'on_hold'), 0)::int + proposed_seats(p_org_id, d2.id) + seats_in_forms(p_org_id, d2.id) as held,
      (count(*) filter (where b.status = 'waitlisted'))::int as waiting
    from unnest(p_departure_ids) as d2 (id) left join bookings b on b.org_id = p_org_id and b.departure_id = d2.id
    group by d2.id
  ) s
  where d.org_id = p_org_id and d.id = s.id
    and (d.seats_confirmed, d.seats_held, d.waitlist_count) is distinct from (s.confirmed, s.held, s.waiting);
end $$;

create function check_private_departure() returns trigger language plpgsql as $$
begin
  perform require_one_party(new.org_id, new.id);
  return new;
end $$;
create trigger check_private_departure before update of private on departures for each row when (new.private and not old.private)
  execute function check_private_departure();
