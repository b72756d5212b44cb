-- In which language somebody reads one message, where the sender chose it for them: it is written anew when it leaves. See docs/decisions/0183.
alter table deliveries
  add column language text,
  add constraint deliveries_language_known check (language in ('en', 'de', 'es'));
comment on column deliveries.language is 'Chosen by the sender of this message; null: the one of the booking.';
