-- What positions say against the plan: off the route, a long stop, too fast, not where they should be, where nobody may go. Written with the
-- arrivals for whatever is out, so neither logged nor announced; what follows from it is alerts.

create table departure_findings (
  org_id text not null,
  departure_id uuid not null,
  kind text not null,
  -- tells two of one kind apart: the area; empty where there can be only one
  cause text not null default '',
  since timestamptz not null,
  -- of the newest position that says so
  seen_at timestamptz not null,
  lat double precision not null,
  lng double precision not null,
  facts jsonb not null default '{}',
  primary key (org_id, departure_id, kind, cause),
  constraint departure_findings_departure_fk foreign key (org_id, departure_id) references departures on delete cascade,
  constraint departure_findings_kind_known check (kind in ('off_route', 'long_stop', 'overspeed', 'geofence_absent', 'no_go_area'))
) with (fillfactor = 85);
select guard_table('departure_findings', 'departure_id', p_recorded => false);

-- What was so when an alert ended by itself: its `evidence` stays what was true last.
alter table alerts add column resolution_facts jsonb not null default '{}';

-- Where it was seen. Beside the evidence, because who reads alerts may not see positions.
alter table alerts add column place jsonb;
