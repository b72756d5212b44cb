-- Where another identity service keeps accounts, the schema `identity` mirrors it: the same rows, written after the service said so, and the
-- same triggers carry them into the business tables.

-- Its own id of an invitation; ours stay UUIDs.
alter table identity.invitation add column "serviceId" text unique;
grant update ("serviceId") on identity.invitation to app_user;

-- Messages of the service that were worked off, so that one that comes again is not worked off again.
create table identity.service_events (
  id text primary key,
  received_at timestamptz not null default clock_timestamp()
);
create index service_events_received on identity.service_events (received_at);
