-- The rule for guests of an event is made when somebody changes it or the first message is written by it, perhaps by several at once.
create unique index notification_rules_guests_once on notification_rules (org_id, event) where audience = 'travelers';
-- What was written about a booking: shown with it, and looked at before more is written.
create index messages_subject on messages (org_id, subject_type, subject_id, created_at) where subject_id is not null;
-- What a guest is told of a booking, and what they knew before: a change that is undone tells nobody.
alter table messages add column said jsonb, add column said_before jsonb;
