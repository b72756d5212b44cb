-- Information some days before a tour, and a last reminder before guests are met: see docs/decisions/0169.
alter table departure_notices add column informed_for date;
comment on column departure_notices.informed_for is 'The local date for which the contacts got the information before the tour; another date brings another one.';
comment on column notification_rules.offset_min is
  'When it is due: minutes from the beginning of the day of the departure (negative: the day before), from its start, from when guests are met, of delay, or after its end.';
alter table notification_rules
  drop constraint notification_rules_feedback_hours,
  add constraint notification_rules_feedback_hours check (event <> 'feedback_request' or offset_min between 60 and 2880 and offset_min % 60 = 0),
  add constraint notification_rules_information_hours check (event <> 'pre_tour_info' or offset_min between -10080 and -1440 and offset_min % 60 = 0),
  add constraint notification_rules_last_minutes check (event <> 'last_reminder' or offset_min between -180 and -10);
