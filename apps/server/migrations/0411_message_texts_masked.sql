-- What somebody writes to guests stays out of the audit log, in each of its languages as in the one that is shown.
create or replace trigger record_insert after insert on messages referencing new table as new_rows
  for each statement execute function record_changes('id', 'body,texts');
create or replace trigger record_update after update on messages referencing old table as old_rows new table as new_rows
  for each statement execute function record_changes('id', 'body,texts');
create or replace trigger record_delete after delete on messages referencing old table as old_rows
  for each statement execute function record_changes('id', 'body,texts');
