-- Messages that somebody writes to guests: one message, a text for each booking. See docs/decisions/0113.
alter table deliveries add column booking_id uuid,
  -- an import that is undone takes its bookings away; what was written stays in the log
  add constraint deliveries_booking_fk foreign key (org_id, booking_id) references bookings on delete set null (booking_id);
create index deliveries_booking on deliveries (org_id, booking_id, created_at) where booking_id is not null;

-- As it was written, to fill in again when it leaves.
alter table messages add column texts jsonb;

-- An agent who has booked for two parties reads of both.
alter table deliveries drop constraint deliveries_recipient_once,
  add constraint deliveries_recipient_once unique nulls not distinct (org_id, message_id, channel, recipient, booking_id);

-- Of what was written about a booking until today. The owner of a table is bound by its policies too, while they are forced.
alter table messages no force row level security;
alter table deliveries no force row level security;
alter table bookings no force row level security;
update deliveries d set booking_id = b.id
from messages m join bookings b on b.org_id = m.org_id and b.id::text = m.subject_id
where m.org_id = d.org_id and m.id = d.message_id and m.subject_type = 'booking';
alter table messages force row level security;
alter table deliveries force row level security;
alter table bookings force row level security;

-- A text of the office is one row with all its languages. Nobody could write one before.
alter table message_templates drop constraint message_templates_key_unique,
  drop column locale, drop column subject, drop column body, drop column archived_at;
alter table message_templates rename column key to name;
alter table message_templates alter column channel set default 'email',
  add column texts jsonb not null,
  add constraint message_templates_name_unique unique (org_id, channel, name),
  add constraint message_templates_name_length check (char_length(name) between 1 and 80),
  add constraint message_templates_has_text check (jsonb_typeof(texts) = 'array' and jsonb_array_length(texts) between 1 and 3);
