-- An organization may ask for a second factor: of which roles, and from which day on.
alter table org_settings
  add column second_factor_roles text[] not null default '{}',
  add column second_factor_from date,
  add constraint org_settings_second_factor_roles_known check (
    second_factor_roles <@ array['admin', 'operations_manager', 'dispatcher', 'tour_designer', 'guide', 'viewer']
    and array_position(second_factor_roles, null) is null),
  add constraint org_settings_second_factor_complete check ((second_factor_from is null) = (second_factor_roles = '{}'));
comment on column org_settings.second_factor_from is 'First day of the rule, by the clock of the organization.';

-- The one place that says for whom the rule counts. It has no search path of its own, so that it becomes part of the statement that asks.
create function second_factor_due_at(p_settings org_settings, p_role text, p_is_proven boolean) returns timestamptz
language sql stable return case when p_role = any (p_settings.second_factor_roles) and p_is_proven is not true
  then p_settings.second_factor_from::timestamp at time zone p_settings.time_zone end;
comment on function second_factor_due_at is 'From when on a session is refused for want of a second factor; null when it is not.';

-- What the embedded identity service knows about the session that a backend token came from. Another service's sessions are not known here.
create function identity.has_proven_factor(p_backend_session_id text) returns boolean
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select exists (
    select from identity.backend_sessions b join identity.session s on s.id = b.identity_session_id
    where b.id = case when p_backend_session_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then p_backend_session_id::uuid end
      and s."secondFactor" is not null)
$$;
revoke execute on function identity.has_proven_factor from public;
grant execute on function identity.has_proven_factor to app_user;

create function identity.has_factor(p_user_id text) returns boolean
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select exists (select from identity.passkey p where p."userId" = p_user_id)
    or exists (select from identity."twoFactor" t where t."userId" = p_user_id and t.verified)
$$;
revoke execute on function identity.has_factor from public;

-- For the identity service itself, which belongs to no organization: it enters each one that it asks about.
create function identity.second_factor_due_at(p_org_id text, p_user_id text, p_is_proven boolean) returns timestamptz
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  former constant text[] := identity.enter(p_org_id, p_user_id, 'second-factor');
  due timestamptz;
begin
  select public.second_factor_due_at(s, m.role, p_is_proven) into due
  from members m join org_settings s on s.org_id = m.org_id
  where m.org_id = p_org_id and m.user_id = p_user_id and m.status = 'active';
  perform identity.leave(former);
  return due;
end $$;
revoke execute on function identity.second_factor_due_at from public;

-- Whoever has a factor that an organization asks for shows it before changing factors; otherwise a password would be enough to replace it.
create function identity.must_prove_factor(p_user_id text) returns boolean
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  org text;
begin
  if not identity.has_factor(p_user_id) then return false; end if;
  for org in select m."organizationId" from identity.member m where m."userId" = p_user_id and m.status = 'active' loop
    if identity.second_factor_due_at(org, p_user_id, false) is not null then return true; end if;
  end loop;
  return false;
end $$;
revoke execute on function identity.must_prove_factor from public;

-- Who of the organization has a factor: that, and nothing about it.
create function identity.members_with_factor() returns table (user_id text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select m."userId" from identity.member m where m."organizationId" = app_org_id() and identity.has_factor(m."userId")
$$;
revoke execute on function identity.members_with_factor from public;
grant execute on function identity.members_with_factor to app_user;

-- Takes every factor away and ends every session; false for somebody without a factor.
create function identity.remove_factors(p_user_id text) returns boolean
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if not identity.has_factor(p_user_id) then return false; end if;
  delete from identity.passkey where "userId" = p_user_id;
  delete from identity."twoFactor" where "userId" = p_user_id;
  update identity."user" set "twoFactorEnabled" = false where id = p_user_id;
  delete from identity.session where "userId" = p_user_id;
  perform identity.log_factor('second_factor_reset', p_user_id);
  return true;
end $$;
revoke execute on function identity.remove_factors from public;

-- For administrators, of members of their own organization alone: a factor protects every organization of its owner, so that somebody who
-- works elsewhere too is left to whoever runs the installation.
create function identity.reset_second_factor(p_user_id text) returns text
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (select from identity.member m where m."organizationId" = app_org_id() and m."userId" = p_user_id) then
    return 'not_a_member';
  end if;
  if exists (select from identity.member m where m."organizationId" <> app_org_id() and m."userId" = p_user_id) then
    return 'member_elsewhere';
  end if;
  return case when identity.remove_factors(p_user_id) then 'done' else 'no_factor' end;
end $$;
revoke execute on function identity.reset_second_factor from public;
grant execute on function identity.reset_second_factor to app_user;

-- As before, and the organizations of the person notice that a factor came or went: lists ask again, streams that need one end.
create or replace function identity.follow_factor() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  person constant text := coalesce(new."userId", old."userId");
  org text;
  former text[];
begin
  if tg_table_name = 'passkey' then
    if tg_op = 'INSERT' then
      perform identity.log_factor('passkey_added', person, jsonb_build_object('name', new.name));
    else
      perform identity.log_factor('passkey_removed', person, jsonb_build_object('name', old.name));
    end if;
  elsif tg_op = 'UPDATE' then
    if new.verified and old.verified is distinct from true then
      perform identity.log_factor('authenticator_added', person);
    elsif new."backupCodes" is distinct from old."backupCodes" and new.verified then
      perform identity.log_factor('recovery_codes_changed', person);
      return null;
    else
      return null;
    end if;
  else
    delete from identity.verification where identifier like 'trust-device-%' and value = person;
    if old.verified is not true then return null; end if;
    perform identity.log_factor('authenticator_removed', person);
  end if;
  if tg_op = 'DELETE' and not identity.has_factor(person) then
    update identity.session s set "secondFactor" = null where s."userId" = person and s."secondFactor" is not null;
  end if;
  for org in select m."organizationId" from identity.member m where m."userId" = person loop
    former := identity.enter(org, person, 'second-factor');
    perform announce_changes('members', array[person]);
    perform identity.leave(former);
  end loop;
  return null;
end $$;
