-- Equipment that goes with a departure, by kind and number. Of a kind there is never more out than there is: issues of departures that are
-- under way at the same time are counted together, one writer at a time for each kind.

create table equipment_issues (
  org_id text not null references organizations on delete cascade,
  departure_id uuid not null,
  equipment_id uuid not null,
  quantity int not null,
  -- from the departure's start to its end; follows from the departure
  during tstzrange not null,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, departure_id, equipment_id),
  constraint equipment_issues_departure_fk foreign key (org_id, departure_id) references departures on delete cascade,
  constraint equipment_issues_equipment_fk foreign key (org_id, equipment_id) references equipment,
  constraint equipment_issues_quantity_range check (quantity between 1 and 10000)
);
-- what is out of one kind at a time
create index equipment_issues_equipment on equipment_issues (org_id, equipment_id, upper(during));
select guard_table('equipment_issues', 'departure_id,equipment_id');
select narrow_own('equipment_issues', 'departure_id = any ((select own_departures())::uuid[])');

create function equipment_out(p_org_id text, p_equipment_id uuid, p_during tstzrange, p_without uuid default null) returns int
language sql stable as $$
  -- the number out changes upwards only where an issue begins
  select coalesce(max(out.quantity), 0)::int from (
    select sum(other.quantity) as quantity
    from equipment_issues start join equipment_issues other on other.org_id = start.org_id and other.equipment_id = start.equipment_id
      and other.during @> greatest(lower(start.during), lower(p_during))
    where start.org_id = p_org_id and start.equipment_id = p_equipment_id and start.during && p_during
      and start.departure_id is distinct from p_without and other.departure_id is distinct from p_without
    group by start.departure_id) as out
$$;
comment on function equipment_out(text, uuid, tstzrange, uuid) is
  'The most pieces of a kind of equipment that are out at the same moment of a time, without those of one departure.';

create function set_issue_time() returns trigger language plpgsql as $$
begin
  select tstzrange(d.starts_at, d.ends_at) into new.during from departures d where d.org_id = new.org_id and d.id = new.departure_id;
  return new;
end $$;
create trigger set_issue_time before insert or update on equipment_issues for each row execute function set_issue_time();

create function check_issued() returns trigger language plpgsql as $$
declare
  there int;
begin
  -- whoever comes second waits here and then counts what the first one took
  select quantity into there from equipment where org_id = new.org_id and id = new.equipment_id for no key update;
  if equipment_out(new.org_id, new.equipment_id, new.during) > there then
    raise exception 'More of this equipment would be out than there is.' using errcode = 'check_violation',
      constraint = 'equipment_issues_within_quantity', table = 'equipment_issues';
  end if;
  return null;
end $$;
create trigger check_issued after insert or update on equipment_issues for each row execute function check_issued();

-- What is out now or will be stays covered when pieces are lost or sold; what came back does not matter.
create function check_equipment_quantity() returns trigger language plpgsql as $$
begin
  if equipment_out(new.org_id, new.id, tstzrange(app_now(), null)) > new.quantity then
    raise exception 'More of this equipment is issued than there would be.' using errcode = 'check_violation',
      constraint = 'equipment_quantity_covers_issued', table = 'equipment', column = 'quantity';
  end if;
  return null;
end $$;
create trigger check_equipment_quantity after update of quantity on equipment for each row when (new.quantity < old.quantity)
  execute function check_equipment_quantity();

-- A departure that moves takes its equipment along, or is refused.
create function move_issues() returns trigger language plpgsql as $$
begin
  update equipment_issues set during = tstzrange(new.starts_at, new.ends_at) where org_id = new.org_id and departure_id = new.id;
  return null;
end $$;
create trigger move_issues after update of starts_at, ends_at on departures for each row
  when ((new.starts_at, new.ends_at) is distinct from (old.starts_at, old.ends_at)) execute function move_issues();
