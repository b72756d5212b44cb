-- What "my departures" means, once. Callers with scope `own` reach the departures on whose crew they are; which assignments count was
-- written in three places before, and differed.

-- An offer opens enough of a departure to say yes or no (`p_with_offers`). Guests, bookings, messages and everything that is written
-- there need an assignment that was accepted. Refused, expired, withdrawn, released and replaced ones open nothing, drafts neither.
create function own_assignment_statuses(p_with_offers boolean) returns text[] language sql immutable strict parallel safe
return case when p_with_offers then array['offered', 'accepted', 'on_duty', 'completed'] else array['accepted', 'on_duty', 'completed'] end;

-- Whether the manifest entry `m` is on a departure of the person $3, as SQL text for the functions that search
create function own_entry_condition() returns text language sql immutable parallel safe
return 'exists (select from assignments a where a.org_id = m.org_id and a.departure_id = m.departure_id and a.staff_id = $3
  and a.status = any (own_assignment_statuses(false)))';

create or replace function traveler_filter(p_filters jsonb, p_staff_id uuid) returns text language plpgsql immutable parallel safe as $$
declare
  list constant text := '(select jsonb_array_elements_text($2 -> %L))';
  conditions text[] := array['t.org_id = $1', 't.merged_into_id is null', 't.archived_at is null'];
  -- entries of the traveler that count, with their departure; for a guide no filter looks at trips with somebody else
  trips constant text := 'exists (select from manifest_entries m join departures d on d.org_id = m.org_id and d.id = m.departure_id
    where m.org_id = t.org_id and m.traveler_id = t.id and m.status <> ''cancelled'' and %s'
    || case when p_staff_id is null then ')' else ' and ' || own_entry_condition() || ')' end;
  -- the same as the flag possible_duplicate, for all rows at once (100,000 probes took 2 s, this 0.1 s)
  shared constant text := '%1$s in (select %1$s from travelers t where t.org_id = $1 and %1$s is not null and t.merged_into_id is null
    and t.archived_at is null group by 1 having count(*) > 1)';
  duplicates constant text := format('(%s or %s)', format(shared, 'lower(t.email collate "C")'), format(shared, 't.phone'));
  flag text;
  flags text[] := '{}';
  has_span constant boolean := p_filters ?| array['from', 'to'];
begin
  if p_staff_id is not null then
    conditions := conditions || format(trips, 'true');
  end if;
  case p_filters ->> 'view'
    when 'on_tour' then conditions := conditions || format(trips, 'd.status in (''boarding'', ''in_progress'') and m.status in (''expected'', ''checked_in'', ''on_tour'', ''missing'')');
    when 'arriving' then conditions := conditions || format(trips, 'd.starts_at > app_now() and d.starts_at <= app_now() + interval ''7 days'' and d.status in (''scheduled'', ''guaranteed'', ''boarding'')');
    when 'missing_data' then conditions := conditions || '(t.nationality is null or (t.email is null and t.phone is null) or t.first_name = '''')'::text;
    when 'duplicates' then conditions := conditions || duplicates;
    else null;
  end case;
  if p_filters ? 'nationality' then conditions := conditions || format('t.nationality = any (array%s)', format(list, 'nationality')); end if;
  if p_filters ? 'language' then conditions := conditions || format('t.languages && array%s', format(list, 'language')); end if;
  if p_filters ? 'tag' then conditions := conditions || format('t.tags && array%s', format(list, 'tag')); end if;
  if p_filters ? 'importBatchId' then conditions := conditions || format('t.import_batch_id = any (array%s::uuid[])', format(list, 'importBatchId')); end if;
  if p_filters ? 'departureId' then conditions := conditions || format(trips, format('m.departure_id = any (array%s::uuid[])', format(list, 'departureId'))); end if;
  if p_filters ? 'tourId' or has_span then
    conditions := conditions || format(trips, concat_ws(' and ',
      case when p_filters ? 'tourId' then format('d.tour_id = any (array%s::uuid[])', format(list, 'tourId')) end,
      case when p_filters ? 'from' then 'd.local_date >= ($2 ->> ''from'')::date' end,
      case when p_filters ? 'to' then 'd.local_date <= ($2 ->> ''to'')::date' end));
  end if;
  if p_filters ? 'flag' then
    for flag in select jsonb_array_elements_text(p_filters -> 'flag') loop
      flags := flags || format('(%s)', case flag when 'possible_duplicate' then duplicates else traveler_flag_condition(flag) end);
    end loop;
    conditions := conditions || format('(%s)', coalesce(nullif(array_to_string(flags, ' or '), ''), 'false'));
  end if;
  return array_to_string(conditions, ' and ');
end $$;

drop function search_travelers(text, jsonb, jsonb, int, bigint, uuid);

/*
 * One page of ids in order, and how many there are in all.
 * p_filters and p_sort as the callable travelers-list has them; p_staff_id narrows to the guests of one person's departures.
 */
create function search_travelers(p_query text default '', p_filters jsonb default '{}', p_sort jsonb default '[]', p_limit int default 100,
  p_offset bigint default 0, p_staff_id uuid default null) returns table (total bigint, ids uuid[])
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp
-- The rows of one organization lie in memory: counting in an index is right even where the server is tuned for discs, and
-- compiling or sharing out takes longer than the query
set random_page_cost = 1.1 set jit = off set max_parallel_workers_per_gather = 0 as $$
declare
  org constant text := app_org_id();
  wanted constant text := btrim(coalesce(p_query, ''));
  conditions text := traveler_filter(coalesce(p_filters, '{}'), p_staff_id);
  ordering constant text := traveler_order(coalesce(p_sort, '[]'));
  booked uuid[];
  matches text;
  trip constant text := case when position('trip.' in ordering) = 0 then '' else
    ' left join (select m.traveler_id, coalesce(min(d.starts_at) filter (where d.ends_at >= app_now()), max(d.starts_at)) as starts_at
       from manifest_entries m join departures d on d.org_id = m.org_id and d.id = m.departure_id
       where m.org_id = $1 and m.status <> ''cancelled''' || case when p_staff_id is null then '' else ' and ' || own_entry_condition() end ||
    ' group by m.traveler_id) trip on trip.traveler_id = t.id' end;
begin
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
      'select (select count(*) from travelers t where %s), array(select t.id from travelers t%s where %s order by %s limit $5 offset $6)',
      conditions, trip, conditions, ordering)
    using org, p_filters, p_staff_id, booked, p_limit, p_offset;
  end if;
end $$;

select give_function('search_travelers(text, jsonb, jsonb, int, bigint, uuid)', 'app_search');
