-- Documents with positions that the hosted database holds. Whoever publishes them writes a name here before the document and takes it out after
-- the document is gone, so that a server that was killed knows what it has left there: a position must not stay when the duty has ended.
create table feed.position_documents (
  org_id text not null references organizations (org_id) on delete cascade,
  document_id uuid not null,
  primary key (org_id, document_id)
);
comment on table feed.position_documents is 'Documents with positions in the hosted database: one for each departure that is seen, and one for each person or vehicle without one.';
comment on column feed.position_documents.document_id is 'Of a departure, a staff member or a vehicle.';
grant select, insert, delete on feed.position_documents to app_user;
