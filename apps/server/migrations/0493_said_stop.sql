-- The owner of a number who wrote STOP gets nothing by that channel, whatever it is. See docs/decisions/0156.
alter table deliveries
  drop constraint deliveries_suppressed_reason_known,
  add constraint deliveries_suppressed_reason_known check (suppressed_reason in ('outdated', 'stopped', 'opted_out', 'said_stop', 'browser_gone'));
comment on table opt_outs is 'Addresses that get only what is needed for a booking, or, where their owner wrote STOP, nothing.';
