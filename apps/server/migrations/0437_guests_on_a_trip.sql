-- What a party says of each guest for this trip: a note, an age where prices depend on it, and whether a child seat is needed.
alter table manifest_entries
  add column note text,
  -- years, as somebody said at the sale; a date of birth is in the profile
  add column age int,
  add column child_seat boolean not null default false,
  add constraint manifest_entries_note_length check (char_length(note) between 1 and 300),
  add constraint manifest_entries_age_range check (age between 0 and 120);

-- What is noted about a guest stays out of the audit log, as in the profile.
create or replace trigger record_insert after insert on manifest_entries referencing new table as new_rows
  for each statement execute function record_changes('id', 'note,age');
create or replace trigger record_update after update on manifest_entries referencing old table as old_rows new table as new_rows
  for each statement execute function record_changes('id', 'note,age');
create or replace trigger record_delete after delete on manifest_entries referencing old table as old_rows
  for each statement execute function record_changes('id', 'note,age');

alter table vehicles
  add column child_seats int not null default 0,
  add constraint vehicles_child_seats_range check (child_seats between 0 and 50);
comment on column vehicles.child_seats is 'Seats for children that stay in the vehicle; others are equipment.';
