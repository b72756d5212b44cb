-- Departures that lines of an import name and that do not exist: what the check would make, and what applying has made. Bookings of the
-- plan refer to the ids before the departures are there, so no foreign key leads to them.
create table import_departures (
  org_id text not null,
  departure_id uuid not null,
  batch_id uuid not null,
  tour_id uuid not null,
  revision_id uuid not null,
  code text not null,
  local_date date not null,
  local_start_time time not null,
  capacity int not null,
  lines int not null,
  stops uuid[] not null default '{}',
  is_made boolean not null default false,
  kept_because text,
  primary key (org_id, departure_id),
  constraint import_departures_code_once unique (org_id, batch_id, code),
  constraint import_departures_batch_fk foreign key (org_id, batch_id) references import_batches on delete cascade,
  constraint import_departures_revision_fk foreign key (org_id, tour_id, revision_id) references tour_revisions (org_id, tour_id, id) on delete cascade,
  constraint import_departures_counts_range check (capacity >= 0 and lines > 0),
  constraint import_departures_kept_known check (kept_because in ('bookings', 'assignments', 'changes')),
  constraint import_departures_kept_is_made check (kept_because is null or is_made)
);
comment on column import_departures.revision_id is 'The published tour that the check saw: of another one the departure would be another.';
comment on column import_departures.stops is 'Ids of its stops in their order, which guests of the plan refer to as their pickup.';
comment on column import_departures.kept_because is 'Why an undo left it.';
select guard_table('import_departures', 'departure_id', p_recorded => false);
