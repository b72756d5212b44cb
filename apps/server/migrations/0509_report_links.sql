-- A link can show a report: of days that are chosen, or of the last ones until today. See docs/decisions/0161.
alter table shared_links
  add column report text,
  add column report_days integer,
  add column report_from date,
  add column report_to date,
  add column report_compare text;
comment on column shared_links.report is 'Of the kind report: which one. Never that of the staff.';
comment on column shared_links.report_days is 'The period is the last days until today by the calendar of the organization; null where it is from report_from to report_to.';
alter table shared_links
  add constraint shared_links_report_known check (report in ('tour-performance', 'traveler-insights')),
  add constraint shared_links_report_compare_known check (report_compare in ('none', 'previous', 'last_year')),
  add constraint shared_links_report_whole check (
    case when kind = 'report'
      then report is not null and subject_id = report and report_compare is not null and departure_id is null
      else num_nonnulls(report, report_days, report_from, report_to, report_compare) = 0 end),
  add constraint shared_links_report_period check (
    case when report is null then true
      when report_days is not null then report_days between 1 and 731 and num_nonnulls(report_from, report_to) = 0
      else num_nonnulls(report_from, report_to) = 2 and report_to between report_from and report_from + 730 end);
