-- The embedded identity service, in a schema of its own. The first ten tables have the shape that better-auth 1.7.7 reads
-- and writes (its own migration generator wrote them, a test compares them with what it expects); the others are ours.
-- The owner's connections serve them. The application's login reaches them only through the grants and policies below.
create schema identity;

create table identity."user" (
  id text primary key,
  name text not null,
  email text not null unique check (email = lower(email)),
  "emailVerified" boolean not null,
  image text,
  "createdAt" timestamptz not null default current_timestamp,
  "updatedAt" timestamptz not null default current_timestamp,
  "firstName" text,
  "lastName" text,
  "lastSignInAt" timestamptz,
  -- where the next session begins
  "lastOrganizationId" text
);

create table identity.session (
  id text primary key,
  "expiresAt" timestamptz not null,
  token text not null unique,
  "createdAt" timestamptz not null default current_timestamp,
  "updatedAt" timestamptz not null,
  "ipAddress" text,
  "userAgent" text,
  "userId" text not null references identity."user" (id) on delete cascade,
  "activeOrganizationId" text
);
create index "session_userId_idx" on identity.session ("userId");

create table identity.account (
  id text primary key,
  "accountId" text not null,
  "providerId" text not null,
  "userId" text not null references identity."user" (id) on delete cascade,
  "accessToken" text,
  "refreshToken" text,
  "idToken" text,
  "accessTokenExpiresAt" timestamptz,
  "refreshTokenExpiresAt" timestamptz,
  scope text,
  password text,
  "createdAt" timestamptz not null default current_timestamp,
  "updatedAt" timestamptz not null
);
create index "account_userId_idx" on identity.account ("userId");

-- One-time values: password resets, nonces of wallet messages, the first start's set-up link. Using one deletes it.
create table identity.verification (
  id text primary key,
  identifier text not null,
  value text not null,
  "expiresAt" timestamptz not null,
  "createdAt" timestamptz not null default current_timestamp,
  "updatedAt" timestamptz not null default current_timestamp
);
create index "verification_identifier_idx" on identity.verification (identifier);

create table identity.organization (
  id text primary key,
  name text not null check (name <> ''),
  slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  logo text,
  "createdAt" timestamptz not null,
  metadata text,
  "updatedAt" timestamptz
);

create table identity.member (
  id text primary key,
  "organizationId" text not null references identity.organization (id) on delete cascade,
  "userId" text not null references identity."user" (id) on delete cascade,
  role text not null,
  "createdAt" timestamptz not null,
  status text not null default 'active',
  constraint member_once unique ("organizationId", "userId"),
  constraint member_role check (
    role in ('admin', 'operations_manager', 'dispatcher', 'tour_designer', 'guide', 'viewer')),
  constraint member_status check (status in ('active', 'suspended'))
);
create index "member_organizationId_idx" on identity.member ("organizationId");
create index "member_userId_idx" on identity.member ("userId");

-- Statuses as better-auth has them: `canceled` is our "revoked", a pending one past its date our "expired".
create table identity.invitation (
  id text primary key,
  "organizationId" text not null references identity.organization (id) on delete cascade,
  email text not null check (email = lower(email)),
  role text,
  status text not null check (status in ('pending', 'accepted', 'rejected', 'canceled')),
  "expiresAt" timestamptz not null,
  "createdAt" timestamptz not null default current_timestamp,
  "inviterId" text not null references identity."user" (id) on delete cascade,
  message text,
  locale text,
  -- the field-staff record that accepting links to
  "fieldStaffId" uuid,
  "sentAt" timestamptz not null default current_timestamp,
  constraint invitation_role check (
    role in ('admin', 'operations_manager', 'dispatcher', 'tour_designer', 'guide', 'viewer'))
);
create index "invitation_organizationId_idx" on identity.invitation ("organizationId");
create index "invitation_email_idx" on identity.invitation (email);
create unique index invitation_pending_once on identity.invitation ("organizationId", email) where status = 'pending';

create table identity."walletAddress" (
  id text primary key,
  "userId" text not null references identity."user" (id) on delete cascade,
  address text not null,
  "chainId" integer not null,
  "isPrimary" boolean not null,
  "createdAt" timestamptz not null,
  constraint wallet_address_once unique (address, "chainId")
);
create index "walletAddress_userId_idx" on identity."walletAddress" ("userId");

create table identity.jwks (
  id text primary key,
  "publicKey" text not null,
  "privateKey" text not null,
  "createdAt" timestamptz not null,
  "expiresAt" timestamptz,
  alg text,
  crv text
);

-- Shared by all processes, so that a limit counts once however many servers answer.
create table identity."rateLimit" (
  id text primary key,
  key text not null unique,
  count integer not null,
  "lastRequest" bigint not null
);

-- People who asked to be let in while sign-up is closed. It belongs to the installation, not to an organization.
create table identity.waitlist (
  id text primary key,
  email text not null unique check (email = lower(email)),
  status text not null default 'pending' check (status in ('pending', 'approved', 'rejected')),
  "createdAt" timestamptz not null default current_timestamp,
  "decidedAt" timestamptz,
  "decidedBy" text
);

-- Letters of the identity service (verification, reset, invitation). Without a mail server they are read on screen.
create table identity.mails (
  id text primary key,
  kind text not null,
  recipient text not null check (recipient = lower(recipient)),
  subject text not null,
  body text not null,
  status text not null default 'queued' check (status in ('queued', 'sent', 'failed')),
  error text,
  attempts integer not null default 0,
  "createdAt" timestamptz not null default current_timestamp,
  "nextAttemptAt" timestamptz not null default current_timestamp,
  "sentAt" timestamptz
);
create index mails_queued on identity.mails ("nextAttemptAt") where status = 'queued';
-- wakes whoever delivers
create function identity.tell_outbox() returns trigger language plpgsql as $$
begin
  perform pg_notify('outbox', '');
  return null;
end $$;
create trigger tell_outbox after insert on identity.mails for each statement execute function identity.tell_outbox();
create index mails_recipient on identity.mails (recipient, "createdAt" desc);

-- What happened to accounts and sessions; organizations have their audit log besides. Append-only.
create table identity.events (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  kind text not null,
  user_id text,
  email text,
  org_id text,
  ip text,
  user_agent text,
  detail jsonb not null default '{}'
);
create index events_by_user on identity.events (user_id, at desc);
create index events_by_org on identity.events (org_id, at desc) where org_id is not null;

-- A person signed in to the backend (spec, section 7, "Backend sign-in"). A token names its row, so deleting or revoking
-- the row ends the token at once.
create table identity.backend_sessions (
  id uuid primary key,
  user_id text not null,
  email text,
  name text,
  org_id text,
  -- the session of the identity service it came from; also one of another service, hence no foreign key
  identity_session_id text,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index backend_sessions_by_identity on identity.backend_sessions (identity_session_id);
create index backend_sessions_by_user on identity.backend_sessions (user_id);
create index backend_sessions_expired on identity.backend_sessions (expires_at);

-- Refresh tokens as hashes; each use replaces the token, and a replaced one that comes back late ends the session.
create table identity.backend_refresh_tokens (
  token_hash text primary key,
  backend_session_id uuid not null references identity.backend_sessions (id) on delete cascade,
  created_at timestamptz not null default clock_timestamp(),
  replaced_at timestamptz
);
create index backend_refresh_tokens_by_session on identity.backend_refresh_tokens (backend_session_id);

-- ---------------------------------------------------------------------------------------------------------------
-- The mirror. Verbs read public.organizations, public.members and public.invitations; these triggers write them in the
-- transaction of the identity service, so that a changed role or a removal counts on the next call. The functions
-- belong to the owner, whom row-level security binds too: each enters the organization it writes for, and leaves it.

-- Enters an organization as a person would; gives back the settings to restore.
create function identity.enter(p_org_id text, p_user_id text, p_action text) returns text[]
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  former constant text[] := array[coalesce(current_setting('app.org_id', true), ''), coalesce(current_setting('app.user_id', true), ''),
    coalesce(current_setting('app.actor_kind', true), ''), coalesce(current_setting('app.action', true), '')];
begin
  perform set_config('app.org_id', p_org_id, true);
  -- a verb has said already who acts; the identity service has not
  if former[2] = '' and p_user_id is not null then
    perform set_config('app.user_id', p_user_id, true), set_config('app.actor_kind', 'user', true);
  end if;
  if former[4] = '' then perform set_config('app.action', p_action, true); end if;
  return former;
end $$;

create function identity.leave(p_former text[]) returns void language sql volatile set search_path = pg_catalog, public, pg_temp as $$
  select set_config('app.org_id', p_former[1], true), set_config('app.user_id', p_former[2], true),
    set_config('app.actor_kind', p_former[3], true), set_config('app.action', p_former[4], true)
$$;

create function identity.mirror_organization() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  former text[];
begin
  if tg_op = 'INSERT' then
    former := identity.enter(new.id, null, 'organization-create');
    insert into organizations (org_id, name, slug, logo_url, created_at, updated_at)
    values (new.id, new.name, new.slug, new.logo, new."createdAt", new."createdAt");
    insert into org_settings (org_id) values (new.id) on conflict do nothing;
  else
    former := identity.enter(new.id, null, 'organization-update');
    update organizations set name = new.name, slug = new.slug, logo_url = new.logo, version = version + 1, updated_at = app_now()
    where org_id = new.id and (name, slug, logo_url) is distinct from (new.name, new.slug, new.logo);
  end if;
  perform identity.leave(former);
  return null;
end $$;
create trigger mirror_organization after insert or update on identity.organization
  for each row execute function identity.mirror_organization();

create function identity.touch_organization() returns trigger language plpgsql as $$
begin
  new."updatedAt" := current_timestamp;
  return new;
end $$;
create trigger touch_organization before insert or update on identity.organization
  for each row execute function identity.touch_organization();

-- Streams of a person are closed by the listener of this channel when membership ends or changes.
create function identity.tell_membership(p_org_id text, p_user_id text, p_status text) returns void
language sql volatile as $$
  select pg_notify('membership', json_build_object('orgId', p_org_id, 'userId', p_user_id, 'status', p_status)::text)
$$;

create function identity.mirror_member() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  former text[];
  person record;
  invited record;
begin
  if tg_op = 'DELETE' then
    former := identity.enter(old."organizationId", old."userId", 'organization-leave');
    update members set status = 'removed', staff_id = null, version = version + 1, updated_at = app_now() where org_id = old."organizationId" and user_id = old."userId";
    perform identity.leave(former), identity.tell_membership(old."organizationId", old."userId", 'removed');
    update identity.session set "activeOrganizationId" = null
    where "userId" = old."userId" and "activeOrganizationId" = old."organizationId";
    return null;
  end if;
  former := identity.enter(new."organizationId", new."userId", 'organization-join');
  if tg_op = 'UPDATE' then
    update members set role = new.role, status = new.status, version = version + 1, updated_at = app_now() where org_id = new."organizationId" and user_id = new."userId";
    perform identity.leave(former), identity.tell_membership(new."organizationId", new."userId", new.status);
    return null;
  end if;
  select u.name, u.email, u.image into person from identity."user" u where u.id = new."userId";
  select i.id, i."fieldStaffId" as staff_id into invited from identity.invitation i
  where i."organizationId" = new."organizationId" and i.email = person.email and i.status = 'accepted'
  order by i."createdAt" desc limit 1;
  -- a record linked to somebody else meanwhile is left to them
  if invited.staff_id is not null and exists (
    select from members m where m.org_id = new."organizationId" and m.staff_id = invited.staff_id and m.user_id <> new."userId"
  ) then invited.staff_id := null; end if;
  insert into members as m (org_id, user_id, role, status, email, name, image_url, staff_id, joined_at)
  values (new."organizationId", new."userId", new.role, new.status, person.email, person.name, person.image, invited.staff_id, app_now())
  on conflict (org_id, user_id) do update set role = excluded.role, status = excluded.status, email = excluded.email, name = excluded.name,
    image_url = excluded.image_url, staff_id = excluded.staff_id, joined_at = excluded.joined_at, version = m.version + 1, updated_at = app_now();
  update invitations set status = 'accepted', version = version + 1, updated_at = app_now()
  where org_id = new."organizationId" and id::text = invited.id and status = 'pending';
  perform identity.leave(former), identity.tell_membership(new."organizationId", new."userId", new.status);
  return null;
end $$;
create trigger mirror_member after insert or update or delete on identity.member
  for each row execute function identity.mirror_member();

create function identity.mirror_invitation() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  former text[];
begin
  if tg_op = 'INSERT' then
    former := identity.enter(new."organizationId", new."inviterId", 'members-invite');
    insert into invitations (org_id, id, email, role, status, staff_id, locale, message, invited_by, expires_at)
    values (new."organizationId", new.id::uuid, new.email, new.role, new.status, new."fieldStaffId", new.locale, new.message,
      new."inviterId", new."expiresAt");
  else
    former := identity.enter(new."organizationId", null, 'invitation-update');
    -- accepting is mirrored with the membership it makes: the identity service takes an acceptance back when that fails
    update invitations set role = new.role, expires_at = new."expiresAt", staff_id = new."fieldStaffId",
      status = case when new.status in ('canceled', 'rejected') then 'revoked' else status end, version = version + 1, updated_at = app_now()
    where org_id = new."organizationId" and id = new.id::uuid
      and (old.role, old."expiresAt", old."fieldStaffId", old.status) is distinct from (new.role, new."expiresAt", new."fieldStaffId", new.status);
  end if;
  perform identity.leave(former);
  return null;
end $$;
create trigger mirror_invitation after insert or update on identity.invitation
  for each row execute function identity.mirror_invitation();

create function identity.mirror_person() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  former text[];
  org text;
begin
  if (old.name, old.email, old.image) is not distinct from (new.name, new.email, new.image) then return null; end if;
  for org in select m."organizationId" from identity.member m where m."userId" = new.id loop
    former := identity.enter(org, new.id, 'profile-update');
    update members set name = new.name, email = new.email, image_url = new.image, version = version + 1, updated_at = app_now()
    where org_id = org and user_id = new.id;
    perform identity.leave(former);
  end loop;
  return null;
end $$;
create trigger mirror_person after update on identity."user" for each row execute function identity.mirror_person();

-- A member and a field-staff record point at each other. Whichever side is written, the other follows.
create function follow_member_link() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  update field_staff set member_user_id = null
  where org_id = new.org_id and member_user_id = new.user_id and id is distinct from new.staff_id;
  update field_staff set member_user_id = new.user_id
  where org_id = new.org_id and id = new.staff_id and member_user_id is distinct from new.user_id;
  return null;
end $$;
create trigger follow_member_link after insert or update of staff_id on members for each row execute function follow_member_link();

create function follow_staff_link() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  update members set staff_id = null
  where org_id = new.org_id and staff_id = new.id and user_id is distinct from new.member_user_id;
  update members set staff_id = new.id
  where org_id = new.org_id and user_id = new.member_user_id and status <> 'removed' and staff_id is distinct from new.id;
  return null;
end $$;
create trigger follow_staff_link after insert or update of member_user_id on field_staff for each row execute function follow_staff_link();

-- ---------------------------------------------------------------------------------------------------------------
-- What happened: into the event log, and into the audit log of an organization where one is known

create function identity.log_event(p_kind text, p_user_id text, p_email text, p_org_id text, p_ip text, p_user_agent text, p_detail jsonb default '{}')
returns void language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  former text[];
  former_ip constant text := coalesce(current_setting('app.ip', true), '');
begin
  insert into identity.events (kind, user_id, email, org_id, ip, user_agent, detail)
  values (p_kind, p_user_id, p_email, p_org_id, p_ip, p_user_agent, p_detail);
  if p_org_id is null or not exists (select from identity.organization o where o.id = p_org_id) then return; end if;
  former := identity.enter(p_org_id, p_user_id, 'identity');
  perform set_config('app.ip', coalesce(p_ip, ''), true);
  perform record_event(p_kind, 'account', coalesce(p_user_id, p_email, ''), p_detail);
  perform set_config('app.ip', former_ip, true), identity.leave(former);
end $$;
revoke execute on function identity.log_event from public;

create trigger append_only before update or delete or truncate on identity.events for each statement execute function refuse_change();

-- A session begins where the person worked last, or in their first organization.
create function identity.begin_session() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if new."activeOrganizationId" is null then
    new."activeOrganizationId" := (
      select m."organizationId" from identity.member m join identity."user" u on u.id = m."userId"
      where m."userId" = new."userId" and m.status = 'active'
      order by m."organizationId" is not distinct from u."lastOrganizationId" desc, m."createdAt", m.id limit 1);
  end if;
  return new;
end $$;
create trigger begin_session before insert on identity.session for each row execute function identity.begin_session();

create function identity.follow_session() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  ended record;
begin
  if tg_op = 'INSERT' then
    update identity."user" set "lastSignInAt" = new."createdAt" where id = new."userId";
    perform identity.log_event('signed_in', new."userId", null, new."activeOrganizationId", new."ipAddress", new."userAgent");
  elsif tg_op = 'UPDATE' then
    if new."activeOrganizationId" is not null and new."activeOrganizationId" is distinct from old."activeOrganizationId" then
      update identity."user" set "lastOrganizationId" = new."activeOrganizationId" where id = new."userId";
    end if;
  else
    -- signing out of the identity service ends what was signed in with that session, wherever it is used
    for ended in
      update identity.backend_sessions set revoked_at = clock_timestamp()
      where identity_session_id = old.id and revoked_at is null returning id
    loop
      perform pg_notify('backend_session', ended.id::text);
    end loop;
    perform identity.log_event('signed_out', old."userId", null, old."activeOrganizationId", old."ipAddress", old."userAgent");
  end if;
  return null;
end $$;
create trigger follow_session after insert or update or delete on identity.session
  for each row execute function identity.follow_session();

create function identity.follow_account() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_table_name = 'user' then
    if tg_op = 'INSERT' then
      perform identity.log_event('signed_up', new.id, new.email, null, null, null);
    elsif new."emailVerified" and not old."emailVerified" then
      perform identity.log_event('email_verified', new.id, new.email, null, null, null);
    end if;
  elsif tg_table_name = 'account' then
    if new.password is distinct from old.password then
      perform identity.log_event('password_changed', new."userId", null, null, null, null);
    end if;
  elsif tg_table_name = 'walletAddress' then
    perform identity.log_event('wallet_added', new."userId", null, null, null, null, jsonb_build_object('address', new.address));
  elsif tg_op = 'INSERT' then
    perform identity.log_event('waitlist_joined', null, new.email, null, null, null);
  else
    perform identity.log_event('waitlist_' || new.status, new."decidedBy", new.email, null, null, null);
  end if;
  return null;
end $$;
create trigger follow_user after insert or update of "emailVerified" on identity."user" for each row execute function identity.follow_account();
create trigger follow_password after update of password on identity.account for each row execute function identity.follow_account();
create trigger follow_wallet after insert on identity."walletAddress" for each row execute function identity.follow_account();
create trigger follow_waitlist after insert or update of status on identity.waitlist for each row execute function identity.follow_account();

-- ---------------------------------------------------------------------------------------------------------------
-- What the application's login may do here: manage members and invitations of the organization it is in

grant usage on schema identity to app_user;

-- The installation's first organization keeps its door: it decides about the waitlist, which belongs to no other.
create function identity.is_home_organization() returns boolean
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select app_org_id() = (select id from identity.organization order by "createdAt", id limit 1)
$$;
revoke execute on function identity.is_home_organization from public;
grant execute on function identity.is_home_organization to app_user;

alter table identity.member enable row level security;
create policy organization on identity.member to app_user
  using ("organizationId" = app_org_id()) with check ("organizationId" = app_org_id());
grant select, delete on identity.member to app_user;
grant update (role, status) on identity.member to app_user;

alter table identity.invitation enable row level security;
create policy organization on identity.invitation to app_user
  using ("organizationId" = app_org_id()) with check ("organizationId" = app_org_id());
grant select, insert on identity.invitation to app_user;
grant update (status, "expiresAt", "sentAt") on identity.invitation to app_user;

alter table identity."user" enable row level security;
create policy colleagues on identity."user" for select to app_user
  using (id = app_user_id() or exists (select from identity.member m where m."userId" = id and m."organizationId" = app_org_id()));
grant select (id, name, email, "emailVerified", image, "createdAt", "firstName", "lastName", "lastSignInAt") on identity."user" to app_user;

alter table identity.waitlist enable row level security;
create policy home_organization on identity.waitlist to app_user
  using (identity.is_home_organization()) with check (identity.is_home_organization());
grant select on identity.waitlist to app_user;
grant update (status, "decidedAt", "decidedBy") on identity.waitlist to app_user;

alter table identity.mails enable row level security;
create policy own_letters on identity.mails for insert to app_user with check (true);
grant insert on identity.mails to app_user;

-- Letters to the people of the organization. A letter opens an account, so its text is shown only where that gives
-- nothing away: to the organization that is the only one of its recipient, and, for people who belong nowhere yet, to the
-- installation's first organization. Having invited somebody is not enough.
create function identity.letters() returns table (id text, kind text, recipient text, subject text, body text, status text, error text,
  attempts int, created_at timestamptz, sent_at timestamptz)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select m.id, m.kind, m.recipient, m.subject, case when known.elsewhere = 0 and (known.here > 0 or identity.is_home_organization()) then m.body end,
    m.status, m.error, m.attempts, m."createdAt", m."sentAt"
  from identity.mails m
  cross join lateral (
    select count(*) filter (where me."organizationId" = app_org_id()) as here, count(*) filter (where me."organizationId" <> app_org_id()) as elsewhere
    from identity.member me join identity."user" u on u.id = me."userId" where u.email = m.recipient) known
  where app_org_id() is not null
    and (known.here > 0 or (known.elsewhere = 0 and identity.is_home_organization())
      or exists (select from identity.invitation i where i.email = m.recipient and i."organizationId" = app_org_id()))
$$;
revoke execute on function identity.letters from public;
grant execute on function identity.letters to app_user;

-- One look per call: is what the token names still signed in?
create function identity.backend_session_is_live(p_id uuid) returns boolean
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select exists (select from identity.backend_sessions s where s.id = p_id and s.revoked_at is null and s.expires_at > clock_timestamp())
$$;
revoke execute on function identity.backend_session_is_live from public;
grant execute on function identity.backend_session_is_live to app_user;
