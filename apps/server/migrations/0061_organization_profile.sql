-- The settings page renames the organization and changes its logo; the mirror in `organizations` follows by trigger.

alter table identity.organization enable row level security;
create policy organization on identity.organization to app_user using (id = app_org_id()) with check (id = app_org_id());
grant select on identity.organization to app_user;
grant update (name, logo) on identity.organization to app_user;
