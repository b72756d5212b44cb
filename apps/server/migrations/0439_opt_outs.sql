-- Guests who want fewer e-mails: reminders, questions and what somebody writes do not go to their address any more, whichever booking they are about.
create table opt_outs (
  org_id text not null references organizations on delete cascade,
  id uuid not null,
  channel text not null,
  address text not null,
  -- where it was said
  booking_id uuid,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint opt_outs_booking_fk foreign key (org_id, booking_id) references bookings on delete set null (booking_id),
  constraint opt_outs_channel_known check (channel in ('email')),
  -- addresses are compared like this
  constraint opt_outs_address_folded check (address = lower(address collate "C")),
  constraint opt_outs_once unique (org_id, channel, address)
);
comment on table opt_outs is 'Addresses that get only what is needed for a booking.';
create index opt_outs_booking on opt_outs (org_id, booking_id) where booking_id is not null;

select guard_table('opt_outs', 'id', 'address');
-- what was said at a booking of one of their departures; the courier, which sends, knows all of them
select narrow_own('opt_outs', 'exists (select from bookings b where b.org_id = opt_outs.org_id and b.id = opt_outs.booking_id)');

alter table deliveries add constraint deliveries_suppressed_reason_known
  check (suppressed_reason in ('outdated', 'stopped', 'opted_out'));
