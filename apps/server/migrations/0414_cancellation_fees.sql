-- What guests pay who cancel: a tour says how much goes back by how many days before, a booking what was kept. See docs/decisions/0115.
create function are_cancellation_steps(p_steps jsonb) returns boolean language sql immutable parallel safe
return case when jsonb_typeof(p_steps) <> 'array' or jsonb_array_length(p_steps) > 8 then false else not exists (
  select from (
    select days, percent, lag(days) over steps as days_above, lag(percent) over steps as percent_above
    from rows from (jsonb_to_recordset(p_steps) as ("daysBefore" int, "refundPercent" int)) with ordinality as s (days, percent, place)
    window steps as (order by place)
  ) step
  where not coalesce(days between 0 and 365 and percent between 0 and 100, false) or days >= days_above or percent > percent_above) end;
comment on function are_cancellation_steps is 'Whether days before the start fall from step to step, and what goes back does not rise.';

alter table tours add column cancellation_steps jsonb not null default '[]',
  add constraint tours_cancellation_steps_form check (are_cancellation_steps(cancellation_steps));
alter table bookings add column cancellation_fee_minor bigint not null default 0, add column cancellation_fee_reason text,
  add constraint bookings_cancellation_fee_range check (cancellation_fee_minor between 0 and amount_total_minor),
  add constraint bookings_cancellation_fee_reason_length check (char_length(cancellation_fee_reason) between 1 and 200);

create function owed_minor(p_status text, p_total bigint, p_fee bigint) returns bigint language sql immutable parallel safe
return case when p_status in ('cancelled', 'expired', 'rejected') then p_fee else p_total end;
comment on function owed_minor is 'What a booking costs by now: its price, and what was kept of it when it has ended without a tour.';

-- Who cancelled has paid when the fee is paid; without a fee it is said how much of the price came.
create function payment_status_of(p_booking bookings, p_current text, p_paid bigint, p_refunded boolean) returns text language sql immutable parallel safe
return payment_status_of(p_current, coalesce(nullif(owed_minor(p_booking.status, p_booking.amount_total_minor, p_booking.cancellation_fee_minor), 0),
  p_booking.amount_total_minor), p_paid, p_refunded);

create or replace function follow_payments() returns trigger language plpgsql as $$
declare
  ledger record;
begin
  -- what is kept of a booking is at most what it costs
  new.cancellation_fee_minor := least(new.cancellation_fee_minor, new.amount_total_minor);
  if tg_op = 'INSERT' then
    new.payment_status := payment_status_of(new, nullif(new.payment_status, 'refunded'), new.amount_paid_minor, false);
    return new;
  end if;
  select * into ledger from paid_by_ledger(new.org_id, new.id);
  if new.amount_paid_minor <> ledger.paid or (new.currency <> old.currency and (ledger.paid <> 0 or ledger.refunded)) then
    raise exception 'What was paid is recorded as a payment.' using errcode = 'check_violation',
      constraint = 'bookings_paid_is_derived', table = 'bookings';
  end if;
  new.payment_status := payment_status_of(new,
    case when new.payment_status = 'agent_credit' then new.payment_status when old.payment_status <> 'agent_credit' then old.payment_status end,
    ledger.paid, ledger.refunded);
  return new;
end $$;
drop trigger follow_payments on bookings;
create trigger follow_payments before update on bookings for each row
  when ((new.amount_paid_minor, new.amount_total_minor, new.payment_status, new.currency, new.cancellation_fee_minor, new.status)
    is distinct from (old.amount_paid_minor, old.amount_total_minor, old.payment_status, old.currency, old.cancellation_fee_minor, old.status))
  execute function follow_payments();

create or replace function count_paid() returns trigger language plpgsql as $$
declare
  touched record;
begin
  for touched in select org_id, array_agg(distinct booking_id) as ids from new_rows group by org_id loop
    perform from bookings where org_id = touched.org_id and id = any (touched.ids) order by id for no key update;
    if exists (select from new_rows n join bookings b on b.org_id = n.org_id and b.id = n.booking_id where n.currency <> b.currency) then
      raise exception 'A payment is in the currency of its booking.' using errcode = 'check_violation',
        constraint = 'payments_currency_of_booking', table = 'payments';
    end if;
    if exists (select from unnest(touched.ids) as one (id) cross join paid_by_ledger(touched.org_id, one.id) l where l.paid < 0) then
      raise exception 'No more is paid back than was paid.' using errcode = 'check_violation',
        constraint = 'payments_refund_within_paid', table = 'payments';
    end if;
    update bookings b set amount_paid_minor = l.paid, payment_status = payment_status_of(b, b.payment_status, l.paid, l.refunded)
    from unnest(touched.ids) as one (id) cross join paid_by_ledger(touched.org_id, one.id) l
    where b.org_id = touched.org_id and b.id = any (touched.ids) and b.id = one.id
      -- paid and paid back again changes the status and not the amount
      and (b.amount_paid_minor, b.payment_status) is distinct from (l.paid, payment_status_of(b, b.payment_status, l.paid, l.refunded));
  end loop;
  return null;
end $$;
