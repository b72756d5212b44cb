-- A cancelled booking of which something was kept has an invoice over that. As before otherwise.
-- The lock of the booking comes first, so that its price and its invoice in force stay what they are; then the lock of the series.
create or replace function issue_document() returns trigger language plpgsql as $$
declare
  sold record;
begin
  select status, cancellation_fee_minor as fee, owed_minor(status, amount_total_minor, cancellation_fee_minor) as owed, currency into sold from bookings where org_id = new.org_id and id = new.booking_id for no key update;
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
