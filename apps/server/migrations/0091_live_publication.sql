-- Where the publisher of live documents to a hosted database stands in the change log.

create schema feed;

create table feed.cursors (
  name text primary key,
  tx xid8 not null,
  seq bigint not null,
  moved_at timestamptz not null default clock_timestamp()
);
comment on table feed.cursors is 'One row per place that live documents are published to. Whoever publishes holds its row locked, so that versions arrive in order.';

-- A new publisher begins now: what was there before is read by the screens when they open.
insert into feed.cursors (name, tx, seq)
values ('firestore', ((pg_snapshot_xmin(pg_current_snapshot())::text::numeric - 1)::text)::xid8, 9223372036854775807);

grant usage on schema feed to app_user;
grant select, update on feed.cursors to app_user;
