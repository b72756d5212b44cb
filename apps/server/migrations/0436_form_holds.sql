-- Seats that somebody is about to sell: held while the booking form is open, for minutes, so that nobody else sells them meanwhile.
create table form_holds (
  org_id text not null references organizations on delete cascade,
  user_id text not null,
  -- of the form, chosen by the browser
  id uuid not null,
  departure_id uuid not null,
  seats int not null,
  expires_at timestamptz not null,
  -- a person fills in so many forms at once, also where two begin at the same moment
  slot int not null,
  primary key (org_id, user_id, id),
  constraint form_holds_member_fk foreign key (org_id, user_id) references members on delete cascade,
  constraint form_holds_departure_fk foreign key (org_id, departure_id) references departures on delete cascade,
  constraint form_holds_seats_range check (seats > 0),
  constraint form_holds_slot_range check (slot between 1 and 5),
  constraint form_holds_forms_per_person unique (org_id, user_id, slot)
);
comment on table form_holds is 'Seats held by open booking forms. A transport like presence: without audit; the counters of the departure report the change.';
-- the seats that a departure has in forms
create index form_holds_departure on form_holds (org_id, departure_id);

select guard_table('form_holds', 'user_id,id', p_recorded => false);
-- who writes to an own departure counts its seats
select narrow_own('form_holds', 'departure_id = any ((select own_departures())::uuid[])');

create function seats_in_forms(p_org_id text, p_departure_id uuid) returns int language sql stable as $$
  select coalesce(sum(seats), 0)::int from form_holds where org_id = p_org_id and departure_id = p_departure_id
$$;

-- Seats of open forms count as held, like those of proposals: no rule about capacity needs to know of them.
create or replace function count_seats_of(p_org_id text, p_departure_ids uuid[]) returns void language plpgsql as $$
begin
  -- one order for everyone, so that two bulk writes wait instead of deadlocking
  perform from departures where org_id = p_org_id and id = any (p_departure_ids) order by id for no key update;
  if exists (
    select from departures d where d.org_id = p_org_id and d.id = any (p_departure_ids) and d.capacity + d.overbook_limit < (
      select coalesce(sum(b.pax), 0) from bookings b
      where b.org_id = p_org_id and b.departure_id = d.id and b.status in ('on_hold', 'confirmed', 'completed'))
      + proposed_seats(p_org_id, d.id) + seats_in_forms(p_org_id, d.id)
  ) then
    update bookings set status = 'expired'
    where org_id = p_org_id and departure_id = any (p_departure_ids) and status = 'on_hold' and expires_at <= app_now();
    update proposals set outcome = 'expired', ended_at = app_now()
    where org_id = p_org_id and coalesce(to_departure_id, from_departure_id) = any (p_departure_ids) and outcome is null and expires_at <= app_now();
    delete from form_holds where org_id = p_org_id and departure_id = any (p_departure_ids) and expires_at <= app_now();
  end if;
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

create function count_seats_in_forms() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform count_seats_of(new.org_id, array[new.departure_id]);
  elsif tg_op = 'DELETE' then
    perform count_seats_of(old.org_id, array[old.departure_id]);
  elsif (old.departure_id, old.seats) is distinct from (new.departure_id, new.seats) then
    perform count_seats_of(new.org_id, array(select distinct unnest(array[old.departure_id, new.departure_id])));
  end if;
  return null;
end $$;
create trigger count_seats_in_forms after insert or delete or update on form_holds for each row execute function count_seats_in_forms();
