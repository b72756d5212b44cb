-- What providers of SMS and WhatsApp say back. See docs/decisions/0145.

-- A provider that took a text may say later that it did not arrive: its message was sent, and now has failed.
insert into legal_transitions (machine, from_status, to_status) values
  ('messages', 'sent', 'partly_failed'), ('messages', 'sent', 'failed'), ('messages', 'partly_failed', 'failed');

-- who wrote is found by the number
create index bookings_contact_phone on bookings (org_id, contact_phone) where contact_phone is not null;

alter table opt_outs add column is_by_text boolean not null default false;
comment on column opt_outs.is_by_text is 'The owner of the number wrote STOP, or another word for it.';

-- null: written on the page of a link, or by the office
alter table booking_messages add column channel text,
  add constraint booking_messages_channel_known check (channel is null or (channel in ('sms', 'whatsapp') and author = 'guest')),
  -- the longest text of WhatsApp; what is typed on a page stays shorter
  drop constraint booking_messages_body_length,
  add constraint booking_messages_body_length check (char_length(body) between 1 and 4096);
comment on column booking_messages.channel is 'By which a guest answered a text; null for what was written on a page.';
