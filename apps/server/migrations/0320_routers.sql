-- Travel times by road, from a router (OSRM, Valhalla) at an address that the organization gives. See decision 0086.

alter table org_settings
  add column router_kind text,
  add column router_address text,
  -- since when it does not answer; null while it does
  add column router_silent_since timestamptz,
  add constraint org_settings_router_kind_known check (router_kind in ('osrm', 'valhalla')),
  add constraint org_settings_router_whole check ((router_kind is null) = (router_address is null)),
  add constraint org_settings_router_silent check (router_silent_since is null or router_kind is not null);

-- The position that the reach was computed from is what a router is asked for, and what it has answered waits here for the next minute. What is
-- there now has no position, and is written anew within a minute.
truncate departure_reach;
alter table departure_reach
  add column lat double precision not null,
  add column lng double precision not null,
  add column routed_at timestamptz,
  -- of the position that the answer started from
  add column routed_seen_at timestamptz,
  add constraint departure_reach_routed_whole check ((routed_at is null) = (routed_seen_at is null)),
  add constraint departure_reach_place check (lat between -90 and 90 and lng between -180 and 180);
