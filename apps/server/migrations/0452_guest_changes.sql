-- Until when guests change names and diet is a rule of the organization: some kitchens need the list two days before, a walk through town needs none.
alter table org_settings add column guest_changes_hours int not null default 24,
  add constraint org_settings_guest_changes_range check (guest_changes_hours between 0 and 720);
comment on column org_settings.guest_changes_hours is 'Guests change names and diet until so many hours before the start.';

create or replace function guest_details_until(d departures) returns timestamptz language sql stable parallel safe
return case when d.status in ('scheduled', 'guaranteed') then
  d.starts_at - make_interval(hours => (select s.guest_changes_hours from org_settings s where s.org_id = d.org_id)) end;
comment on function guest_details_until is 'Until when guests may change names and diet, by the setting. Null once a departure boards or is cancelled.';
