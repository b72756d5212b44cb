-- A new organization is asked where it works: time zone, currency, first base. Those that exist have answered by living with their settings.

alter table org_settings add column set_up_at timestamptz default app_now();
alter table org_settings alter column set_up_at drop default;
comment on column org_settings.set_up_at is 'When time zone and currency were chosen; null asks for them on the overview.';
