-- What is due because everything of an organization is (after a change of its settings, or more changes than are listed one by one) waits
-- for what has a cause of its own. See docs/decisions/0094.

alter table alert_dues add column all_due_at timestamptz;
comment on column alert_dues.all_due_at is 'Since when it is due together with everything else of its organization; its own moment stays in due_at.';
create index alert_dues_all_due on alert_dues (org_id, all_due_at) where all_due_at is not null;

create or replace function organizations_to_evaluate(p_now timestamptz, p_heartbeat interval) returns table (org_id text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select o.org_id from organizations o left join alert_evaluations e on e.org_id = o.org_id
  where e.seen is null or e.evaluated_at <= p_now - p_heartbeat
    or exists (select from alert_dues u where u.org_id = o.org_id and u.due_at <= p_now)
    or exists (select from alert_dues u where u.org_id = o.org_id and u.all_due_at is not null)
    or exists (select from changes c where c.org_id = o.org_id and c.tx >= split_part(e.seen, ':', 1)::xid8
      and not pg_visible_in_snapshot(c.tx, split_part(e.seen, '@', 1)::pg_snapshot) and c.topic <> 'documents')
  order by o.org_id
$$;
