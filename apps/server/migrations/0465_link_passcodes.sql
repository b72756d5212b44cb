-- A link can ask for a passcode. Wrong ones are in its log, and are no views. See docs/decisions/0140.
alter table link_accesses add column is_wrong_passcode boolean not null default false;
comment on column link_accesses.is_wrong_passcode is 'Somebody entered a wrong passcode and saw nothing.';

drop trigger count_link_access on link_accesses;
create trigger count_link_access after insert on link_accesses
  for each row when (not new.is_wrong_passcode) execute function count_link_access();

-- the guide's phone works without a network and has no page that could ask
alter table shared_links add constraint shared_links_no_passcode_on_phones
  check (passcode_hash is null or kind <> 'staff_runsheet' or coalesce(scopes ->> 'checkin', 'false') <> 'true');
