-- Live documents in the outbox, and the few looks across organizations that the feed needs.

-- A document of one person has no organization; in the outbox it stands under `users/{user}`, which no organization's id can be.
create function record_documents() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    insert into changes (org_id, topic, entity_id, op)
    select coalesce(org_id, 'users/' || user_id), 'documents', path, 'delete' from old_rows;
  else
    insert into changes (org_id, topic, entity_id, op)
    select coalesce(org_id, 'users/' || user_id), 'documents', path, lower(tg_op) from new_rows;
  end if;
  if found and current_setting('app.notify', true) is distinct from 'off' then perform pg_notify('changes', ''); end if;
  return null;
end $$;
comment on function record_documents is 'Every write of a live document enters the outbox with its path; what it says is read when it is sent.';
select give_function('record_documents()', 'app_recorder');
create trigger record_insert after insert on documents referencing new table as new_rows for each statement execute function record_documents();
create trigger record_update after update on documents referencing new table as new_rows for each statement execute function record_documents();
create trigger record_delete after delete on documents referencing old table as old_rows for each statement execute function record_documents();

-- A change without a row of its own, for instance a recalculated figure.
create function announce_changes(p_topic text, p_entity_ids text[]) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into changes (org_id, topic, entity_id, op) select app_org_id(), p_topic, entity_id, 'event' from unnest(p_entity_ids) as entity_id;
  if current_setting('app.notify', true) is distinct from 'off' then perform pg_notify('changes', ''); end if;
end $$;
select give_function('announce_changes(text, text[])', 'app_recorder');

-- A notice for somebody else than the person who acts: row-level security shows a transaction only the documents of its own person.
create function put_inbox_message(p_user_id text, p_message_id text, p_data jsonb) returns void
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  insert into documents as d (path, user_id, data) values ('users/' || p_user_id || '/inbox/' || p_message_id, p_user_id, p_data)
  on conflict (path) do update set data = excluded.data, version = d.version + 1, update_time = clock_timestamp()
$$;
create policy recorder on documents for all to app_recorder using (path like 'users/%/inbox/%') with check (path like 'users/%/inbox/%');
grant select, insert, update on documents to app_recorder;
select give_function('put_inbox_message(text, text, jsonb)', 'app_recorder');

-- One read per change and process, whoever listens: who may see a path was decided when the stream was opened.
create function read_documents(p_paths text[])
returns table (path text, data jsonb, create_time timestamptz, update_time timestamptz)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select d.path, d.data, d.create_time, d.update_time from documents d where d.path = any (p_paths)
$$;
create policy feed on documents for select to app_feed using (true);
grant select on documents to app_feed;
select give_function('read_documents(text[])', 'app_feed');

-- What a returning listener has missed. One more row than the limit tells the caller that there is too much to repeat.
create function changes_of(p_owners text[], p_after_tx xid8, p_after_seq bigint, p_limit int)
returns table (tx xid8, seq bigint, org_id text, topic text, entity_id text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select found.* from unnest(p_owners) as owner cross join lateral (
    select c.tx, c.seq, c.org_id, c.topic, c.entity_id from changes c
    where c.org_id = owner and (c.tx, c.seq) > (p_after_tx, p_after_seq) and c.tx < pg_snapshot_xmin(pg_current_snapshot())
    order by c.tx, c.seq limit p_limit
  ) as found
  order by 1, 2 limit p_limit
$$;
select give_function('changes_of(text[], xid8, bigint, int)', 'app_feed');

-- Read from the newest backwards, so that a quiet organization costs one row.
create function recent_changes(p_owner text, p_topics text[], p_seconds int)
returns table (tx xid8, seq bigint, topic text, entity_id text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select latest.tx, latest.seq, latest.topic, latest.entity_id from (
    select c.tx, c.seq, c.topic, c.entity_id, c.at from changes c
    where c.org_id = p_owner and c.tx < pg_snapshot_xmin(pg_current_snapshot())
    order by c.tx desc, c.seq desc limit 1000
  ) as latest
  where latest.at > clock_timestamp() - make_interval(secs => p_seconds) and latest.topic = any (p_topics)
  order by latest.tx, latest.seq
$$;
select give_function('recent_changes(text, text[], int)', 'app_feed');

-- Pruning goes by position, and always leaves the newest of the old rows: everything before the oldest row that is left may be
-- gone, nothing after it is. That is how a returning listener learns whether its place is still good.
create or replace function prune_changes(p_before timestamptz) returns bigint
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  with mark as (select c.tx, c.seq from changes c where c.at < p_before order by c.tx desc, c.seq desc limit 1),
  gone as (delete from changes c using mark where (c.tx, c.seq) < (mark.tx, mark.seq) returning 1)
  select count(*) from gone
$$;
create function oldest_change() returns table (tx xid8, seq bigint)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select c.tx, c.seq from changes c order by c.tx, c.seq limit 1
$$;
select give_function('oldest_change()', 'app_feed');
