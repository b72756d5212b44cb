-- No-go areas are drawn on the map: a circle around a point, or one ring of corners. See docs/decisions/0104.

-- a radius that was typed in feet is no whole number of meters
alter table geofences
  alter column enter_m type double precision,
  alter column exit_m type double precision;

alter table geofences add constraint geofences_no_go_is_area check (kind <> 'no_go' or coalesce(
  geojson ->> 'type' = 'Point' or geojson ->> 'type' = 'Polygon'
    and jsonb_array_length(geojson -> 'coordinates') = 1
    and jsonb_array_length(geojson -> 'coordinates' -> 0) between 4 and 101, false));
create index geofences_no_go on geofences (org_id, name, id) where kind = 'no_go' and archived_at is null;
comment on index geofences_no_go is 'Every minute, and with each map: the areas that are watched.';

-- An organization has at most 200 that are not archived. The lock counts those that are being written at the same moment.
create function limit_no_go_areas() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('no-go-areas:' || new.org_id, 0));
  if (select count(*) from geofences g where g.org_id = new.org_id and g.id <> new.id and g.kind = 'no_go' and g.archived_at is null) >= 200 then
    raise exception 'an organization has at most 200 no-go areas' using errcode = 'check_violation',
      constraint = 'geofences_no_go_areas_per_organization', table = 'geofences';
  end if;
  return new;
end $$;
create trigger limit_no_go_areas before insert or update of kind, archived_at on geofences
  for each row when (new.kind = 'no_go' and new.archived_at is null) execute function limit_no_go_areas();

-- Guides see where they may not go.
select narrow_own('geofences', 'true');
