-- Invoices, credit notes that take them back, and receipts of payments: what the office hands out as proof of money. A document is never changed or
-- deleted. Each kind has a series of numbers of its own without gaps: the number is given here, under a lock that a rollback releases with the number.
create function lines_total(lines jsonb) returns bigint language sql immutable parallel safe
return (select coalesce(sum((line ->> 'amountMinor')::bigint), 0)::bigint from jsonb_array_elements(lines) line);

create table billing_documents (
  org_id text not null references organizations on delete cascade,
  id uuid not null,
  booking_id uuid not null,
  kind text not null,
  -- given by issue_document()
  sequence integer not null,
  number text not null generated always as (
    case kind when 'invoice' then 'INV-' when 'credit_note' then 'CN-' else 'REC-' end
    || lpad(sequence::text, greatest(5, length(sequence::text)), '0')) stored,
  -- the language it is written in
  locale text not null,
  currency text not null,
  -- of a credit note the amount of its invoice with the other sign; of the receipt of a refund negative
  total_minor bigint not null,
  -- who issued it, to whom and for what, as it was then
  seller jsonb not null,
  buyer jsonb not null,
  tour jsonb not null,
  lines jsonb not null,
  cancels_id uuid,
  payment_id uuid,
  reason text,
  -- by the clock of the organization, which may change its zone later
  issued_on date not null,
  issued_at timestamptz not null default app_now(),
  issued_by text,
  primary key (org_id, id),
  -- a booking with a document is not deleted: its number would be missing
  constraint billing_documents_booking_fk foreign key (org_id, booking_id) references bookings,
  constraint billing_documents_cancels_fk foreign key (org_id, cancels_id) references billing_documents,
  constraint billing_documents_payment_fk foreign key (org_id, payment_id) references payments,
  constraint billing_documents_kind_known check (kind in ('invoice', 'credit_note', 'receipt')),
  constraint billing_documents_number_once unique (org_id, kind, sequence),
  constraint billing_documents_cancelled_once unique (org_id, cancels_id),
  constraint billing_documents_receipt_once unique (org_id, payment_id),
  constraint billing_documents_subject check ((cancels_id is not null) = (kind = 'credit_note') and (payment_id is not null) = (kind = 'receipt')),
  constraint billing_documents_locale_known check (locale in ('en', 'de', 'es')),
  constraint billing_documents_currency_code check (currency ~ '^[A-Z]{3}$'),
  constraint billing_documents_lines_sum check (lines_total(lines) = total_minor),
  constraint billing_documents_reason check (case kind when 'credit_note' then char_length(reason) between 1 and 200 else reason is null end)
);
create index billing_documents_booking on billing_documents (org_id, booking_id);

select guard_table('billing_documents', p_grants => 'select, insert');
select narrow_own('billing_documents', 'exists (select from bookings b where b.org_id = billing_documents.org_id and b.id = billing_documents.booking_id)');

-- The lock of the booking comes first, so that its price and its invoice in force stay what they are; then the lock of the series.
create function issue_document() returns trigger language plpgsql as $$
declare
  sold record;
begin
  select status, cancellation_fee_minor as fee, owed_minor(status, amount_total_minor, cancellation_fee_minor) as owed, currency into sold
  from bookings where org_id = new.org_id and id = new.booking_id for no key update;
  -- out of reach: no number, and the row is refused for that
  if not found then return new; end if;
  if new.kind = 'invoice' then
    if sold.status not in ('confirmed', 'completed') and not (sold.status = 'cancelled' and sold.fee > 0) then
      raise exception 'An invoice is of a confirmed booking, or of the fee of a cancelled one.' using errcode = 'check_violation',
        constraint = 'billing_documents_sold', table = 'billing_documents';
    end if;
    if (new.total_minor, new.currency) is distinct from (sold.owed, sold.currency) then
      raise exception 'An invoice is over what its booking costs.' using errcode = 'check_violation',
        constraint = 'billing_documents_total_of_booking', table = 'billing_documents';
    end if;
    if exists (select from billing_documents d where d.org_id = new.org_id and d.booking_id = new.booking_id and d.kind = 'invoice'
      and not exists (select from billing_documents c where c.org_id = d.org_id and c.cancels_id = d.id)) then
      raise exception 'A booking has one invoice in force.' using errcode = 'check_violation',
        constraint = 'billing_documents_one_in_force', table = 'billing_documents';
    end if;
  elsif new.kind = 'credit_note' then
    if not exists (select from billing_documents d where d.org_id = new.org_id and d.id = new.cancels_id and d.kind = 'invoice'
      and (d.booking_id, d.currency, -d.total_minor) = (new.booking_id, new.currency, new.total_minor)) then
      raise exception 'A credit note mirrors its invoice.' using errcode = 'check_violation',
        constraint = 'billing_documents_mirrors_invoice', table = 'billing_documents';
    end if;
  elsif not exists (select from payments p where p.org_id = new.org_id and p.id = new.payment_id and p.voided_at is null
    and (p.booking_id, p.currency, case p.kind when 'payment' then p.amount_minor else -p.amount_minor end) = (new.booking_id, new.currency, new.total_minor)) then
    raise exception 'A receipt is of a payment that counts.' using errcode = 'check_violation',
      constraint = 'billing_documents_of_payment', table = 'billing_documents';
  end if;
  new.sequence := next_number('billing-' || new.kind);
  -- whoever sets the series by hand leaves no gap either
  if new.sequence > 1 and not exists (select from billing_documents d
    where d.org_id = new.org_id and d.kind = new.kind and d.sequence = new.sequence - 1) then
    raise exception 'Numbers of documents have no gaps.' using errcode = 'check_violation',
      constraint = 'billing_documents_no_gap', table = 'billing_documents';
  end if;
  return new;
end $$;
create trigger issue_document before insert on billing_documents for each row execute function issue_document();

create function keep_document() returns trigger language plpgsql as $$
begin
  raise exception 'A document that was issued does not change.' using errcode = 'check_violation',
    constraint = 'billing_documents_final', table = 'billing_documents';
end $$;
create trigger keep_document before update on billing_documents for each row execute function keep_document();
