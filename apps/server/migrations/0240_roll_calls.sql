-- Who is safe: one roll call for each incident, so that asking again is the same question. Who answered last is told apart, since
-- what a guest says is worth more than what somebody heard.
alter table roll_calls alter column question drop not null;
alter table roll_calls add constraint roll_calls_question_length check (char_length(question) <= 300);
create unique index roll_calls_one_per_incident on roll_calls (org_id, incident_id);
alter table roll_call_responses add column answered_by text;
alter table roll_call_responses add constraint roll_call_responses_answered_by_known check (answered_by in ('guest', 'office'));
alter table roll_call_responses add constraint roll_call_responses_answer_with_author check ((answered_by is null) = (answered_at is null));
