-- What each party of a cancelled departure is offered: seats on another departure, which are held for it until it has answered, or its money back.
create table proposals (
  org_id text not null references organizations on delete cascade,
  id uuid not null,
  booking_id uuid not null,
  from_departure_id uuid not null,
  -- null: the refund is proposed, and no seats are held
  to_departure_id uuid,
  seats int not null,
  -- the seats cost what they do there; otherwise the price stays
  at_price_there boolean not null default false,
  -- what the party pays in all if it accepts the departure
  amount_minor bigint,
  asked_at timestamptz not null default app_now(),
  expires_at timestamptz not null,
  -- null while the party may answer
  outcome text,
  ended_at timestamptz,
  answered_by text,
  primary key (org_id, id),
  constraint proposals_booking_fk foreign key (org_id, booking_id) references bookings on delete cascade,
  constraint proposals_from_departure_fk foreign key (org_id, from_departure_id) references departures,
  constraint proposals_to_departure_fk foreign key (org_id, to_departure_id) references departures,
  constraint proposals_other_departure check (to_departure_id <> from_departure_id),
  constraint proposals_seats_range check (seats > 0),
  constraint proposals_amount_of_departure check ((amount_minor is not null) = (to_departure_id is not null)),
  constraint proposals_amount_range check (amount_minor >= 0),
  constraint proposals_expiry_after_question check (expires_at > asked_at),
  constraint proposals_outcome_known check (outcome in ('moved', 'refunded', 'expired', 'withdrawn')),
  constraint proposals_answered_by_known check (answered_by in ('guest', 'office')),
  constraint proposals_end_complete check ((outcome is null) = (ended_at is null)
    and (coalesce(outcome, '') in ('moved', 'refunded')) = (answered_by is not null))
);
comment on table proposals is 'What parties of cancelled departures were offered, and what they answered.';
create unique index proposals_open_once on proposals (org_id, booking_id) where outcome is null;
-- what a cancelled departure has come to
create index proposals_from on proposals (org_id, from_departure_id);
-- seats that are held, and proposals whose time is over
create index proposals_held on proposals (org_id, (coalesce(to_departure_id, from_departure_id))) where outcome is null;

select guard_table('proposals');
-- what is left of their own departures
select narrow_own('proposals', 'coalesce(to_departure_id, from_departure_id) = any ((select own_departures())::uuid[])');

-- Seats of open proposals count as held: nobody else can be sold them, and no rule about capacity needs to know of proposals.
create or replace function count_seats_of(p_org_id text, p_departure_ids uuid[]) returns void language plpgsql as $$
begin
  -- one order for everyone, so that two bulk writes wait instead of deadlocking
  perform from departures where org_id = p_org_id and id = any (p_departure_ids) order by id for no key update;
  if exists (
    select from departures d where d.org_id = p_org_id and d.id = any (p_departure_ids) and d.capacity + d.overbook_limit < (
      select coalesce(sum(b.pax), 0) from bookings b
      where b.org_id = p_org_id and b.departure_id = d.id and b.status in ('on_hold', 'confirmed', 'completed'))
      + proposed_seats(p_org_id, d.id)
  ) then
    update bookings set status = 'expired'
    where org_id = p_org_id and departure_id = any (p_departure_ids) and status = 'on_hold' and expires_at <= app_now();
    update proposals set outcome = 'expired', ended_at = app_now()
    where org_id = p_org_id and coalesce(to_departure_id, from_departure_id) = any (p_departure_ids) and outcome is null and expires_at <= app_now();
  end if;
  update departures d set seats_confirmed = s.confirmed, seats_held = s.held, waitlist_count = s.waiting
  from (
    select d2.id,
      coalesce(sum(b.pax) filter (where b.status in ('confirmed', 'completed')), 0)::int as confirmed,
      coalesce(sum(b.pax) filter (where b.status = 'on_hold'), 0)::int + proposed_seats(p_org_id, d2.id) as held,
      (count(*) filter (where b.status = 'waitlisted'))::int as waiting
    from unnest(p_departure_ids) as d2 (id) left join bookings b on b.org_id = p_org_id and b.departure_id = d2.id
    group by d2.id
  ) s
  where d.org_id = p_org_id and d.id = s.id
    and (d.seats_confirmed, d.seats_held, d.waitlist_count) is distinct from (s.confirmed, s.held, s.waiting);
end $$;

create function proposed_seats(p_org_id text, p_departure_id uuid) returns int language sql stable as $$
  select coalesce(sum(seats), 0)::int from proposals
  where org_id = p_org_id and coalesce(to_departure_id, from_departure_id) = p_departure_id and to_departure_id is not null and outcome is null
$$;

create function count_proposed_seats() returns trigger language plpgsql as $$
declare
  touched record;
begin
  if tg_op = 'DELETE' then touched := old; else touched := new; end if;
  if touched.to_departure_id is not null then perform count_seats_of(touched.org_id, array[touched.to_departure_id]); end if;
  return null;
end $$;
create trigger count_proposed_seats after insert or delete or update of outcome on proposals
  for each row execute function count_proposed_seats();

-- A proposal is made to a party as it is: confirmed, and on its cancelled departure.
create function check_proposal() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if old.outcome is not null and new.outcome is distinct from old.outcome then
      raise exception 'A proposal ends once.' using errcode = 'check_violation', constraint = 'proposals_end_once', table = 'proposals';
    end if;
    return new;
  end if;
  if new.outcome is null and not exists (select from bookings b join departures d on d.org_id = b.org_id and d.id = b.departure_id
    where b.org_id = new.org_id and b.id = new.booking_id and b.departure_id = new.from_departure_id and b.status = 'confirmed' and b.pax = new.seats
      and d.status = 'cancelled') then
    raise exception 'Proposals are for confirmed parties of a cancelled departure.' using errcode = 'check_violation',
      constraint = 'proposals_stranded_party', table = 'proposals';
  end if;
  return new;
end $$;
create trigger check_proposal before insert or update on proposals for each row execute function check_proposal();

-- A party that was moved, cancelled or changed otherwise is not asked any more.
create function withdraw_proposals() returns trigger language plpgsql as $$
begin
  update proposals set outcome = 'withdrawn', ended_at = app_now()
  where org_id = new.org_id and booking_id = new.id and outcome is null;
  return null;
end $$;
create trigger withdraw_proposals after update of departure_id, status, pax on bookings for each row
  when ((old.departure_id, old.status, old.pax) is distinct from (new.departure_id, new.status, new.pax))
  execute function withdraw_proposals();
