-- Who has been told that their duty has not begun: once for each assignment, written in the transaction that sends.
create table duty_start_notices (
  org_id text not null,
  assignment_id uuid not null,
  told_at timestamptz not null default app_now(),
  primary key (org_id, assignment_id),
  constraint duty_start_notices_assignment_fk foreign key (org_id, assignment_id) references assignments on delete cascade
);
select guard_table('duty_start_notices', 'assignment_id', p_recorded => false, p_grants => 'select, insert');
