-- In which language a supplier is written to; null: in that of the office, as before.
alter table suppliers add column language text,
  add constraint suppliers_language_known check (language in ('en', 'de', 'es'));
