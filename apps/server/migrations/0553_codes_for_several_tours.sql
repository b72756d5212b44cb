-- A discount code is for some tours, or for all of them. See docs/decisions/0182.
alter table discount_codes add column tour_ids uuid[] not null default '{}';
alter table discount_codes no force row level security;
alter table discount_codes disable trigger user;
update discount_codes set tour_ids = array[tour_id] where tour_id is not null;
alter table discount_codes enable trigger user;
alter table discount_codes force row level security;
alter table discount_codes drop column tour_id;
alter table discount_codes add constraint discount_codes_tours_length check (cardinality(tour_ids) <= 100);
comment on column discount_codes.tour_ids is 'None: every tour.';

-- A list can have no foreign key: this is one, as tours are archived and never deleted.
create function check_discount_tours() returns trigger language plpgsql as $$
begin
  if (select count(*) from tours t where t.org_id = new.org_id and t.id = any (new.tour_ids)) < (select count(distinct id) from unnest(new.tour_ids) id) then
    raise exception 'A tour of the code does not exist.' using errcode = 'foreign_key_violation', constraint = 'discount_codes_tours_known',
      table = 'discount_codes', column = 'tour_ids';
  end if;
  return null;
end $$;
create trigger check_discount_tours after insert or update of tour_ids on discount_codes
  for each row when (cardinality(new.tour_ids) > 0) execute function check_discount_tours();
