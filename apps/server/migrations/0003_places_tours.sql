-- What can be sold: places, suppliers, tours with their days, stops, routes, options, prices, schedules and revisions.

create table places (
  org_id text not null references organizations on delete cascade,
  id uuid not null,
  name text not null,
  kind text not null default 'other',
  lat double precision not null,
  lng double precision not null,
  address text,
  time_zone text,
  phone text,
  opening_note text,
  photo_url text,
  enter_m int not null default 80,
  exit_m int not null default 120,
  dwell_s int not null default 60,
  archived_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint places_name_length check (char_length(name) between 1 and 200),
  constraint places_kind_known check (kind in ('meeting_point', 'sight', 'hotel', 'restaurant', 'airport', 'viewpoint', 'depot', 'hospital', 'camp', 'other')),
  constraint places_coordinates_range check (lat between -90 and 90 and lng between -180 and 180),
  constraint places_geofence_order check (enter_m > 0 and enter_m < exit_m and dwell_s >= 0)
);
create index places_name on places (org_id, name collate "und-x-icu");
select guard_table('places');

create table suppliers (
  org_id text not null references organizations on delete cascade,
  id uuid not null,
  name text not null,
  kind text not null default 'other',
  contacts jsonb not null default '[]',
  emergency_phone text,
  notes text,
  archived_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint suppliers_name_length check (char_length(name) between 1 and 200),
  constraint suppliers_kind_known check (kind in ('hotel', 'restaurant', 'transport', 'attraction', 'dmc', 'guide_agency', 'other'))
);
select guard_table('suppliers');

create table tours (
  org_id text not null references organizations on delete cascade,
  id uuid not null,
  code text not null,
  name text not null,
  kind text not null default 'day',
  status text not null default 'draft',
  category text,
  summary text,
  time_zone text not null default 'UTC',
  duration_min int,
  duration_days int,
  difficulty text not null default 'easy',
  languages text[] not null default '{}',
  default_capacity int not null default 16,
  min_pax int not null default 1,
  overbook_limit int not null default 0,
  cutoff_minutes int not null default 60,
  release_days int not null default 0,
  decide_by_days int,
  guide_ratio int,
  required_roles jsonb not null default '[]',
  required_skills text[] not null default '{}',
  vehicle_class text,
  inclusions text[] not null default '{}',
  exclusions text[] not null default '{}',
  what_to_bring text,
  cancellation_policy text,
  color text,
  cover_url text,
  thresholds jsonb not null default '{}',
  wizard_state jsonb not null default '{}',
  current_revision_id uuid,
  archived_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint tours_code_unique unique (org_id, code),
  constraint tours_code_form check (code ~ '^[A-Z0-9][A-Z0-9_-]{1,15}$'),
  constraint tours_name_length check (char_length(name) between 1 and 200),
  constraint tours_kind_known check (kind in ('day', 'multi_day', 'walking', 'transfer', 'private')),
  constraint tours_status_known check (status in ('draft', 'published', 'archived')),
  constraint tours_difficulty_known check (difficulty in ('easy', 'moderate', 'demanding', 'expert')),
  constraint tours_duration_range check ((duration_min is null or duration_min > 0) and (duration_days is null or duration_days > 0)),
  constraint tours_capacity_range check (default_capacity > 0 and min_pax >= 0 and overbook_limit >= 0 and min_pax <= default_capacity + overbook_limit),
  constraint tours_rules_range check (cutoff_minutes >= 0 and release_days >= 0 and (decide_by_days is null or decide_by_days >= 0) and (guide_ratio is null or guide_ratio > 0)),
  constraint tours_published_has_revision check (status <> 'published' or current_revision_id is not null)
);
create index tours_status on tours (org_id, status, name collate "und-x-icu");
select guard_table('tours');
select guard_status('tours', 'tours');

create table tour_revisions (
  org_id text not null,
  id uuid not null,
  tour_id uuid not null,
  number int not null,
  note text,
  content jsonb not null,
  published_at timestamptz,
  published_by text,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint tour_revisions_tour_fk foreign key (org_id, tour_id) references tours on delete cascade,
  constraint tour_revisions_of_tour_unique unique (org_id, tour_id, id),
  constraint tour_revisions_number_unique unique (org_id, tour_id, number),
  constraint tour_revisions_number_range check (number > 0)
);
alter table tours add constraint tours_current_revision_fk foreign key (org_id, id, current_revision_id)
  references tour_revisions (org_id, tour_id, id) deferrable initially deferred;
select guard_table('tour_revisions');

-- I16. What was sold stays what it was: departures point at it.
create function keep_published_revision() returns trigger language plpgsql as $$
begin
  if old.published_at is not null and (tg_op = 'DELETE'
    or (new.org_id, new.id, new.tour_id, new.number, new.content, new.published_at) is distinct from (old.org_id, old.id, old.tour_id, old.number, old.content, old.published_at)) then
    raise exception 'A published revision does not change; publish a new one.' using errcode = 'restrict_violation',
      constraint = 'tour_revisions_published_is_final', table = 'tour_revisions';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;
create trigger keep_published_revision before update or delete on tour_revisions for each row execute function keep_published_revision();

-- The working copy of the itinerary; publishing freezes it into the content of a revision
create table tour_days (
  org_id text not null,
  id uuid not null,
  tour_id uuid not null,
  day_index int not null,
  title text not null default '',
  summary text,
  overnight_place_id uuid,
  breakfast boolean not null default false,
  lunch boolean not null default false,
  dinner boolean not null default false,
  distance_m int not null default 0,
  ascent_m int not null default 0,
  descent_m int not null default 0,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint tour_days_tour_fk foreign key (org_id, tour_id) references tours on delete cascade,
  constraint tour_days_overnight_place_fk foreign key (org_id, overnight_place_id) references places,
  constraint tour_days_index_unique unique (org_id, tour_id, day_index) deferrable initially immediate,
  constraint tour_days_index_range check (day_index between 1 and 365),
  constraint tour_days_distances_range check (distance_m >= 0 and ascent_m >= 0 and descent_m >= 0)
);
select guard_table('tour_days');

create table tour_stops (
  org_id text not null,
  id uuid not null,
  tour_id uuid not null,
  day_index int not null default 1,
  stop_order int not null,
  place_id uuid not null,
  kind text not null default 'visit',
  offset_min int not null default 0,
  dwell_min int not null default 0,
  slack_min int not null default 0,
  optional boolean not null default false,
  headcount_required boolean not null default false,
  timed_entry boolean not null default false,
  note text,
  guest_visible boolean not null default true,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint tour_stops_tour_fk foreign key (org_id, tour_id) references tours on delete cascade,
  constraint tour_stops_place_fk foreign key (org_id, place_id) references places,
  constraint tour_stops_order_unique unique (org_id, tour_id, day_index, stop_order) deferrable initially immediate,
  constraint tour_stops_kind_known check (kind in ('start', 'pickup', 'visit', 'meal', 'photo', 'rest', 'transfer', 'overnight', 'end')),
  constraint tour_stops_order_range check (day_index between 1 and 365 and stop_order >= 0),
  constraint tour_stops_minutes_range check (offset_min >= 0 and dwell_min >= 0 and slack_min >= 0)
);
select guard_table('tour_stops');

create table tour_routes (
  org_id text not null,
  id uuid not null,
  tour_id uuid not null,
  day_index int not null default 1,
  geojson jsonb not null,
  source text not null default 'drawn',
  length_m int not null default 0,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint tour_routes_tour_fk foreign key (org_id, tour_id) references tours on delete cascade,
  constraint tour_routes_day_unique unique (org_id, tour_id, day_index),
  constraint tour_routes_source_known check (source in ('drawn', 'gpx', 'kml', 'router')),
  constraint tour_routes_is_line check (geojson ->> 'type' = 'LineString'),
  constraint tour_routes_length_range check (length_m >= 0)
);
select guard_table('tour_routes');

create table tour_options (
  org_id text not null,
  id uuid not null,
  tour_id uuid not null,
  name text not null,
  start_times_local time[] not null default '{}',
  language text,
  private boolean not null default false,
  archived_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint tour_options_tour_fk foreign key (org_id, tour_id) references tours on delete cascade,
  constraint tour_options_of_tour_unique unique (org_id, tour_id, id),
  constraint tour_options_name_unique unique (org_id, tour_id, name)
);
select guard_table('tour_options');

create table tour_units (
  org_id text not null,
  id uuid not null,
  tour_id uuid not null,
  option_id uuid,
  unit_type text not null,
  min_age int,
  max_age int,
  pax_count int not null default 1,
  price_minor bigint not null default 0,
  currency text not null,
  requires_adult boolean not null default false,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint tour_units_tour_fk foreign key (org_id, tour_id) references tours on delete cascade,
  constraint tour_units_option_fk foreign key (org_id, tour_id, option_id) references tour_options (org_id, tour_id, id) on delete cascade,
  constraint tour_units_type_unique unique nulls not distinct (org_id, tour_id, option_id, unit_type),
  constraint tour_units_type_known check (unit_type in ('adult', 'youth', 'child', 'infant', 'family', 'senior', 'student', 'military', 'other')),
  constraint tour_units_ages_range check ((min_age is null or min_age between 0 and 130) and (max_age is null or max_age between 0 and 130) and (min_age is null or max_age is null or min_age <= max_age)),
  constraint tour_units_pax_range check (pax_count between 0 and 100),
  constraint tour_units_price_not_negative check (price_minor >= 0),
  constraint tour_units_currency_code check (currency ~ '^[A-Z]{3}$')
);
select guard_table('tour_units');

create table tour_schedules (
  org_id text not null,
  id uuid not null,
  tour_id uuid not null,
  option_id uuid,
  rrule text not null,
  start_time_local time not null,
  ex_dates date[] not null default '{}',
  ex_times timestamp[] not null default '{}',
  valid_from date not null,
  valid_to date,
  capacity int,
  generates_days_ahead int not null default 180,
  generated_until date,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint tour_schedules_tour_fk foreign key (org_id, tour_id) references tours on delete cascade,
  constraint tour_schedules_option_fk foreign key (org_id, tour_id, option_id) references tour_options (org_id, tour_id, id) on delete cascade,
  constraint tour_schedules_validity_order check (valid_to is null or valid_to >= valid_from),
  constraint tour_schedules_capacity_range check (capacity is null or capacity > 0),
  constraint tour_schedules_ahead_range check (generates_days_ahead between 1 and 1100)
);
select guard_table('tour_schedules');
