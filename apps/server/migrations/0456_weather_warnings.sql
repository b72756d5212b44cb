-- Weather warnings, stated by the office or reported by a weather service. Departures in their place and time have an alert. See docs/decisions/0138.
create table weather_warnings (
  org_id text not null references organizations on delete cascade,
  id uuid not null,
  title text not null,
  -- what it means for guests and crew
  message text not null,
  severity text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  reach text not null,
  -- of bases: the time zones of their departures
  zones text[] not null default '{}',
  -- of an area, as geofences have it
  geojson jsonb,
  radius_m double precision,
  -- who stated it; null for one that was reported
  stated_by text,
  -- by what a service knows it
  external_id text,
  ended_at timestamptz,
  -- who ended it; null where the service did
  ended_by text,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint weather_warnings_title_length check (char_length(title) between 1 and 120),
  constraint weather_warnings_message_length check (char_length(message) between 1 and 2000),
  constraint weather_warnings_external_length check (char_length(external_id) between 1 and 200),
  constraint weather_warnings_severity_known check (severity in ('info', 'warning', 'critical')),
  constraint weather_warnings_reach_known check (reach in ('everything', 'bases', 'tours', 'departures', 'area')),
  constraint weather_warnings_times_range check (ends_at > starts_at),
  constraint weather_warnings_bases_form check ((reach = 'bases') = (cardinality(zones) > 0)),
  constraint weather_warnings_area_form check ((reach = 'area') = (geojson is not null) and (geojson is null) = (radius_m is null)
    and coalesce(geojson ->> 'type' in ('Point', 'Polygon') and radius_m > 0, true)),
  constraint weather_warnings_has_origin check (stated_by is not null or external_id is not null)
);
-- a service that reports the same twice at once changes one warning
create unique index weather_warnings_external_once on weather_warnings (org_id, external_id) where external_id is not null;
-- those that an evaluation looks at
create index weather_warnings_current on weather_warnings (org_id, ends_at) where ended_at is null;
select guard_table('weather_warnings', 'id');

-- The tours or departures that a warning names.
create table weather_warning_targets (
  org_id text not null,
  id uuid not null,
  warning_id uuid not null,
  tour_id uuid,
  departure_id uuid,
  primary key (org_id, id),
  constraint weather_warning_targets_warning_fk foreign key (org_id, warning_id) references weather_warnings on delete cascade,
  constraint weather_warning_targets_tour_fk foreign key (org_id, tour_id) references tours on delete cascade,
  constraint weather_warning_targets_departure_fk foreign key (org_id, departure_id) references departures on delete cascade,
  constraint weather_warning_targets_names_one check (num_nonnulls(tour_id, departure_id) = 1)
);
create index weather_warning_targets_warning on weather_warning_targets (org_id, warning_id);
create index weather_warning_targets_tour on weather_warning_targets (org_id, tour_id) where tour_id is not null;
create index weather_warning_targets_departure on weather_warning_targets (org_id, departure_id) where departure_id is not null;
select guard_table('weather_warning_targets', 'id');
