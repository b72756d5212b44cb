-- A vehicle that is hired out is taken, like one in maintenance.
alter table vehicle_calendar_entries
  drop constraint vehicle_calendar_entries_kind_known,
  add constraint vehicle_calendar_entries_kind_known
    check (kind in ('departure', 'pickup', 'drop_off', 'cleaning', 'maintenance', 'hire'));
alter table vehicle_calendar_entries
  alter column blocking set expression as (kind in ('departure', 'maintenance', 'hire') and status = 'confirmed');
