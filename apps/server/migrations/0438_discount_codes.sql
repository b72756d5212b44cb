-- Codes that make a sale cheaper: by percent, or by an amount in one currency; for a while, for one tour or all, and so many times.
create table discount_codes (
  org_id text not null references organizations on delete cascade,
  id uuid not null,
  code text not null,
  kind text not null,
  -- percent, or whole units of the currency
  value int not null,
  currency text,
  valid_by text not null default 'sale',
  valid_from date,
  valid_until date,
  tour_id uuid,
  -- 0: without a limit
  max_uses int not null default 0,
  archived_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint discount_codes_tour_fk foreign key (org_id, tour_id) references tours,
  constraint discount_codes_code_length check (char_length(code) between 1 and 40),
  constraint discount_codes_kind_known check (kind in ('percent', 'amount')),
  constraint discount_codes_value_range check (value between 1 and 1000000),
  constraint discount_codes_percent_bounded check (kind <> 'percent' or value <= 100),
  constraint discount_codes_amount_has_currency check (kind <> 'amount' or coalesce(currency ~ '^[A-Z]{3}$', false)),
  constraint discount_codes_valid_by_known check (valid_by in ('sale', 'departure')),
  constraint discount_codes_days_order check (valid_from <= valid_until),
  constraint discount_codes_max_uses_range check (max_uses between 0 and 1000000)
);
comment on table discount_codes is 'Codes that make a sale cheaper. Archived ones are not taken any more; bookings keep what they gave.';
-- however it is typed
create unique index discount_codes_code_unique on discount_codes (org_id, upper(code));
select guard_table('discount_codes');
-- guides read bookings, but sell nothing: their list of codes is empty
select narrow_own('discount_codes', 'false');

-- What a booking got by a code, as it was then.
alter table bookings
  add column discount_code_id uuid,
  add column discount_code text,
  add column discount_minor bigint not null default 0,
  add constraint bookings_discount_code_fk foreign key (org_id, discount_code_id) references discount_codes,
  add constraint bookings_discount_minor_range check (discount_minor >= 0),
  add constraint bookings_discount_whole check ((discount_code_id is null) = (discount_code is null) and (discount_code_id is not null or discount_minor = 0));
-- how often a code is used
create index bookings_discount on bookings (org_id, discount_code_id) where discount_code_id is not null;

create function uses_discount(p_status text) returns boolean language sql immutable parallel safe
return p_status not in ('cancelled', 'expired', 'rejected');
comment on function uses_discount is 'Whether a booking in this status counts as a use of its discount code; what has ended gives it back.';

-- A code is used at most so many times, also by two at the same moment: the second waits for the first, and counts it.
create function limit_discount_uses() returns trigger language plpgsql as $$
declare
  most int;
begin
  select max_uses into most from discount_codes where org_id = new.org_id and id = new.discount_code_id for no key update;
  if most > 0 and most < (select count(*) from bookings b
    where b.org_id = new.org_id and b.discount_code_id = new.discount_code_id and uses_discount(b.status)) then
    raise exception 'This discount code is used up.' using errcode = 'check_violation', constraint = 'discount_codes_uses_within_limit',
      table = 'discount_codes';
  end if;
  return null;
end $$;
create trigger limit_discount_uses after insert on bookings for each row
  when (new.discount_code_id is not null and uses_discount(new.status)) execute function limit_discount_uses();
create trigger limit_discount_uses_again after update of status, discount_code_id on bookings for each row
  when (new.discount_code_id is not null and uses_discount(new.status)
    and (not uses_discount(old.status) or new.discount_code_id is distinct from old.discount_code_id)) execute function limit_discount_uses();
