-- A departure whose guests all go with another one of its tour is cancelled for a reason of its own.
alter table departures drop constraint departures_cancel_reason_known;
alter table departures add constraint departures_cancel_reason_known
  check (cancel_reason in ('low_pax', 'weather', 'staff', 'vehicle', 'safety', 'supplier', 'other', 'combined'));
