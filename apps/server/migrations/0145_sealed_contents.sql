-- Contents of files that hold passports and medical notes are encrypted where they are kept. Each has a key of its own, which is in the row of the
-- file, encrypted with a data key: so keys are replaced without writing a content again (`platform/files/sealed-content.ts`). Contents from before
-- are encrypted by the daily sweep; the row then gets its key.
alter table files
  add column content_key_sealed bytea,
  add column content_key text generated always as (sealing_key(content_key_sealed)) stored,
  add constraint files_content_key_known foreign key (content_key) references data_keys;
comment on column files.content_key_sealed is 'The key of this content, encrypted; null for a content that is kept as it came.';
comment on column files.content_key is 'The id of the data key that encrypted the key of the content.';
select guard_sealed('files', 'id', '');

-- A key and its id say nothing to a reader of the audit log.
do $$
declare
  before constant text := pg_get_functiondef('record_changes()'::regprocedure);
  after constant text := replace(before, '''note_key'']', '''note_key'', ''content_key'', ''content_key_sealed'']');
begin
  if after = before then raise exception 'record_changes() is not as expected'; end if;
  execute after;
end $$;

create policy janitor on files for select to app_janitor using (true);
grant select on files to app_janitor;

create or replace function data_key_uses() returns table (key_id text, place text, n bigint)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select coalesce(number_key, 'nameless'), 'passport numbers', count(*) from traveler_documents where number_encrypted is not null group by 1
  union all select medical_key, 'medical notes', count(*) from traveler_private where medical_sealed is not null group by 1
  union all select note_key, 'reasons of time off', count(*) from staff_calendar_entries where note_sealed is not null group by 1
  union all select key, 'lines of imports', count(*) from import_rows, unnest(array[passport_value_key, medical_value_key, passport_set_key,
    passport_was_key, medical_set_key, medical_was_key]) as key where key is not null group by 1
  union all select coalesce(sealing_key(samples), 'nameless'), 'samples of imports', count(*) from import_work where samples is not null group by 1
  union all select content_key, 'files of imports', count(*) from files where content_key is not null group by 1
$$;
