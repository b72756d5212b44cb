-- The change log is read in the order of commits: what one look has seen is kept as its snapshot, and the next look reads what has
-- become visible since. A transaction that stays open for long delays its own rows only.

comment on table changes is 'The outbox. What was read of it is kept as a snapshot (pg_current_snapshot()): the next read takes what that snapshot does not see. No single number can say it, since transactions end in another order than they begin or write.';

-- Rows that p_upto sees and p_seen does not, behind (p_after_tx, p_after_seq) where a read goes on. Transactions that were running at
-- p_seen and have ended since are looked for one by one, so that a long one, whose rows nobody sees yet, costs nothing; every other row
-- lies behind the end of p_seen. Each part is a range of the primary key (a comparison of rows beside it would read it from its start).
create function read_changes(p_seen pg_snapshot, p_upto pg_snapshot, p_after_tx xid8, p_after_seq bigint, p_limit int)
returns table (tx xid8, seq bigint, org_id text, topic text, entity_id text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select found.* from (
    (select c.tx, c.seq, c.org_id, c.topic, c.entity_id from changes c
     where c.tx = p_after_tx and c.seq > p_after_seq
     order by c.tx, c.seq limit p_limit)
    union all
    (select c.tx, c.seq, c.org_id, c.topic, c.entity_id from changes c
     where c.tx = any (array(select ended from pg_snapshot_xip(p_seen) as ended where ended > p_after_tx and pg_visible_in_snapshot(ended, p_upto)))
     order by c.tx, c.seq limit p_limit)
    union all
    (select c.tx, c.seq, c.org_id, c.topic, c.entity_id from changes c
     where c.tx >= pg_snapshot_xmax(p_seen) and c.tx > p_after_tx and c.tx < pg_snapshot_xmax(p_upto) and pg_visible_in_snapshot(c.tx, p_upto)
     order by c.tx, c.seq limit p_limit)
  ) as found
  order by found.tx, found.seq limit p_limit
$$;
select give_function('read_changes(pg_snapshot, pg_snapshot, xid8, bigint, int)', 'app_feed');

-- Where a new reader begins: every row that is visible now is seen. It ends with the newest row, since numbers of transactions behind
-- it may be given once more after a crash.
create function changes_seen_now() returns pg_snapshot
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select format('%s:%s:%s', coalesce(min(running), behind_newest), behind_newest, string_agg(running::text, ',' order by running))::pg_snapshot
  from (select coalesce((select c.tx::text::numeric from changes c order by c.tx desc, c.seq desc limit 1), 0) + 1 as behind_newest) as log
  left join (select x::text::numeric as running from pg_snapshot_xip(pg_current_snapshot()) as x) as present on running < behind_newest
  group by behind_newest
$$;
select give_function('changes_seen_now()', 'app_feed');

-- What a returning listener has missed. One more row than the limit tells the caller that there is too much to repeat.
create function changes_of(p_owners text[], p_seen pg_snapshot, p_limit int)
returns table (tx xid8, seq bigint, org_id text, topic text, entity_id text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select found.* from unnest(p_owners) as owner cross join lateral (
    (select c.tx, c.seq, c.org_id, c.topic, c.entity_id from changes c
     where c.org_id = owner and c.tx = any (array(select pg_snapshot_xip(p_seen)))
     order by c.tx, c.seq limit p_limit)
    union all
    (select c.tx, c.seq, c.org_id, c.topic, c.entity_id from changes c
     where c.org_id = owner and c.tx >= pg_snapshot_xmax(p_seen)
     order by c.tx, c.seq limit p_limit)
  ) as found
  order by 1, 2 limit p_limit
$$;
select give_function('changes_of(text[], pg_snapshot, int)', 'app_feed');

-- Pruning removes what lies before the oldest row that is left, so a listener has missed nothing of it when every row that its
-- snapshot does not see lies behind that one.
create function changes_are_kept_since(p_seen pg_snapshot) returns boolean
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select coalesce(pg_snapshot_xmin(p_seen) > (select c.tx from changes c order by c.tx, c.seq limit 1), true)
$$;
select give_function('changes_are_kept_since(pg_snapshot)', 'app_feed');

-- Read from the newest backwards, so that a quiet organization costs one row.
create or replace function recent_changes(p_owner text, p_topics text[], p_seconds int)
returns table (tx xid8, seq bigint, topic text, entity_id text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select latest.tx, latest.seq, latest.topic, latest.entity_id from (
    select c.tx, c.seq, c.topic, c.entity_id, c.at from changes c
    where c.org_id = p_owner order by c.tx desc, c.seq desc limit 1000
  ) as latest
  where latest.at > clock_timestamp() - make_interval(secs => p_seconds) and latest.topic = any (p_topics)
  order by latest.tx, latest.seq
$$;

drop function read_changes(xid8, bigint, int, text);
drop function changes_of(text[], xid8, bigint, int);
drop function last_change();
drop function oldest_change();

-- The publisher keeps the same; where one read is not enough, also how far it got in it. It repeats the transaction that it stood in.
alter table feed.cursors add column seen pg_snapshot, add column upto pg_snapshot;
update feed.cursors set seen = format('%1$s:%1$s:', case when seq = 9223372036854775807 then tx::text::numeric + 1 else tx::text::numeric end)::pg_snapshot;
alter table feed.cursors alter column seen set not null;
alter table feed.cursors alter column tx drop not null, alter column seq drop not null;
update feed.cursors set tx = null, seq = null;
alter table feed.cursors add constraint cursors_place_within_read check (num_nulls(upto, tx, seq) in (0, 3));
comment on column feed.cursors.seen is 'Everything visible in it is published.';
comment on column feed.cursors.upto is 'While a read that is too long for one batch goes on: its end. tx and seq are the last row of it that is published.';
