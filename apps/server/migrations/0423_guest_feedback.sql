-- What a party says after its tour, on the link of its booking: once for each departure, and to be changed while the link is open.
create unique index feedback_booking_once on feedback (org_id, booking_id, departure_id) where source = 'link' and booking_id is not null;
alter table feedback add constraint feedback_comment_length check (char_length(comment) <= 2000);
-- What guests write stays out of the audit log.
create or replace trigger record_insert after insert on feedback referencing new table as new_rows
  for each statement execute function record_changes('id', 'comment');
create or replace trigger record_update after update on feedback referencing old table as old_rows new table as new_rows
  for each statement execute function record_changes('id', 'comment');
create or replace trigger record_delete after delete on feedback referencing old table as old_rows
  for each statement execute function record_changes('id', 'comment');

alter table departure_notices add column feedback_from timestamptz;
comment on column departure_notices.feedback_from is 'Since when the guests of a departure that has ended wait to be asked how it was; null where nobody is to be asked, or all have been.';
-- every minute: where guests wait to be asked
create index departure_notices_feedback on departure_notices (org_id, feedback_from) where feedback_from is not null;

-- However a departure ends: by the guide, the office, or by itself.
create function note_feedback_due() returns trigger language plpgsql as $$
begin
  insert into departure_notices as n (org_id, departure_id, feedback_from) values (new.org_id, new.id, app_now())
  on conflict (org_id, departure_id) do update set feedback_from = excluded.feedback_from;
  return null;
end $$;
create trigger note_feedback_due after update of status on departures for each row
  when (new.status = 'completed' and old.status <> 'completed') execute function note_feedback_due();

alter table notification_rules
  add constraint notification_rules_feedback_hours check (event <> 'feedback_request' or offset_min between 60 and 1440 and offset_min % 60 = 0);
