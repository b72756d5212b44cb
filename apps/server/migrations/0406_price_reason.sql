-- Why a booking costs something else than its seats do.
alter table bookings add column price_reason text,
  add constraint bookings_price_reason_length check (char_length(price_reason) between 1 and 200);
