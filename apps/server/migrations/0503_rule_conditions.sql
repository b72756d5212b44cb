-- A rule for guests has conditions besides its audience: how many a party is, and whether something is due. See docs/decisions/0157.

-- What a contact still has to pay: nothing where an agent is invoiced, or where it was paid or refunded.
create function due_minor(p_booking bookings) returns bigint language sql immutable parallel safe
return case when p_booking.payment_status in ('unpaid', 'deposit')
  then greatest(0, owed_minor(p_booking.status, p_booking.amount_total_minor, p_booking.cancellation_fee_minor) - p_booking.amount_paid_minor) else 0 end;

-- A booking as it was in what conditions ask about: what the first change afterwards replaced, else what it is.
create function booking_at(p_booking bookings, p_at timestamptz) returns bookings language sql stable parallel safe
begin atomic
  select jsonb_populate_record(p_booking, coalesce(jsonb_object_agg(first.key, first.value), '{}'))
  from (
    select distinct on (c.key) c.key, c.value -> 0 as value
    from audit_entries a cross join jsonb_each(a.diff) c (key, value)
    where a.org_id = p_booking.org_id and a.entity_type = 'bookings' and a.entity_id = p_booking.id::text and a.op = 'update' and a.at > p_at
      and c.key in ('pax', 'status', 'payment_status', 'amount_total_minor', 'amount_paid_minor', 'cancellation_fee_minor')
    order by c.key, a.id
  ) first;
end;

-- `atLeast` and `atMost` are guests of the party, `owes` whether something is due; what is left out is no condition, anything else is refused.
create function are_rule_conditions(p_conditions jsonb) returns boolean language sql immutable parallel safe
return case
  when jsonb_typeof(p_conditions) <> 'object' then false
  when exists (
    select from jsonb_each(p_conditions) c (key, value)
    where not case
      when c.key = 'owes' then c.value in ('"any"', '"something"', '"nothing"')
      when c.key not in ('atLeast', 'atMost') then false
      when jsonb_typeof(c.value) = 'number' then c.value::numeric between 1 and 999 and c.value::numeric % 1 = 0
      else jsonb_typeof(c.value) = 'null' end) then false
  else coalesce((p_conditions ->> 'atLeast')::int <= (p_conditions ->> 'atMost')::int, true) end;

-- Whether a rule for guests is for a party: by its audience, and by its conditions as they hold at the time. What sends and what counts back ask the
-- same, with the facts of the time. A condition about something that is not known does not hold.
create function is_rule_for(p_audience jsonb, p_conditions jsonb, p_tour_id uuid, p_channel text, p_pax int, p_owes boolean) returns boolean
language sql immutable parallel safe as $$
  select in_audience(p_audience, p_tour_id, p_channel)
    and coalesce((p_conditions ->> 'atLeast') is null or p_pax >= (p_conditions ->> 'atLeast')::int, false)
    and coalesce((p_conditions ->> 'atMost') is null or p_pax <= (p_conditions ->> 'atMost')::int, false)
    and coalesce(case p_conditions ->> 'owes' when 'something' then p_owes when 'nothing' then not p_owes else true end, false)
$$;

alter table notification_rules
  add constraint notification_rules_conditions_known check (are_rule_conditions(conditions)),
  -- nothing has ever read them
  drop constraint notification_rules_quiet_hours_known, drop constraint notification_rules_digest_known, drop constraint notification_rules_minutes_range,
  drop column quiet_hours_policy, drop column dedupe_minutes, drop column digest, drop column escalate_after_min, drop column escalate_to;
comment on column notification_rules.conditions is 'Of a rule for guests: atLeast, atMost (guests of the party) and owes (any, something, nothing).';

alter table messages add column pax int, add column owes boolean;
comment on column messages.pax is 'Guests of the party when it was written by a rule for guests.';
comment on column messages.owes is 'Whether something was due of the booking when it was written by a rule for guests.';
alter table guest_occasions add column pax int, add column owes boolean;
comment on column guest_occasions.pax is 'Guests of the party at the time.';
comment on column guest_occasions.owes is 'Whether something was due of the booking at the time.';

-- Of the days that are counted back, from what the bookings were by the audit log. The owner of a table is bound by its policies too, while they are forced.
alter table messages no force row level security;
alter table guest_occasions no force row level security;
alter table bookings no force row level security;
alter table audit_entries no force row level security;
update messages m set pax = party.pax, owes = party.owes
from (
  select n.org_id, n.id, was.pax, due_minor(was) > 0 as owes
  from messages n join bookings b on b.org_id = n.org_id and b.id::text = n.subject_id cross join lateral booking_at(b, n.created_at) was
  where n.subject_type = 'booking' and n.rule_id is not null and n.created_at > app_now() - interval '8 days'
) party where m.org_id = party.org_id and m.id = party.id;
update guest_occasions o set pax = party.pax, owes = party.owes
from (
  select n.org_id, n.id, was.pax, due_minor(was) > 0 as owes
  from guest_occasions n join bookings b on b.org_id = n.org_id and b.id = n.booking_id cross join lateral booking_at(b, n.at) was
) party where o.org_id = party.org_id and o.id = party.id;
alter table messages force row level security;
alter table guest_occasions force row level security;
alter table bookings force row level security;
alter table audit_entries force row level security;

-- from now on each is written with them
alter table guest_occasions alter column pax set not null, alter column owes set not null;
