-- How guests without an e-mail address are reached by phone: a line for each channel that an organization has set up. See docs/decisions/0139.
create table phone_channels (
  org_id text not null references organizations on delete cascade,
  id uuid not null,
  channel text not null,
  adapter text not null,
  -- of the own webhook
  address text,
  -- of the provider
  account text,
  sender text,
  secret bytea not null,
  channel_key text generated always as (sealing_key(secret)) stored,
  is_preferred boolean not null default false,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint phone_channels_channel_once unique (org_id, channel),
  constraint phone_channels_channel_known check (channel in ('sms', 'whatsapp')),
  constraint phone_channels_adapter_known check (adapter in ('webhook', 'twilio')),
  constraint phone_channels_has_target check (
    case adapter when 'webhook' then address is not null and num_nonnulls(account, sender) = 0
      else address is null and num_nulls(account, sender) = 0 end),
  constraint phone_channels_text_length check (char_length(address) <= 500 and char_length(account) <= 64 and char_length(sender) <= 64),
  constraint phone_channels_key_known foreign key (channel_key) references data_keys
);
comment on column phone_channels.secret is 'What signs a webhook, or the token of the provider, sealed (platform/sealed-text.ts).';
comment on column phone_channels.is_preferred is 'The one by which guests are reached where both are set up.';
create unique index phone_channels_one_preferred on phone_channels (org_id) where is_preferred;
select guard_table('phone_channels', 'id', 'secret,address,account');
select guard_sealed('phone_channels', 'id', 'secret,address,account');

-- The id of a key says nothing to a reader of the audit log. 0455 had written the function without those of 0105 and 0145.
do $$
declare
  before constant text := pg_get_functiondef('record_changes()'::regprocedure);
  after constant text := replace(before, '''import_batch_id'']',
    '''import_batch_id'', ''number_key'', ''medical_key'', ''note_key'', ''content_key'', ''content_key_sealed'', ''channel_key'']');
begin
  if after = before then raise exception 'record_changes() is not as expected'; end if;
  execute after;
end $$;

-- who writes to a guest of their own departure uses the same channels; secrets are sealed
select narrow_own('phone_channels', 'true');

create policy janitor on phone_channels for select to app_janitor using (true);
grant select on phone_channels to app_janitor;

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
$$;

-- Guests say of a phone number as well that they want only what is needed.
alter table opt_outs drop constraint opt_outs_channel_known,
  add constraint opt_outs_channel_known check (channel in ('email', 'sms', 'whatsapp'));
