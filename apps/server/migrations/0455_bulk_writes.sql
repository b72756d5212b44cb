-- What a bulk write of thousands of rows costs beside the rows themselves.

-- As before, but the currencies are compared as sets: a join of rows just written has no statistics yet, and was looked for pair by pair.
create or replace function count_paid() returns trigger language plpgsql as $$
declare
  touched record;
begin
  for touched in select org_id, array_agg(distinct booking_id) as ids from new_rows group by org_id loop
    perform from bookings where org_id = touched.org_id and id = any (touched.ids) order by id for no key update;
    if exists (
      select booking_id, currency from new_rows where org_id = touched.org_id
      except select id, currency from bookings where org_id = touched.org_id and id = any (touched.ids)
    ) then
      raise exception 'A payment is in the currency of its booking.' using errcode = 'check_violation',
        constraint = 'payments_currency_of_booking', table = 'payments';
    end if;
    if exists (select from unnest(touched.ids) as one (id) cross join paid_by_ledger(touched.org_id, one.id) l where l.paid < 0) then
      raise exception 'No more is paid back than was paid.' using errcode = 'check_violation',
        constraint = 'payments_refund_within_paid', table = 'payments';
    end if;
    update bookings b set amount_paid_minor = l.paid, payment_status = payment_status_of(b, b.payment_status, l.paid, l.refunded)
    from unnest(touched.ids) as one (id) cross join paid_by_ledger(touched.org_id, one.id) l
    where b.org_id = touched.org_id and b.id = any (touched.ids) and b.id = one.id
      -- paid and paid back again changes the status and not the amount
      and (b.amount_paid_minor, b.payment_status) is distinct from (l.paid, payment_status_of(b, b.payment_status, l.paid, l.refunded));
  end loop;
  return null;
end $$;

-- The planner believes what it last saw. Until it looks again by itself, which takes a minute or more, a list of 50,000 guests who have just been
-- imported is planned for none, and each screen takes seconds.
grant maintain on travelers, traveler_private, traveler_documents, bookings, payments, manifest_entries, audit_entries, changes to app_janitor;

create function refresh_statistics(p_written int) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  grown text;
begin
  -- the share of a table from which PostgreSQL looks again by itself
  for grown in
    select relname from pg_class where relnamespace = 'public'::regnamespace and p_written > 50 + 0.1 * reltuples
      and relname in ('travelers', 'traveler_private', 'traveler_documents', 'bookings', 'payments', 'manifest_entries', 'audit_entries', 'changes')
  loop
    execute format('analyze (skip_locked) %I', grown);
  end loop;
end $$;
comment on function refresh_statistics is 'Lets the planner see what was written in bulk. Shows nothing.';
select give_function('refresh_statistics(int)', 'app_janitor');

-- As before, but a row becomes JSON once: without the fences each use of `j` and of `diff` made it anew, seven times a row.
create or replace function record_changes() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
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
    with written as materialized (
      select j ->> 'org_id' as org_id, coalesce(j ->> key, row_key(j, keys)) as entity_id, jsonb_strip_nulls(j - left_out) as diff
      from (select to_jsonb(n) as j from new_rows n offset 0) n
    ), logged as (
      insert into audit_entries (org_id, actor_id, actor_kind, action, op, entity_type, entity_id, diff, request_id, ip)
      select org_id, the_actor_id, the_actor_kind, the_action, kind, tg_table_name, entity_id,
        case when diff ?| masked then hide_columns(diff, masked) else diff end, the_request_id, the_ip
      from written returning audit_entries.org_id, audit_entries.entity_id
    )
    insert into changes (org_id, topic, entity_id, op) select org_id, tg_table_name, entity_id, kind from logged;
  elsif kind = 'delete' then
    with written as materialized (
      select j ->> 'org_id' as org_id, coalesce(j ->> key, row_key(j, keys)) as entity_id, jsonb_strip_nulls(j - left_out) as diff
      from (select to_jsonb(o) as j from old_rows o offset 0) o
    ), logged as (
      insert into audit_entries (org_id, actor_id, actor_kind, action, op, entity_type, entity_id, diff, request_id, ip)
      select org_id, the_actor_id, the_actor_kind, the_action, kind, tg_table_name, entity_id,
        case when diff ?| masked then hide_columns(diff, masked) else diff end, the_request_id, the_ip
      from written returning audit_entries.org_id, audit_entries.entity_id
    )
    insert into changes (org_id, topic, entity_id, op) select org_id, tg_table_name, entity_id, kind from logged;
  else
    with former as (
      select j ->> 'org_id' as org_id, coalesce(j ->> key, row_key(j, keys)) as entity_id, j from (select to_jsonb(o) as j from old_rows o offset 0) o
    ), latter as (
      select j ->> 'org_id' as org_id, coalesce(j ->> key, row_key(j, keys)) as entity_id, j from (select to_jsonb(n) as j from new_rows n offset 0) n
    ), written as materialized (
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

-- As before, but the column that nearly all machines have is read from the row: the whole row as JSON costs more than the check.
create or replace function check_transition() returns trigger language plpgsql as $$
<<checked>>
declare
  machine constant text := tg_argv[0];
  target text;
  source text;
begin
  if tg_argv[1] = 'status' then target := new.status; else target := to_jsonb(new) ->> tg_argv[1]; end if;
  if tg_op = 'INSERT' then
    if not exists (select from initial_statuses i where i.machine = checked.machine and i.status = target) then
      raise exception '% cannot begin as %', machine, target using errcode = 'check_violation', constraint = machine || '_initial',
        table = tg_table_name, column = tg_argv[1];
    end if;
    return new;
  end if;
  if tg_argv[1] = 'status' then source := old.status; else source := to_jsonb(old) ->> tg_argv[1]; end if;
  if source is distinct from target
    and not exists (select from legal_transitions l where l.machine = checked.machine and l.from_status = source and l.to_status = target)
    -- what a cancellation leaves behind: sales are closed with it, crew is released or no longer asked
    and not (source in ('cancelled', 'closed', 'released', 'withdrawn') and undoes_cancellation(tg_table_name, to_jsonb(old))) then
    raise exception '% cannot go from % to %', machine, source, target using errcode = 'check_violation', constraint = machine || '_transition',
      table = tg_table_name, column = tg_argv[1], detail = jsonb_build_object('from', source, 'to', target)::text;
  end if;
  return new;
end $$;
