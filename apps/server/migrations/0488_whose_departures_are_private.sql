-- A departure that an import makes is one of the option that starts at its time, where there is exactly one: with its language, and private where it is.
alter table import_departures
  add column option_id uuid,
  add constraint import_departures_option_fk foreign key (org_id, option_id) references tour_options on delete set null (option_id);
create index import_departures_option on import_departures (org_id, option_id) where option_id is not null;

-- A tour of the kind "private" has private departures, whatever their option is; those that were made before as well, where nobody or one party is on them.
alter table departures no force row level security;
alter table tours no force row level security;
alter table bookings no force row level security;
update departures d set private = true from tours t
where t.org_id = d.org_id and t.id = d.tour_id and t.kind = 'private' and not d.private and d.starts_at > app_now() and d.status in ('draft', 'scheduled', 'confirmed')
  and (select count(*) from bookings b where b.org_id = d.org_id and b.departure_id = d.id and b.status in ('on_hold', 'confirmed', 'completed')) <= 1;
alter table departures force row level security;
alter table tours force row level security;
alter table bookings force row level security;
