-- Two incidents about the same thing become one. The merged one stays, with its own log, and nothing of it changes any more.
-- See docs/decisions/0105.
alter table incidents drop constraint incidents_status_known;
alter table incidents
  add column merged_into_id uuid,
  add constraint incidents_status_known
    check (status in ('reported', 'triaged', 'active', 'stabilised', 'resolved', 'reviewed', 'merged')),
  add constraint incidents_merged_into_fk foreign key (org_id, merged_into_id) references incidents,
  add constraint incidents_merged_names_the_other check ((status = 'merged') = (merged_into_id is not null)),
  add constraint incidents_not_merged_into_itself check (merged_into_id <> id);
-- what was merged into an incident: its log and its number belong to the room of the other
create index incidents_merged_into on incidents (org_id, merged_into_id) where merged_into_id is not null;

insert into legal_transitions (machine, from_status, to_status) values
  ('incidents', 'reported', 'merged'), ('incidents', 'triaged', 'merged'), ('incidents', 'active', 'merged'), ('incidents', 'stabilised', 'merged');

-- A merged incident is final, and it is merged into one that is open. The other one is locked, so that of two that are merged into each
-- other at the same moment one is refused.
create function keep_incident_merge() returns trigger language plpgsql as $$
declare
  target text;
begin
  if old.status = 'merged' then
    raise exception 'a merged incident does not change' using errcode = 'check_violation', constraint = 'incidents_merged_is_final',
      table = 'incidents';
  end if;
  if new.merged_into_id is not null then
    select i.status into target from incidents i where i.org_id = new.org_id and i.id = new.merged_into_id for share;
    if target in ('resolved', 'reviewed', 'merged') then
      raise exception 'an incident is merged into an open one' using errcode = 'check_violation', constraint = 'incidents_merged_into_open',
        table = 'incidents';
    end if;
  end if;
  return new;
end $$;
create trigger keep_incident_merge before update on incidents for each row execute function keep_incident_merge();

-- Nothing is added to a merged incident either.
create function keep_merged_incident_whole() returns trigger language plpgsql as $$
begin
  if exists (select from incidents i where i.org_id = new.org_id and i.id = new.incident_id and i.status = 'merged') then
    raise exception 'a merged incident does not change' using errcode = 'check_violation', constraint = 'incidents_merged_is_final',
      table = tg_table_name;
  end if;
  return new;
end $$;
create trigger keep_merged_incident_whole before insert or update on incident_entries
  for each row execute function keep_merged_incident_whole();
create trigger keep_merged_incident_whole before insert or update on incident_tasks
  for each row execute function keep_merged_incident_whole();
create trigger keep_merged_incident_whole before insert or update on incident_travelers
  for each row execute function keep_merged_incident_whole();
create trigger keep_merged_incident_whole before insert or update on roll_calls
  for each row when (new.incident_id is not null) execute function keep_merged_incident_whole();

-- Who answered a roll call that stayed with a merged incident is history as well.
create function keep_merged_roll_call() returns trigger language plpgsql as $$
begin
  if exists (select from roll_calls c join incidents i on i.org_id = c.org_id and i.id = c.incident_id
    where c.org_id = new.org_id and c.id = new.roll_call_id and i.status = 'merged') then
    raise exception 'a merged incident does not change' using errcode = 'check_violation', constraint = 'incidents_merged_is_final',
      table = tg_table_name;
  end if;
  return new;
end $$;
create trigger keep_merged_roll_call before insert or update of answer, answered_at, answered_by on roll_call_responses
  for each row execute function keep_merged_roll_call();

alter table incident_entries drop constraint incident_entries_kind_known;
alter table incident_entries add constraint incident_entries_kind_known
  check (kind in ('note', 'call', 'status', 'file', 'message', 'task_done', 'task_reopened', 'merged')) not valid;
alter table incident_entries validate constraint incident_entries_kind_known;
