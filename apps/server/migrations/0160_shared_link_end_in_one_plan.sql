-- The end of a link asks for its departure. As a question of its own for each link that was most of the work of the list (5,000 links: 400 ms
-- instead of 40); over a departure that is joined, PostgreSQL makes the function part of the statement.
drop function shared_link_end(shared_links);

do $write$
begin
  execute format($function$
create function shared_link_end(l shared_links, d departures) returns timestamptz language sql stable as $body$
  select case when l.ends_with_departure and d.id is not null then least(l.created_at + interval '400 days', greatest(l.expires_at,
    case when %s then app_now() else coalesce(d.actual_end_at, d.ends_at) end + interval '2 hours')) else l.expires_at end
$body$$function$, departure_out_condition());
end $write$;
comment on function shared_link_end is 'When a shared link with this departure ends; never before expires_at, and never after the 400 days that a link may live.';
