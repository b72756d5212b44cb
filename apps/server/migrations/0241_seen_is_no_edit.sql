-- That a guide has read the run sheet is in the audit log and announced like any change. The row keeps its version: whoever accepts, or is
-- taken off, at the moment in which the screen opens must not be refused because of it.
create or replace trigger touch_row before update on assignments for each row
  when (new.seen_version is not distinct from old.seen_version) execute function touch_row();
