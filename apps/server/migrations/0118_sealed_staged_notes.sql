-- Medical notes of a file lay in clear text between reading and comparing it. They are encrypted at reading from now on; a server of before
-- that still runs is refused. A check under way is stopped, and a checked import asks for another check, which reads the file anew.
alter table import_rows no force row level security;
alter table import_batches no force row level security;
alter table import_work no force row level security;
update import_work w set stop_requested = true where job = 'preview' and phase is not null and exists (
  select from import_rows r where r.org_id = w.org_id and r.batch_id = w.batch_id and jsonb_typeof(r.after #> '{values,medicalNote}') = 'string');
update import_batches b set counts = '{}' where status = 'previewed' and exists (
  select from import_rows r where r.org_id = b.org_id and r.batch_id = b.id and jsonb_typeof(r.after #> '{values,medicalNote}') = 'string');
update import_rows set after = after #- '{values,medicalNote}' where jsonb_typeof(after #> '{values,medicalNote}') = 'string';
alter table import_rows force row level security;
alter table import_batches force row level security;
alter table import_work force row level security;
alter table import_rows add constraint import_rows_medical_note_encrypted
  check (jsonb_typeof(after #> '{values,medicalNote}') is distinct from 'string');

-- Samples name their key as other encrypted columns do, so that a key that encrypts some cannot be removed.
alter table import_work
  add column samples_key text generated always as (sealing_key(samples)) stored,
  add constraint import_work_samples_key_known foreign key (samples_key) references data_keys;
