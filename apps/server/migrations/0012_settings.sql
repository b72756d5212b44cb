-- Settings that no other table reads by column: country, phone, bases, street style of the map; a person's own preferences.

alter table org_settings add column general jsonb not null default '{}';

create table own_preferences (
  org_id text not null,
  user_id text not null,
  preferences jsonb not null default '{}',
  version int not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  primary key (org_id, user_id),
  constraint own_preferences_member_fk foreign key (org_id, user_id) references members on delete cascade
);
select guard_table('own_preferences', 'user_id');
