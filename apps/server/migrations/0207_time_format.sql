-- Times of day are written with 24 hours or with 12 and am or pm, in the whole organization: on its screens, in its e-mails, on its guests' pages.
alter table org_settings add column time_format text not null default '24h',
  add constraint org_settings_time_format_known check (time_format in ('24h', '12h'));
