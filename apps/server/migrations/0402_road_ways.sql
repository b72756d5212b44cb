-- Ways between places as a router (OSRM, Valhalla) gave them, for the itinerary and for the travel of crew. See decision 0086.

-- By coordinates and not by place: a place that is moved has no way here, and places at one address share theirs.
create table road_ways (
  org_id text not null references org_settings on delete cascade,
  mode text not null,
  from_lat double precision not null,
  from_lng double precision not null,
  to_lat double precision not null,
  to_lng double precision not null,
  -- null where the router knows no way
  seconds integer,
  meters integer,
  asked_at timestamptz not null default app_now(),
  primary key (org_id, mode, from_lat, from_lng, to_lat, to_lng),
  constraint road_ways_mode_known check (mode in ('drive', 'walk')),
  constraint road_ways_whole check ((seconds is null) = (meters is null)),
  constraint road_ways_not_negative check (seconds >= 0 and meters >= 0)
);
select guard_table('road_ways', 'org_id', p_recorded => false);

-- What one router said is no answer of another.
create function forget_road_ways() returns trigger language plpgsql as $$
begin
  delete from road_ways where org_id = new.org_id;
  return null;
end $$;
create trigger forget_road_ways after update of router_kind, router_address on org_settings for each row
when ((old.router_kind, old.router_address) is distinct from (new.router_kind, new.router_address)) execute function forget_road_ways();
