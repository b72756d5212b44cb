-- Systems of an operator (bookkeeping, website, CRM) are notified of what happens here: they get signed requests. See docs/webhooks.md.
create table webhook_endpoints (
  org_id text not null references organizations on delete cascade,
  id uuid not null,
  url text not null,
  description text,
  event_kinds text[] not null,
  is_on boolean not null default true,
  -- why it was switched off by itself
  off_reason text,
  secret_hint text not null,
  secret_made_at timestamptz not null default app_now(),
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint webhook_endpoints_url_length check (char_length(url) between 1 and 500),
  constraint webhook_endpoints_description_length check (char_length(description) between 1 and 200),
  constraint webhook_endpoints_secret_hint_length check (char_length(secret_hint) <= 4),
  constraint webhook_endpoints_event_kinds_known check (event_kinds <@ array['booking.created', 'booking.changed', 'booking.cancelled',
    'payment.recorded', 'payment.voided', 'departure.created', 'departure.changed', 'departure.cancelled', 'departure.departed',
    'departure.completed', 'stop.arrived', 'stop.departed', 'alert.opened', 'alert.resolved', 'check_in.recorded', 'message.failed']),
  constraint webhook_endpoints_event_kinds_length check (cardinality(event_kinds) >= 1),
  constraint webhook_endpoints_off_reason_known check (off_reason in ('gone', 'failing')),
  constraint webhook_endpoints_off_has_reason check (off_reason is null or not is_on)
);
comment on table webhook_endpoints is 'Addresses of an operator''s own systems, and of which events each is notified.';
select guard_table('webhook_endpoints');

-- One row for each endpoint, written with every attempt: out of the log, and no edit of the endpoint.
create table webhook_queues (
  org_id text not null,
  endpoint_id uuid not null,
  secrets_sealed bytea not null,
  secrets_key text generated always as (sealing_key(secrets_sealed)) stored,
  failing_since timestamptz,
  paused_until timestamptz,
  taken_by uuid,
  taken_until timestamptz,
  primary key (org_id, endpoint_id),
  constraint webhook_queues_endpoint_fk foreign key (org_id, endpoint_id) references webhook_endpoints on delete cascade,
  constraint webhook_queues_secrets_key_known foreign key (secrets_key) references data_keys,
  constraint webhook_queues_taken_whole check ((taken_by is null) = (taken_until is null))
);
comment on table webhook_queues is 'How sending to an endpoint is going.';
comment on column webhook_queues.secrets_sealed is 'What signs, and until when the former secret signs too, sealed (platform/sealed-text.ts).';
comment on column webhook_queues.failing_since is 'The first of the attempts that have failed without a success between them.';
comment on column webhook_queues.paused_until is 'Nothing is sent before: the endpoint did not take what came first.';
comment on column webhook_queues.taken_by is 'Who sends now. Another one may from taken_until on: then this one was killed.';
select guard_table('webhook_queues', 'endpoint_id', p_recorded => false);

-- What is sent, and what came of it: one row for each event and endpoint, in the order in which things happened.
create table webhook_deliveries (
  org_id text not null,
  id uuid not null default gen_random_uuid(),
  endpoint_id uuid not null,
  event_id uuid not null default gen_random_uuid(),
  seq bigint not null generated always as identity,
  kind text not null,
  body jsonb not null,
  status text not null default 'queued',
  attempts smallint not null default 0,
  next_attempt_at timestamptz not null default app_now(),
  attempted_at timestamptz,
  answer_status smallint,
  answer_body text,
  fault text,
  duration_ms int,
  created_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint webhook_deliveries_event_once unique (org_id, endpoint_id, event_id),
  constraint webhook_deliveries_endpoint_fk foreign key (org_id, endpoint_id) references webhook_endpoints on delete cascade,
  constraint webhook_deliveries_status_known check (status in ('queued', 'delivered', 'failed')),
  constraint webhook_deliveries_fault_known check (fault in ('private', 'silent', 'unsigned')),
  constraint webhook_deliveries_attempts_range check (attempts >= 0)
);
comment on table webhook_deliveries is 'The queue and the log of webhooks. A row is deleted 30 days after the event.';
comment on column webhook_deliveries.event_id is 'The same in every attempt and for every endpoint, so that a receiver leaves out what it has.';
create index webhook_deliveries_queued on webhook_deliveries (org_id, endpoint_id, seq) where status = 'queued';
create index webhook_deliveries_log on webhook_deliveries (org_id, created_at desc, id);
-- the last attempt of each endpoint
create index webhook_deliveries_attempted on webhook_deliveries (org_id, endpoint_id, attempted_at desc) where attempted_at is not null;
select guard_table('webhook_deliveries', p_recorded => false);

create policy recorder on webhook_endpoints for select to app_recorder using (true);
grant select on webhook_endpoints to app_recorder;
create policy recorder on webhook_deliveries for insert to app_recorder with check (true);
grant insert on webhook_deliveries to app_recorder;

create function has_webhooks() returns boolean
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select exists (select from webhook_endpoints where org_id = app_org_id() and is_on)
$$;
comment on function has_webhooks is 'Whether anybody is notified at all: the whole cost of webhooks where nobody is.';
select give_function('has_webhooks()', 'app_recorder');

create function utc_text(p_at timestamptz) returns text language sql stable parallel safe
return to_char(p_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

-- Events as [{"kind", "data"}]; those of one statement are queued as a set.
create function queue_webhooks(p_events jsonb) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  queued bigint;
begin
  if p_events is null then return; end if;
  with events as materialized (
    select gen_random_uuid() as event_id, e.kind, e.data, n from rows from (jsonb_to_recordset(p_events) as (kind text, data jsonb)) with ordinality as e (kind, data, n)
  )
  insert into webhook_deliveries (org_id, endpoint_id, event_id, kind, body)
  select w.org_id, w.id, e.event_id, e.kind, jsonb_build_object('id', e.event_id, 'type', e.kind, 'version', 1, 'timestamp', utc_text(app_now()), 'data', e.data)
  from events e join webhook_endpoints w on w.org_id = app_org_id() and w.is_on and e.kind = any (w.event_kinds) order by e.n, w.id;
  get diagnostics queued = row_count;
  if queued > 0 then perform pg_notify('webhooks', ''); end if;
end $$;
select give_function('queue_webhooks(jsonb)', 'app_recorder');

-- whoever acts, the events are those of the organization
grant execute on function has_webhooks(), queue_webhooks(jsonb) to app_own;

-- What an event shows of a record: ids, statuses and figures, nothing about people. A record has changed where this has.
create function webhook_booking(b bookings) returns jsonb language sql stable
return jsonb_build_object('id', b.id, 'reference', b.booking_ref, 'externalReference', b.external_ref, 'departureId', b.departure_id, 'status', b.status,
  'kind', b.kind, 'channel', b.channel, 'guests', b.pax, 'currency', b.currency, 'totalMinor', b.amount_total_minor, 'paidMinor', b.amount_paid_minor,
  'cancellationFeeMinor', b.cancellation_fee_minor, 'paymentStatus', b.payment_status, 'pickupPlaceId', b.pickup_place_id, 'pickupAt', utc_text(b.pickup_at));

create function webhook_payment(p payments) returns jsonb language sql stable
return jsonb_build_object('id', p.id, 'bookingId', p.booking_id, 'kind', p.kind, 'method', p.method, 'amountMinor', p.amount_minor, 'currency', p.currency,
  'receivedAt', utc_text(p.received_at), 'voidedAt', utc_text(p.voided_at));

create function webhook_departure(d departures) returns jsonb language sql stable
return jsonb_build_object('id', d.id, 'code', d.code, 'tourId', d.tour_id, 'status', d.status, 'salesStatus', d.sales_status, 'startsAt', utc_text(d.starts_at),
  'endsAt', utc_text(d.ends_at), 'timeZone', d.time_zone, 'localDate', d.local_date, 'language', d.language, 'capacity', d.capacity,
  'cancelReason', d.cancel_reason, 'startedAt', utc_text(d.actual_start_at), 'endedAt', utc_text(d.actual_end_at));

create function webhook_stop(s departure_stops) returns jsonb language sql stable
return jsonb_build_object('id', s.id, 'departureId', s.departure_id, 'placeId', s.place_id, 'order', s.stop_order, 'plannedArriveAt', utc_text(s.planned_arrive_at),
  'plannedDepartAt', utc_text(s.planned_depart_at), 'arrivedAt', utc_text(s.actual_arrive_at), 'departedAt', utc_text(s.actual_depart_at));

create function webhook_alert(a alerts) returns jsonb language sql stable
return jsonb_build_object('id', a.id, 'kind', a.kind, 'severity', a.severity, 'status', a.status, 'subjectType', a.subject_type, 'subjectId', a.subject_id,
  'departureId', a.departure_id, 'openedAt', utc_text(a.opened_at), 'resolvedAt', utc_text(a.resolved_at), 'resolution', a.resolution);

create function webhook_check_in(c check_ins) returns jsonb language sql stable
return (select jsonb_build_object('id', c.id, 'kind', c.kind, 'method', c.method, 'at', utc_text(c.at), 'manifestEntryId', c.manifest_entry_id,
  'departureId', m.departure_id, 'bookingId', m.booking_id, 'stopId', c.departure_stop_id)
  from manifest_entries m where m.org_id = c.org_id and m.id = c.manifest_entry_id);

create function webhook_message(d deliveries) returns jsonb language sql stable
return jsonb_build_object('id', d.id, 'messageId', d.message_id, 'channel', d.channel, 'bookingId', d.booking_id, 'attempts', d.attempts);

-- What an insert, and what an update, of a record is called; null for what nobody is notified of.
create function queue_booking_webhooks() returns trigger language plpgsql as $$
begin
  if not has_webhooks() then return null; end if;
  if tg_op = 'INSERT' then
    perform queue_webhooks((select jsonb_agg(jsonb_build_object('kind', 'booking.created', 'data', webhook_booking(n))) from new_rows n));
  else
    perform queue_webhooks((
      select jsonb_agg(jsonb_build_object('kind', case when n.status = 'cancelled' and o.status <> 'cancelled' then 'booking.cancelled' else 'booking.changed' end, 'data', webhook_booking(n)))
      from new_rows n join old_rows o on o.org_id = n.org_id and o.id = n.id where webhook_booking(n) <> webhook_booking(o)));
  end if;
  return null;
end $$;
create trigger queue_webhooks_insert after insert on bookings referencing new table as new_rows for each statement execute function queue_booking_webhooks();
create trigger queue_webhooks_update after update on bookings referencing old table as old_rows new table as new_rows for each statement execute function queue_booking_webhooks();

create function queue_payment_webhooks() returns trigger language plpgsql as $$
begin
  if not has_webhooks() then return null; end if;
  if tg_op = 'INSERT' then
    perform queue_webhooks((select jsonb_agg(jsonb_build_object('kind', 'payment.recorded', 'data', webhook_payment(n))) from new_rows n));
  else
    perform queue_webhooks((
      select jsonb_agg(jsonb_build_object('kind', 'payment.voided', 'data', webhook_payment(n)))
      from new_rows n join old_rows o on o.org_id = n.org_id and o.id = n.id where n.voided_at is not null and o.voided_at is null));
  end if;
  return null;
end $$;
create trigger queue_webhooks_insert after insert on payments referencing new table as new_rows for each statement execute function queue_payment_webhooks();
create trigger queue_webhooks_update after update on payments referencing old table as old_rows new table as new_rows for each statement execute function queue_payment_webhooks();

create function queue_departure_webhooks() returns trigger language plpgsql as $$
begin
  if not has_webhooks() then return null; end if;
  if tg_op = 'INSERT' then
    perform queue_webhooks((select jsonb_agg(jsonb_build_object('kind', 'departure.created', 'data', webhook_departure(n))) from new_rows n));
  else
    perform queue_webhooks((
      select jsonb_agg(jsonb_build_object('kind', case when n.status = o.status then 'departure.changed' when n.status = 'cancelled' then 'departure.cancelled'
        when n.status = 'in_progress' and o.status = 'boarding' then 'departure.departed' when n.status = 'completed' then 'departure.completed' else 'departure.changed' end,
        'data', webhook_departure(n)))
      from new_rows n join old_rows o on o.org_id = n.org_id and o.id = n.id where webhook_departure(n) <> webhook_departure(o)));
  end if;
  return null;
end $$;
create trigger queue_webhooks_insert after insert on departures referencing new table as new_rows for each statement execute function queue_departure_webhooks();
create trigger queue_webhooks_update after update on departures referencing old table as old_rows new table as new_rows for each statement
  when (current_setting('app.estimating', true) is distinct from 'on') execute function queue_departure_webhooks();

-- also those of the minute that reads them from positions
create function queue_stop_webhooks() returns trigger language plpgsql as $$
begin
  if not has_webhooks() then return null; end if;
  perform queue_webhooks((
    select jsonb_agg(jsonb_build_object('kind', e.kind, 'data', webhook_stop(n)) order by e.kind)
    from new_rows n join old_rows o on o.org_id = n.org_id and o.id = n.id
    cross join lateral (values ('stop.arrived', n.actual_arrive_at is not null and o.actual_arrive_at is null),
      ('stop.departed', n.actual_depart_at is not null and o.actual_depart_at is null)) as e (kind, happened)
    where e.happened));
  return null;
end $$;
create trigger queue_webhooks_update after update on departure_stops referencing old table as old_rows new table as new_rows for each statement execute function queue_stop_webhooks();

create function queue_alert_webhooks() returns trigger language plpgsql as $$
begin
  if not has_webhooks() then return null; end if;
  if tg_op = 'INSERT' then
    perform queue_webhooks((select jsonb_agg(jsonb_build_object('kind', 'alert.opened', 'data', webhook_alert(n))) from new_rows n));
  else
    perform queue_webhooks((
      select jsonb_agg(jsonb_build_object('kind', 'alert.resolved', 'data', webhook_alert(n)))
      from new_rows n join old_rows o on o.org_id = n.org_id and o.id = n.id where n.status = 'resolved' and o.status <> 'resolved'));
  end if;
  return null;
end $$;
create trigger queue_webhooks_insert after insert on alerts referencing new table as new_rows for each statement execute function queue_alert_webhooks();
create trigger queue_webhooks_update after update on alerts referencing old table as old_rows new table as new_rows for each statement execute function queue_alert_webhooks();

create function queue_check_in_webhooks() returns trigger language plpgsql as $$
begin
  if not has_webhooks() then return null; end if;
  perform queue_webhooks((select jsonb_agg(jsonb_build_object('kind', 'check_in.recorded', 'data', webhook_check_in(n))) from new_rows n));
  return null;
end $$;
create trigger queue_webhooks_insert after insert on check_ins referencing new table as new_rows for each statement execute function queue_check_in_webhooks();

create function queue_message_webhooks() returns trigger language plpgsql as $$
begin
  if not has_webhooks() then return null; end if;
  perform queue_webhooks((
    select jsonb_agg(jsonb_build_object('kind', 'message.failed', 'data', webhook_message(n)))
    from new_rows n join old_rows o on o.org_id = n.org_id and o.id = n.id where n.status = 'failed' and o.status <> 'failed'));
  return null;
end $$;
create trigger queue_webhooks_update after update on deliveries referencing old table as old_rows new table as new_rows for each statement execute function queue_message_webhooks();

-- Which queues a process may work on now.
create policy directory on webhook_endpoints for select to app_directory using (true);
create policy directory on webhook_queues for select to app_directory using (true);
create policy directory on webhook_deliveries for select to app_directory using (true);
grant select on webhook_endpoints, webhook_queues, webhook_deliveries to app_directory;
create function webhook_queues_due(p_now timestamptz) returns table (org_id text, endpoint_id uuid)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select q.org_id, q.endpoint_id from webhook_queues q join webhook_endpoints w on w.org_id = q.org_id and w.id = q.endpoint_id and w.is_on
  where coalesce(q.paused_until, p_now) <= p_now and coalesce(q.taken_until, p_now) <= p_now
    and exists (select from webhook_deliveries d where d.org_id = q.org_id and d.endpoint_id = q.endpoint_id and d.status = 'queued' and d.next_attempt_at <= p_now)
$$;
comment on function webhook_queues_due is 'Queues in which something is due and that nobody works on. Shows ids only.';
select give_function('webhook_queues_due(timestamptz)', 'app_directory');

create policy janitor on webhook_queues for select to app_janitor using (true);
grant select on webhook_queues to app_janitor;
create or replace function data_key_uses() returns table (key_id text, place text, n bigint)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select coalesce(number_key, 'nameless'), 'passport numbers', count(*) from traveler_documents where number_encrypted is not null group by 1
  union all select medical_key, 'medical notes', count(*) from traveler_private where medical_sealed is not null group by 1
  union all select note_key, 'reasons of time off', count(*) from staff_calendar_entries where note_sealed is not null group by 1
  union all select key, 'lines of imports', count(*) from import_rows, unnest(array[passport_value_key, medical_value_key, passport_set_key,
    passport_was_key, medical_set_key, medical_was_key]) as key where key is not null group by 1
  union all select coalesce(sealing_key(samples), 'nameless'), 'samples of imports', count(*) from import_work where samples is not null group by 1
  union all select coalesce(cell_key, 'nameless'), 'corrections of imports', count(*) from import_corrections group by 1
  union all select content_key, 'files of imports', count(*) from files where content_key is not null group by 1
  union all select coalesce(channel_key, 'nameless'), 'secrets of SMS and WhatsApp', count(*) from phone_channels group by 1
  union all select coalesce(secrets_key, 'nameless'), 'secrets of webhooks', count(*) from webhook_queues group by 1
$$;
