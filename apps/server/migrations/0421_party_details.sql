-- Guests check names and diet of their party on the link of their booking. The version says whether a profile was changed after that.
alter table manifest_entries add column details_confirmed_at timestamptz, add column details_confirmed_version integer,
  add constraint manifest_entries_details_whole check ((details_confirmed_at is null) = (details_confirmed_version is null));
comment on column manifest_entries.details_confirmed_version is 'Version of the traveler that the guest confirmed.';

create function guest_details_until(d departures) returns timestamptz language sql stable parallel safe
return case when d.status in ('scheduled', 'guaranteed') then d.starts_at - interval '24 hours' end;
comment on function guest_details_until is 'Until when guests may change names and diet: kitchens and crew have the list a day before. Null once a departure boards or is cancelled.';

create function check_details_in_time() returns trigger language plpgsql as $$
begin
  if not exists (select from departures d where d.org_id = new.org_id and d.id = new.departure_id and app_now() < guest_details_until(d)) then
    raise exception 'Details of this departure are closed.' using errcode = 'check_violation', constraint = 'manifest_entries_details_in_time',
      table = tg_table_name, column = 'details_confirmed_at';
  end if;
  return new;
end $$;
create trigger check_details_in_time before update of details_confirmed_at on manifest_entries for each row
  when (new.details_confirmed_at is distinct from old.details_confirmed_at and new.details_confirmed_at is not null)
  execute function check_details_in_time();
