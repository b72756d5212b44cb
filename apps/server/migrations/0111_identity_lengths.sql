-- Names, pictures and browsers of accounts have an end, whoever wrote them: the sign-up form, a hosted identity service, a script.
-- The form refuses what is too long with a reason; what a hosted service sends is cut, since refusing it would only make it come again.

create function identity.one_line(p_text text, p_length integer) returns text
language sql immutable set search_path = pg_catalog, pg_temp as $$
  select btrim(left(regexp_replace(p_text, '[[:cntrl:]\u2028\u2029]+', ' ', 'g'), p_length))
$$;

create function identity.clip_user() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  new.name := identity.one_line(new.name, 200);
  new."firstName" := identity.one_line(new."firstName", 100);
  new."lastName" := identity.one_line(new."lastName", 100);
  if char_length(new.image) > 2000 then new.image := null; end if;
  return new;
end $$;
create trigger clip_user before insert or update of name, "firstName", "lastName", image on identity."user"
  for each row execute function identity.clip_user();

create function identity.clip_organization() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  new.name := identity.one_line(new.name, 200);
  if char_length(new.logo) > 2000 then new.logo := null; end if;
  return new;
end $$;
create trigger clip_organization before insert or update of name, logo on identity.organization
  for each row execute function identity.clip_organization();

create function identity.clip_session() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  new."userAgent" := left(new."userAgent", 500);
  return new;
end $$;
create trigger clip_session before insert or update of "userAgent" on identity.session
  for each row execute function identity.clip_session();

-- What is there already and is longer passes the triggers once.
update identity."user" set name = name
where char_length(name) > 200 or char_length("firstName") > 100 or char_length("lastName") > 100 or char_length(image) > 2000
  or concat(name, "firstName", "lastName") ~ '[[:cntrl:]\u2028\u2029]';
update identity.organization set name = name
where char_length(name) > 200 or char_length(logo) > 2000 or name ~ '[[:cntrl:]\u2028\u2029]';

-- An address is never cut: another person would get the mail. The standard allows 320 characters at most, the forms 254.
delete from identity.waitlist where char_length(email) > 320;
alter table identity.waitlist add constraint waitlist_email_length check (char_length(email) <= 320);
alter table identity."user" add constraint user_email_length check (char_length(email) <= 320) not valid;
alter table identity.invitation add constraint invitation_email_length check (char_length(email) <= 320) not valid;
alter table identity.organization
  add constraint organization_slug_length check (char_length(slug) <= 200) not valid,
  add constraint organization_metadata_length check (char_length(metadata) <= 10000) not valid;
