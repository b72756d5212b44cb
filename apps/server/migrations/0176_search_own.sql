-- Searches and counts of travelers and bookings ask own_departures(), as the policies do, and are told by nobody whose departures to look at:
-- the role of the transaction says it. See docs/decisions/0039.

create or replace function own_entry_condition() returns text language sql immutable parallel safe
return 'm.departure_id = any ((select own_departures())::uuid[])';
comment on function own_entry_condition() is 'Whether a manifest entry m is one of an own departure, for functions that look past row-level security.';

-- Makes a function anew without the staff record that it was given: each change is a text of its body and what stands there instead.
create function pg_temp.without_staff(p_function regprocedure, variadic p_changes text[]) returns void language plpgsql as $$
declare
  body text := pg_get_functiondef(p_function);
begin
  for place in 1 .. array_length(p_changes, 1) by 2 loop
    if position(p_changes[place] in body) = 0 then raise exception '% has no "%"', p_function, p_changes[place]; end if;
    body := replace(body, p_changes[place], p_changes[place + 1]);
  end loop;
  if position('p_staff_id' in body) > 0 then raise exception '% still names a staff record', p_function; end if;
  execute body;
  execute format('drop function %s', p_function);
end $$;

select pg_temp.without_staff('traveler_filter(jsonb, uuid)', 'p_staff_id uuid', 'p_own boolean',
  'p_staff_id is null then '')'' else '' and '' || own_entry_condition() || '')''', 'p_own then '' and '' || own_entry_condition() || '')'' else '')''',
  'p_staff_id is not null', 'p_own');

select pg_temp.without_staff('known_traveler_count(jsonb, uuid)', ', p_staff_id uuid', '', 'p_staff_id is not null', 'is_own_reach()');

select pg_temp.without_staff('count_travelers(jsonb, uuid)', ', p_staff_id uuid DEFAULT NULL::uuid', '',
  E'  p_staff_id := staff_in_reach(p_staff_id);\n', '', '''{}''), p_staff_id);', '''{}''));', '''{}''), p_staff_id))', '''{}''), is_own_reach()))',
  'p_filters, p_staff_id;', 'p_filters;');

select pg_temp.without_staff('search_bookings(text, int, uuid)', ', p_staff_id uuid DEFAULT NULL::uuid', '',
  E'  p_staff_id := staff_in_reach(p_staff_id);\n', '',
  E'p_staff_id is not null then ''and exists (select from assignments a where a.org_id = b.org_id\n      and a.departure_id = b.departure_id and a.staff_id = $3 and a.status = any (own_assignment_statuses(false)))''',
  'is_own_reach() then ''and b.departure_id = any ((select own_departures())::uuid[])''',
  'limit $4', 'limit $3', ', p_staff_id, p_limit', ', p_limit');

select pg_temp.without_staff('search_travelers(text, jsonb, jsonb, int, bigint, uuid, bigint)', ' p_staff_id uuid DEFAULT NULL::uuid,', '',
  E'  p_staff_id := staff_in_reach(p_staff_id);\n', '', 'known_traveler_count(coalesce(p_filters, ''{}''), p_staff_id)', 'known_traveler_count(coalesce(p_filters, ''{}''))',
  'traveler_filter(coalesce(p_filters, ''{}''), p_staff_id)', 'traveler_filter(coalesce(p_filters, ''{}''), is_own_reach())',
  'case when p_staff_id is null then '''' else '' and '' || own_entry_condition() end', 'case when is_own_reach() then '' and '' || own_entry_condition() else '''' end',
  E'(p_staff_id is null\n        or exists (select from assignments a where a.org_id = m.org_id and a.departure_id = m.departure_id and a.staff_id = p_staff_id\n          and a.status = any (own_assignment_statuses(false))))',
  '(not is_own_reach() or m.departure_id = any ((select own_departures())::uuid[]))',
  '$4', '$3', '$5', '$4', '$6', '$5', '$7', '$6', 'p_filters, p_staff_id, booked', 'p_filters, booked');

drop function pg_temp.without_staff(regprocedure, text[]);
drop function staff_in_reach(uuid);

select give_function(f, 'app_search') from unnest(array['known_traveler_count(jsonb)', 'count_travelers(jsonb)', 'search_bookings(text, int)',
  'search_travelers(text, jsonb, jsonb, int, bigint, bigint)']) as f;
grant execute on function count_travelers(jsonb), search_bookings(text, int), search_travelers(text, jsonb, jsonb, int, bigint, bigint) to app_own;
comment on function search_bookings(text, int) is 'Bookings by reference, contact and external reference; with scope own those of own departures.';
