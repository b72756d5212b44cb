-- An import may cancel bookings. Undoing it makes them and their guests what they were, which nothing else may do: a cancelled record stays cancelled.
create function app_undone_batch_id() returns uuid language sql stable parallel safe
return nullif(current_setting('app.undone_batch_id', true), '')::uuid;
comment on function app_undone_batch_id() is 'The import that the transaction undoes.';

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
    and not (source = 'cancelled' and app_undone_batch_id() is not null
      and (to_jsonb(old) ->> 'import_batch_id')::uuid is not distinct from app_undone_batch_id()) then
    raise exception '% cannot go from % to %', machine, source, target using errcode = 'check_violation', constraint = machine || '_transition',
      table = tg_table_name, column = tg_argv[1], detail = jsonb_build_object('from', source, 'to', target)::text;
  end if;
  return new;
end $$;
