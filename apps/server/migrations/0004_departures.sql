-- Dated runnings of tours, their stops with actuals, and what suppliers provide for them.

create table departure_groups (
  org_id text not null references organizations on delete cascade,
  id uuid not null,
  name text not null,
  local_date date not null,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id)
);
select guard_table('departure_groups');

-- changed often: room for the next version on the same page spares the indexes
create table departures (
  org_id text not null references organizations on delete cascade,
  id uuid not null,
  code text not null,
  group_id uuid,
  tour_id uuid not null,
  revision_id uuid not null,
  option_id uuid,
  status text not null default 'scheduled',
  sales_status text not null default 'open',
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  time_zone text not null,
  local_date date not null,
  local_start_time time not null,
  language text,
  capacity int not null,
  min_pax int not null default 0,
  overbook_limit int not null default 0,
  seats_confirmed int not null default 0,
  seats_held int not null default 0,
  waitlist_count int not null default 0,
  decide_by timestamptz,
  guaranteed_at timestamptz,
  cutoff_at timestamptz,
  actual_start_at timestamptz,
  actual_end_at timestamptz,
  delay_seconds int not null default 0,
  readiness jsonb not null default '{}',
  weather_note text,
  internal_note text,
  cancel_reason text,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint departures_code_unique unique (org_id, code),
  constraint departures_group_fk foreign key (org_id, group_id) references departure_groups,
  constraint departures_tour_fk foreign key (org_id, tour_id) references tours,
  constraint departures_revision_fk foreign key (org_id, tour_id, revision_id) references tour_revisions (org_id, tour_id, id),
  constraint departures_option_fk foreign key (org_id, tour_id, option_id) references tour_options (org_id, tour_id, id),
  constraint departures_status_known check (status in ('draft', 'scheduled', 'guaranteed', 'boarding', 'in_progress', 'completed', 'cancelled', 'aborted')),
  constraint departures_sales_status_known check (sales_status in ('open', 'paused', 'closed')),
  constraint departures_cancel_reason_known check (cancel_reason in ('low_pax', 'weather', 'staff', 'vehicle', 'safety', 'supplier', 'other')),
  constraint departures_cancel_reason_given check (status <> 'cancelled' or cancel_reason is not null),
  constraint departures_end_after_start check (ends_at > starts_at),
  constraint departures_actual_end_after_start check (actual_end_at is null or (actual_start_at is not null and actual_end_at >= actual_start_at)),
  constraint departures_local_date_matches check (local_date = (starts_at at time zone time_zone)::date),
  constraint departures_capacity_range check (capacity >= 0 and min_pax >= 0 and overbook_limit >= 0),
  constraint departures_seats_not_negative check (seats_confirmed >= 0 and seats_held >= 0 and waitlist_count >= 0),
  constraint departures_seats_within_capacity check (seats_confirmed + seats_held <= capacity + overbook_limit)
) with (fillfactor = 85);
comment on column departures.waitlist_count is 'Parties waiting, not persons.';
create index departures_starts_at on departures (org_id, starts_at, id);
create index departures_local_date on departures (org_id, local_date, starts_at);
create index departures_tour on departures (org_id, tour_id, starts_at);
create index departures_status on departures (org_id, status, starts_at);
create index departures_group on departures (org_id, group_id) where group_id is not null;
select guard_table('departures', p_derives => true);
select guard_status('departures', 'departures');
select guard_status('departures', 'departure_sales', 'sales_status');

create table departure_stops (
  org_id text not null,
  id uuid not null,
  departure_id uuid not null,
  stop_order int not null,
  day_index int not null default 1,
  place_id uuid not null,
  kind text not null default 'visit',
  planned_arrive_at timestamptz not null,
  planned_depart_at timestamptz not null,
  slack_min int not null default 0,
  optional boolean not null default false,
  headcount_required boolean not null default false,
  timed_entry boolean not null default false,
  guest_visible boolean not null default true,
  note text,
  status text not null default 'planned',
  actual_arrive_at timestamptz,
  actual_depart_at timestamptz,
  source text,
  eta_at timestamptz,
  eta_computed_at timestamptz,
  delay_seconds int not null default 0,
  headcount_expected int,
  headcount_actual int,
  skip_reason text,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint departure_stops_departure_fk foreign key (org_id, departure_id) references departures on delete cascade,
  constraint departure_stops_place_fk foreign key (org_id, place_id) references places,
  constraint departure_stops_of_departure_unique unique (org_id, departure_id, id),
  constraint departure_stops_order_unique unique (org_id, departure_id, stop_order) deferrable initially immediate,
  constraint departure_stops_order_range check (stop_order >= 0 and day_index >= 1 and slack_min >= 0),
  constraint departure_stops_kind_known check (kind in ('start', 'pickup', 'visit', 'meal', 'photo', 'rest', 'transfer', 'overnight', 'end')),
  constraint departure_stops_status_known check (status in ('planned', 'approaching', 'arrived', 'departed', 'skipped')),
  constraint departure_stops_source_known check (source in ('gps', 'guide', 'dispatcher', 'inferred')),
  constraint departure_stops_planned_order check (planned_depart_at >= planned_arrive_at),
  constraint departure_stops_actual_order check (actual_depart_at is null or actual_arrive_at is null or actual_depart_at >= actual_arrive_at),
  constraint departure_stops_headcount_range check ((headcount_expected is null or headcount_expected >= 0) and (headcount_actual is null or headcount_actual >= 0))
) with (fillfactor = 85);
create index departure_stops_place on departure_stops (org_id, place_id);
select guard_table('departure_stops');
select guard_status('departure_stops', 'departure_stops');

create table departure_services (
  org_id text not null,
  id uuid not null,
  departure_id uuid not null,
  supplier_id uuid,
  day_index int not null default 1,
  kind text not null,
  description text not null default '',
  quantity int not null default 1,
  status text not null default 'to_request',
  confirmation_ref text,
  release_at timestamptz,
  cost_minor bigint,
  currency text,
  contact text,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint departure_services_departure_fk foreign key (org_id, departure_id) references departures on delete cascade,
  constraint departure_services_supplier_fk foreign key (org_id, supplier_id) references suppliers,
  constraint departure_services_kind_known check (kind in ('hotel', 'meal', 'ticket', 'permit', 'transport', 'activity')),
  constraint departure_services_status_known check (status in ('to_request', 'requested', 'confirmed', 'waitlisted', 'declined', 'cancelled')),
  constraint departure_services_quantity_range check (quantity >= 0 and day_index >= 1),
  constraint departure_services_cost_not_negative check (cost_minor is null or (cost_minor >= 0 and currency is not null)),
  constraint departure_services_currency_code check (currency ~ '^[A-Z]{3}$')
);
create index departure_services_departure on departure_services (org_id, departure_id);
create index departure_services_supplier on departure_services (org_id, supplier_id);
select guard_table('departure_services');
select guard_status('departure_services', 'departure_services');

create table allotments (
  org_id text not null references organizations on delete cascade,
  id uuid not null,
  supplier_id uuid,
  place_id uuid,
  from_date date not null,
  to_date date not null,
  quantity int not null,
  used int not null default 0,
  release_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint allotments_supplier_fk foreign key (org_id, supplier_id) references suppliers,
  constraint allotments_place_fk foreign key (org_id, place_id) references places,
  constraint allotments_have_a_source check (num_nonnulls(supplier_id, place_id) >= 1),
  constraint allotments_dates_order check (to_date >= from_date),
  constraint allotments_used_within_quantity check (quantity >= 0 and used between 0 and quantity)
);
select guard_table('allotments');
