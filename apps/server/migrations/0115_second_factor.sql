-- Second factor of embedded accounts: authenticator app with recovery codes, passkeys, and what each session proved. The
-- first two tables have the shape of the identity library's two-factor plugin (1.7.7) and passkey plugin (1.7.6); the
-- test that compares the schema with what the library expects covers them.

alter table identity."user" add column "twoFactorEnabled" boolean;

-- Secret and recovery codes are sealed by the library with the installation's secret before they come here.
create table identity."twoFactor" (
  id text primary key,
  secret text not null,
  "backupCodes" text not null,
  "userId" text not null unique references identity."user" (id) on delete cascade,
  -- false until the first code was typed
  verified boolean,
  "failedVerificationCount" integer,
  "lockedUntil" timestamptz
);
create index "twoFactor_secret_idx" on identity."twoFactor" (secret);
create index "twoFactor_userId_idx" on identity."twoFactor" ("userId");

create table identity.passkey (
  id text primary key,
  name text,
  "publicKey" text not null,
  "userId" text not null references identity."user" (id) on delete cascade,
  "credentialID" text not null unique,
  counter integer not null,
  "deviceType" text not null,
  "backedUp" boolean not null,
  transports text,
  "createdAt" timestamptz,
  aaguid text,
  constraint passkey_name_length check (char_length(name) <= 80)
);
create index "passkey_userId_idx" on identity.passkey ("userId");
create index "passkey_credentialID_idx" on identity.passkey ("credentialID");

-- What the session proved besides the password (null: nothing), and when its person last proved the password again.
alter table identity.session
  add column "secondFactor" text,
  add column "confirmedAt" timestamptz,
  add constraint session_second_factor check ("secondFactor" in ('totp', 'recovery_code', 'passkey', 'trusted_device'));

-- A code of an authenticator app counts once (RFC 6238, section 5.2). Rows are of use for the 90 seconds that a code is valid.
create table identity.used_codes (
  user_id text not null references identity."user" (id) on delete cascade,
  code text not null,
  used_at timestamptz not null default clock_timestamp(),
  primary key (user_id, code)
);

create function identity.use_code(p_user_id text, p_code text) returns boolean
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  delete from identity.used_codes where user_id = p_user_id and used_at < clock_timestamp() - interval '2 minutes';
  insert into identity.used_codes (user_id, code) values (p_user_id, p_code) on conflict do nothing;
  return found;
end $$;
revoke execute on function identity.use_code from public;

-- A password alone opens no session for somebody with an authenticator app: the library makes one, sees that, and deletes it
-- before it answers. That is noted as a sign-in that waits for its second factor, not as one that happened.
create function identity.is_unfinished(p_session identity.session) returns boolean
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select p_session."secondFactor" is null
    and exists (select from identity."user" u where u.id = p_session."userId" and u."twoFactorEnabled")
$$;
revoke execute on function identity.is_unfinished from public;

create or replace function identity.follow_session() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  ended record;
begin
  if tg_op = 'INSERT' then
    if identity.is_unfinished(new) then
      perform identity.log_event('second_factor_asked', new."userId", null, new."activeOrganizationId", new."ipAddress", new."userAgent");
      return null;
    end if;
    update identity."user" set "lastSignInAt" = new."createdAt" where id = new."userId";
    perform identity.log_event('signed_in', new."userId", null, new."activeOrganizationId", new."ipAddress", new."userAgent",
      case when new."secondFactor" is null then '{}' else jsonb_build_object('secondFactor', new."secondFactor") end);
  elsif tg_op = 'UPDATE' then
    if new."activeOrganizationId" is not null and new."activeOrganizationId" is distinct from old."activeOrganizationId" then
      update identity."user" set "lastOrganizationId" = new."activeOrganizationId" where id = new."userId";
    end if;
    if new."secondFactor" = 'trusted_device' and old."secondFactor" is null then
      update identity."user" set "lastSignInAt" = new."createdAt" where id = new."userId";
      perform identity.log_event('signed_in', new."userId", null, new."activeOrganizationId", new."ipAddress", new."userAgent",
        jsonb_build_object('secondFactor', new."secondFactor"));
    end if;
  else
    -- signing out of the identity service ends what was signed in with that session, wherever it is used
    for ended in
      update identity.backend_sessions set revoked_at = clock_timestamp()
      where identity_session_id = old.id and revoked_at is null returning id
    loop
      perform pg_notify('backend_session', ended.id::text);
    end loop;
    if not identity.is_unfinished(old) then
      perform identity.log_event('signed_out', old."userId", null, old."activeOrganizationId", old."ipAddress", old."userAgent");
    end if;
  end if;
  return null;
end $$;

-- Every change of a factor is in the event log, and in the audit log of each organization of the person, whoever makes it.
create function identity.log_factor(p_kind text, p_user_id text, p_detail jsonb default '{}') returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  org text;
begin
  -- the account itself is going
  if not exists (select from identity."user" where id = p_user_id) then return; end if;
  if not exists (select from identity.member where "userId" = p_user_id) then
    perform identity.log_event(p_kind, p_user_id, null, null, null, null, p_detail);
  end if;
  for org in select m."organizationId" from identity.member m where m."userId" = p_user_id loop
    perform identity.log_event(p_kind, p_user_id, null, org, null, null, p_detail);
  end loop;
end $$;
revoke execute on function identity.log_factor from public;

-- A session that proved a factor keeps that only while the person has one; devices that may leave the code out are remembered
-- for one secret only.
create function identity.follow_factor() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_table_name = 'passkey' then
    if tg_op = 'INSERT' then
      perform identity.log_factor('passkey_added', new."userId", jsonb_build_object('name', new.name));
      return null;
    end if;
    perform identity.log_factor('passkey_removed', old."userId", jsonb_build_object('name', old.name));
  elsif tg_op = 'UPDATE' then
    if new.verified and old.verified is distinct from true then
      perform identity.log_factor('authenticator_added', new."userId");
    elsif new."backupCodes" is distinct from old."backupCodes" and new.verified then
      perform identity.log_factor('recovery_codes_changed', new."userId");
    end if;
    return null;
  else
    delete from identity.verification where identifier like 'trust-device-%' and value = old."userId";
    if old.verified is not true then return null; end if;
    perform identity.log_factor('authenticator_removed', old."userId");
  end if;
  update identity.session s set "secondFactor" = null
  where s."userId" = old."userId" and s."secondFactor" is not null
    and not exists (select from identity.passkey p where p."userId" = old."userId")
    and not exists (select from identity."twoFactor" t where t."userId" = old."userId" and t.verified);
  return null;
end $$;
create trigger follow_passkey after insert or delete on identity.passkey for each row execute function identity.follow_factor();
create trigger follow_two_factor after update or delete on identity."twoFactor" for each row execute function identity.follow_factor();

-- Whoever changes the password does not trust the devices of before.
create function identity.forget_devices() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.password is distinct from old.password then
    delete from identity.verification where identifier like 'trust-device-%' and value = new."userId";
  end if;
  return null;
end $$;
create trigger forget_devices after update of password on identity.account for each row execute function identity.forget_devices();

-- A session that ends closes its open streams in every process. It travels through the change log, which processes follow in every way they
-- may be connected; nobody can listen to this topic.
create function announce_ended_session() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into changes (org_id, topic, entity_id, op) values ('users/' || new.user_id, 'sessions', new.id::text, 'event');
  perform pg_notify('changes', '');
  return null;
end $$;
select give_function('announce_ended_session()', 'app_recorder');
create trigger announce_end after update of revoked_at on identity.backend_sessions
  for each row when (old.revoked_at is null and new.revoked_at is not null) execute function announce_ended_session();

-- Who may come in without a code is the server's knowledge alone.
revoke all on identity."twoFactor", identity.passkey, identity.used_codes from public;
