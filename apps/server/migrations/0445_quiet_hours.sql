-- E-mails that can wait do not arrive at night: which ones wait for the morning, and by whose clock.
alter table deliveries add column quiet_zone text;
comment on column deliveries.quiet_zone is 'Zone in which quiet hours are, while it waits for their end.';
create index deliveries_quiet on deliveries (org_id) where quiet_zone is not null and status = 'queued';
