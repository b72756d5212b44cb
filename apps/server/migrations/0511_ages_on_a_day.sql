-- An age is right on the day for which it was said: a party that moves to next summer has older children. See docs/decisions/0162.
alter table manifest_entries add column age_on date;
comment on column manifest_entries.age_on is 'Day of the departure for which the age was said; a party that moves keeps it.';

alter table manifest_entries no force row level security;
alter table departures no force row level security;
alter table manifest_entries disable trigger user;
update manifest_entries m set age_on = d.local_date from departures d where d.org_id = m.org_id and d.id = m.departure_id and m.age is not null;
alter table manifest_entries enable trigger user;
alter table departures force row level security;
alter table manifest_entries force row level security;

alter table manifest_entries add constraint manifest_entries_age_day check ((age is null) = (age_on is null));

create or replace trigger record_insert after insert on manifest_entries referencing new table as new_rows
  for each statement execute function record_changes('id', 'note,age,age_on');
create or replace trigger record_update after update on manifest_entries referencing old table as old_rows new table as new_rows
  for each statement execute function record_changes('id', 'note,age,age_on');
create or replace trigger record_delete after delete on manifest_entries referencing old table as old_rows
  for each statement execute function record_changes('id', 'note,age,age_on');
