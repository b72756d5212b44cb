-- What every later migration stands on: extensions, roles, settings of the running transaction, the audit log and
-- the outbox with the one mechanism that fills them, versions, and state machines.

create extension if not exists pg_trgm;
create extension if not exists btree_gist;
create extension if not exists unaccent;
create extension if not exists citext;
create extension if not exists pgcrypto;

-- Roles. `app_user` is what the server works as. The others cannot log in; each owns functions of one purpose that
-- must look past row-level security, because BYPASSRLS cannot be granted without a superuser.
do $$
declare
  name text;
begin
  foreach name in array array['app_user', 'app_recorder', 'app_directory', 'app_feed', 'app_janitor', 'app_search', 'app_positions'] loop
    if not exists (select from pg_roles where rolname = name) then
      begin
        execute format('create role %I nologin', name);
      exception when duplicate_object or unique_violation then
        -- roles belong to all databases of the server: another one is being made at the same moment
        null;
      end;
    end if;
    if name <> 'app_user' and not (select rolsuper from pg_roles where rolname = current_user) then
      -- handing over a function asks for the right to become its new owner
      execute format('grant %I to current_user', name);
    end if;
  end loop;
end $$;

comment on schema public is 'Business records. Identity lives in the schema identity, jobs in the schema jobs.';
grant usage on schema public to app_user, app_recorder, app_directory, app_feed, app_janitor, app_search, app_positions;

-- ---------------------------------------------------------------------------------------------------------------
-- Settings of the running transaction

create function app_now() returns timestamptz language sql stable parallel safe
return coalesce(nullif(current_setting('app.now', true), '')::timestamptz, now());
comment on function app_now() is 'The clock of the request: tests and the demo seed set app.now, everyone else gets the transaction time.';

create function app_org_id() returns text language sql stable parallel safe
return nullif(current_setting('app.org_id', true), '');
comment on function app_org_id() is 'The organization of the transaction; null means no rows.';

create function app_user_id() returns text language sql stable parallel safe
return nullif(current_setting('app.user_id', true), '');

create function app_import_batch_id() returns uuid language sql stable parallel safe
return nullif(current_setting('app.import_batch_id', true), '')::uuid;

-- ---------------------------------------------------------------------------------------------------------------
-- Text for searching in any alphabet

create function normalize_search(value text) returns text language plpgsql immutable strict parallel safe
set search_path = pg_catalog, public as $$
begin
  -- Case by the Unicode rules, whatever the database's locale; NFKD then splits accents off and makes full width
  -- narrow; the marks of Latin, Hebrew and Arabic go; unaccent knows the letters that do not split (ø, ł, ß).
  return btrim(unaccent('public.unaccent'::regdictionary, regexp_replace(regexp_replace(
    normalize(lower(value collate "und-x-icu"), NFKD), '[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670]', '', 'g'),
    '[\s\u200b-\u200f''’.,;-]+', ' ', 'g')));
end $$;
comment on function normalize_search(text) is 'Lower case, without diacritics and punctuation, single spaces; other alphabets stay themselves.';

-- Trigrams know letters only as the database's locale does, and the locale C (embedded, and many servers) knows no letters
-- but ASCII: Cyrillic, Greek, Arabic and Chinese would have no trigrams at all. So every other character becomes letter,
-- digit, digit, letter: 67,600 of them, more than the basic plane has. The form cannot be mistaken for a part of its
-- neighbours, and the factor (prime to 67,600) spreads the letters of one alphabet, which makes the trigrams rare.
create function searchable(value text) returns text language plpgsql immutable strict parallel safe
set search_path = pg_catalog, public as $$
declare
  plain constant text := normalize_search(value);
begin
  if octet_length(plain) = char_length(plain) then return plain; end if;
  return (
    select string_agg(case when code is null then letter
      else chr(97 + code % 26) || lpad((code / 26 % 100)::text, 2, '0') || chr(97 + code / 2600) end, '' order by place)
    from (
      select letter, place, case when ascii(letter) > 127 then (ascii(letter)::bigint * 41231 % 67600)::int end as code
      from unnest(string_to_array(plain, null)) with ordinality as letters (letter, place)
    ) as coded
  );
end $$;
comment on function searchable(text) is 'normalize_search() in ASCII only: what columns for searching hold and what is looked for in them.';

create function digits_of(value text) returns text language sql immutable strict parallel safe
return regexp_replace(value, '[^0-9]', '', 'g');

-- ---------------------------------------------------------------------------------------------------------------
-- Audit log and outbox

create table audit_entries (
  org_id text not null,
  id bigint generated always as identity,
  at timestamptz not null default app_now(),
  actor_id text,
  actor_kind text not null default 'system',
  action text not null,
  op text not null,
  entity_type text not null,
  entity_id text not null,
  diff jsonb not null default '{}',
  request_id text,
  ip text,
  primary key (org_id, id),
  constraint audit_entries_actor_kind_known check (actor_kind in ('user', 'guest_link', 'system', 'api')),
  constraint audit_entries_op_known check (op in ('insert', 'update', 'delete', 'event'))
);
comment on table audit_entries is 'Append-only. diff: new values on insert, [old, new] per changed column on update, old values on delete; sensitive columns as ***.';
create index audit_entries_entity on audit_entries (org_id, entity_type, entity_id, id);
create index audit_entries_actor on audit_entries (org_id, actor_id, id);
-- entries arrive in the order of their time
create index audit_entries_at on audit_entries using brin (at);

create table changes (
  seq bigint generated always as identity,
  tx xid8 not null default pg_current_xact_id(),
  org_id text not null,
  topic text not null,
  entity_id text not null,
  op text not null,
  at timestamptz not null default clock_timestamp(),
  primary key (tx, seq),
  constraint changes_op_known check (op in ('insert', 'update', 'delete', 'event'))
);
comment on table changes is 'The outbox. Read in order of (tx, seq), below pg_snapshot_xmin(pg_current_snapshot()): seq alone loses rows committed late.';
create index changes_org_tx on changes (org_id, tx, seq);

alter table audit_entries enable row level security;
alter table audit_entries force row level security;
alter table changes enable row level security;
alter table changes force row level security;
create policy organization on audit_entries using (org_id = app_org_id()) with check (org_id = app_org_id());
create policy organization on changes using (org_id = app_org_id()) with check (org_id = app_org_id());
create policy recorder on audit_entries for insert to app_recorder with check (true);
create policy recorder on changes for insert to app_recorder with check (true);
grant select on audit_entries, changes to app_user;
grant insert on audit_entries, changes to app_recorder;
-- record_changes returns what it wrote into the log, to write the same into the outbox
grant select on audit_entries to app_recorder;
create policy recorder_reads on audit_entries for select to app_recorder using (true);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation', constraint = tg_table_name || '_append_only',
    table = tg_table_name;
end $$;
-- grants keep the application from it; this keeps everyone else
create trigger append_only before update or delete or truncate on audit_entries for each statement execute function refuse_change();

create function row_key(row_json jsonb, keys text[]) returns text language sql immutable parallel safe
return (select string_agg(row_json ->> key, ':' order by place) from unnest(keys) with ordinality as part(key, place));

create function hide_columns(row_json jsonb, masked text[]) returns jsonb language sql immutable parallel safe
return row_json || (select coalesce(jsonb_object_agg(name, '***'), '{}') from unnest(masked) as name where row_json ? name);

create function diff_of(before_json jsonb, after_json jsonb, masked text[], left_out text[]) returns jsonb language sql immutable parallel safe
return (
  select jsonb_object_agg(key, case when key = any (masked) then '["***", "***"]'::jsonb else jsonb_build_array(before_json -> key, value) end)
  from jsonb_each(after_json)
  where value is distinct from before_json -> key and key <> all (left_out)
);

-- Statement-level, so that one INSERT of 50,000 rows costs two more INSERTs and not 100,000. Arguments: key columns,
-- columns whose values must not reach the log.
create function record_changes() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  keys constant text[] := string_to_array(tg_argv[0], ',');
  -- most tables have one key column, and then no function need be called per row
  key constant text := case when cardinality(keys) = 1 then keys[1] end;
  masked constant text[] := string_to_array(tg_argv[1], ',');
  left_out constant text[] := array['org_id', 'version', 'created_at', 'updated_at', 'search_text', 'import_batch_id'];
  kind constant text := lower(tg_op);
  the_actor_id constant text := app_user_id();
  the_actor_kind constant text := coalesce(nullif(current_setting('app.actor_kind', true), ''), 'system');
  the_action constant text := coalesce(nullif(current_setting('app.action', true), ''), tg_table_name || '.' || kind);
  the_request_id constant text := nullif(current_setting('app.request_id', true), '');
  the_ip constant text := nullif(current_setting('app.ip', true), '');
  touched bigint;
begin
  if kind = 'insert' then
    with written as (
      select j ->> 'org_id' as org_id, coalesce(j ->> key, row_key(j, keys)) as entity_id, jsonb_strip_nulls(j - left_out) as diff
      from (select to_jsonb(n) as j from new_rows n) n
    ), logged as (
      insert into audit_entries (org_id, actor_id, actor_kind, action, op, entity_type, entity_id, diff, request_id, ip)
      select org_id, the_actor_id, the_actor_kind, the_action, kind, tg_table_name, entity_id,
        case when diff ?| masked then hide_columns(diff, masked) else diff end, the_request_id, the_ip
      from written returning audit_entries.org_id, audit_entries.entity_id
    )
    insert into changes (org_id, topic, entity_id, op) select org_id, tg_table_name, entity_id, kind from logged;
  elsif kind = 'delete' then
    with written as (
      select j ->> 'org_id' as org_id, coalesce(j ->> key, row_key(j, keys)) as entity_id, jsonb_strip_nulls(j - left_out) as diff
      from (select to_jsonb(o) as j from old_rows o) o
    ), logged as (
      insert into audit_entries (org_id, actor_id, actor_kind, action, op, entity_type, entity_id, diff, request_id, ip)
      select org_id, the_actor_id, the_actor_kind, the_action, kind, tg_table_name, entity_id,
        case when diff ?| masked then hide_columns(diff, masked) else diff end, the_request_id, the_ip
      from written returning audit_entries.org_id, audit_entries.entity_id
    )
    insert into changes (org_id, topic, entity_id, op) select org_id, tg_table_name, entity_id, kind from logged;
  else
    with former as (
      select j ->> 'org_id' as org_id, coalesce(j ->> key, row_key(j, keys)) as entity_id, j from (select to_jsonb(o) as j from old_rows o) o
    ), latter as (
      select j ->> 'org_id' as org_id, coalesce(j ->> key, row_key(j, keys)) as entity_id, j from (select to_jsonb(n) as j from new_rows n) n
    ), written as (
      select org_id, entity_id, diff_of(former.j, latter.j, masked, left_out) as diff from former join latter using (org_id, entity_id)
    ), logged as (
      insert into audit_entries (org_id, actor_id, actor_kind, action, op, entity_type, entity_id, diff, request_id, ip)
      select org_id, the_actor_id, the_actor_kind, the_action, kind, tg_table_name, entity_id, diff, the_request_id, the_ip
      from written where diff is not null returning audit_entries.org_id, audit_entries.entity_id
    )
    insert into changes (org_id, topic, entity_id, op) select org_id, tg_table_name, entity_id, kind from logged;
  end if;
  get diagnostics touched = row_count;
  -- equal notifications of one transaction are sent once, at commit; pollers switch it off
  if touched > 0 and current_setting('app.notify', true) is distinct from 'off' then perform pg_notify('changes', ''); end if;
  return null;
end $$;

create function record_event(p_action text, p_entity_type text, p_entity_id text, p_diff jsonb default '{}') returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into audit_entries (org_id, actor_id, actor_kind, action, op, entity_type, entity_id, diff, request_id, ip)
  values (app_org_id(), app_user_id(), coalesce(nullif(current_setting('app.actor_kind', true), ''), 'system'), p_action, 'event',
    p_entity_type, p_entity_id, p_diff, nullif(current_setting('app.request_id', true), ''), nullif(current_setting('app.ip', true), ''));
end $$;
comment on function record_event is 'For what changes no row and must be seen later: a look at a passport, an export, a sign-in.';

-- ---------------------------------------------------------------------------------------------------------------
-- Versions for optimistic locking

create function touch_row() returns trigger language plpgsql as $$
begin
  if new is distinct from old then
    new.version := old.version + 1;
    new.updated_at := app_now();
  end if;
  return new;
end $$;

create function mark_import() returns trigger language plpgsql as $$
begin
  if app_import_batch_id() is not null then new.import_batch_id := app_import_batch_id(); end if;
  return new;
end $$;

-- ---------------------------------------------------------------------------------------------------------------
-- One call per business table: isolation, grants, versions, audit and outbox

create function guard_table(p_table text, p_keys text default 'id', p_masked text default '', p_recorded boolean default true,
  p_grants text default 'select, insert, update, delete', p_derives boolean default false) returns void language plpgsql as $$
declare
  has_version constant boolean := exists (select from pg_attribute
    where attrelid = p_table::regclass and attname = 'version' and not attisdropped);
begin
  execute format('alter table %I enable row level security', p_table);
  execute format('alter table %I force row level security', p_table);
  execute format('create policy organization on %I using (org_id = app_org_id()) with check (org_id = app_org_id())', p_table);
  execute format('grant %s on %I to app_user', p_grants, p_table);
  if has_version then
    execute format('create trigger touch_row before update on %I for each row %s execute function touch_row()', p_table,
      -- counters that a trigger derives are no edit by a person and must not make theirs conflict
      case when p_derives then 'when (pg_trigger_depth() = 0)' else '' end);
  end if;
  if p_recorded then
    execute format('create trigger record_insert after insert on %I referencing new table as new_rows for each statement execute function record_changes(%L, %L)',
      p_table, p_keys, p_masked);
    execute format('create trigger record_update after update on %I referencing old table as old_rows new table as new_rows for each statement execute function record_changes(%L, %L)',
      p_table, p_keys, p_masked);
    execute format('create trigger record_delete after delete on %I referencing old table as old_rows for each statement execute function record_changes(%L, %L)',
      p_table, p_keys, p_masked);
  end if;
end $$;
comment on function guard_table is 'Called once for every business table. Unrecorded are those that are a log or a transport themselves.';

create function guard_status(p_table text, p_machine text, p_column text default 'status') returns void language plpgsql as $$
begin
  execute format('create trigger %I before insert or update of %I on %I for each row execute function check_transition(%L, %L)',
    'machine_' || p_machine, p_column, p_table, p_machine, p_column);
end $$;

create function give_function(p_signature text, p_owner text) returns void language plpgsql as $$
begin
  -- a new owner needs CREATE on the schema at the moment of the change, and never again
  execute format('grant create on schema public to %I', p_owner);
  execute format('alter function %s owner to %I', p_signature, p_owner);
  execute format('revoke create on schema public from %I', p_owner);
  execute format('revoke execute on function %s from public', p_signature);
  execute format('grant execute on function %s to app_user', p_signature);
end $$;

-- ---------------------------------------------------------------------------------------------------------------
-- State machines: the same tables as packages/contract/src/state-machines.ts; a test compares the two

create table initial_statuses (machine text not null, status text not null, primary key (machine, status));
create table legal_transitions (
  machine text not null,
  from_status text not null,
  to_status text not null,
  primary key (machine, from_status, to_status)
);
grant select on initial_statuses, legal_transitions to app_user;

insert into initial_statuses (machine, status) values
  ('tours', 'draft'),
  ('departures', 'draft'), ('departures', 'scheduled'),
  ('departure_sales', 'open'), ('departure_sales', 'paused'), ('departure_sales', 'closed'),
  ('bookings', 'on_hold'), ('bookings', 'requested'), ('bookings', 'waitlisted'), ('bookings', 'confirmed'),
  ('manifest_entries', 'expected'),
  ('departure_stops', 'planned'),
  ('assignments', 'draft'), ('assignments', 'offered'), ('assignments', 'accepted'),
  ('duty_sessions', 'open'),
  ('alerts', 'open'),
  ('incidents', 'reported'),
  ('departure_services', 'to_request'),
  ('messages', 'draft'), ('messages', 'scheduled'), ('messages', 'sending'),
  ('deliveries', 'queued'),
  ('shared_links', 'scheduled'), ('shared_links', 'active'),
  ('invitations', 'pending'),
  ('import_batches', 'parsed');

insert into legal_transitions (machine, from_status, to_status)
select machine, from_status, to_status
from (values
  ('tours', 'draft', array['published']),
  ('tours', 'published', array['archived', 'published']),
  ('tours', 'archived', array['draft']),
  ('departures', 'draft', array['scheduled']),
  ('departures', 'scheduled', array['guaranteed', 'boarding', 'cancelled']),
  ('departures', 'guaranteed', array['boarding', 'cancelled']),
  ('departures', 'boarding', array['in_progress', 'cancelled']),
  ('departures', 'in_progress', array['completed', 'aborted']),
  ('departures', 'completed', array['in_progress']),
  ('departure_sales', 'open', array['paused', 'closed']),
  ('departure_sales', 'paused', array['open', 'closed']),
  ('departure_sales', 'closed', array['open']),
  ('bookings', 'on_hold', array['confirmed', 'expired', 'cancelled']),
  ('bookings', 'requested', array['confirmed', 'rejected']),
  ('bookings', 'waitlisted', array['on_hold', 'cancelled']),
  ('bookings', 'confirmed', array['cancelled', 'completed']),
  ('bookings', 'expired', array['on_hold']),
  ('manifest_entries', 'expected', array['checked_in', 'no_show', 'cancelled']),
  ('manifest_entries', 'checked_in', array['on_tour', 'expected']),
  ('manifest_entries', 'on_tour', array['finished', 'left_early', 'missing']),
  ('manifest_entries', 'missing', array['on_tour', 'left_early']),
  ('manifest_entries', 'no_show', array['checked_in']),
  ('departure_stops', 'planned', array['approaching', 'arrived', 'skipped']),
  ('departure_stops', 'approaching', array['arrived', 'skipped']),
  ('departure_stops', 'arrived', array['departed', 'planned']),
  ('assignments', 'draft', array['offered', 'accepted']),
  ('assignments', 'offered', array['accepted', 'declined', 'expired', 'withdrawn']),
  ('assignments', 'accepted', array['on_duty', 'released']),
  ('assignments', 'on_duty', array['completed', 'replaced']),
  ('duty_sessions', 'open', array['closed']),
  ('alerts', 'open', array['acknowledged', 'snoozed', 'resolved']),
  ('alerts', 'acknowledged', array['resolved', 'snoozed', 'open']),
  ('alerts', 'snoozed', array['open']),
  ('incidents', 'reported', array['triaged']),
  ('incidents', 'triaged', array['active']),
  ('incidents', 'active', array['stabilised']),
  ('incidents', 'stabilised', array['resolved']),
  ('incidents', 'resolved', array['reviewed', 'active']),
  ('departure_services', 'to_request', array['requested', 'cancelled']),
  ('departure_services', 'requested', array['confirmed', 'waitlisted', 'declined', 'cancelled']),
  ('departure_services', 'confirmed', array['cancelled']),
  ('departure_services', 'waitlisted', array['cancelled']),
  ('departure_services', 'declined', array['cancelled']),
  ('messages', 'draft', array['scheduled', 'cancelled']),
  ('messages', 'scheduled', array['sending', 'cancelled']),
  ('messages', 'sending', array['sent', 'partly_failed', 'failed']),
  ('deliveries', 'queued', array['sent', 'failed', 'suppressed']),
  ('deliveries', 'sent', array['delivered', 'failed']),
  ('deliveries', 'delivered', array['read']),
  ('deliveries', 'failed', array['queued']),
  ('shared_links', 'scheduled', array['active', 'revoked']),
  ('shared_links', 'active', array['expired', 'revoked', 'paused']),
  ('shared_links', 'paused', array['active', 'expired', 'revoked']),
  ('invitations', 'pending', array['accepted', 'revoked', 'expired']),
  ('invitations', 'expired', array['pending']),
  ('import_batches', 'parsed', array['previewed', 'failed']),
  ('import_batches', 'previewed', array['applied', 'failed']),
  ('import_batches', 'applied', array['undone'])
) as machine_rows (machine, from_status, to_statuses), unnest(to_statuses) as to_status;

create function check_transition() returns trigger language plpgsql as $$
<<checked>>
declare
  machine constant text := tg_argv[0];
  target constant text := to_jsonb(new) ->> tg_argv[1];
  source text;
begin
  if tg_op = 'INSERT' then
    if not exists (select from initial_statuses i where i.machine = checked.machine and i.status = target) then
      raise exception '% cannot begin as %', machine, target using errcode = 'check_violation', constraint = machine || '_initial',
        table = tg_table_name, column = tg_argv[1];
    end if;
    return new;
  end if;
  source := to_jsonb(old) ->> tg_argv[1];
  if source is distinct from target
    and not exists (select from legal_transitions l where l.machine = checked.machine and l.from_status = source and l.to_status = target) then
    raise exception '% cannot go from % to %', machine, source, target using errcode = 'check_violation', constraint = machine || '_transition',
      table = tg_table_name, column = tg_argv[1], detail = jsonb_build_object('from', source, 'to', target)::text;
  end if;
  return new;
end $$;

select give_function('record_changes()', 'app_recorder');
select give_function('record_event(text, text, text, jsonb)', 'app_recorder');
revoke execute on function guard_table, guard_status, give_function from public;

-- ---------------------------------------------------------------------------------------------------------------
-- The feed reads the outbox of all organizations: one reader per server process fans out to its listeners

create function read_changes(p_after_tx xid8, p_after_seq bigint, p_limit int, p_org_id text default null)
returns table (tx xid8, seq bigint, org_id text, topic text, entity_id text, op text, at timestamptz)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select c.tx, c.seq, c.org_id, c.topic, c.entity_id, c.op, c.at from changes c
  where (c.tx, c.seq) > (p_after_tx, p_after_seq) and c.tx < pg_snapshot_xmin(pg_current_snapshot())
    and (p_org_id is null or c.org_id = p_org_id)
  order by c.tx, c.seq limit p_limit
$$;
create function last_change() returns table (tx xid8, seq bigint)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select c.tx, c.seq from changes c where c.tx < pg_snapshot_xmin(pg_current_snapshot()) order by c.tx desc, c.seq desc limit 1
$$;
create function prune_changes(p_before timestamptz) returns bigint
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  with gone as (delete from changes where at < p_before returning 1) select count(*) from gone
$$;
create policy feed on changes for select to app_feed using (true);
create policy janitor on changes for all to app_janitor using (true) with check (true);
grant select on changes to app_feed;
grant select, delete on changes to app_janitor;
select give_function('read_changes(xid8, bigint, int, text)', 'app_feed');
select give_function('last_change()', 'app_feed');
select give_function('prune_changes(timestamptz)', 'app_janitor');

-- ---------------------------------------------------------------------------------------------------------------
-- Running numbers of an organization, such as INC-2026-0042

create table number_series (
  org_id text not null,
  name text not null,
  last_value int not null,
  primary key (org_id, name)
);
select guard_table('number_series', 'name', p_recorded => false, p_grants => 'select, insert, update');

create function next_number(p_name text) returns int language sql volatile as $$
  insert into number_series as series (org_id, name, last_value) values (app_org_id(), p_name, 1)
  on conflict (org_id, name) do update set last_value = series.last_value + 1 returning last_value
$$;
comment on function next_number is 'The next number of a series; the row lock makes two transactions wait for each other, and a rollback leaves no gap.';
