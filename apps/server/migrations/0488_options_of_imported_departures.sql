-- A departure that an import makes is one of the option that starts at its time, where there is exactly one: with its language, and private where it is.
alter table import_departures
  add column option_id uuid,
  add constraint import_departures_option_fk foreign key (org_id, option_id) references tour_options on delete set null (option_id);
create index import_departures_option on import_departures (org_id, option_id) where option_id is not null;
