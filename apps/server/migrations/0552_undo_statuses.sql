-- For some minutes a confirmation, a rejection and an offer can be undone, as a cancellation can. See docs/decisions/0181.
create function undoes_status(p_table text, p_source text, p_target text, p_old jsonb) returns boolean language sql stable parallel safe
return coalesce(p_table = 'bookings' and (p_old ->> 'id')::uuid = app_restored_booking_id()
  and (p_source, p_target) in (('confirmed', 'on_hold'), ('confirmed', 'requested'), ('rejected', 'requested'), ('on_hold', 'waitlisted'))
  -- nothing followed it: it was the last that was written
  and (p_old ->> 'updated_at')::timestamptz > app_now() - interval '15 minutes', false);
comment on function undoes_status is 'Whether the transaction makes a booking what it was before it was confirmed, rejected or offered seats, in time.';

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
    and not (source in ('cancelled', 'closed', 'released', 'withdrawn') and undoes_cancellation(tg_table_name, to_jsonb(old)))
    and not undoes_status(tg_table_name, source, target, to_jsonb(old)) then
    raise exception '% cannot go from % to %', machine, source, target using errcode = 'check_violation', constraint = machine || '_transition',
      table = tg_table_name, column = tg_argv[1], detail = jsonb_build_object('from', source, 'to', target)::text;
  end if;
  return new;
end $$;
