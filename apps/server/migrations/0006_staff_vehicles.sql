-- Field staff, vehicles, and their calendars in which nothing overlaps.

create table field_staff (
  org_id text not null references organizations on delete cascade,
  id uuid not null,
  code text not null,
  first_name text not null,
  last_name text not null,
  kinds text[] not null default '{guide}',
  employment text not null default 'employee',
  supplier_id uuid,
  status text not null default 'active',
  photo_url text,
  phone text,
  email text,
  emergency_name text,
  emergency_relation text,
  emergency_phone text,
  home_base_place_id uuid,
  languages jsonb not null default '[]',
  skills text[] not null default '{}',
  max_hours_per_day real not null default 10,
  min_rest_hours real not null default 11,
  contracted_hours_per_week real,
  cost_per_day_minor bigint,
  currency text,
  rating_average real,
  rating_count int not null default 0,
  member_user_id text,
  tracking_consent_at timestamptz,
  tracking_consent_version text,
  notes text,
  archived_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint field_staff_code_unique unique (org_id, code),
  constraint field_staff_supplier_fk foreign key (org_id, supplier_id) references suppliers,
  constraint field_staff_home_base_fk foreign key (org_id, home_base_place_id) references places,
  constraint field_staff_member_fk foreign key (org_id, member_user_id) references members,
  constraint field_staff_kinds_known check (cardinality(kinds) > 0 and kinds <@ array['guide', 'driver', 'driver_guide', 'tour_leader', 'rep', 'porter', 'skipper']),
  constraint field_staff_employment_known check (employment in ('employee', 'freelance', 'supplier')),
  constraint field_staff_status_known check (status in ('active', 'inactive', 'suspended')),
  constraint field_staff_hours_range check (max_hours_per_day > 0 and max_hours_per_day <= 24 and min_rest_hours between 0 and 24
    and (contracted_hours_per_week is null or contracted_hours_per_week between 0 and 168)),
  constraint field_staff_cost_not_negative check (cost_per_day_minor is null or (cost_per_day_minor >= 0 and currency is not null)),
  constraint field_staff_currency_code check (currency ~ '^[A-Z]{3}$'),
  constraint field_staff_rating_range check ((rating_average is null or rating_average between 1 and 5) and rating_count >= 0)
);
create unique index field_staff_member_once on field_staff (org_id, member_user_id) where member_user_id is not null;
create index field_staff_name on field_staff (org_id, last_name collate "und-x-icu", first_name collate "und-x-icu", id);
select guard_table('field_staff', 'id', 'emergency_name,emergency_relation,emergency_phone');

alter table members add constraint members_staff_fk foreign key (org_id, staff_id) references field_staff;
alter table invitations add constraint invitations_staff_fk foreign key (org_id, staff_id) references field_staff;
alter table manifest_entries add constraint manifest_entries_staff_fk foreign key (org_id, assigned_staff_id) references field_staff;
alter table check_ins add constraint check_ins_staff_fk foreign key (org_id, by_staff_id) references field_staff;
alter table headcounts add constraint headcounts_staff_fk foreign key (org_id, by_staff_id) references field_staff;
alter table feedback add constraint feedback_staff_fk foreign key (org_id, staff_id) references field_staff;
create index feedback_staff on feedback (org_id, staff_id, at) where staff_id is not null;

create table staff_certificates (
  org_id text not null,
  id uuid not null,
  staff_id uuid not null,
  kind text not null,
  number text,
  issued_on date,
  valid_until date,
  file_id uuid,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint staff_certificates_staff_fk foreign key (org_id, staff_id) references field_staff on delete cascade,
  constraint staff_certificates_kind_known check (kind in ('first_aid', 'wilderness_first_aid', 'national_guide_licence', 'driving_D1', 'driving_D', 'mountain_guide', 'lifeguard', 'other')),
  constraint staff_certificates_dates_order check (valid_until is null or issued_on is null or valid_until >= issued_on)
);
create index staff_certificates_staff on staff_certificates (org_id, staff_id);
create index staff_certificates_valid_until on staff_certificates (org_id, valid_until);
select guard_table('staff_certificates', 'id', 'number');

create table vehicles (
  org_id text not null references organizations on delete cascade,
  id uuid not null,
  plate text not null,
  label text not null,
  class text not null default 'minibus',
  seats int not null,
  wheelchair_places int not null default 0,
  status text not null default 'active',
  inspection_valid_until date,
  archived_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint vehicles_plate_unique unique (org_id, plate),
  constraint vehicles_class_known check (class in ('minibus', 'coach', '4x4', 'van', 'boat', 'other')),
  constraint vehicles_status_known check (status in ('active', 'maintenance', 'retired')),
  constraint vehicles_seats_range check (seats > 0 and wheelchair_places between 0 and seats)
);
select guard_table('vehicles');

-- I1. One entry per span of time; departures that share a crew share an entry. `during` holds report and travel buffer.
create table staff_calendar_entries (
  org_id text not null,
  id uuid not null,
  staff_id uuid not null,
  during tstzrange not null,
  kind text not null,
  status text not null default 'tentative',
  note text,
  blocking boolean not null generated always as (
    (kind = 'assignment' and status = 'confirmed') or (kind = 'time_off' and status = 'approved') or (kind = 'rest' and status <> 'cancelled')
  ) stored,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint staff_calendar_entries_staff_fk foreign key (org_id, staff_id) references field_staff,
  constraint staff_calendar_entries_of_staff_unique unique (org_id, id, staff_id),
  constraint staff_calendar_entries_kind_known check (kind in ('assignment', 'open_shift', 'time_off', 'rest', 'training', 'external_busy')),
  constraint staff_calendar_entries_status_known check (status in ('tentative', 'requested', 'confirmed', 'approved', 'declined', 'cancelled')),
  constraint staff_calendar_entries_during_bounded check (not isempty(during) and not lower_inf(during) and not upper_inf(during)),
  constraint staff_calendar_entries_no_overlap exclude using gist (org_id with =, staff_id with =, during with &&) where (blocking)
);
create index staff_calendar_entries_staff on staff_calendar_entries (org_id, staff_id, lower(during));
create index staff_calendar_entries_during on staff_calendar_entries using gist (org_id, during);
select guard_table('staff_calendar_entries');

create table assignments (
  org_id text not null,
  id uuid not null,
  calendar_entry_id uuid not null,
  departure_id uuid not null,
  staff_id uuid not null,
  role text not null,
  status text not null default 'draft',
  report_at timestamptz,
  release_at timestamptz,
  offered_at timestamptz,
  respond_by timestamptz,
  responded_at timestamptz,
  decline_reason text,
  release_reason text,
  seen_version int,
  pay_note text,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint assignments_departure_fk foreign key (org_id, departure_id) references departures,
  -- the entry is this person's own
  constraint assignments_calendar_entry_fk foreign key (org_id, calendar_entry_id, staff_id) references staff_calendar_entries (org_id, id, staff_id) on delete cascade,
  constraint assignments_staff_fk foreign key (org_id, staff_id) references field_staff,
  constraint assignments_role_known check (role in ('lead_guide', 'guide', 'driver', 'backup', 'tour_leader', 'porter')),
  constraint assignments_status_known check (status in ('draft', 'offered', 'accepted', 'declined', 'expired', 'withdrawn', 'on_duty', 'completed', 'released', 'replaced')),
  constraint assignments_release_after_report check (release_at is null or report_at is null or release_at > report_at),
  constraint assignments_release_has_reason check (status <> 'released' or coalesce(release_reason, '') <> '')
);
create unique index assignments_one_lead_guide on assignments (org_id, departure_id) where role = 'lead_guide' and status in ('accepted', 'on_duty');
create unique index assignments_person_once on assignments (org_id, departure_id, staff_id, role) where status in ('draft', 'offered', 'accepted', 'on_duty');
create index assignments_departure on assignments (org_id, departure_id, status);
create index assignments_staff on assignments (org_id, staff_id, status);
create index assignments_calendar_entry on assignments (org_id, calendar_entry_id);
create index assignments_respond_by on assignments (org_id, respond_by) where status = 'offered';
select guard_table('assignments');
select guard_status('assignments', 'assignments');

-- An entry blocks its time as soon as one of its assignments is binding, and not longer
create function derive_calendar_status() returns trigger language plpgsql as $$
begin
  update staff_calendar_entries e set status = s.status
  from (
    select touched.org_id, touched.calendar_entry_id, case
      when bool_or(a.status in ('accepted', 'on_duty', 'completed', 'replaced')) then 'confirmed'
      when bool_or(a.status in ('draft', 'offered')) then 'tentative'
      else 'cancelled' end as status
    from (
      select new.org_id, new.calendar_entry_id where tg_op <> 'DELETE'
      union select old.org_id, old.calendar_entry_id where tg_op <> 'INSERT'
    ) touched left join assignments a on a.org_id = touched.org_id and a.calendar_entry_id = touched.calendar_entry_id
    group by touched.org_id, touched.calendar_entry_id
  ) s
  where e.org_id = s.org_id and e.id = s.calendar_entry_id and e.kind = 'assignment' and e.status <> s.status;
  return null;
end $$;
create trigger derive_calendar_status after insert or delete or update of status, calendar_entry_id on assignments
  for each row execute function derive_calendar_status();

create table vehicle_calendar_entries (
  org_id text not null,
  id uuid not null,
  vehicle_id uuid not null,
  during tstzrange not null,
  kind text not null,
  status text not null default 'confirmed',
  driver_staff_id uuid,
  note text,
  blocking boolean not null generated always as (kind in ('departure', 'maintenance') and status = 'confirmed') stored,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint vehicle_calendar_entries_vehicle_fk foreign key (org_id, vehicle_id) references vehicles,
  constraint vehicle_calendar_entries_driver_fk foreign key (org_id, driver_staff_id) references field_staff,
  constraint vehicle_calendar_entries_kind_known check (kind in ('departure', 'pickup', 'drop_off', 'cleaning', 'maintenance')),
  constraint vehicle_calendar_entries_status_known check (status in ('tentative', 'confirmed', 'cancelled')),
  constraint vehicle_calendar_entries_during_bounded check (not isempty(during) and not lower_inf(during) and not upper_inf(during)),
  constraint vehicle_calendar_entries_no_overlap exclude using gist (org_id with =, vehicle_id with =, during with &&) where (blocking)
);
create index vehicle_calendar_entries_vehicle on vehicle_calendar_entries (org_id, vehicle_id, lower(during));
create index vehicle_calendar_entries_during on vehicle_calendar_entries using gist (org_id, during);
select guard_table('vehicle_calendar_entries');

create table vehicle_assignments (
  org_id text not null,
  calendar_entry_id uuid not null,
  departure_id uuid not null,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, calendar_entry_id, departure_id),
  constraint vehicle_assignments_calendar_entry_fk foreign key (org_id, calendar_entry_id) references vehicle_calendar_entries on delete cascade,
  constraint vehicle_assignments_departure_fk foreign key (org_id, departure_id) references departures
);
create index vehicle_assignments_departure on vehicle_assignments (org_id, departure_id);
select guard_table('vehicle_assignments', 'calendar_entry_id,departure_id');

-- `&&` on ranges is not leakproof, so that row-level security keeps it off the index; these ask in its place
create function staff_busy(p_during tstzrange, p_staff_ids uuid[] default null, p_blocking_only boolean default true)
returns table (id uuid, staff_id uuid, kind text, status text, blocking boolean, from_at timestamptz, to_at timestamptz)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select e.id, e.staff_id, e.kind, e.status, e.blocking, lower(e.during), upper(e.during) from staff_calendar_entries e
  where e.org_id = app_org_id() and e.during && p_during and e.status not in ('cancelled', 'declined')
    and (p_staff_ids is null or e.staff_id = any (p_staff_ids)) and (e.blocking or not p_blocking_only)
  order by lower(e.during), e.id
$$;
create function vehicles_busy(p_during tstzrange, p_vehicle_ids uuid[] default null, p_blocking_only boolean default true)
returns table (id uuid, vehicle_id uuid, kind text, status text, blocking boolean, from_at timestamptz, to_at timestamptz)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select e.id, e.vehicle_id, e.kind, e.status, e.blocking, lower(e.during), upper(e.during) from vehicle_calendar_entries e
  where e.org_id = app_org_id() and e.during && p_during and e.status <> 'cancelled'
    and (p_vehicle_ids is null or e.vehicle_id = any (p_vehicle_ids)) and (e.blocking or not p_blocking_only)
  order by lower(e.during), e.id
$$;
create policy search on staff_calendar_entries for select to app_search using (true);
create policy search on vehicle_calendar_entries for select to app_search using (true);
grant select on staff_calendar_entries, vehicle_calendar_entries to app_search;
select give_function('staff_busy(tstzrange, uuid[], boolean)', 'app_search');
select give_function('vehicles_busy(tstzrange, uuid[], boolean)', 'app_search');
