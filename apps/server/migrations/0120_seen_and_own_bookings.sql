-- Who was here last. The policy compared the membership with itself (a plain `id` means that of the inner table there), so that nobody but
-- oneself was ever visible.
drop policy colleagues on identity."user";
create policy colleagues on identity."user" for select to app_user
  using (id = app_user_id() or exists (
    select from identity.member m where m."userId" = "user".id and m."organizationId" = app_org_id()));

-- An organization sees when its members worked in it, and not where else they sign in.
alter table identity.organization_uses enable row level security;
create policy organization on identity.organization_uses for select to app_user using ("organizationId" = app_org_id());
grant select on identity.organization_uses to app_user;

-- The limit counts what the caller may find: a guide's own bookings came after the 200 best of the whole organization before.
drop function search_bookings(text, int);
create function search_bookings(p_query text, p_limit int default 200, p_staff_id uuid default null) returns table (id uuid)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  return query execute format(
    'select b.id from bookings b where b.org_id = $1 and %s %s order by b.booking_ref = upper($2) desc, b.created_at desc, b.id limit $4',
    search_condition('b.search_text', btrim(p_query)),
    case when p_staff_id is not null then 'and exists (select from assignments a where a.org_id = b.org_id
      and a.departure_id = b.departure_id and a.staff_id = $3 and a.status = any (own_assignment_statuses(false)))' end)
  using app_org_id(), btrim(p_query), p_staff_id, p_limit;
end $$;
comment on function search_bookings is 'Bookings by reference, contact and external reference; p_staff_id narrows to one person''s departures.';
select give_function('search_bookings(text, int, uuid)', 'app_search');
