-- What the party of a booking writes on the page of its link, and what the office answers there. See docs/decisions/0136.
create table booking_messages (
  org_id text not null references organizations on delete cascade,
  id uuid not null,
  booking_id uuid not null,
  author text not null,
  -- who answered for the office
  user_id text,
  body text not null,
  -- when the office had read it
  read_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint booking_messages_booking_fk foreign key (org_id, booking_id) references bookings on delete cascade,
  constraint booking_messages_author_known check (author in ('guest', 'office')),
  constraint booking_messages_office_is_named check ((author = 'office') = (user_id is not null)),
  constraint booking_messages_only_guests_wait check (author = 'guest' or read_at is null),
  constraint booking_messages_body_length check (char_length(body) between 1 and 1000)
);
comment on table booking_messages is 'Messages between the party of a booking and the office, on the page of the booking''s link.';
-- a thread as it is read
create index booking_messages_booking on booking_messages (org_id, booking_id, created_at, id);

-- What people write stays out of the audit log.
select guard_table('booking_messages', 'id', 'body');
-- guides read what guests of their departures ask
select narrow_own('booking_messages', 'exists (select from bookings b where b.org_id = booking_messages.org_id and b.id = booking_messages.booking_id)');
