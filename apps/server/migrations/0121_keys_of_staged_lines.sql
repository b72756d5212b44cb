-- Staged lines of imports name the keys of what they hold, as other encrypted columns do, so that a key that encrypts some cannot be removed.
-- A line holds values of its file (`values`) and, once it is planned, what is written and what was there before (`write`): each may be of
-- another key. The places are those of `platform/reseal-staged-lines.ts`.
create function staged_key(after jsonb, place text[]) returns text language sql immutable parallel safe
return substring(after #>> place from '^(?:\\x)?00534b01([0-9a-f]{16})');
comment on function staged_key(jsonb, text[]) is 'The id of the key that sealed a value of a staged line; null where there is none.';

alter table import_rows
  add column passport_value_key text generated always as (staged_key(after, '{values,passport,sealed}')) stored,
  add column medical_value_key text generated always as (staged_key(after, '{values,medicalNote,sealed}')) stored,
  add column passport_set_key text generated always as (staged_key(after, '{write,passport,set,number_encrypted}')) stored,
  add column passport_was_key text generated always as (staged_key(after, '{write,passport,was,number_encrypted}')) stored,
  add column medical_set_key text generated always as (staged_key(after, '{write,private,set,medical_sealed}')) stored,
  add column medical_was_key text generated always as (staged_key(after, '{write,private,was,medical_sealed}')) stored;

-- A key that is named by a line and not known here was removed at the moment of writing: what it encrypted is lost unless the key comes back.
alter table import_rows no force row level security;
insert into data_keys (id, lost_at)
select distinct key, clock_timestamp() from import_rows, unnest(array[passport_value_key, medical_value_key, passport_set_key, passport_was_key,
  medical_set_key, medical_was_key]) as key
where key is not null on conflict (id) do nothing;
alter table import_rows force row level security;

alter table import_rows
  add constraint import_rows_passport_value_key_known foreign key (passport_value_key) references data_keys,
  add constraint import_rows_medical_value_key_known foreign key (medical_value_key) references data_keys,
  add constraint import_rows_passport_set_key_known foreign key (passport_set_key) references data_keys,
  add constraint import_rows_passport_was_key_known foreign key (passport_was_key) references data_keys,
  add constraint import_rows_medical_set_key_known foreign key (medical_set_key) references data_keys,
  add constraint import_rows_medical_was_key_known foreign key (medical_was_key) references data_keys;

create or replace function data_key_uses() returns table (key_id text, place text, n bigint)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select coalesce(number_key, 'nameless'), 'passport numbers', count(*) from traveler_documents where number_encrypted is not null group by 1
  union all select medical_key, 'medical notes', count(*) from traveler_private where medical_sealed is not null group by 1
  union all select note_key, 'reasons of time off', count(*) from staff_calendar_entries where note_sealed is not null group by 1
  union all select key, 'lines of imports', count(*) from import_rows, unnest(array[passport_value_key, medical_value_key, passport_set_key,
    passport_was_key, medical_set_key, medical_was_key]) as key where key is not null group by 1
  union all select coalesce(sealing_key(samples), 'nameless'), 'samples of imports', count(*) from import_work where samples is not null group by 1
$$;
