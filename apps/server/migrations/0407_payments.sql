-- What was paid for bookings and paid back, one row for each time money moved. Rows are never changed or deleted: one that is wrong is voided, with a
-- reason. `amount_paid_minor` and `payment_status` of a booking follow from them. No data of cards: how somebody paid is a word.
create table payments (
  org_id text not null references organizations on delete cascade,
  id uuid not null,
  booking_id uuid not null,
  kind text not null,
  -- null where nobody knows: taken over from before there were payments, or from a file
  method text,
  amount_minor bigint not null,
  currency text not null,
  received_at timestamptz not null,
  reference text,
  note text,
  recorded_by text,
  voided_at timestamptz,
  voided_by text,
  void_reason text,
  import_batch_id uuid,
  created_at timestamptz not null default app_now(),
  primary key (org_id, id),
  -- only an import that is undone deletes bookings, and none that has payments of its own
  constraint payments_booking_fk foreign key (org_id, booking_id) references bookings on delete cascade,
  constraint payments_kind_known check (kind in ('payment', 'refund')),
  constraint payments_method_known check (method in ('cash', 'card_terminal', 'transfer', 'agent_credit', 'voucher')),
  constraint payments_amount_range check (amount_minor between 1 and 1000000000000),
  constraint payments_currency_code check (currency ~ '^[A-Z]{3}$'),
  constraint payments_reference_length check (char_length(reference) between 1 and 80),
  constraint payments_note_length check (char_length(note) between 1 and 500),
  -- an import that is undone voids without a reason
  constraint payments_void_has_reason check (case when voided_at is null then void_reason is null and voided_by is null
    else import_batch_id is not null or char_length(void_reason) between 1 and 200 end)
);
create index payments_booking on payments (org_id, booking_id);
-- for bookkeeping, day by day
create index payments_received_at on payments (org_id, received_at);
create index payments_import_batch on payments (org_id, import_batch_id) where import_batch_id is not null;

-- What was paid so far becomes one row for each booking. Somebody who set the status to "paid" meant all of it, whatever amount they left; whose money
-- went back has a second row.
alter table bookings no force row level security;
insert into payments (org_id, id, booking_id, kind, amount_minor, currency, received_at, created_at)
select org_id, gen_random_uuid(), id, 'payment', paid, currency, coalesce(confirmed_at, created_at), created_at from (
  select b.*, case payment_status when 'paid' then greatest(amount_paid_minor, amount_total_minor) else amount_paid_minor end as paid from bookings b
) b where paid between 1 and 1000000000000;
insert into payments (org_id, id, booking_id, kind, amount_minor, currency, received_at, created_at)
select b.org_id, gen_random_uuid(), b.id, 'refund', p.amount_minor, b.currency, coalesce(b.cancelled_at, b.updated_at), b.updated_at
from bookings b join payments p on p.org_id = b.org_id and p.booking_id = b.id where b.payment_status = 'refunded';

-- The one rule for the status. What somebody put on an agent's account stays there; refunded is what was all paid back.
create function payment_status_of(p_current text, p_total bigint, p_paid bigint, p_refunded boolean) returns text language sql immutable parallel safe
return case
  when p_current = 'agent_credit' then p_current
  when p_paid = 0 and (p_refunded or p_current = 'refunded') then 'refunded'
  when p_paid >= p_total then 'paid'
  when p_paid > 0 then 'deposit'
  else 'unpaid'
end;
comment on function payment_status_of is 'What a booking says of its payment. See docs/domain.md, "Payments".';

update bookings b set amount_paid_minor = l.paid,
  payment_status = payment_status_of(b.payment_status, b.amount_total_minor, l.paid, false)
from (
  select b2.org_id, b2.id, coalesce(sum(case p.kind when 'payment' then p.amount_minor else -p.amount_minor end), 0)::bigint as paid
  from bookings b2 left join payments p on p.org_id = b2.org_id and p.booking_id = b2.id group by b2.org_id, b2.id
) l
where b.org_id = l.org_id and b.id = l.id
  and (b.amount_paid_minor, b.payment_status) is distinct from (l.paid, payment_status_of(b.payment_status, b.amount_total_minor, l.paid, false));
alter table bookings force row level security;

select guard_table('payments', p_grants => 'select, insert');
grant update (voided_at, voided_by, void_reason) on payments to app_user;
select narrow_own('payments', 'exists (select from bookings b where b.org_id = payments.org_id and b.id = payments.booking_id)');
create trigger mark_import before insert on payments for each row execute function mark_import();

create function keep_payment() returns trigger language plpgsql as $$
declare
  ours constant text[] := array['voided_at', 'voided_by', 'void_reason'];
begin
  if old.voided_at is not null or new.voided_at is null or (to_jsonb(new) - ours) <> (to_jsonb(old) - ours) then
    raise exception 'A payment is voided once and changed in no other way.' using errcode = 'check_violation',
      constraint = 'payments_final', table = 'payments';
  end if;
  return new;
end $$;
create trigger keep_payment before update on payments for each row execute function keep_payment();

create function paid_by_ledger(p_org_id text, p_booking_id uuid, out paid bigint, out refunded boolean) language sql stable as $$
  select coalesce(sum(case kind when 'payment' then amount_minor else -amount_minor end), 0)::bigint, coalesce(bool_or(kind = 'refund'), false)
  from payments where org_id = p_org_id and booking_id = p_booking_id and voided_at is null
$$;

-- The amount of a booking is that of its payments, whoever writes it.
create function follow_payments() returns trigger language plpgsql as $$
declare
  ledger record;
begin
  if tg_op = 'INSERT' then
    new.payment_status := payment_status_of(nullif(new.payment_status, 'refunded'), new.amount_total_minor, new.amount_paid_minor, false);
    return new;
  end if;
  select * into ledger from paid_by_ledger(new.org_id, new.id);
  if new.amount_paid_minor <> ledger.paid or (new.currency <> old.currency and (ledger.paid <> 0 or ledger.refunded)) then
    raise exception 'What was paid is recorded as a payment.' using errcode = 'check_violation',
      constraint = 'bookings_paid_is_derived', table = 'bookings';
  end if;
  new.payment_status := payment_status_of(
    case when new.payment_status = 'agent_credit' then new.payment_status when old.payment_status <> 'agent_credit' then old.payment_status end,
    new.amount_total_minor, ledger.paid, ledger.refunded);
  return new;
end $$;
create trigger follow_payments before update on bookings for each row
  when ((new.amount_paid_minor, new.amount_total_minor, new.payment_status, new.currency)
    is distinct from (old.amount_paid_minor, old.amount_total_minor, old.payment_status, old.currency))
  execute function follow_payments();
create trigger follow_payments_first before insert on bookings for each row execute function follow_payments();

-- A booking that is paid at once is written once, in the statement that records its payment.
create function check_paid_at_once() returns trigger language plpgsql as $$
begin
  if exists (select from new_rows n cross join lateral paid_by_ledger(n.org_id, n.id) l where n.amount_paid_minor <> 0 and l.paid <> n.amount_paid_minor) then
    raise exception 'What was paid is recorded as a payment.' using errcode = 'check_violation',
      constraint = 'bookings_paid_is_derived', table = 'bookings';
  end if;
  return null;
end $$;
create trigger check_paid_at_once after insert on bookings referencing new table as new_rows for each statement execute function check_paid_at_once();

-- A person who records a payment changes the booking. The payment of an import is part of what it writes: its undo looks for later versions.
drop trigger touch_row on bookings;
create trigger touch_row before update on bookings for each row
  when (new.amount_paid_minor = old.amount_paid_minor or app_import_batch_id() is null) execute function touch_row();

-- Counted anew under the lock of the bookings, never added to; of two refunds at once the second sees what the first left.
create function count_paid() returns trigger language plpgsql as $$
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
    update bookings b set amount_paid_minor = l.paid, payment_status = payment_status_of(b.payment_status, b.amount_total_minor, l.paid, l.refunded)
    from unnest(touched.ids) as one (id) cross join paid_by_ledger(touched.org_id, one.id) l
    where b.org_id = touched.org_id and b.id = any (touched.ids) and b.id = one.id
      -- paid and paid back again changes the status and not the amount
      and (b.amount_paid_minor, b.payment_status) is distinct from (l.paid, payment_status_of(b.payment_status, b.amount_total_minor, l.paid, l.refunded));
  end loop;
  return null;
end $$;
create trigger count_paid_insert after insert on payments referencing new table as new_rows for each statement execute function count_paid();
create trigger count_paid_update after update on payments referencing new table as new_rows for each statement execute function count_paid();
