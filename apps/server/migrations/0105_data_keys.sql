-- Which keys may have encrypted something in this database, and which key encrypted what. A value begins with four fixed bytes and the eight
-- of its key's id (`platform/sealed-text.ts`); values from before have neither.
create table data_keys (
  id text primary key,
  added_at timestamptz not null default clock_timestamp(),
  -- the operator has said that the key is gone and what it encrypted with it
  lost_at timestamptz,
  constraint data_keys_id_form check (id ~ '^[0-9a-f]{16}$' or id = 'nameless')
);
comment on table data_keys is 'Ids of keys for data at rest; the keys are with the installation. A key that encrypts something cannot be removed here.';
grant select on data_keys to app_user;

create function sealing_key(value bytea) returns text language sql immutable strict parallel safe
return case when substring(value from 1 for 4) = '\x00534b01'::bytea then encode(substring(value from 5 for 8), 'hex') end;
comment on function sealing_key(bytea) is 'The id of the key that sealed a value; null for one from before keys had ids.';

-- The foreign key makes retiring safe: it waits for writes under way, and a process that still seals with a removed key is refused.
alter table traveler_documents
  add column number_key text generated always as (sealing_key(number_encrypted)) stored,
  add constraint traveler_documents_number_key_known foreign key (number_key) references data_keys;
create index traveler_documents_nameless on traveler_documents (org_id)
  where number_encrypted is not null and number_key is null;

-- Encrypting the same text with another key is no change that a person should see: no version, no audit entry, no event.
create function guard_sealed(p_table text, p_keys text, p_masked text) returns void language plpgsql as $$
declare
  as_edit constant text := 'when (current_setting(''app.resealing'', true) is distinct from ''on'')';
begin
  execute format('create or replace trigger touch_row before update on %I for each row %s execute function touch_row()', p_table, as_edit);
  execute format('create or replace trigger record_insert after insert on %I referencing new table as new_rows for each statement execute function record_changes(%L, %L)',
    p_table, p_keys, p_masked);
  execute format('create or replace trigger record_update after update on %I referencing old table as old_rows new table as new_rows for each statement %s execute function record_changes(%L, %L)',
    p_table, as_edit, p_keys, p_masked);
  execute format('create or replace trigger record_delete after delete on %I referencing old table as old_rows for each statement execute function record_changes(%L, %L)',
    p_table, p_keys, p_masked);
end $$;
comment on function guard_sealed is 'Called once for every table with encrypted columns, after guard_table.';
select guard_sealed('traveler_documents', 'id', 'number_encrypted,number_last4');

-- The id of a key says nothing to a reader of the audit log.
do $$
declare
  before constant text := pg_get_functiondef('record_changes()'::regprocedure);
  after constant text := replace(before, '''import_batch_id'']', '''import_batch_id'', ''number_key'', ''medical_key'', ''note_key'']');
begin
  if after = before then raise exception 'record_changes() is not as expected'; end if;
  execute after;
end $$;

-- Organizations that hold values to encrypt: those from before keys had ids. Reads partial indexes that are empty otherwise.
create policy janitor on traveler_documents for select to app_janitor using (true);
grant select on traveler_documents to app_janitor;
create function organizations_to_seal() returns table (org_id text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select distinct org_id from traveler_documents where number_encrypted is not null and number_key is null
$$;
select give_function('organizations_to_seal()', 'app_janitor');

-- Answers of calls lay here as they were, revealed passport numbers and tokens of links among them. They are encrypted from now on; those
-- from before go, from the disk as well.
truncate idempotency_keys;
alter table idempotency_keys drop column result,
  add column answer bytea,
  add column answer_until timestamptz;
comment on column idempotency_keys.answer is 'What a repeated call is answered, encrypted.';
comment on column idempotency_keys.answer_until is 'When the answer holds a secret that is shown once, such as the token of a link: not kept after this.';
create index idempotency_keys_answer_until on idempotency_keys (answer_until) where answer is not null;
grant update on idempotency_keys to app_janitor;
create function forget_secret_answers(p_now timestamptz) returns bigint
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  with gone as (update idempotency_keys set answer = null where answer is not null and answer_until < p_now returning 1) select count(*) from gone
$$;
select give_function('forget_secret_answers(timestamptz)', 'app_janitor');
