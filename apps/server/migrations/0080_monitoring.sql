-- The heartbeat of alert evaluation, and views of shared links that count themselves.

-- One row per organization: when it was looked at last, and which dedupe keys were true then. Silence can then be told
-- from calm, and "false in two consecutive evaluations" needs no mark on the alerts themselves.
create table alert_evaluations (
  org_id text not null references organizations on delete cascade,
  evaluated_at timestamptz not null,
  firing text[] not null default '{}',
  primary key (org_id)
);
select guard_table('alert_evaluations', 'org_id', p_recorded => false, p_grants => 'select, insert, update');
create index alerts_dedupe_key on alerts (org_id, dedupe_key, resolved_at);

create function count_link_access() returns trigger language plpgsql as $$
begin
  update shared_links set view_count = view_count + 1, last_viewed_at = new.at where org_id = new.org_id and id = new.link_id;
  return null;
end $$;
create trigger count_link_access after insert on link_accesses for each row execute function count_link_access();
-- a guest who looks must not make the office's change of the link conflict
drop trigger touch_row on shared_links;
create trigger touch_row before update on shared_links for each row when (pg_trigger_depth() = 0) execute function touch_row();
