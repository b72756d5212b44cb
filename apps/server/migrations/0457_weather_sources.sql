-- The secret address at which a weather service reports warnings: one for each organization, as a hash.
create table weather_sources (
  org_id text not null references organizations on delete cascade,
  id uuid not null,
  token_hash bytea not null,
  token_hint text not null,
  issued_at timestamptz not null default app_now(),
  issued_by text,
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, id),
  constraint weather_sources_of_org_unique unique (org_id),
  constraint weather_sources_token_unique unique (org_id, token_hash),
  constraint weather_sources_token_is_sha256 check (octet_length(token_hash) = 32),
  constraint weather_sources_hint_length check (char_length(token_hint) <= 4)
);
create index weather_sources_token on weather_sources (token_hash);
select guard_table('weather_sources', 'id', 'token_hash');

create policy directory on weather_sources for select to app_directory using (true);
grant select on weather_sources to app_directory;

create function weather_source_of_token(p_token_hash bytea) returns table (org_id text, id uuid)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select w.org_id, w.id from weather_sources w where w.token_hash = p_token_hash
$$;
select give_function('weather_source_of_token(bytea)', 'app_directory');
