-- Seats that were offered to a party on the waitlist: its guests may take them or leave them to others, on the link of their booking.
alter table bookings add column offered_at timestamptz;
comment on column bookings.offered_at is 'When the seats of a hold were offered to a party that had waited; null for a hold that the office made.';
-- What is held for waiting parties at the moment of the upgrade stays an agreement with the office.
