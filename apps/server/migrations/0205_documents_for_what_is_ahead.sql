-- Documents are asked for by departures that guests are on or will be on. A cancelled departure keeps its parties until they are moved or
-- refunded, and went on asking for their passports. The same text as isAhead in the server's departure-phase.ts; a test compares them.
create function departure_ahead_condition() returns text language sql immutable parallel safe
return '(d.status not in (''cancelled'', ''aborted'') and not ' || departure_over_condition() || ')';

do $$
declare
  changed record;
  before text;
  after text;
begin
  for changed in
    select * from (values
      ('traveler_flag_condition(text)', $of$and not '::text || departure_over_condition()$of$, $by$and '::text || departure_ahead_condition()$by$),
      -- written out once from traveler_flag_condition(), so that PostgreSQL keeps the plan
      ('traveler_flags(uuid[])', 'and not ' || departure_over_condition(), 'and ' || departure_ahead_condition())
    ) as one (signature, part, replacement)
  loop
    before := pg_get_functiondef(changed.signature::regprocedure);
    after := replace(before, changed.part, changed.replacement);
    if after = before then raise exception '% is not as expected', changed.signature; end if;
    execute after;
  end loop;
end $$;
