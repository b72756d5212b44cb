-- Messages to travelers, staff and suppliers, and links that open a page to people without an account.

create table message_templates (
  org_id text not null references organizations on delete cascade,
  id uuid not null,
  key text not null,
  channel text not null,
  locale text not null,
  subject text,
  body text not null,
  archived_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint message_templates_key_unique unique (org_id, key, channel, locale),
  constraint message_templates_channel_known check (channel in ('in_app', 'email', 'sms', 'whatsapp', 'push', 'webhook'))
);
select guard_table('message_templates');

create table notification_rules (
  org_id text not null references organizations on delete cascade,
  id uuid not null,
  name text not null default '',
  event text not null,
  enabled boolean not null default false,
  conditions jsonb not null default '{}',
  audience text not null,
  audience_selector jsonb not null default '{}',
  channels text[] not null,
  template_id uuid,
  offset_min int not null default 0,
  quiet_hours_policy text not null default 'delay',
  dedupe_minutes int not null default 0,
  digest text not null default 'none',
  escalate_after_min int,
  escalate_to jsonb,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint notification_rules_template_fk foreign key (org_id, template_id) references message_templates,
  constraint notification_rules_audience_known check (audience in ('staff', 'travelers', 'members', 'suppliers')),
  constraint notification_rules_channels_known check (cardinality(channels) > 0 and channels <@ array['in_app', 'email', 'sms', 'whatsapp', 'push', 'webhook']),
  constraint notification_rules_quiet_hours_known check (quiet_hours_policy in ('send', 'delay', 'drop')),
  constraint notification_rules_digest_known check (digest in ('none', 'hourly', 'daily')),
  constraint notification_rules_minutes_range check (dedupe_minutes >= 0 and (escalate_after_min is null or escalate_after_min > 0))
);
select guard_table('notification_rules');

create table messages (
  org_id text not null references organizations on delete cascade,
  id uuid not null,
  source text not null default 'manual',
  status text not null default 'draft',
  kind text not null default 'other',
  rule_id uuid,
  subject_type text,
  subject_id text,
  occurrence text,
  departure_id uuid,
  incident_id uuid,
  template_id uuid,
  audience jsonb not null default '{}',
  subject text,
  body text not null default '',
  locale text,
  scheduled_at timestamptz,
  sent_at timestamptz,
  counts jsonb not null default '{}',
  created_by text,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint messages_rule_fk foreign key (org_id, rule_id) references notification_rules,
  constraint messages_departure_fk foreign key (org_id, departure_id) references departures,
  constraint messages_incident_fk foreign key (org_id, incident_id) references incidents,
  constraint messages_template_fk foreign key (org_id, template_id) references message_templates,
  constraint messages_source_known check (source in ('rule', 'manual', 'incident', 'system')),
  constraint messages_status_known check (status in ('draft', 'scheduled', 'sending', 'sent', 'partly_failed', 'failed', 'cancelled')),
  constraint messages_scheduled_has_time check (status <> 'scheduled' or scheduled_at is not null),
  constraint messages_rule_names_occurrence check (rule_id is null or num_nulls(subject_type, subject_id, occurrence) = 0)
);
-- I14. A rule that fires twice for the same thing writes once.
create unique index messages_once_per_occurrence on messages (org_id, rule_id, subject_type, subject_id, occurrence) where rule_id is not null;
create index messages_status on messages (org_id, status, created_at);
create index messages_departure on messages (org_id, departure_id) where departure_id is not null;
select guard_table('messages', 'id', 'body');
select guard_status('messages', 'messages');

create table deliveries (
  org_id text not null,
  id uuid not null,
  message_id uuid not null,
  traveler_id uuid,
  staff_id uuid,
  supplier_id uuid,
  user_id text,
  recipient text not null,
  channel text not null,
  status text not null default 'queued',
  subject text,
  body text,
  provider_id text,
  error text,
  suppressed_reason text,
  attempts smallint not null default 0,
  next_attempt_at timestamptz,
  sent_at timestamptz,
  delivered_at timestamptz,
  read_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint deliveries_message_fk foreign key (org_id, message_id) references messages on delete cascade,
  constraint deliveries_traveler_fk foreign key (org_id, traveler_id) references travelers,
  constraint deliveries_staff_fk foreign key (org_id, staff_id) references field_staff,
  constraint deliveries_supplier_fk foreign key (org_id, supplier_id) references suppliers,
  constraint deliveries_recipient_once unique (org_id, message_id, channel, recipient),
  constraint deliveries_channel_known check (channel in ('in_app', 'email', 'sms', 'whatsapp', 'push', 'webhook')),
  constraint deliveries_status_known check (status in ('queued', 'sent', 'delivered', 'read', 'failed', 'suppressed')),
  constraint deliveries_attempts_range check (attempts between 0 and 4)
);
create index deliveries_status on deliveries (org_id, status, created_at);
create index deliveries_due on deliveries (org_id, next_attempt_at) where status = 'queued';
create index deliveries_traveler on deliveries (org_id, traveler_id) where traveler_id is not null;
create index deliveries_provider on deliveries (org_id, provider_id) where provider_id is not null;
select guard_table('deliveries', 'id', 'body');
select guard_status('deliveries', 'deliveries');

create table notification_preferences (
  org_id text not null references organizations on delete cascade,
  id uuid not null,
  user_id text,
  staff_id uuid,
  traveler_id uuid,
  event text not null,
  channel text not null,
  enabled boolean not null,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint notification_preferences_member_fk foreign key (org_id, user_id) references members on delete cascade,
  constraint notification_preferences_staff_fk foreign key (org_id, staff_id) references field_staff on delete cascade,
  constraint notification_preferences_traveler_fk foreign key (org_id, traveler_id) references travelers on delete cascade,
  constraint notification_preferences_one_person check (num_nonnulls(user_id, staff_id, traveler_id) = 1),
  constraint notification_preferences_once unique nulls not distinct (org_id, user_id, staff_id, traveler_id, event, channel),
  constraint notification_preferences_channel_known check (channel in ('in_app', 'email', 'sms', 'whatsapp', 'push', 'webhook'))
);
select guard_table('notification_preferences');

create table shared_links (
  org_id text not null references organizations on delete cascade,
  id uuid not null,
  kind text not null,
  subject_id text not null,
  departure_id uuid,
  label text not null default '',
  scopes jsonb not null default '{}',
  location_delay_s int not null default 0,
  blur_m int not null default 0,
  passcode_hash text,
  locale text,
  starts_at timestamptz not null default app_now(),
  expires_at timestamptz not null,
  max_views int,
  status text not null default 'active',
  created_by text,
  view_count int not null default 0,
  last_viewed_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint shared_links_departure_fk foreign key (org_id, departure_id) references departures,
  constraint shared_links_kind_known check (kind in ('departure_guest', 'booking_guest', 'traveler', 'staff_runsheet', 'supplier_manifest', 'live_map', 'report', 'roll_call')),
  constraint shared_links_status_known check (status in ('scheduled', 'active', 'paused', 'expired', 'revoked')),
  constraint shared_links_location_delay_known check (location_delay_s in (0, 60, 300, 900)),
  constraint shared_links_blur_known check (blur_m in (0, 100, 500)),
  constraint shared_links_expires_after_start check (expires_at > starts_at),
  constraint shared_links_expires_within_400_days check (expires_at <= created_at + interval '400 days'),
  constraint shared_links_views_range check (view_count >= 0 and (max_views is null or max_views > 0))
);
create index shared_links_status on shared_links (org_id, status, expires_at);
create index shared_links_departure on shared_links (org_id, departure_id) where departure_id is not null;
select guard_table('shared_links', 'id', 'passcode_hash');
select guard_status('shared_links', 'shared_links');
alter table check_ins add constraint check_ins_link_fk foreign key (org_id, by_link_id) references shared_links;

-- I12. Only hashes, several per link: "copy again" issues another one.
create table shared_link_tokens (
  org_id text not null,
  id uuid not null,
  link_id uuid not null,
  token_hash bytea not null,
  token_hint text not null,
  issued_at timestamptz not null default app_now(),
  issued_by text,
  revoked_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint shared_link_tokens_link_fk foreign key (org_id, link_id) references shared_links on delete cascade,
  constraint shared_link_tokens_hash_unique unique (org_id, token_hash),
  constraint shared_link_tokens_hash_is_sha256 check (octet_length(token_hash) = 32),
  constraint shared_link_tokens_hint_length check (char_length(token_hint) <= 4)
);
create index shared_link_tokens_hash on shared_link_tokens (token_hash);
create index shared_link_tokens_link on shared_link_tokens (org_id, link_id);
select guard_table('shared_link_tokens', 'id', 'token_hash');

create table link_accesses (
  org_id text not null,
  id uuid not null,
  link_id uuid not null,
  at timestamptz not null default app_now(),
  ip_hash text,
  user_agent_family text,
  country text,
  primary key (org_id, id),
  constraint link_accesses_link_fk foreign key (org_id, link_id) references shared_links on delete cascade
);
create index link_accesses_link on link_accesses (org_id, link_id, at);
select guard_table('link_accesses', p_recorded => false, p_grants => 'select, insert');

-- A guest comes with a token and nothing else. What is paused, too early, run out or revoked is told apart by the caller.
create policy directory on shared_links for select to app_directory using (true);
create policy directory on shared_link_tokens for select to app_directory using (true);
grant select on shared_links, shared_link_tokens to app_directory;
create function shared_link_of_token(p_token_hash bytea)
returns table (org_id text, link_id uuid, status text, starts_at timestamptz, expires_at timestamptz, token_revoked boolean)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select l.org_id, l.id, l.status, l.starts_at, l.expires_at, t.revoked_at is not null
  from shared_link_tokens t join shared_links l on l.org_id = t.org_id and l.id = t.link_id where t.token_hash = p_token_hash
$$;
select give_function('shared_link_of_token(bytea)', 'app_directory');
