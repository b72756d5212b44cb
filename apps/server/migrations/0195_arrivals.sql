-- Positions say when a departure came to its stops and left them, where no person has said it. See decision 0053.

alter table departure_stops
  -- who says that they left; `source` is who says that they came, or that the stop was skipped
  add column depart_source text,
  -- when a person last took an arrival back: what positions said before counts no more
  add column withdrawn_at timestamptz,
  add constraint departure_stops_depart_source_known check (depart_source in ('gps', 'guide', 'dispatcher', 'inferred'));

-- What positions say is in the audit log and announced like any change. The row keeps its version: a guide at the same stop who taps at the
-- same moment must not be refused because of it.
create or replace trigger touch_row before update on departure_stops for each row
  when (current_setting('app.estimating', true) is distinct from 'on' and current_setting('app.arriving', true) is distinct from 'on')
  execute function touch_row();

-- When a departure can be at its next stop by where it was seen last. Written every minute for whatever is out, so neither logged nor announced;
-- what follows from it is in the estimates.
create table departure_reach (
  org_id text not null,
  departure_id uuid not null,
  stop_id uuid not null,
  reach_at timestamptz not null,
  means text not null,
  -- of the position
  seen_at timestamptz not null,
  primary key (org_id, departure_id),
  constraint departure_reach_departure_fk foreign key (org_id, departure_id) references departures on delete cascade,
  constraint departure_reach_stop_fk foreign key (org_id, stop_id) references departure_stops on delete cascade,
  constraint departure_reach_means_known check (means in ('at_least', 'expected'))
) with (fillfactor = 85);
select guard_table('departure_reach', 'departure_id', p_recorded => false);
select narrow_own('departure_reach', 'departure_id = any ((select own_departures())::uuid[])');
create index departure_reach_stop on departure_reach (org_id, stop_id);

-- What has come in since, however old it is. Positions are stored in the order in which they come, so a few bytes for each 128 pages are enough.
create index positions_received_at on positions using brin (received_at);
