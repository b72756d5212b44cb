-- Whoever knows the number of travelers behind a filter already says it: counting them is most of a page's work where no total is kept, and
-- another page or order of the same filter has the same number.

drop function search_travelers(text, jsonb, jsonb, int, bigint, uuid);

create function search_travelers(p_query text default '', p_filters jsonb default '{}', p_sort jsonb default '[]',
  p_limit int default 100, p_offset bigint default 0, p_staff_id uuid default null, p_total bigint default null)
returns table (total bigint, ids uuid[]) language plpgsql stable security definer
set search_path = pg_catalog, public, pg_temp set random_page_cost = 1.1 set jit = off set max_parallel_workers_per_gather = 0 as $$
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
    using org, p_filters, p_staff_id, booked, p_limit, p_offset, coalesce(known, p_total);
  end if;
end $$;
select give_function('search_travelers(text, jsonb, jsonb, int, bigint, uuid, bigint)', 'app_search');
