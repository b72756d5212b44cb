-- For which of its days the digest of the office has been decided for a member: sent, or nothing to send. The key lets two processes send none
-- twice, and none is lost: it is written in the transaction that sends. See docs/decisions/0150.
create table daily_digests (
  org_id text not null,
  user_id text not null,
  local_date date not null,
  decided_at timestamptz not null default app_now(),
  primary key (org_id, user_id, local_date),
  constraint daily_digests_member_fk foreign key (org_id, user_id) references members on delete cascade
);
comment on column daily_digests.local_date is 'The day on which it is sent, in the zone of the organization.';
select guard_table('daily_digests', 'user_id', p_recorded => false, p_grants => 'select, insert, delete');
