-- Who did not come and is moved to another departure is expected there: the mark is of the departure that they missed. Whatever moves them, a booking that
-- takes its guests along or some of them by themselves.
create function expect_where_moved() returns trigger language plpgsql as $$
begin
  new.status := 'expected';
  return new;
end $$;
create trigger expect_where_moved before update of departure_id on manifest_entries for each row
  when (new.departure_id <> old.departure_id and old.status = 'no_show' and new.status = 'no_show') execute function expect_where_moved();
