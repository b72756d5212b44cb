-- Estimates follow from what was marked and from the time that has passed, and are written again every minute while a departure is late.
-- Nobody has done anything then: the row keeps its version, so that a guide's mark is not refused, and the audit log stays readable. Screens
-- are notified as of any other change.

create function record_estimates() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  estimates constant text[] := array['eta_at', 'eta_computed_at', 'delay_seconds'];
begin
  if exists (select from new_rows n join old_rows o using (org_id, id) where to_jsonb(n) - estimates <> to_jsonb(o) - estimates) then
    raise exception 'Only estimates may be written without a version and an audit entry.';
  end if;
  insert into changes (org_id, topic, entity_id, op) select org_id, tg_table_name, id::text, 'update' from new_rows;
  if found and current_setting('app.notify', true) is distinct from 'off' then perform pg_notify('changes', ''); end if;
  return null;
end $$;
comment on function record_estimates() is 'Stands in for record_changes and touch_row while app.estimating is on.';
select give_function('record_estimates()', 'app_recorder');

do $$
declare
  as_edit constant text := 'current_setting(''app.estimating'', true) is distinct from ''on''';
  the_table text;
begin
  foreach the_table in array array['departures', 'departure_stops'] loop
    execute format('create or replace trigger touch_row before update on %I for each row when (%s%s) execute function touch_row()',
      the_table, case the_table when 'departures' then 'pg_trigger_depth() = 0 and ' else '' end, as_edit);
    execute format('create or replace trigger record_update after update on %I referencing old table as old_rows new table as new_rows for each statement when (%s) execute function record_changes(''id'', '''')',
      the_table, as_edit);
    execute format('create trigger record_estimates after update on %I referencing old table as old_rows new table as new_rows for each statement when (current_setting(''app.estimating'', true) = ''on'') execute function record_estimates()',
      the_table);
  end loop;
end $$;
