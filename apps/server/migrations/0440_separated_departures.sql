-- For some minutes two departures that were combined are two again. See docs/decisions/0134.
create function app_restored_departure_id() returns uuid language sql stable parallel safe
return nullif(current_setting('app.restored_departure_id', true), '')::uuid;
comment on function app_restored_departure_id() is 'The departure whose combination with another one the transaction undoes.';

create or replace function undoes_cancellation(p_table text, p_old jsonb) returns boolean language sql stable parallel safe
return coalesce((p_old ->> 'import_batch_id')::uuid = app_undone_batch_id(), false) or coalesce(case p_table
  when 'bookings' then (p_old ->> 'id')::uuid = app_restored_booking_id()
    and (p_old ->> 'cancelled_at')::timestamptz > app_now() - interval '15 minutes'
  when 'manifest_entries' then (p_old ->> 'booking_id')::uuid = app_restored_booking_id()
  when 'departures' then (p_old ->> 'id')::uuid = app_restored_departure_id() and p_old ->> 'cancel_reason' = 'combined'
    and (p_old ->> 'updated_at')::timestamptz > app_now() - interval '15 minutes'
  when 'departure_services' then (p_old ->> 'departure_id')::uuid = app_restored_departure_id()
    and (p_old ->> 'updated_at')::timestamptz > app_now() - interval '15 minutes'
  when 'assignments' then (p_old ->> 'departure_id')::uuid = app_restored_departure_id()
    and (p_old ->> 'updated_at')::timestamptz > app_now() - interval '15 minutes'
  end, false);
comment on function undoes_cancellation is 'Whether the transaction makes a row what it was: that of an import that is undone, of a booking that is restored in time, or of a departure whose combination is undone in time.';

create or replace function check_transition() returns trigger language plpgsql as $$
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
    and not exists (select from legal_transitions l where l.machine = checked.machine and l.from_status = source and l.to_status = target)
    -- what a cancellation leaves behind: sales are closed with it, crew is released or no longer asked
    and not (source in ('cancelled', 'closed', 'released', 'withdrawn') and undoes_cancellation(tg_table_name, to_jsonb(old))) then
    raise exception '% cannot go from % to %', machine, source, target using errcode = 'check_violation', constraint = machine || '_transition',
      table = tg_table_name, column = tg_argv[1], detail = jsonb_build_object('from', source, 'to', target)::text;
  end if;
  return new;
end $$;
