-- What became of what a party said: who takes care of it, and how it ended. The words of the party are not touched, so that it can change
-- them without a conflict.
create table feedback_follow_ups (
  org_id text not null,
  -- of the feedback
  id uuid not null,
  owner_user_id text,
  -- what was done: "called, voucher sent"
  note text,
  closed_at timestamptz,
  closed_by text,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint feedback_follow_ups_feedback_fk foreign key (org_id, id) references feedback on delete cascade,
  constraint feedback_follow_ups_note_length check (char_length(note) between 1 and 300),
  constraint feedback_follow_ups_closed_whole check (num_nonnulls(note, closed_at, closed_by) in (0, 3))
);
-- what is written about a guest stays out of the audit log, as their words do
select guard_table('feedback_follow_ups', 'id', 'note');
select narrow_own('feedback_follow_ups', 'exists (select from feedback f where f.org_id = feedback_follow_ups.org_id and f.id = feedback_follow_ups.id)');
