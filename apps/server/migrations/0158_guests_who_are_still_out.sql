-- Guests who are still out after the planned end: the list of travelers, its order by trip and the flags of documents follow the rule of all
-- other readers. The same text as isOut and isOver in the server's departure-phase.ts, for the functions that put their statements together;
-- a test compares them.
create function departure_out_condition() returns text language sql immutable parallel safe
return '(d.status in (''boarding'', ''in_progress'') and d.ends_at > app_now() - interval ''60 days'')';
create function departure_over_condition() returns text language sql immutable parallel safe
return '(d.status = ''completed'' or d.ends_at <= app_now() and not ' || departure_out_condition() || ')';

do $$
declare
  changed record;
  before text;
  after text;
begin
  for changed in
    select * from (values
      ('traveler_filter(jsonb, uuid)',
        $of$'d.status in (''boarding'', ''in_progress'') and m.status in$of$, $by$departure_out_condition() || ' and m.status in$by$),
      ('traveler_flag_condition(text)',
        'd.ends_at > app_now()', $by$not ' || departure_over_condition() || '$by$),
      ('search_travelers(text, jsonb, jsonb, int, bigint, uuid, bigint)',
        'd.ends_at >= app_now()', $by$not ' || departure_over_condition() || '$by$),
      -- written out once from traveler_flag_condition(), so that PostgreSQL keeps the plan
      ('traveler_flags(uuid[])', 'd.ends_at > app_now()', 'not ' || departure_over_condition())
    ) as one (signature, part, replacement)
  loop
    before := pg_get_functiondef(changed.signature::regprocedure);
    after := replace(before, changed.part, changed.replacement);
    if after = before then raise exception '% is not as expected', changed.signature; end if;
    execute after;
  end loop;
end $$;
