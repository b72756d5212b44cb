-- A message can carry a link that somebody made: its address is made when the message leaves, and stored nowhere. See decision 0173.
alter table messages
  add column link_id uuid,
  add constraint messages_link_fk foreign key (org_id, link_id) references shared_links on delete set null (link_id);
create index messages_link on messages (org_id, link_id) where link_id is not null;
