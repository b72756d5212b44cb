-- When a person last worked in each of their organizations: the choice of an organization lists the last one first.
create table identity.organization_uses (
  "userId" text not null references identity."user" (id) on delete cascade,
  "organizationId" text not null references identity.organization (id) on delete cascade,
  at timestamptz not null default clock_timestamp(),
  primary key ("userId", "organizationId")
);
create index organization_uses_by_organization on identity.organization_uses ("organizationId");

create function identity.note_organization_use() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into identity.organization_uses ("userId", "organizationId", at)
  select new."userId", o.id, clock_timestamp() from identity.organization o where o.id = new."activeOrganizationId"
  on conflict ("userId", "organizationId") do update set at = excluded.at;
  return null;
end $$;
-- also whenever a session is prolonged, once a day, so that a person who never signs out counts as well
create trigger note_organization_use after insert or update of "activeOrganizationId", "updatedAt" on identity.session
  for each row when (new."activeOrganizationId" is not null) execute function identity.note_organization_use();
