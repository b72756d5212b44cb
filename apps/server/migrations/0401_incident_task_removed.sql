-- The log says which task was removed, as it says which was done.
alter table incident_entries drop constraint incident_entries_kind_known;
alter table incident_entries add constraint incident_entries_kind_known
  check (kind in ('note', 'call', 'status', 'file', 'file_removed', 'message', 'task_done', 'task_reopened', 'task_removed', 'merged')) not valid;
alter table incident_entries validate constraint incident_entries_kind_known;
