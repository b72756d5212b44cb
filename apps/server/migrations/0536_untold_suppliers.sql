-- Suppliers of departures of the next days who do not know of a change. Derived from what they were told and what is so by now, once a minute, so that the
-- checklist of many departures asks one small table. See docs/decisions/0176.
create table untold_suppliers (
  org_id text not null,
  departure_id uuid not null,
  supplier_id uuid not null,
  primary key (org_id, departure_id, supplier_id),
  constraint untold_suppliers_departure_fk foreign key (org_id, departure_id) references departures on delete cascade,
  constraint untold_suppliers_supplier_fk foreign key (org_id, supplier_id) references suppliers on delete cascade
);
select guard_table('untold_suppliers', 'departure_id,supplier_id', p_recorded => false, p_grants => 'select, insert, delete');
select narrow_own('untold_suppliers', 'exists (select from departures d where d.org_id = untold_suppliers.org_id and d.id = untold_suppliers.departure_id)', 'select');
