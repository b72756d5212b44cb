-- A day of positions is dropped when no organization keeps it. Those of an organization that keeps them for a shorter time are deleted from it.
-- The policy of `positions` holds for the owner as well: only rows of the transaction's organization go.
create function forget_position_day(p_day date) returns int
language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  forgotten int;
begin
  delete from public.positions where org_id = public.app_org_id()
    and recorded_at >= p_day::timestamp at time zone 'UTC' and recorded_at < (p_day + 1)::timestamp at time zone 'UTC';
  get diagnostics forgotten = row_count;
  return forgotten;
end $$;
alter function forget_position_day(date) owner to app_positions;
revoke execute on function forget_position_day(date) from public;
grant execute on function forget_position_day(date) to app_user;
