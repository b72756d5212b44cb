-- A link can show what is out now, of all tours or of one. See docs/decisions/0152.
alter table shared_links add column tour_id uuid;
comment on column shared_links.tour_id is 'Of a live map: the tour that it shows; null for all of them.';
alter table shared_links
  add constraint shared_links_tour_fk foreign key (org_id, tour_id) references tours,
  add constraint shared_links_map_of_tours check (
    case when kind = 'live_map' then subject_id = coalesce(tour_id::text, 'all') and departure_id is null else tour_id is null end);
create index shared_links_tour on shared_links (org_id, tour_id) where tour_id is not null;
