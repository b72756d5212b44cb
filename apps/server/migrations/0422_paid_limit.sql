-- What was paid is at most the largest amount that the screens know; several large payments could add up to more.
alter table bookings add constraint bookings_paid_within_limit check (amount_paid_minor <= 1000000000000);
