-- Cells of an uploaded file that a person corrected while checking it. They hold values of guests: sealed, out of the log, and deleted with
-- the file's rows.
create table import_corrections (
  org_id text not null,
  id uuid not null,
  batch_id uuid not null,
  line int not null,
  place int not null,
  everywhere boolean not null default false,
  cell bytea not null,
  cell_key text generated always as (sealing_key(cell)) stored,
  corrected_by text,
  corrected_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint import_corrections_cell_unique unique (org_id, batch_id, line, place, everywhere),
  constraint import_corrections_batch_fk foreign key (org_id, batch_id) references import_batches on delete cascade,
  constraint import_corrections_cell_key_known foreign key (cell_key) references data_keys,
  constraint import_corrections_line_range check (line > 0),
  constraint import_corrections_place_range check (place >= 0)
);
comment on table import_corrections is 'Applied whenever the rows of the file are read; the file itself stays as it was uploaded.';
comment on column import_corrections.place is 'Column of the file, from 0.';
comment on column import_corrections.everywhere is 'Counts for every cell of the column that holds the same; the line is that of the first one.';
comment on column import_corrections.cell is 'What the file holds and what counts instead, sealed (platform/sealed-text.ts).';
select guard_table('import_corrections', 'id', p_recorded => false);

create policy janitor on import_corrections for select to app_janitor using (true);
grant select on import_corrections to app_janitor;

create or replace function data_key_uses() returns table (key_id text, place text, n bigint)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select coalesce(number_key, 'nameless'), 'passport numbers', count(*) from traveler_documents where number_encrypted is not null group by 1
  union all select medical_key, 'medical notes', count(*) from traveler_private where medical_sealed is not null group by 1
  union all select note_key, 'reasons of time off', count(*) from staff_calendar_entries where note_sealed is not null group by 1
  union all select key, 'lines of imports', count(*) from import_rows, unnest(array[passport_value_key, medical_value_key, passport_set_key,
    passport_was_key, medical_set_key, medical_was_key]) as key where key is not null group by 1
  union all select coalesce(sealing_key(samples), 'nameless'), 'samples of imports', count(*) from import_work where samples is not null group by 1
  union all select coalesce(cell_key, 'nameless'), 'corrections of imports', count(*) from import_corrections group by 1
  union all select content_key, 'files of imports', count(*) from files where content_key is not null group by 1
$$;
