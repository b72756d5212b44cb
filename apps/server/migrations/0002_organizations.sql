-- Organizations as the business sees them: a mirror of what the identity service knows, settings, members.

create table organizations (
  org_id text primary key,
  name text not null,
  slug text,
  logo_url text,
  identity_kind text not null default 'embedded',
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  constraint organizations_name_length check (char_length(name) between 1 and 200),
  constraint organizations_identity_kind_known check (identity_kind in ('embedded', 'clerk'))
);
select guard_table('organizations', 'org_id');

create table org_settings (
  org_id text primary key references organizations on delete cascade,
  time_zone text not null default 'UTC',
  locale text not null default 'en',
  week_start smallint not null default 1,
  currency text not null default 'EUR',
  units text not null default 'metric',
  map_center_lat double precision not null default 0,
  map_center_lng double precision not null default 0,
  map_zoom real not null default 2,
  map_style text not null default 'itinerary',
  working_hours jsonb not null default '{"from": "08:00", "to": "18:00"}',
  positions_days int not null default 90,
  tracks_days int not null default 730,
  sensitive_days int not null default 30,
  default_capacity int not null default 16,
  default_min_pax int not null default 1,
  default_cutoff_minutes int not null default 60,
  default_overbook_limit int not null default 0,
  hold_minutes int not null default 1440,
  waitlist_offer_minutes int not null default 1440,
  boarding_opens_minutes int not null default 90,
  on_time_tolerance_minutes int not null default 5,
  no_show_after_minutes int not null default -5,
  decide_by_days int not null default 3,
  booking_ref_prefix text not null default 'TOR',
  departure_code_pattern text not null default '{TOUR}-{YYMMDD}-{HHMM}',
  thresholds jsonb not null default '{}',
  tour_rules jsonb not null default '{}',
  notification_rules jsonb not null default '{}',
  custom_fields jsonb not null default '[]',
  privacy_text text,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  constraint org_settings_week_start_range check (week_start between 0 and 6),
  constraint org_settings_currency_code check (currency ~ '^[A-Z]{3}$'),
  constraint org_settings_units_known check (units in ('metric', 'imperial')),
  constraint org_settings_map_center_range check (map_center_lat between -90 and 90 and map_center_lng between -180 and 180),
  constraint org_settings_map_zoom_range check (map_zoom between 0 and 22),
  constraint org_settings_retention_range check (positions_days between 1 and 3650 and tracks_days between 1 and 3650 and sensitive_days between 0 and 3650),
  constraint org_settings_defaults_range check (default_capacity > 0 and default_min_pax >= 0 and default_cutoff_minutes >= 0 and default_overbook_limit >= 0
    and hold_minutes > 0 and waitlist_offer_minutes > 0 and boarding_opens_minutes >= 0 and on_time_tolerance_minutes >= 0 and decide_by_days >= 0),
  constraint org_settings_booking_ref_prefix_form check (booking_ref_prefix ~ '^[A-Z]{2,5}$')
);
comment on column org_settings.no_show_after_minutes is 'Minutes after the planned time from which a no-show may be marked; negative is before it (product description, 4.5).';
comment on column org_settings.thresholds is 'Alert kind to threshold where it differs from the default of the product description, 4.5.';
select guard_table('org_settings', 'org_id');

create table members (
  org_id text not null references organizations on delete cascade,
  user_id text not null,
  role text not null,
  status text not null default 'active',
  email text,
  name text,
  image_url text,
  staff_id uuid,
  joined_at timestamptz not null default app_now(),
  last_seen_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, user_id),
  constraint members_role_known check (role in ('admin', 'operations_manager', 'dispatcher', 'tour_designer', 'guide', 'viewer')),
  constraint members_status_known check (status in ('active', 'suspended', 'removed'))
);
create index members_user on members (user_id);
create unique index members_staff_once on members (org_id, staff_id) where staff_id is not null;
select guard_table('members', 'user_id');

-- I15. Two admins who demote each other at once must not both succeed: the organization's row is the queue.
create function keep_an_admin() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  kind text;
begin
  if old.role <> 'admin' or old.status <> 'active' then return null; end if;
  if tg_op = 'UPDATE' and new.role = 'admin' and new.status = 'active' then return null; end if;
  select identity_kind into kind from organizations where org_id = old.org_id for no key update;
  -- not found: the organization itself is going away. Other identity services keep this rule themselves.
  if kind is distinct from 'embedded' then return null; end if;
  if not exists (select from members where org_id = old.org_id and role = 'admin' and status = 'active') then
    raise exception 'The organization needs at least one active administrator.' using errcode = 'check_violation',
      constraint = 'members_organization_keeps_an_admin', table = 'members';
  end if;
  return null;
end $$;
create constraint trigger keep_an_admin after update or delete on members deferrable initially deferred
  for each row execute function keep_an_admin();

create table invitations (
  org_id text not null references organizations on delete cascade,
  id uuid not null,
  email citext not null,
  role text not null,
  status text not null default 'pending',
  staff_id uuid,
  locale text,
  message text,
  invited_by text,
  expires_at timestamptz not null,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint invitations_role_known check (role in ('admin', 'operations_manager', 'dispatcher', 'tour_designer', 'guide', 'viewer')),
  constraint invitations_status_known check (status in ('pending', 'accepted', 'revoked', 'expired'))
);
create unique index invitations_one_pending_per_email on invitations (org_id, email) where status = 'pending';
select guard_table('invitations');
select guard_status('invitations', 'invitations');

create table saved_views (
  org_id text not null references organizations on delete cascade,
  id uuid not null,
  user_id text not null,
  screen text not null,
  name text not null,
  filters jsonb not null default '{}',
  columns jsonb not null default '[]',
  shared boolean not null default false,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint saved_views_member_fk foreign key (org_id, user_id) references members on delete cascade,
  constraint saved_views_name_unique unique (org_id, user_id, screen, name),
  constraint saved_views_name_length check (char_length(name) between 1 and 100)
);
select guard_table('saved_views');

-- The answer to a write that a client may send twice
create table idempotency_keys (
  org_id text not null references organizations on delete cascade,
  key text not null,
  callable text not null,
  user_id text,
  request_hash text not null,
  result jsonb,
  created_at timestamptz not null default app_now(),
  primary key (org_id, key),
  constraint idempotency_keys_key_length check (char_length(key) between 8 and 200)
);
create index idempotency_keys_created_at on idempotency_keys (created_at);
select guard_table('idempotency_keys', 'key', p_recorded => false);
create policy janitor on idempotency_keys for all to app_janitor using (true) with check (true);
grant select, delete on idempotency_keys to app_janitor;
create function prune_idempotency_keys(p_before timestamptz) returns bigint
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  with gone as (delete from idempotency_keys where created_at < p_before returning 1) select count(*) from gone
$$;
select give_function('prune_idempotency_keys(timestamptz)', 'app_janitor');

-- Live documents by path. Those of an organization and those of one person; business truth is never here.
create table documents (
  path text primary key,
  org_id text references organizations on delete cascade,
  user_id text,
  data jsonb not null,
  version bigint not null default 1,
  create_time timestamptz not null default clock_timestamp(),
  update_time timestamptz not null default clock_timestamp(),
  constraint documents_have_an_owner check (org_id is not null or user_id is not null),
  constraint documents_path_form check (path ~ '^[^/]+(/[^/]+)+$' and char_length(path) <= 1500),
  constraint documents_size check (pg_column_size(data) <= 1048576)
);
create index documents_prefix on documents (path text_pattern_ops);
create index documents_org on documents (org_id, path text_pattern_ops);
create index documents_user on documents (user_id, path text_pattern_ops);
alter table documents enable row level security;
alter table documents force row level security;
create policy owner on documents using (org_id = app_org_id() or user_id = app_user_id()) with check (org_id = app_org_id() or user_id = app_user_id());
grant select, insert, update, delete on documents to app_user;

-- Before an organization is known, someone must say which ones there are
create policy directory on organizations for all to app_directory using (true) with check (true);
create policy directory on members for select to app_directory using (true);
grant select, update on organizations to app_directory;
grant select on members to app_directory;
select give_function('keep_an_admin()', 'app_directory');

create function organizations_of(p_user_id text)
returns table (org_id text, name text, slug text, logo_url text, role text, status text, staff_id uuid, last_seen_at timestamptz, member_count bigint)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select o.org_id, o.name, o.slug, o.logo_url, m.role, m.status, m.staff_id, m.last_seen_at,
    (select count(*) from members c where c.org_id = o.org_id and c.status = 'active')
  from members m join organizations o using (org_id) where m.user_id = p_user_id and m.status <> 'removed'
  order by o.name collate "und-x-icu", o.org_id
$$;
create function organization_ids() returns table (org_id text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select o.org_id from organizations o order by o.org_id
$$;
select give_function('organizations_of(text)', 'app_directory');
select give_function('organization_ids()', 'app_directory');
