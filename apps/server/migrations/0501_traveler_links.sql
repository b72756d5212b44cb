-- The link of one traveler shows their own tours, one after the other, and nobody else's. See docs/decisions/0153.
alter table shared_links add column traveler_id uuid;
comment on column shared_links.traveler_id is 'Of the link of a traveler: whose it is. It has no departure of its own: it shows where the traveler has a seat by now.';
alter table shared_links
  add constraint shared_links_traveler_fk foreign key (org_id, traveler_id) references travelers,
  add constraint shared_links_traveler_is_subject check (
    case when kind = 'traveler' then traveler_id is not null and subject_id = traveler_id::text and departure_id is null else traveler_id is null end);
create index shared_links_traveler on shared_links (org_id, traveler_id) where traveler_id is not null;
