-- Browsers in which a member wants to be told although no page is open. See docs/decisions/0142.
create table push_subscriptions (
  org_id text not null,
  id uuid not null,
  user_id text not null,
  name text not null,
  endpoint text not null,
  p256dh text not null,
  auth text not null,
  created_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint push_subscriptions_member_fk foreign key (org_id, user_id) references members on delete cascade,
  constraint push_subscriptions_endpoint_once unique (org_id, user_id, endpoint),
  constraint push_subscriptions_text_length check (char_length(name) between 1 and 80 and char_length(endpoint) <= 1000
    and char_length(p256dh) = 87 and char_length(auth) = 22)
);
comment on column push_subscriptions.name is 'Browser and system, as their owner reads it.';
comment on column push_subscriptions.endpoint is 'Address at the push service of the browser (RFC 8030).';
comment on column push_subscriptions.p256dh is 'Public key of the browser, in base64url; as the next a parameter of its encryption (RFC 8291).';
select guard_table('push_subscriptions', 'id', 'endpoint,p256dh,auth');

-- Who notifies a colleague does so in the browsers of that colleague, and adds and ends only their own.
select narrow_own('push_subscriptions', 'true', 'select, insert, update, delete');
create policy writer on push_subscriptions as restrictive for insert to app_own with check (user_id = app_user_id());
create policy changer on push_subscriptions as restrictive for update to app_own using (user_id = app_user_id()) with check (user_id = app_user_id());
create policy ender on push_subscriptions as restrictive for delete to app_own using (user_id = app_user_id());

alter table deliveries
  add column push_subscription_id uuid,
  add column link text,
  add constraint deliveries_push_subscription_fk foreign key (org_id, push_subscription_id)
    references push_subscriptions on delete set null (push_subscription_id),
  add constraint deliveries_link_own check (link ~ '^/' and link !~ '^//' and char_length(link) <= 500),
  drop constraint deliveries_suppressed_reason_known,
  add constraint deliveries_suppressed_reason_known check (suppressed_reason in ('outdated', 'stopped', 'opted_out', 'browser_gone'));
comment on column deliveries.link is 'Path of our own that a push notice opens.';
create index deliveries_push_subscription on deliveries (org_id, push_subscription_id) where push_subscription_id is not null;
