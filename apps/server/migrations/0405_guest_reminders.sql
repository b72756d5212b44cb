-- What the guests of a departure were told on their own, and what waits to be told: work of a minute is what became due. See docs/decisions/0108.
create table departure_notices (
  org_id text not null,
  departure_id uuid not null,
  -- the local date for which the contacts were reminded; another date brings another reminder
  reminded_for date,
  -- since when the delay of a stop waits to be told
  late_since timestamptz,
  primary key (org_id, departure_id),
  constraint departure_notices_departure_fk foreign key (org_id, departure_id) references departures on delete cascade
);
-- every minute: where a delay waits
create index departure_notices_late on departure_notices (org_id, late_since) where late_since is not null;
select guard_table('departure_notices', 'departure_id', p_recorded => false);
-- a guide who marks a stop may make a departure late
select narrow_own('departure_notices', 'departure_id = any ((select own_departures())::uuid[])', 'select, insert, update');

comment on column notification_rules.offset_min is
  'When it is due: minutes from the beginning of the day of the departure (negative: the day before), or of delay.';
alter table notification_rules
  add constraint notification_rules_reminder_hour check (event <> 'pickup_reminder' or offset_min between -1080 and -120 and offset_min % 60 = 0),
  add constraint notification_rules_delay_step check (event <> 'delay_notice' or offset_min in (15, 30, 60, 120));
