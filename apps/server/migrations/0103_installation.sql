-- What the database knows about its installation, apart from any organization: that it holds the demo, that it became a real installation.
-- The owner alone reads and writes it.
create schema installation;

create table installation.facts (
  name text primary key check (name <> ''),
  value jsonb not null default '{}',
  at timestamptz not null default clock_timestamp()
);
comment on table installation.facts is 'One row per fact: "demo" while accounts with the published password are here, "live" after they were removed.';

-- Demos made before this table: nobody real has an address at example.com, which cannot receive e-mail.
insert into installation.facts (name)
select 'demo' where exists (
  select from identity."user" u join identity.account a on a."userId" = u.id and a."providerId" = 'credential'
  where u.email in ('admin@example.com', 'operations_manager@example.com', 'dispatcher@example.com', 'tour_designer@example.com',
    'guide@example.com', 'viewer@example.com'));
