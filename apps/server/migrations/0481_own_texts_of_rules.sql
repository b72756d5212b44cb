-- What guests read of an event, where an organization has written it itself: one text for each language, checked like those of messages. Another
-- number than the version of the rule, so that who switches a rule does not stop who writes.
alter table notification_rules
  add column texts jsonb not null default '[]',
  add column texts_version int not null default 0,
  add constraint notification_rules_texts_known check (jsonb_typeof(texts) = 'array' and jsonb_array_length(texts) <= 3);
