-- The list of travelers at 100,000 rows: what it spent its time on was counting them, and planning texts that were put together anew.

/*
 * How many travelers the list has, by nationality. Every write adds a row with the difference it makes and the numbers are their sums, so
 * that writers never wait for each other as they would for one counter; a job folds the rows together.
 */
create table traveler_counts (
  org_id text not null,
  id uuid not null default gen_random_uuid(),
  nationality text not null,
  difference bigint not null,
  primary key (org_id, id)
);
comment on column traveler_counts.nationality is 'Empty for those without one.';
create index traveler_counts_nationality on traveler_counts (org_id, nationality) include (difference);

-- Those that are there. Creating the triggers in this transaction keeps writers out until it ends.
alter table travelers no force row level security;
insert into traveler_counts (org_id, nationality, difference)
select org_id, coalesce(nationality, ''), count(*) from travelers where merged_into_id is null and archived_at is null group by 1, 2;
alter table travelers force row level security;

-- The application has no rights here: the triggers write, and the functions that search read.
alter table traveler_counts enable row level security;
alter table traveler_counts force row level security;
create policy organization on traveler_counts using (org_id = app_org_id()) with check (org_id = app_org_id());
create policy search on traveler_counts for all to app_search using (true) with check (true);
grant select, insert, delete on traveler_counts to app_search;

-- Merged and archived travelers are not listed.
create function count_listed_travelers() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into traveler_counts (org_id, nationality, difference)
    select org_id, coalesce(nationality, ''), count(*) from new_rows where merged_into_id is null and archived_at is null group by 1, 2;
  elsif tg_op = 'DELETE' then
    insert into traveler_counts (org_id, nationality, difference)
    select org_id, coalesce(nationality, ''), -count(*) from old_rows where merged_into_id is null and archived_at is null group by 1, 2;
  else
    insert into traveler_counts (org_id, nationality, difference)
    select org_id, nationality, sum(one) from (
      select org_id, coalesce(nationality, '') as nationality, 1 as one from new_rows where merged_into_id is null and archived_at is null
      union all
      select org_id, coalesce(nationality, ''), -1 from old_rows where merged_into_id is null and archived_at is null
    ) as moved group by 1, 2 having sum(one) <> 0;
  end if;
  return null;
end $$;
create trigger count_listed_insert after insert on travelers referencing new table as new_rows for each statement execute function count_listed_travelers();
create trigger count_listed_update after update on travelers referencing old table as old_rows new table as new_rows for each statement execute function count_listed_travelers();
create trigger count_listed_delete after delete on travelers referencing old table as old_rows for each statement execute function count_listed_travelers();

-- One row for each nationality of the organization of the transaction. Who reads meanwhile sees the rows of before or the row of after;
-- of two that fold at once the second finds nothing left.
create function fold_traveler_counts() returns void language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  with folded as (
    delete from traveler_counts where org_id = app_org_id() and nationality in (
      select nationality from traveler_counts where org_id = app_org_id() group by nationality having count(*) > 1)
    returning nationality, difference
  )
  insert into traveler_counts (org_id, nationality, difference)
  select app_org_id(), nationality, sum(difference) from folded group by nationality having sum(difference) <> 0
$$;

/*
 * How many travelers the list has for these filters where that is known without looking at them: without filters and by nationality.
 * Null for others, and for a guide.
 */
create function known_traveler_count(p_filters jsonb, p_staff_id uuid) returns bigint
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if p_staff_id is not null or p_filters - 'nationality' not in ('{}', '{"view": "all"}') then
    return null;
  elsif p_filters ? 'nationality' then
    return (select coalesce(sum(difference), 0) from traveler_counts
      where org_id = app_org_id() and nationality = any (array(select jsonb_array_elements_text(p_filters -> 'nationality'))));
  end if;
  return (select coalesce(sum(difference), 0) from traveler_counts where org_id = app_org_id());
end $$;

/*
 * One page of ids in one of the orders that have an index, all travelers or those of some nationalities; null where there is no statement
 * for it. Written from traveler_filter() and traveler_order(), once, so that PostgreSQL keeps the plans.
 */
do $write$
declare
  listed constant text := replace(traveler_filter('{}', null), '$1', 'org');
  sorted record;
  branches text := '';
begin
  for sorted in
    select by_name, direction, traveler_order(jsonb_build_array(jsonb_build_object('by', by_name, 'descending', direction = 'desc'))) as ordering
    from unnest(array['lastName', 'name', 'nationality', 'toursTaken', 'createdAt']) with ordinality as one (by_name, place),
      unnest(array['asc', 'desc']) as two (direction)
    -- countries from the last to the first, people without one behind them: no index has that order
    where (by_name, direction) <> ('nationality', 'desc') order by place, direction
  loop
    if sorted.by_name = 'lastName' then
      branches := branches || format($branch$
  elsif wanted = %1$L and p_nationalities is not null then
    return array(
      select t.id from (select distinct unnest(p_nationalities)) as one (nationality) cross join lateral (
        select t.id, t.last_name, t.first_name from travelers t where %2$s and t.nationality = one.nationality order by %3$s limit p_limit + p_offset) t
      order by %3$s limit p_limit offset p_offset);$branch$, sorted.by_name || ' ' || sorted.direction, listed, sorted.ordering);
    end if;
    branches := branches || format($branch$
  elsif wanted = %1$L and p_nationalities is null then
    return array(select t.id from travelers t where %2$s order by %3$s limit p_limit offset p_offset);$branch$,
      sorted.by_name || ' ' || sorted.direction, listed, sorted.ordering);
  end loop;
  execute format($function$
create function page_of_travelers(p_sort jsonb, p_nationalities text[], p_limit int, p_offset bigint) returns uuid[]
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp
set random_page_cost = 1.1 set jit = off set max_parallel_workers_per_gather = 0 as $body$
declare
  org constant text := app_org_id();
  wanted constant text := case jsonb_array_length(p_sort) when 0 then 'lastName asc'
    when 1 then concat(p_sort #>> '{0,by}', case when (p_sort #>> '{0,descending}')::boolean then ' desc' else ' asc' end) end;
begin
  if wanted is null then
    return null;%s
  end if;
  return null;
end $body$;$function$, branches);
end $write$;

-- As before, and where the number is known or the page has a statement of its own, those are taken.
create or replace function search_travelers(p_query text default '', p_filters jsonb default '{}', p_sort jsonb default '[]', p_limit int default 100,
  p_offset bigint default 0, p_staff_id uuid default null) returns table (total bigint, ids uuid[])
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp
-- The rows of one organization lie in memory: counting in an index is right even where the server is tuned for discs, and
-- compiling or sharing out takes longer than the query
set random_page_cost = 1.1 set jit = off set max_parallel_workers_per_gather = 0 as $$
declare
  org constant text := app_org_id();
  wanted constant text := btrim(coalesce(p_query, ''));
  known bigint;
  page uuid[];
  conditions text;
  ordering text;
  booked uuid[];
  matches text;
  trip text;
begin
  if wanted = '' then
    known := known_traveler_count(coalesce(p_filters, '{}'), p_staff_id);
    if known is not null then
      page := page_of_travelers(coalesce(p_sort, '[]'),
        case when p_filters ? 'nationality' then array(select jsonb_array_elements_text(p_filters -> 'nationality')) end, p_limit, p_offset);
      if page is not null then
        return query select known, page;
        return;
      end if;
    end if;
  end if;
  conditions := traveler_filter(coalesce(p_filters, '{}'), p_staff_id);
  ordering := traveler_order(coalesce(p_sort, '[]'));
  trip := case when position('trip.' in ordering) = 0 then '' else
    ' left join (select m.traveler_id, coalesce(min(d.starts_at) filter (where d.ends_at >= app_now()), max(d.starts_at)) as starts_at
       from manifest_entries m join departures d on d.org_id = m.org_id and d.id = m.departure_id
       where m.org_id = $1 and m.status <> ''cancelled''' || case when p_staff_id is null then '' else ' and ' || own_entry_condition() end ||
    ' group by m.traveler_id) trip on trip.traveler_id = t.id' end;
  if wanted <> '' then
    matches := search_condition('t.search_text', wanted);
    -- looks like a reference: a number in it, or letters, a hyphen and more
    if wanted ~ '^[A-Za-z0-9-]{3,}$' and wanted ~ '[0-9]|^[A-Za-z]{2,5}-[A-Za-z0-9]{2}' then
      select array_agg(distinct m.traveler_id) into booked from bookings b
      join manifest_entries m on m.org_id = b.org_id and m.booking_id = b.id
      where b.org_id = org and b.search_text like '% ' || searchable(wanted) || '%' and (p_staff_id is null
        or exists (select from assignments a where a.org_id = m.org_id and a.departure_id = m.departure_id and a.staff_id = p_staff_id
          and a.status = any (own_assignment_statuses(false))));
    end if;
    conditions := conditions || case when booked is null then format(' and %s', matches)
      else format(' and ((%s) or (t.org_id = $1 and t.id = any ($4)))', matches) end;
    -- few rows: found once, counted and sorted in memory
    return query execute format(
      'with hit as materialized (select t.id, t.first_name, t.last_name, t.nationality, t.lifetime_tours, t.created_at from travelers t where %s)
       select (select count(*) from hit), array(select t.id from hit t%s order by %s limit $5 offset $6)',
      conditions, trip, ordering)
    using org, p_filters, p_staff_id, booked, p_limit, p_offset;
  else
    -- many rows: the page comes in order from an index, the number from another look
    return query execute format(
      'select coalesce($7, (select count(*) from travelers t where %s)), array(select t.id from travelers t%s where %s order by %s limit $5 offset $6)',
      conditions, trip, conditions, ordering)
    using org, p_filters, p_staff_id, booked, p_limit, p_offset, known;
  end if;
end $$;

create or replace function count_travelers(p_filters jsonb default '{}', p_staff_id uuid default null) returns bigint
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp
set random_page_cost = 1.1 set jit = off set max_parallel_workers_per_gather = 0 as $$
declare
  counted bigint := known_traveler_count(coalesce(p_filters, '{}'), p_staff_id);
begin
  if counted is null then
    execute format('select count(*) from travelers t where %s', traveler_filter(coalesce(p_filters, '{}'), p_staff_id))
    into counted using app_org_id(), p_filters, p_staff_id;
  end if;
  return counted;
end $$;

-- The flags of some travelers, written from traveler_flag_condition(), once, so that PostgreSQL keeps the plan.
do $write$
declare
  known constant text[] := array['vegetarian', 'vegan', 'halal', 'kosher', 'gluten_free', 'dairy_free', 'nut_allergy', 'shellfish_allergy', 'other_diet',
    'cane', 'wheelchair', 'no_stairs', 'other_mobility', 'medical', 'document_missing', 'document_expiring', 'possible_duplicate'];
begin
  execute format($function$
create or replace function traveler_flags(p_ids uuid[]) returns table (traveler_id uuid, flags text[])
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp
set random_page_cost = 1.1 set jit = off set max_parallel_workers_per_gather = 0 as $body$
declare
  org constant text := app_org_id();
begin
  return query select t.id, array_remove(array[%s]::text[], null) from travelers t where t.org_id = org and t.id = any (p_ids);
end $body$;$function$,
    (select string_agg(format(E'\n    case when %s then %L end', traveler_flag_condition(flag), flag), ',' order by place)
      from unnest(known) with ordinality as one (flag, place)));
end $write$;

select give_function('count_listed_travelers()', 'app_search');
revoke execute on function count_listed_travelers() from app_user;
select give_function('fold_traveler_counts()', 'app_search');
select give_function('known_traveler_count(jsonb, uuid)', 'app_search');
select give_function('page_of_travelers(jsonb, text[], int, bigint)', 'app_search');
