-- Whether an address has an account is nobody's business but its owner's. See docs/decisions/0017.

-- E-mails of the identity service to members of the organization. A link in one opens the account, so the text is shown only while its
-- recipient belongs to no other organization. Having invited an address gives no right to its e-mails: their kinds tell who has an account.
create or replace function identity.letters() returns table (id text, kind text, recipient text, subject text, body text, status text, error text,
  attempts int, created_at timestamptz, sent_at timestamptz)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select m.id, m.kind, m.recipient, m.subject, case when not known.elsewhere then m.body end, m.status, m.error, m.attempts, m."createdAt", m."sentAt"
  from identity.mails m
  cross join lateral (
    select coalesce(bool_or(me."organizationId" = app_org_id()), false) as here, coalesce(bool_or(me."organizationId" <> app_org_id()), false) as elsewhere
    from identity.member me join identity."user" u on u.id = me."userId" where u.email = m.recipient) known
  where app_org_id() is not null and known.here
$$;

-- E-mails to people who belong to no organization, for the first organization of the installation. Asked for only where no mail server
-- delivers: then its administrators hand over the links.
create function identity.emails_to_newcomers() returns table (id text, kind text, recipient text, subject text, body text, status text, error text,
  attempts int, created_at timestamptz, sent_at timestamptz)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select m.id, m.kind, m.recipient, m.subject, m.body, m.status, m.error, m.attempts, m."createdAt", m."sentAt"
  from identity.mails m
  where identity.is_home_organization() and not exists (
    select from identity.member me join identity."user" u on u.id = me."userId" where u.email = m.recipient)
$$;
revoke execute on function identity.emails_to_newcomers from public;
grant execute on function identity.emails_to_newcomers to app_user;

-- One unused link for a new password per account: a new one ends the one before. The lock is held until both rows are seen by everyone.
create function identity.keep_one_reset_link() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('reset-link:' || new.value, 0));
  delete from identity.verification where identifier like 'reset-link:%' and value = new.value;
  return new;
end $$;
create trigger keep_one_reset_link before insert on identity.verification
  for each row when (new.identifier like 'reset-link:%') execute function identity.keep_one_reset_link();
create index verification_reset_links on identity.verification (value) where identifier like 'reset-link:%';
-- from before, when they were stored readable; whoever waits for one asks again
delete from identity.verification where identifier like 'reset-password:%';

-- A place on the waitlist ends with the account it led to. Otherwise a second sign-up would be let in where a stranger's is not.
create function identity.end_waiting() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  delete from identity.waitlist where email = new.email;
  return null;
end $$;
create trigger end_waiting after insert on identity."user" for each row execute function identity.end_waiting();
delete from identity.waitlist w using identity."user" u where u.email = w.email and w.status = 'approved';

-- A link that was delivered, or is too old, is of use to nobody but a thief of the database.
create function identity.without_tokens(p_body text) returns text language sql immutable as $$
  select regexp_replace(p_body, '([?&]token=)[^[:space:]&]+', '\1…', 'g')
$$;
