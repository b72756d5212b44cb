-- What somebody known needs on one trip: a diet besides those of the profile, and another way to move about. See docs/decisions/0180.
alter table manifest_entries
  add column trip_dietary text,
  add column trip_mobility text,
  add constraint manifest_entries_trip_dietary_known check (trip_dietary in ('vegetarian', 'vegan', 'halal', 'kosher', 'gluten_free', 'dairy_free', 'nut_allergy', 'shellfish_allergy', 'other')),
  add constraint manifest_entries_trip_mobility_known check (trip_mobility in ('none', 'cane', 'wheelchair', 'no_stairs', 'other'));
comment on column manifest_entries.trip_dietary is 'Needed on this trip besides the diets of the profile.';
comment on column manifest_entries.trip_mobility is 'Instead of that of the profile, on this trip; null: as in the profile.';

create function dietary_on_trip(profile text[], trip text) returns text[] language sql immutable parallel safe as $$
  select case when trip is null or trip = any (profile) then profile else profile || trip end
$$;
comment on function dietary_on_trip is 'What a kitchen has to know of a guest on a departure; an allergy of the profile is never lost.';
