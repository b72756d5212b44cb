-- Medical notes and reasons of time off are encrypted like passport numbers. The database has no key: rows from before are encrypted by the
-- server at its next start (`platform/reseal.ts`), which then empties the old columns. Nothing is written there any more; a later migration
-- drops them.
alter table traveler_private
  add column medical_sealed bytea,
  add column medical_key text generated always as (sealing_key(medical_sealed)) stored,
  add constraint traveler_private_medical_key_known foreign key (medical_key) references data_keys,
  add constraint traveler_private_medical_note_encrypted check (medical_note is null) not valid;
comment on column traveler_private.medical_note is 'From before notes were encrypted; empty once the server has started.';
create index traveler_private_unsealed on traveler_private (org_id) where medical_note is not null;
select guard_sealed('traveler_private', 'traveler_id', 'date_of_birth,medical_note,medical_sealed');

alter table staff_calendar_entries
  add column note_sealed bytea,
  add column note_key text generated always as (sealing_key(note_sealed)) stored,
  add constraint staff_calendar_entries_note_key_known foreign key (note_key) references data_keys,
  add constraint staff_calendar_entries_note_encrypted check (note is null) not valid;
comment on column staff_calendar_entries.note is 'From before notes were encrypted; empty once the server has started.';
create index staff_calendar_entries_unsealed on staff_calendar_entries (org_id) where note is not null;
select guard_sealed('staff_calendar_entries', 'id', 'note,note_sealed');

-- The owner of a table is bound by its policies too, while they are forced.
alter table audit_entries no force row level security;
alter table import_rows no force row level security;
alter table import_batches no force row level security;

-- The audit log told reasons of time off until now. That is the one thing that is taken out of it: who changed what, and when, stays.
alter table audit_entries disable trigger append_only;
update audit_entries set diff = diff || case op when 'update' then '{"note": ["***", "***"]}'::jsonb else '{"note": "***"}'::jsonb end
where entity_type = 'staff_calendar_entries' and diff ? 'note';
alter table audit_entries enable trigger append_only;

-- Plans of imports held medical notes. Files that were checked and not applied ask for another check, which plans them anew; undoing an import
-- of before leaves medical notes as they are.
update import_batches b set counts = '{}' where status = 'previewed' and exists (
  select from import_rows r where r.org_id = b.org_id and r.batch_id = b.id and r.after #> '{write,private,set}' ? 'medical_note');
update import_rows set after = after #- '{write,private,set,medical_note}' #- '{write,private,was,medical_note}'
where after #> '{write,private,set}' ? 'medical_note' or after #> '{write,private,was}' ? 'medical_note';

alter table audit_entries force row level security;
alter table import_rows force row level security;
alter table import_batches force row level security;

do $$
declare
  before constant text := pg_get_functiondef('traveler_flag_condition(text)'::regprocedure);
  after constant text := replace(before, $of$p.medical_note <> ''''$of$, 'p.medical_sealed is not null');
begin
  if after = before then raise exception 'traveler_flag_condition() is not as expected'; end if;
  execute after;
end $$;

create policy janitor on traveler_private for select to app_janitor using (true);
create policy janitor on staff_calendar_entries for select to app_janitor using (true);
create policy janitor on import_rows for select to app_janitor using (true);
create policy janitor on import_work for select to app_janitor using (true);
grant select on traveler_private, staff_calendar_entries, import_rows, import_work to app_janitor;

create or replace function organizations_to_seal() returns table (org_id text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select org_id from traveler_documents where number_encrypted is not null and number_key is null
  union select org_id from traveler_private where medical_note is not null
  union select org_id from staff_calendar_entries where note is not null
$$;

-- How many values each key encrypts, for the operator. Staged lines of imports hold theirs inside of what they plan.
create function data_key_uses() returns table (key_id text, place text, n bigint)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select coalesce(number_key, 'nameless'), 'passport numbers', count(*) from traveler_documents where number_encrypted is not null group by 1
  union all select medical_key, 'medical notes', count(*) from traveler_private where medical_sealed is not null group by 1
  union all select note_key, 'reasons of time off', count(*) from staff_calendar_entries where note_sealed is not null group by 1
  union all select m[1], 'lines of imports', count(*) from import_rows, regexp_matches(after::text, '00534b01([0-9a-f]{16})', 'g') m group by 1
  union all select coalesce(sealing_key(samples), 'nameless'), 'samples of imports', count(*) from import_work where samples is not null group by 1
$$;
select give_function('data_key_uses()', 'app_janitor');
