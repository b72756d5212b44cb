-- Alerts are evaluated by what changed and by due times. A subject is what is evaluated together: a departure, a person, a vehicle, a hold, a
-- message, or an alert that hangs on none of these. See docs/decisions/0094.

create table alert_dues (
  org_id text not null references organizations on delete cascade,
  subject_kind text not null,
  subject_id uuid not null,
  -- when something about it can become true or false next; at once after a change
  due_at timestamptz not null default 'infinity',
  evaluated_at timestamptz,
  -- the dedupe keys that were true then
  firing text[] not null default '{}',
  -- of open alerts that are true no more: since when, by dedupe key
  lapsing jsonb not null default '{}',
  primary key (org_id, subject_kind, subject_id),
  constraint alert_dues_kind_known check (subject_kind in ('departure', 'staff', 'vehicle', 'booking', 'message', 'alert'))
) with (fillfactor = 80);
-- every second: what is due
create index alert_dues_due on alert_dues (org_id, due_at);
select guard_table('alert_dues', 'subject_kind,subject_id', p_recorded => false);

alter table alert_evaluations
  -- how far changes have been made into due times: `seen` of `changesSince`
  add column seen text,
  -- the last time that everything was evaluated, as a check that nothing is missed
  add column checked_at timestamptz;
comment on column alert_evaluations.evaluated_at is 'Everything that was due up to this moment has been evaluated.';

-- what people have closed stays closed while it goes on
insert into alert_dues (org_id, subject_kind, subject_id, due_at, evaluated_at, firing)
select e.org_id, 'departure', a.departure_id, e.evaluated_at, e.evaluated_at, array_agg(distinct a.dedupe_key)
from alert_evaluations e join alerts a on a.org_id = e.org_id and a.dedupe_key = any (e.firing) and a.departure_id is not null
  and a.kind not in ('hold_expiring', 'message_failed', 'certificate_expiring', 'rest_violation')
group by e.org_id, a.departure_id, e.evaluated_at
union all
select e.org_id, case a.kind when 'hold_expiring' then 'booking' when 'message_failed' then 'message' when 'rest_violation' then 'staff' else a.subject_type end,
  subject.id, e.evaluated_at, e.evaluated_at, array_agg(distinct a.dedupe_key)
from alert_evaluations e join alerts a on a.org_id = e.org_id and a.dedupe_key = any (e.firing)
  and a.kind in ('hold_expiring', 'message_failed', 'certificate_expiring', 'rest_violation')
  cross join lateral (select case when a.kind = 'rest_violation' then (select s.staff_id from assignments s where s.org_id = a.org_id and s.id = a.subject_id::uuid)
    else a.subject_id::uuid end as id) subject
where subject.id is not null
group by e.org_id, 2, subject.id, e.evaluated_at;
alter table alert_evaluations drop column firing;

-- Which organizations have something to evaluate: what is due, what changed, or a heartbeat that is due.
create policy directory on alert_dues for select to app_directory using (true);
create policy directory on alert_evaluations for select to app_directory using (true);
create policy directory on changes for select to app_directory using (true);
grant select on alert_dues, alert_evaluations, changes to app_directory;
create function organizations_to_evaluate(p_now timestamptz, p_heartbeat interval) returns table (org_id text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select o.org_id from organizations o left join alert_evaluations e on e.org_id = o.org_id
  where e.seen is null or e.evaluated_at <= p_now - p_heartbeat
    or exists (select from alert_dues u where u.org_id = o.org_id and u.due_at <= p_now)
    or exists (select from changes c where c.org_id = o.org_id and c.tx >= split_part(e.seen, ':', 1)::xid8
      and not pg_visible_in_snapshot(c.tx, split_part(e.seen, '@', 1)::pg_snapshot) and c.topic <> 'documents')
  order by o.org_id
$$;
select give_function('organizations_to_evaluate(timestamptz, interval)', 'app_directory');
