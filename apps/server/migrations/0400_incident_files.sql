-- Photos and documents of an incident: a line of its log says what was added. The file may be removed again, which a line of its own says;
-- the line that added it stays, without the file.
alter table incident_entries drop constraint incident_entries_kind_known;
alter table incident_entries add constraint incident_entries_kind_known
  check (kind in ('note', 'call', 'status', 'file', 'file_removed', 'message', 'task_done', 'task_reopened', 'merged')) not valid;
alter table incident_entries validate constraint incident_entries_kind_known;
alter table incident_entries add constraint incident_entries_file_has_line check (file_id is null or kind = 'file') not valid;
alter table incident_entries validate constraint incident_entries_file_has_line;
-- a file is in one log, once; also the way from a file that is removed to its line
create unique index incident_entries_line_of_file_unique on incident_entries (org_id, file_id) where file_id is not null;

-- Nothing else of a line is ever rewritten.
grant update (file_id) on incident_entries to app_user;
create function keep_incident_entry() returns trigger language plpgsql as $$
begin
  if new.file_id is not null or (to_jsonb(new) - 'file_id') <> (to_jsonb(old) - 'file_id') then
    raise exception 'of a line of the log only the file is removed' using errcode = 'check_violation',
      constraint = 'incident_entries_append_only', table = 'incident_entries';
  end if;
  return new;
end $$;
create trigger keep_incident_entry before update on incident_entries for each row execute function keep_incident_entry();
