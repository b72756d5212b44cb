-- A device whose token has ended is told why: the office ended the device, or another phone has its place. Its phone must not go on saying that it is seen.

alter table devices
  -- of the token before, so that a phone that still has it can be told what happened to it
  add column past_token_hash bytea,
  add constraint devices_past_token_is_sha256 check (octet_length(past_token_hash) = 32);

create index devices_past_token on devices (past_token_hash) where past_token_hash is not null;

create function keep_past_token() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  new.past_token_hash := coalesce(old.token_hash, old.past_token_hash);
  return new;
end $$;
create trigger keep_past_token before update of token_hash on devices for each row
  when (new.token_hash is distinct from old.token_hash) execute function keep_past_token();

-- as before, for the new column as well
drop trigger record_insert on devices;
drop trigger record_update on devices;
drop trigger record_delete on devices;
create trigger record_insert after insert on devices referencing new table as new_rows
  for each statement execute function record_changes('id', 'token_hash,pairing_hash,past_token_hash');
create trigger record_update after update on devices referencing old table as old_rows new table as new_rows
  for each statement execute function record_changes('id', 'token_hash,pairing_hash,past_token_hash');
create trigger record_delete after delete on devices referencing old table as old_rows
  for each statement execute function record_changes('id', 'token_hash,pairing_hash,past_token_hash');

-- By whom a token was ended; nothing for one that never was.
create function end_of_token(p_token_hash bytea) returns table (ended text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select case when d.archived_at is null then 'by_other_phone' else 'by_office' end from devices d where d.past_token_hash = p_token_hash
$$;
select give_function('end_of_token(bytea)', 'app_directory');
