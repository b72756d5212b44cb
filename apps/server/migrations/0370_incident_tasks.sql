-- What has to be done about an incident, by whom and until when.
create table incident_tasks (
  org_id text not null references organizations on delete cascade,
  id uuid not null,
  incident_id uuid not null,
  text text not null,
  assignee_id text,
  due_at timestamptz,
  created_by text,
  done_at timestamptz,
  done_by text,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint incident_tasks_incident_fk foreign key (org_id, incident_id) references incidents on delete cascade,
  constraint incident_tasks_assignee_fk foreign key (org_id, assignee_id) references members,
  constraint incident_tasks_done_by_fk foreign key (org_id, done_by) references members,
  constraint incident_tasks_text_length check (char_length(text) between 1 and 200),
  constraint incident_tasks_done_whole check ((done_at is null) = (done_by is null))
);
-- the room of an incident, and the number of open ones in each row of the list
create index incident_tasks_incident on incident_tasks (org_id, incident_id);
select guard_table('incident_tasks');

-- The log says by itself which task was done, and which is to be done again.
alter table incident_entries drop constraint incident_entries_kind_known;
alter table incident_entries add constraint incident_entries_kind_known
  check (kind in ('note', 'call', 'status', 'file', 'message', 'task_done', 'task_reopened')) not valid;
alter table incident_entries validate constraint incident_entries_kind_known;
