-- A supplier of a departure sees what it needs on a link of its own. See docs/decisions/0152.
alter table shared_links add column supplier_id uuid;
comment on column shared_links.supplier_id is 'Of a supplier manifest: for whom it is. Without services on the departure it shows nothing of the guests.';
alter table shared_links
  add constraint shared_links_supplier_fk foreign key (org_id, supplier_id) references suppliers,
  add constraint shared_links_supplier_of_manifest check (supplier_id is null or kind = 'supplier_manifest'),
  add constraint shared_links_manifest_of_departure check (kind <> 'supplier_manifest' or (departure_id is not null and subject_id = departure_id::text));
create index shared_links_supplier on shared_links (org_id, supplier_id) where supplier_id is not null;
