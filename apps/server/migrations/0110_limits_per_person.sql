-- Guessing passwords is slowed down for every account, whether it exists or not, in all processes and across restarts. See docs/decisions/0017.
-- A key is the hash of an address, or of an address and where the attempts come from.
create table identity.sign_in_attempts (
  key text primary key,
  failures integer not null,
  last_at timestamptz not null,
  wait_until timestamptz not null
);
create index sign_in_attempts_last on identity.sign_in_attempts (last_at);

-- Counts an attempt before its password is looked at, so that many at once are counted as well; a right password takes it back. The wait
-- doubles with each failure past the free ones, up to the longest. Answers the seconds to wait (then nothing was counted) and how many
-- failures the first key has.
create function identity.begin_attempt(p_keys text[], p_free int[], p_longest_seconds int[], out wait_seconds int, out failures int)
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  v_now constant timestamptz := clock_timestamp();
begin
  insert into identity.sign_in_attempts as a (key, failures, last_at, wait_until)
  select key, 0, v_now, v_now from unnest(p_keys) as key order by key on conflict do nothing;
  perform from identity.sign_in_attempts a where a.key = any (p_keys) order by a.key for update;
  update identity.sign_in_attempts a set failures = 0
  where a.key = any (p_keys) and a.last_at < v_now - interval '1 day' and a.wait_until <= v_now;
  select coalesce(ceil(extract(epoch from max(a.wait_until) - v_now)), 0)::int into wait_seconds
  from identity.sign_in_attempts a where a.key = any (p_keys) and a.wait_until > v_now;
  if wait_seconds = 0 then
    update identity.sign_in_attempts a
    set failures = a.failures + 1, last_at = v_now,
      wait_until = case when a.failures + 1 < given.free then v_now
        else v_now + make_interval(secs => least(given.longest, 5 * 2 ^ least(a.failures + 1 - given.free, 20))) end
    from unnest(p_keys, p_free, p_longest_seconds) as given (key, free, longest)
    where a.key = given.key;
  end if;
  select a.failures into failures from identity.sign_in_attempts a where a.key = p_keys[1];
end $$;

-- A right password: what came from the same place is forgotten; elsewhere only this attempt is taken back.
create function identity.end_attempt(p_keys text[], p_own_key text) returns void
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  perform from identity.sign_in_attempts where key = any (p_keys) order by key for update;
  update identity.sign_in_attempts set failures = greatest(failures - 1, 0), wait_until = clock_timestamp()
  where key = any (p_keys) and key <> p_own_key;
  delete from identity.sign_in_attempts where key = p_own_key;
end $$;

-- A person keeps at most 100 drafts, over all organizations and devices. The lock counts those that are being written at the same moment.
create function limit_drafts() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('drafts:' || new.user_id, 0));
  if (select count(*) from documents d where d.user_id = new.user_id and starts_with(d.path, 'users/' || new.user_id || '/drafts/')) >= 100
    and not exists (select from documents d where d.path = new.path)
  then
    raise exception 'a person keeps at most 100 drafts' using errcode = 'check_violation', constraint = 'documents_drafts_per_person';
  end if;
  return new;
end $$;
create trigger limit_drafts before insert on documents
  for each row when (new.user_id is not null and new.path like 'users/%/drafts/%') execute function limit_drafts();

-- Whoever is suspended or removed reads nothing of the organization: its notices leave their inbox too, which belongs to the person and
-- is read with a token of any organization.
create function empty_inbox() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  delete from documents d
  where d.user_id = new.user_id and starts_with(d.path, 'users/' || new.user_id || '/inbox/') and d.data ->> 'orgId' = new.org_id;
  return null;
end $$;
grant delete on documents to app_recorder;
select give_function('empty_inbox()', 'app_recorder');
create trigger empty_inbox after update of status on members
  for each row when (old.status = 'active' and new.status <> 'active') execute function empty_inbox();
