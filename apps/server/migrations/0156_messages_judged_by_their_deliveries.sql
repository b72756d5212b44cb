-- How a message stands by its deliveries is judged in one place: for the courier when a delivery ends, and below.
create function message_status(p_org_id text, p_message_id uuid) returns text language sql stable as $$
  select case when count(*) filter (where d.status = 'queued') > 0 then 'sending'
    when count(*) filter (where d.status = 'failed') = 0 then 'sent'
    when count(*) filter (where d.status = 'failed') = count(*) then 'failed' else 'partly_failed' end
  from deliveries d where d.org_id = p_org_id and d.message_id = p_message_id having count(*) > 0
$$;
comment on function message_status is 'Sending while a delivery waits, then sent, partly_failed or failed; null without deliveries. Whoever writes by it locks the message first.';

-- Before 0151 a message kept "failed" though its deliveries were sent again since, and its departure was never ready. The same for messages
-- whose last two deliveries ended at the same moment, each of which took the other for waiting.
-- The owner of a table is bound by its policies too, while they are forced.
alter table messages no force row level security;
alter table deliveries no force row level security;
update messages m set status = 'sending' where m.status in ('partly_failed', 'failed') and message_status(m.org_id, m.id) <> m.status;
update messages m set status = message_status(m.org_id, m.id), sent_at = coalesce(m.sent_at, app_now())
where m.status = 'sending' and message_status(m.org_id, m.id) <> 'sending';
alter table messages force row level security;
alter table deliveries force row level security;
